import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../support/journal.ts'
import { UNTIL_MS } from '../support/patience.ts'

const main = join(import.meta.dirname, 'support/without-descriptors-main.ts')

it('a process without a free descriptor still commits ticks, renews leases and knows that it runs', async () => {
  const dir = await temporaryDirectory()
  const script = 'ulimit -n 128; exec "$0" "$1" "$2"'
  const { stdout, stderr } = spawnSync('sh', ['-c', script, process.execPath, main, dir], {
    encoding: 'utf8',
    timeout: UNTIL_MS,
  })
  const { exhausted, outcomes } = JSON.parse(stdout || JSON.stringify({ exhausted: stderr })) as {
    exhausted: string
    outcomes: string[]
  }
  expect(exhausted).toBe('EMFILE')
  expect(outcomes).toEqual(['"running"', '{"firstOffset":1}', '[]', '{"firstOffset":2}', '[]'])
})
