import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const program = fileURLToPath(new URL('read-large.ts', import.meta.url))

it.each(['xml', 'csv'])(
  '200 MB of %s are read within a heap of 96 MiB',
  async (format) => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--max-old-space-size=96', program, format, '200'])
    const [read, written] = stdout.split(' of ').map(Number)
    expect(read).toBeGreaterThan(1_000_000)
    expect(read).toBe(written)
  },
  180_000,
)
