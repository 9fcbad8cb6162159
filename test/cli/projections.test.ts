import { expect, test } from 'vitest'
import { openProjections, watchProgress } from '../../cli/processes/projections.ts'
import { ensureTable } from '../../projections/migrate.ts'
import { candles } from '../../projections/views/candles/roll.ts'
import { views } from '../../projections/views/index.ts'
import { ticks } from '../../projections/views/ticks/project.ts'
import { appendTicks, tick } from '../projections/support/ticks.ts'
import { project, useWorlds } from '../projections/support/world.ts'

const world = useWorlds()
const log = { debug() {}, info() {}, warn() {}, error() {} }

test('a read model that is behind and not written for a minute is named; candles once their ticks are there', async () => {
  const { journal, client } = await world()
  const projections = openProjections({ config: { ticksFlushMs: 10 }, journal, log, client: () => client })
  expect(projections.served.map(({ name }) => name)).not.toContain('ticks')
  let now = 0
  const look = watchProgress(projections, () => now)
  expect(await look()).toBeUndefined()
  await appendTicks(journal, [tick('XAU-USD', '1', Date.now())])
  now = 100_000
  expect(await look()).toBeUndefined()
  now = 159_999
  expect(await look()).toBeUndefined()
  now = 160_000
  expect(await look()).toBe('behind the journal, and not written for a minute: ticks')

  for (const table of [...views, candles]) await ensureTable(client, table, journal.id)
  await project(ticks, { journal, client })
  expect(await look()).toBeUndefined()
  now = 220_000
  expect(await look()).toBe('behind the journal, and not written for a minute: candles')
})
