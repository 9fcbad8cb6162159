import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Tick } from '../../contracts/records.ts'
import { rebuildCandles, verifyCandles } from '../../projections/candle-copy.ts'
import { ticks } from '../../projections/views/ticks/project.ts'
import { randomFrom } from '../support/random.ts'
import { expectTrueCandles, randomTicks, rollAll } from './support/candle-rolls.ts'
import { candlesOf } from './support/price-queries.ts'
import { appendTicks, tick } from './support/ticks.ts'
import { project, useWorlds, type World } from './support/world.ts'

const world = useWorlds()
const { signal } = new AbortController()
const DAY = 86_400_000
const now = Date.now()
/** The ends of three months that are long past, and of a day whose ticks are still there. */
const times = [Date.UTC(1960, 0, 31, 23, 59, 59, 999), Date.UTC(2021, 5, 30, 23, 59, 59, 999), now - 20 * DAY]

const gold = (price: string, at: number) => tick('XAU-USD', price, at, { source: 'WB', recordedAt: now - DAY })

async function add({ journal, client }: World, added: readonly Tick[]): Promise<void> {
  await appendTicks(journal, added)
  await project(ticks, { journal, client })
  await rollAll({ journal, client })
}
const shown = async ({ client }: World) =>
  (await candlesOf(client, 'XAU-USD'))
    .filter(({ source }) => source === 'WB')
    .map(({ open, high, low, close, ticks }) => [open, high, low, close, ticks])

test('a restated price takes the place of the former one in its candle, even where the tick of that one is gone', async () => {
  const here = await world()
  await add(
    here,
    times.map((at, n) => gold(`${n + 1}`, at)),
  )
  await here.client.command({ query: 'TRUNCATE TABLE ticks' })
  const [january = 0] = times
  // Lower, and then higher than before: a price that is only added would stay as high or as low.
  await add(here, [gold('0.5', january)])
  expect((await shown(here))[0]).toEqual(['0.5', '0.5', '0.5', '0.5', 1])
  await add(here, [gold('7', january), gold('6', january)])
  expect((await shown(here))[0]).toEqual(['6', '6', '6', '6', 1])
})

test('the last recorded price of each time is its candle, wherever rolls are cut, and rebuilt candles are the same', async () => {
  const histories = fc.array(
    fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.nat({ max: times.length - 1 })), { maxLength: 6 }),
    { minLength: 1, maxLength: 3 },
  )
  await fc.assert(
    fc.asyncProperty(histories, async (blocks) => {
      const here = await world()
      const last = new Map<number, string>()
      for (const block of blocks) {
        const added = block.map(([price, n]) => gold(String(price), times[n] ?? 0))
        for (const { observed_at, price } of added) last.set(Date.parse(observed_at), price)
        await add(here, added)
      }
      const expected = times.flatMap((at) => {
        const price = last.get(at)
        return price === undefined ? [] : [[price, price, price, price, 1]]
      })
      expect(await shown(here)).toEqual(expected)
      expect(await verifyCandles({ ...here, signal })).toMatchObject({ differences: 0 })
      expect((await rebuildCandles({ ...here, signal })).comparison).toMatchObject({ differences: 0 })
      expect(await shown(here)).toEqual(expected)
    }),
    { numRuns: Number(process.env.ALMANAC_TEST_HISTORIES ?? 2) },
  )
})

test('candles of other sources count every price, beside those of a series', async () => {
  const here = await world()
  await add(here, [gold('1', times[2] ?? 0), ...randomTicks(randomFrom(11), 200)])
  await add(here, [gold('2', times[2] ?? 0), ...randomTicks(randomFrom(12), 200)])
  expect(await shown(here)).toEqual([['2', '2', '2', '2', 1]])
  await expectTrueCandles(here, ['XAG-USD', 'EUR-USD', 'BRENT-USD'])
})
