import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runChaos } from '../chaos/run.ts'
import { storeRows } from '../chaos/store.ts'
import { settingsOn, sharedServices } from '../support/distributed.ts'

/** ALMANAC_TEST_ROUNDS=300 for the long run (or `npm run chaos`, which tells of each round); ALMANAC_TEST_SEED repeats one. */
const ROUNDS = Number(process.env.ALMANAC_TEST_ROUNDS ?? 3)
const SEED = Number(process.env.ALMANAC_TEST_SEED ?? Date.now() % 1_000_000)

/** A new directory, and the settings of a service in it. */
async function place() {
  const directory = await mkdtemp(join(tmpdir(), 'almanac-chaos-'))
  const shared = sharedServices()
  return { directory, settings: shared ? settingsOn(shared, directory) : {} }
}

it(`loses, doubles and skips nothing over ${ROUNDS} random kills (seed ${SEED})`, {
  timeout: 180_000 + ROUNDS * 240_000,
}, async () => {
  const { directory, settings } = await place()
  const told: string[] = []
  const summary = await runChaos({ rounds: ROUNDS, seed: SEED, directory, settings, report: (line) => told.push(line) })
  const { violations, output, ...figures } = summary
  expect(violations, `${told.join('\n')}\n${output}`).toEqual([])
  console.log(JSON.stringify(figures))
  await rm(directory, { recursive: true, force: true })
})

it('notices what is taken from the store’s tables and from a subscriber', { timeout: 420_000 }, async () => {
  const { directory, settings } = await place()
  const { violations } = await runChaos({
    ...{ rounds: 1, seed: 1, directory, settings, report: () => undefined },
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
