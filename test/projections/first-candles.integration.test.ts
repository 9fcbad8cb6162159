import { expect, test } from 'vitest'
import { systemTime, type Time } from '../../base/time.ts'
import { gatheringMs } from '../../projections/gathering.ts'
import { ticks } from '../../projections/views/ticks/project.ts'
import { runRoller } from './support/candle-rolls.ts'
import { candlesOf } from './support/price-queries.ts'
import { appendTicks, tick } from './support/ticks.ts'
import { runProjector, until, useWorlds } from './support/world.ts'

const world = useWorlds()
const intervalMs = 30_000
const SYMBOLS = ['XAU-USD', 'XAG-USD', 'EUR-USD', 'GBP-USD', 'USD-JPY', 'BRENT-USD']

test('the first prices after a start are candles within seconds, also behind what an earlier run left', async () => {
  const { journal, client } = await world()
  const at = Date.now()
  await appendTicks(journal, [tick('XAU-USD', '1', at)])
  const projecting = runProjector(ticks, { journal, client, intervalMs })
  const rolling = runRoller({ journal, client, intervalMs })
  await projecting.projector.caughtUp
  await rolling.roller.caughtUp
  for (const price of ['2', '3']) {
    const later = Date.now()
    await appendTicks(
      journal,
      SYMBOLS.map((symbol) => tick(symbol, price, later)),
    )
    await until(async () => {
      const found = await Promise.all(SYMBOLS.map((symbol) => candlesOf(client, symbol, at - 60_000, later + 1)))
      return found.every((candles) => candles.at(-1)?.close === price)
    })
  }
  await projecting.stop()
  await rolling.stop()
})

test('a roller that is not to gather looks for ticks ten times a second, not without a pause', async () => {
  const { journal, client } = await world()
  const pauses: number[] = []
  const after: Time['after'] = (ms, signal) => {
    pauses.push(ms)
    return systemTime.after(ms, signal)
  }
  const { stop } = runRoller({ journal, client, intervalMs: 0, time: { ...systemTime, after } })
  await until(() => pauses.includes(0) || pauses.filter((ms) => ms === 100).length > 2)
  await stop()
  expect(pauses).not.toContain(0)
})

test('the gathering time is brief after a start, and never longer than the setting', () => {
  expect([0, 29_999, 30_000, 1e9].map((ms) => gatheringMs(15_000, ms))).toEqual([2_000, 2_000, 15_000, 15_000])
  expect([0, 1e9].map((ms) => gatheringMs(150, ms))).toEqual([150, 150])
})
