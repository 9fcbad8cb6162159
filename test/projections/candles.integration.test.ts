import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareDecimals } from '../../domain/decimal.ts'
import { verifyCandles } from '../../projections/candle-copy.ts'
import { ensureTable } from '../../projections/migrate.ts'
import { candles, decimalOrder, nextRoll, readRolled, roll } from '../../projections/views/candles/roll.ts'
import { ticks } from '../../projections/views/ticks/project.ts'
import { randomFrom } from '../support/random.ts'
import { expectTrueCandles, randomTicks, rollAll, runRoller } from './support/candle-rolls.ts'
import { candlesOf } from './support/price-queries.ts'
import { appendTicks, tick } from './support/ticks.ts'
import { project, rows, until, useWorlds } from './support/world.ts'

const world = useWorlds()
const { signal } = new AbortController()
const DAY = 86_400_000
const now = Date.now()
const SEED = Number(process.env.ALMANAC_TEST_SEED ?? Date.now() % 1_000_000)

describe('candles', () => {
  test(`are what the journal's ticks make, late and repeated ones too, however they are rolled (seed ${SEED})`, async () => {
    const random = randomFrom(SEED)
    const { journal, client } = await world()
    const all = randomTicks(random, 1_000)
    for (let from = 0; from < all.length; ) {
      const upTo = from + 1 + Math.floor(random() * 600)
      await appendTicks(journal, all.slice(from, upTo))
      from = upTo
      await project(ticks, { journal, client })
      // Rows that are there twice count once.
      if (random() < 0.3) await client.command({ query: 'INSERT INTO ticks SELECT * FROM ticks WHERE rand() % 4 = 0' })
      await rollAll({ journal, client })
    }
    await expectTrueCandles({ journal, client })
    expect(await verifyCandles({ journal, client, signal })).toMatchObject({ differences: 0, examples: [] })
    const [table] = await rows<{ n: number }>(client, 'SELECT toUInt32(sum(ticks)) AS n FROM candles FINAL')
    expect(table?.n).toBe(all.filter(({ kind }) => kind === 'price').length)
  })

  test('hold prices of any length and minutes before 1970, each source for itself', async () => {
    const { journal, client } = await world()
    const at = Math.floor((now - DAY) / 60_000) * 60_000
    const [large, small] = ['9'.repeat(64), `0.${'0'.repeat(60)}12`]
    await appendTicks(journal, [
      tick('XAU-USD', '10', at + 1),
      tick('XAU-USD', large, at + 2),
      tick('XAU-USD', small, at + 3),
      tick('XAU-USD', '9.99', at + 59_999),
      tick('XAU-USD', '5', at + 60_000),
      tick('XAU-USD', '6', at + 60_000, { source: 'TEST2' }),
      tick('XAU-USD', '7', Date.UTC(1960, 0, 31, 23, 59, 59, 999), { recordedAt: at }),
    ])
    await project(ticks, { journal, client })
    await rollAll({ journal, client })
    const first = await candlesOf(client, 'XAU-USD', at, at + 1)
    expect(first).toMatchObject([{ open: '10', high: large, low: small, close: '9.99', ticks: 4 }])
    const second = await candlesOf(client, 'XAU-USD', at + 60_000, at + 60_001)
    expect(second).toMatchObject([
      { source: 'TEST', open: '5' },
      { source: 'TEST2', open: '6' },
    ])
    const [old] = await candlesOf(client, 'XAU-USD', -1e13, 0)
    expect(old).toMatchObject({ minute: '1960-01-31T23:59:00.000Z', lastAt: '1960-01-31T23:59:59.999Z' })
    await expectTrueCandles({ journal, client }, ['XAU-USD'])
  })

  test('order prices as numbers do', async () => {
    const { client } = await world()
    const digits = fc.stringMatching(/^[0-9]{1,30}$/)
    const decimal = fc
      .tuple(fc.bigInt(0n, 10n ** 30n), fc.option(digits))
      .map(([whole, fraction]) => (fraction === null ? `${whole}` : `${whole}.${fraction}`))
    const prices = fc.sample(decimal, 300).flatMap((price) => [price, price.includes('.') ? `${price}0` : `${price}.0`])
    const result = await client.query({
      query: `SELECT arrayJoin({prices:Array(String)}) AS price ORDER BY ${decimalOrder('price')}`,
      query_params: { prices },
      format: 'JSONEachRow',
    })
    const sorted = (await result.json<{ price: string }>()).map(({ price }) => price)
    expect(sorted).toEqual(prices.toSorted((a, b) => compareDecimals(a, b) || a.length - b.length))
  })

  test('the largest roll is one part, which says how far it has got', async () => {
    const { journal, client } = await world()
    await ensureTable(client, ticks, journal)
    await ensureTable(client, candles, journal)
    await client.command({ query: 'SYSTEM STOP MERGES candles' })
    // Each tick in a minute of its own, so that as many candles come of a roll as ever can.
    await client.command({
      query: `INSERT INTO ticks (symbol, source, price, observed_at, appended_at, _partition, _offset)
        SELECT concat('T', toString(number % 6)), 'TEST', '1.5', toDateTime64('2000-01-01', 3) + number * 60, now(),
          number % 6, intDiv(number, 6)
        FROM system.numbers LIMIT 610_000`,
    })
    const rolled = await readRolled(client)
    const through = (await nextRoll(client, rolled)) ?? []
    await roll(client, rolled, through)
    expect(through).toEqual(Array(6).fill(99_999))
    expect(await readRolled(client)).toEqual(through)
    const parts = await rows(
      client,
      `SELECT toUInt32(rows) AS rows FROM system.parts
       WHERE active AND table = 'candles' AND database = currentDatabase()`,
    )
    expect(parts).toEqual([{ rows: 600_006 }])
  })

  test('follow the ticks, and where nothing came nothing is written', async () => {
    const { journal, client } = await world()
    const { roller, stop } = runRoller({ journal, client })
    await roller.caughtUp
    expect(await roller.progress()).toEqual({ running: true, lag: 0, position: 0, watermarks: new Map() })
    await appendTicks(journal, [tick('XAU-USD', '1', now)])
    await project(ticks, { journal, client })
    await until(async () => (await roller.progress()).lag === 0)
    await appendTicks(journal, [tick('XAU-USD', '2', now)])
    await project(ticks, { journal, client })
    await until(async () => (await roller.progress()).lag === 0)
    await stop()
    await expectTrueCandles({ journal, client }, ['XAU-USD'])
    const [made] = await rows<{ n: number }>(
      client,
      `SELECT toUInt32(max(max_block_number)) AS n FROM system.parts WHERE table = 'candles' AND database = currentDatabase()`,
    )
    expect(made?.n).toBe(2)
  })
})
