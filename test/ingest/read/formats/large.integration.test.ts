import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const program = fileURLToPath(new URL('read-large.ts', import.meta.url))

/** Size of the message: 200 in a long run. */
const MB = Number(process.env.ALMANAC_TEST_MEGABYTES ?? 40)
/** A fraction of the message, and of what its observations would take. */
const HEAP_MIB = 32

it.each(['xml', 'csv'])(`${MB} MB of %s are read within a heap of ${HEAP_MIB} MiB`, async (format) => {
  const args = [`--max-old-space-size=${HEAP_MIB}`, program, format, String(MB)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const [read, written] = stdout.split(' of ').map(Number)
  expect(read).toBeGreaterThan(MB * 5_000)
  expect(read).toBe(written)
})
