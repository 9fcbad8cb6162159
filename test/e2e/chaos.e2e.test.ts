import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Faults, HOUR_MS, serviceProcesses } from '../chaos/draw.ts'
import { runChaos } from '../chaos/run.ts'
import { storeRows } from '../chaos/store.ts'

/** ALMANAC_TEST_ROUNDS=300 for the long run (or `npm run chaos`, which tells of each round); ALMANAC_TEST_SEED repeats one. */
const ROUNDS = Number(process.env.ALMANAC_TEST_ROUNDS ?? 3)
const SEED = Number(process.env.ALMANAC_TEST_SEED ?? Date.now() % 1_000_000)

const newDirectory = () => mkdtemp(join(tmpdir(), 'almanac-chaos-'))

it(`loses, doubles and skips nothing over ${ROUNDS} random kills (seed ${SEED})`, {
  timeout: 180_000 + ROUNDS * 240_000,
}, async () => {
  const directory = await newDirectory()
  const told: string[] = []
  const summary = await runChaos({ rounds: ROUNDS, seed: SEED, directory, report: (line) => told.push(line) })
  const { violations, output, ...figures } = summary
  expect(violations, `${told.join('\n')}\n${output}`).toEqual([])
  console.log(JSON.stringify(figures))
  await rm(directory, { recursive: true, force: true })
})

const stopped = serviceProcesses.map((name, i): Faults => {
  const clockOffsetMs = [HOUR_MS, -HOUR_MS, 0, undefined][i]
  return { kill: undefined, stop: { name, afterMs: 500, forMs: 3_000 }, clockOffsetMs }
})

it('goes on after each process was stopped for 3 s, and the clock set forward and back by an hour', {
  timeout: 180_000 + stopped.length * 240_000,
}, async () => {
  const directory = await newDirectory()
  const told: string[] = []
  const { violations, output } = await runChaos({
    rounds: stopped.length,
    seed: SEED,
    directory,
    report: (line) => told.push(line),
    faultsOf: (round) => stopped[round] as Faults,
  })
  expect(violations, `${told.join('\n')}\n${output}`).toEqual([])
  await rm(directory, { recursive: true, force: true })
})

it('notices what is taken from the store’s tables and from a subscriber', { timeout: 540_000 }, async () => {
  const directory = await newDirectory()
  const { violations } = await runChaos({
    rounds: 1,
    seed: 1,
    directory,
    report: () => undefined,
    async sabotage({ subscribers, settings: { ALMANAC_DATA_DIR: dataDir = '' } }) {
      subscribers[0]?.received.splice(3, 1)
      await storeRows(dataDir, `DELETE FROM vintages WHERE _offset = 2 AND NOT _marker`)
      await storeRows(dataDir, `DELETE FROM ticks WHERE _offset = 3 AND NOT _marker`)
    },
  })
  await rm(directory, { recursive: true, force: true })
  const told = violations.join('\n')
  expect(told).toContain('subscriber 0: event 5 came where 4 was due')
  expect(told).toMatch(/table vintages: 1 differ, first 0\/2: expected .*, found nothing/)
  expect(told).toMatch(/table ticks: \d differ, first \d\/3: expected .*, found nothing/)
})
