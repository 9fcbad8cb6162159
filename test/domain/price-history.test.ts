import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PriceHistory, type StatedPrice, StatedPrices } from '../../domain/price-history.ts'

type Edition = { readonly day: string | null; readonly sha256: string; readonly prices: readonly [string, string][] }

const times = ['2021-06-30T23:59:59.999Z', '2021-07-31T23:59:59.999Z', '2021-08-31T23:59:59.999Z']
const stated = ({ day, sha256, prices }: Edition): StatedPrice[] =>
  prices.map(([observed_at, price]) => ({ symbol: 'XAU-USD', observed_at, price, released_on: day, sha256 }))
const edition = (day: string | null, prices: Edition['prices'], sha256 = String(day)): Edition => ({
  day,
  sha256,
  prices,
})

/** Reads editions in an order, and returns what is recorded of them, and the price of each time. */
function read(editions: readonly Edition[], history = new PriceHistory()) {
  const records: (StatedPrice & { readonly outcome: string; readonly restates?: string })[] = []
  for (const price of editions.flatMap(stated)) {
    const decision = history.decide(price)
    if (decision.outcome === 'unchanged' || decision.outcome === 'outdated') continue
    history.apply(price)
    records.push({ ...price, ...decision })
  }
  const current = new Map(records.map(({ observed_at, price }) => [observed_at, price]))
  return { records, current: times.map((time) => current.get(time)), history }
}

/**
 * Editions in their order, two of each day. Each has some of the times, and no time has an earlier price again: a
 * repeated price is not recorded.
 */
const editions = fc
  .array(fc.array(fc.option(fc.boolean()), { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 6 })
  .map((changes) => {
    const values = [100, 100, 100]
    return changes.map((change, n) => {
      const prices = change.flatMap((step, at): [string, string][] => {
        if (step === null) return []
        values[at] = (values[at] ?? 0) + Number(step)
        return [[times[at] ?? '', String(values[at])]]
      })
      return edition(`2021-09-0${1 + Math.trunc(n / 2)}`, prices, `sha ${n}`)
    })
  })
const shuffled = editions.chain((all) =>
  fc.record({ all: fc.constant(all), order: fc.shuffledSubarray(all, { minLength: all.length }) }),
)

describe('the history of a series of prices', () => {
  it('is the same whatever the order in which editions are read: the latest one that states a time decides', () => {
    fc.assert(
      fc.property(shuffled, ({ all, order }) => {
        const expected = new Map(all.flatMap(({ prices }) => prices))
        expect(read(order).current).toEqual(times.map((time) => expected.get(time)))
      }),
    )
  })

  it('does not change when editions that were read are read again, or when the records are folded again', () => {
    fc.assert(
      fc.property(shuffled, ({ all, order }) => {
        const { history, records } = read(all)
        const folded = new PriceHistory()
        for (const record of [...records, ...records]) folded.apply(record)
        expect(read(order, history).records).toEqual([])
        expect(read(order, folded).records).toEqual([])
      }),
    )
  })

  const [june = ''] = times
  const outcomes = (...all: Edition[]) => read(all).records.map(({ outcome, price }) => `${outcome} ${price}`)

  it('names the price whose place another one takes', () => {
    const { records } = read([edition('2021-07-02', [[june, '1834.6']]), edition('2021-08-03', [[june, '1834.57']])])
    expect(records).toMatchObject([{ outcome: 'new' }, { outcome: 'restated', restates: '1834.6', price: '1834.57' }])
  })
  it('takes equal prices for the same, however they are written', () => {
    expect(outcomes(edition('2021-07-02', [[june, '1.5']]), edition('2021-08-03', [[june, '1.50']]))).toEqual([
      'new 1.5',
    ])
  })
  it('lets no edition without a day take the place of one with a day', () => {
    const [dated, undated] = [edition('2021-07-02', [[june, '1']]), edition(null, [[june, '2']])]
    expect(outcomes(dated, undated)).toEqual(['new 1'])
    expect(outcomes(undated, dated)).toEqual(['new 2', 'restated 1'])
  })
  it.each(['2021-07-02', null])('takes of two documents of the day %s that with the greater hash', (day) => {
    const [less, greater] = [edition(day, [[june, '1']], 'a'), edition(day, [[june, '2']], 'b')]
    expect(outcomes(less, greater, less, greater)).toEqual(['new 1', 'restated 2'])
    expect(outcomes(greater, less, greater, less)).toEqual(['new 2'])
  })
  it('takes the first of two prices that a document states for one time, however often it is read', () => {
    const twice = edition('2021-07-02', [
      [june, '1'],
      [june, '2'],
    ])
    expect(outcomes(twice, twice)).toEqual(['new 1'])
  })
})

it('a document means the first price that it states of a symbol, time and day', () => {
  const [june = '', july = ''] = times
  const prices = new StatedPrices()
  const isFirst = (price: string, observed_at = june, day = '2021-09-02', symbol = 'XAU-USD') =>
    prices.isFirst({ symbol, observed_at, price, released_on: day, sha256: 'a' })
  expect([isFirst('1'), isFirst('2'), isFirst('1')]).toEqual([true, false, true])
  expect([isFirst('2', july), isFirst('2', june, '2021-10-04'), isFirst('2', june, '2021-09-02', 'XAG-USD')]).toEqual([
    true,
    true,
    true,
  ])
})

it('a history has the prices of a symbol in order of time, and knows the document of each', () => {
  const [first = '', second = '', third = ''] = times
  const { history } = read([
    edition('2021-08-05', [[second, '101.5']], 'a'),
    edition('2021-09-05', [[first, '99']], 'b'),
  ])
  const points = [
    { at: first, value: 99 },
    { at: second, value: 101.5 },
  ]
  expect(history.pointsOf('XAU-USD')).toEqual(points)
  expect(history.pointsOf('XAG-USD')).toEqual([])
  expect(history.priceAt('XAU-USD', second)).toBe('101.5')
  expect(history.priceAt('XAU-USD', third)).toBeUndefined()
  expect(history.priceAt('XAG-USD', first)).toBeUndefined()
  const price = { symbol: 'XAU-USD', observed_at: second, price: '101.5', released_on: '2021-08-05', sha256: 'a' }
  expect(history.has(price)).toBe(true)
  for (const other of [{ price: '101.50' }, { sha256: 'b' }, { observed_at: third }, { symbol: 'XAG-USD' }])
    expect(history.has({ ...price, ...other }), JSON.stringify(other)).toBe(false)
})
