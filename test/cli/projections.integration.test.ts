import { expect, test } from 'vitest'
import { openProjections, type Projections, watchProgress } from '../../cli/processes/projections.ts'
import { appendTicks, tick } from '../projections/support/ticks.ts'
import { until, useWorlds } from '../projections/support/world.ts'

const world = useWorlds()
const isDone = ({ running, lag }: { running: boolean; lag: number }) => running && lag === 0
const log = { debug() {}, info() {}, warn() {}, error() {} }

test('a read model that is written here, behind, and not written for a minute is named', async () => {
  const { journal, client } = await world()
  const stop = new AbortController()
  const projections = openProjections({ config: { ticksFlushMs: 10 }, journal, log, client: () => client })
  expect(projections.served.map(({ name }) => name)).not.toContain('ticks')
  let now = 0
  const look = watchProgress(projections, () => now)
  await appendTicks(journal, [tick('XAU-USD', '1', Date.now())])
  // Nobody writes here: whoever does judges itself.
  for (now of [0, 100_000]) expect(await look()).toBeUndefined()

  const written = projections.all.map((one) => one.run(stop.signal).catch(() => undefined))
  const isWritten = async () => (await Promise.all(projections.all.map((one) => one.progress()))).every(isDone)
  await until(isWritten)
  expect(await look()).toBeUndefined()
  stop.abort()
  await Promise.all(written)
})

test('of read models that are written here, the one that does not move is named; candles only once their ticks are there', async () => {
  const running = { running: true }
  let [ticks, candles] = [
    { ...running, lag: 3, watermarks: new Map([[0, 6]]) },
    { ...running, lag: 4, watermarks: new Map([[0, 6]]) },
  ]
  const one = (name: string, progress: () => object) => ({
    name,
    progress: async () => progress(),
    run: async () => undefined,
    caughtUp: Promise.resolve(),
  })
  const all = [one('ticks', () => ticks), one('candles', () => candles)] as Projections['all']
  let now = 0
  const look = watchProgress({ served: [], all }, () => now)
  expect(await look()).toBeUndefined()
  now = 60_000
  expect(await look()).toBe('behind the journal, and not written for a minute: ticks')
  ticks = { ...running, lag: 0, watermarks: new Map([[0, 9]]) }
  expect(await look()).toBeUndefined()
  now = 120_000
  expect(await look()).toBe('behind the journal, and not written for a minute: candles')
  candles = { ...running, lag: 1, watermarks: new Map([[0, 9]]) }
  expect(await look()).toBeUndefined()
})
