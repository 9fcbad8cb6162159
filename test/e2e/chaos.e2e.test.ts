import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { drawFaults, type Faults, HOUR_MS, serviceProcesses } from '../chaos/draw.ts'
import { randomOf } from '../chaos/random.ts'
import { runChaos } from '../chaos/run.ts'
import { storeRows } from '../chaos/store.ts'

/** ALMANAC_TEST_ROUNDS=300 for the long run (or `npm run chaos`, which tells of each round); ALMANAC_TEST_SEED repeats one. */
const ROUNDS = Number(process.env.ALMANAC_TEST_ROUNDS ?? 1)
const SEED = Number(process.env.ALMANAC_TEST_SEED ?? Date.now() % 1_000_000)

/** Each process stopped for 3 s, and the clock set forward, back and to the true time. */
const stops = serviceProcesses.map((name, i): Omit<Faults, 'kill'> => {
  const clockOffsetMs = [HOUR_MS, -HOUR_MS, 0, undefined][i]
  return { stop: { name, afterMs: 500, forMs: 3_000 }, clockOffsetMs }
})
/** A round for each of them in a long run; a single round has one of them beside its kill. */
function drawRounds(): Faults[] {
  const random = randomOf(SEED)
  const kills = Array.from({ length: ROUNDS }, () => drawFaults(random))
  const [only, ...others] = kills
  if (only && others.length === 0) return [{ ...only, ...stops[SEED % stops.length] }]
  return [...kills, ...stops.map((faults) => ({ kill: undefined, ...faults }))]
}
const rounds = drawRounds()

it(`loses, doubles and skips nothing over ${rounds.length} rounds of kills and stops, and notices what is taken (seed ${SEED})`, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'almanac-chaos-'))
  const told: string[] = []
  let hasHeld = false
  const { violations, output, ...figures } = await runChaos({
    rounds: rounds.length,
    seed: SEED,
    directory,
    report: (line) => told.push(line),
    faultsOf: (round) => rounds[round] as Faults,
    // Called only if every round was without a violation.
    async sabotage({ subscribers, journal, settings: { ALMANAC_DATA_DIR: dataDir = '' } }) {
      hasHeld = true
      subscribers[0]?.received.splice(3, 1)
      const [release, tick] = [journal.releases[2], journal.ticks.flat()[3]]
      await storeRows(dataDir, `DELETE FROM vintages WHERE _offset = ${release?.offset} AND NOT _marker`)
      await storeRows(dataDir, `DELETE FROM ticks WHERE _offset = ${tick?.offset} AND NOT _marker`)
    },
  })
  const found = violations.join('\n')
  expect(hasHeld, `${told.join('\n')}\n${found}\n${output}`).toBe(true)
  expect(found).toContain('subscriber 0: event 5 came where 4 was due')
  expect(found).toMatch(/table vintages: 1 differ, first 0\/\d+: expected .*, found nothing/)
  expect(found).toMatch(/table ticks: \d differ, first \d\/\d+: expected .*, found nothing/)
  console.log(JSON.stringify(figures))
  await rm(directory, { recursive: true, force: true })
})
