import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Process } from '../bench/streams-process.ts'
import { hasNoPython, python, pythonFolder } from '../support/python.ts'

/**
 * A consumer that is slower than the server needs no more memory for more events. Here a shorter run at a higher rate;
 * `ALMANAC_TEST_EVENTS=1000000 ALMANAC_TEST_RATE=1000` is the long one, of 17 minutes.
 */
const EVENTS = Number(process.env.ALMANAC_TEST_EVENTS ?? 60_000)
const RATE = Number(process.env.ALMANAC_TEST_RATE ?? 6_000)
const LIMIT = 64 * 1_024 * 1_024
const run = promisify(execFile)

let dir: string
let server: Process
let url: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'almanac-memory-'))
  const journal = join(dir, 'journal')
  await run(process.execPath, [join(import.meta.dirname, 'support/fill-journal.ts'), journal, String(EVENTS)])
  server = new Process('streams-server.ts', ['events', JSON.stringify({ dir: journal })])
  url = `ws://127.0.0.1:${(await server.answer<{ port: number }>()).port}`
})
afterAll(async () => {
  server?.end()
  await rm(dir, { recursive: true, force: true })
})

type Outcome = { read: number; isInOrder: boolean; peak?: number; rss: number; states: Record<string, number> }
const outcome = async (command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const { stdout } = await run(command, [...args, url, String(EVENTS), String(RATE)], {
    env: { ...process.env, ...env },
  })
  const result: Outcome = JSON.parse(stdout)
  expect(result).toMatchObject({ read: EVENTS, isInOrder: true })
  // It was slower than the server, and was never cut: reading stopped and went on.
  expect(result.states.paused).toBeGreaterThan(1)
  expect(result.states.waiting).toBeUndefined()
  return result
}

describe.concurrent(`${EVENTS} events at ${RATE}/s`, () => {
  it('take the TypeScript client 64 MB of heap and buffers at most', async () => {
    const { peak } = await outcome(process.execPath, [join(import.meta.dirname, 'support/steady-reader.ts')])
    expect(peak).toBeGreaterThan(1_000_000)
    expect(peak).toBeLessThanOrEqual(LIMIT)
  })

  it.skipIf(hasNoPython)('take the Python client 64 MB of resident memory at most', async () => {
    const program = join(pythonFolder, 'tests/steady_reader.py')
    const { rss } = await outcome(python, [program], { PYTHONPATH: join(pythonFolder, 'src') })
    expect(rss).toBeLessThanOrEqual(LIMIT)
  })
})
