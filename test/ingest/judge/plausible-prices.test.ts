import { describe, expect, it } from 'vitest'
import type { Value } from '../../../domain/plausibility/view.ts'
import { heldPricesOf, type JudgedPrice } from '../../../ingest/judge/plausible-prices.ts'
import type { Item, Price } from '../../../ingest/source.ts'

const AT = Date.parse('2024-06-01T00:00:00.000Z')
const month = (n: number): string => `2024-0${n}-01T00:00:00.000Z`
const price = (n: number, printed: string, over: Partial<Price> = {}): Price => ({
  kind: 'price',
  symbol: 'XAU-USD',
  printed,
  observedAt: month(n),
  location: '',
  ...over,
})
const onRecord = (...values: number[]): Value[] => values.map((value, i) => ({ at: month(i + 1), value }))

/** What is held of a document beside what is on record: reason, detail, and printed prices. */
const held = (items: readonly Item[], record: readonly Value[] = []) =>
  heldPricesOf(items, AT, (_, stated) => ({ stated, record })).map(({ reason, detail, prices }) => [
    reason,
    detail,
    prices.map(({ printed }) => printed),
  ])
/** The prices of a document that are judged, by symbol. */
function judged(items: readonly Item[]) {
  const all: Record<string, readonly JudgedPrice[]> = {}
  heldPricesOf(items, AT, (symbol, stated) => {
    all[symbol] = stated
    return { stated, record: [] }
  })
  return Object.fromEntries(
    Object.entries(all).map(([symbol, stated]) => [symbol, stated.map(({ price: { printed } }) => printed)]),
  )
}

describe('the prices of a document', () => {
  it('are judged by symbol in order of time, without other items and without symbols that are not served', () => {
    const reject: Item = { kind: 'reject', reason: 'not_a_decimal', detail: '', location: '', text: '' }
    const euro = { symbol: 'EUR-USD' }
    expect(
      judged([price(2, '1597'), reject, price(3, '1.08', euro), price(1, '1560'), price(1, '1', { symbol: 'X-Y' })]),
    ).toEqual({ 'XAU-USD': ['1560', '1597'], 'EUR-USD': ['1.08'] })
  })

  it('are not judged if they are not positive, or more than a day ahead of the clock', () => {
    const dayAhead = { observedAt: '2024-06-02T00:00:00.000Z' }
    const moreThanThat = { observedAt: '2024-06-02T00:00:00.001Z' }
    const all = [price(1, '0'), price(2, '-1'), price(3, 'x'), price(4, '1', dayAhead), price(4, '2', moreThanThat)]
    expect(judged(all)).toEqual({ 'XAU-USD': ['1'] })
  })

  it('are held alone for what one of them is, and all for what most of them are', () => {
    const record = onRecord(100, 101, 102)
    expect(held([price(2, '1500'), price(3, '102'), price(4, '103')], record)).toMatchObject([
      ['held_jump', expect.stringContaining('is 1500, and 101 on record'), ['1500']],
    ])
    const all = [price(1, '1000'), price(2, '1010'), price(3, '1020'), price(4, '103')]
    expect(held(all, record)).toMatchObject([
      [
        'held_scale',
        expect.stringContaining('3 values are about 10 times those on record'),
        all.map((one) => one.printed),
      ],
    ])
  })

  it('count with their multiplier', () => {
    const cents = price(1, '10000', { multiplier: '0.01' })
    expect(held([cents], onRecord(100))).toEqual([])
    expect(held([cents], onRecord(10_000))).toMatchObject([
      ['held_jump', expect.stringContaining('is 100, and 10000 on record'), ['10000']],
    ])
  })
})

describe('several prices of one time', () => {
  const record = onRecord(100, 101, 102)

  it('are each judged beside the one before', () => {
    expect(held([price(2, '101.5'), price(2, '900')], record)).toMatchObject([
      ['held_jump', expect.stringContaining('is 900, and 101.5 on record'), ['900']],
    ])
  })

  it('are judged beside the record if the one before is held', () => {
    expect(held([price(2, '900'), price(2, '901'), price(2, '101.5')], record)).toMatchObject([
      ['held_jump', expect.stringContaining('is 900, and 101 on record'), ['900']],
      ['held_jump', expect.stringContaining('is 901, and 101 on record'), ['901']],
    ])
  })
})
