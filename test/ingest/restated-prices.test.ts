import { describe, expect, it } from 'vitest'
import { Acceptor } from '../../ingest/accept/accept.ts'
import type { Price } from '../../ingest/source.ts'
import { testDocument } from '../support/documents.ts'
import { type Fault, faultyJournal } from '../support/faulty-journal.ts'
import { openTestJournal, recordsOf, valuesOf } from '../support/journal.ts'
import { replay, valuesIn } from '../support/quotes-replay.ts'

const GOLD = 'XAU-USD'
const monthEnd = { june: '2021-06-30', july: '2021-07-31', august: '2021-08-31' } as const

/** An edition of the Pink Sheet, with invented prices of gold. */
function edition(on: string, prices: Readonly<Partial<Record<keyof typeof monthEnd, string>>>) {
  const document = { ...testDocument(on), source: 'WB', dataset: 'pink-sheet', sha256: on, url: `file:${on}.xlsx` }
  const items = Object.entries(prices).map(
    // Cast: `Object.entries` forgets the type of the keys.
    ([month, printed], n): Price => ({
      kind: 'price',
      symbol: GOLD,
      printed,
      observedAt: `${monthEnd[month as keyof typeof monthEnd]}T23:59:59.999Z`,
      released: { on, basis: 'dataset' },
      location: `row ${n + 7}`,
    }),
  )
  return [document, items] as const
}
const july = edition('2021-08-03', { june: '1834.6', july: '1807.8' })
const august = edition('2021-09-02', { june: '1834.57', july: '1807.84', august: '1785.28' })

async function world() {
  const { journal } = await openTestJournal()
  const partition = journal.partitionFor('ticks', GOLD)
  return {
    journal,
    acceptor: new Acceptor(journal),
    history: () => valuesOf(journal, 'price_history'),
    /** The last recorded price of each month. */
    current: async () =>
      Object.fromEntries(
        (await valuesOf(journal, 'ticks', partition)).map((tick) => [tick.observed_at.slice(0, 10), tick.price]),
      ),
  }
}

describe('an edition of a series of prices', () => {
  it('restates months that it prints otherwise, and the former price stays on record', async () => {
    const { acceptor, history, current } = await world()
    expect(await acceptor.accept(...july)).toMatchObject({ prices: 2, restated: 0, unchanged: 0 })
    expect(await acceptor.accept(...august)).toMatchObject({ prices: 1, restated: 2, unchanged: 0 })
    expect(await current()).toEqual({ '2021-06-30': '1834.57', '2021-07-31': '1807.84', '2021-08-31': '1785.28' })
    const records = await history()
    expect(records.map(({ price, restates }) => `${price} ${restates}`)).toEqual([
      '1834.6 null',
      '1807.8 null',
      '1834.57 1834.6',
      '1807.84 1807.8',
      '1785.28 null',
    ])
    expect(records[2]).toEqual({
      symbol: GOLD,
      source: 'WB',
      observed_at: '2021-06-30T23:59:59.999Z',
      price: '1834.57',
      restates: '1834.6',
      released_on: '2021-09-02',
      released_on_basis: 'dataset',
      recorded_at: expect.any(String),
      dataset: 'pink-sheet',
      url: 'file:2021-09-02.xlsx',
      sha256: '2021-09-02',
      location: 'row 7',
    })
  })

  it('changes nothing when it is read again, by this process or another', async () => {
    const { journal, acceptor, history, current } = await world()
    await acceptor.accept(...july)
    await acceptor.accept(...august)
    const before = [await history(), await current()]
    expect(await acceptor.accept(...august)).toMatchObject({ prices: 0, restated: 0, unchanged: 3 })
    expect(await new Acceptor(journal).accept(...july)).toMatchObject({
      prices: 0,
      restated: 0,
      unchanged: 0,
      outdated: 2,
    })
    expect([await history(), await current()]).toEqual(before)
  })

  it('of the day of another one ends in the same prices in any order, and adds nothing when it is read again', async () => {
    const [document, items] = july
    const others: typeof july = [
      { ...document, sha256: `${document.sha256} b` },
      items.map((price) => ({ ...price, printed: `${price.printed}5` })),
    ]
    for (const order of [[july, others] as const, [others, july] as const]) {
      const { acceptor, history, current } = await world()
      for (const each of order) await acceptor.accept(...each)
      expect(await current()).toEqual({ '2021-06-30': '1834.65', '2021-07-31': '1807.85' })
      // One of the two differs from what is on record, and says so.
      const tallies = [await acceptor.accept(...july), await acceptor.accept(...others)]
      expect(tallies).toMatchObject([
        { outdated: 2, unchanged: 0 },
        { outdated: 0, unchanged: 2 },
      ])
      const { length } = await history()
      for (const each of [...order, ...order]) await acceptor.accept(...each)
      expect(await history()).toHaveLength(length)
    }
  })

  it('gives each restatement an id of its own, also where a price returns to an earlier value', async () => {
    const { journal, acceptor } = await world()
    const sameDay = (sha256: string, june: string) => {
      const [document, items] = edition('2021-09-02', { june })
      return acceptor.accept({ ...document, sha256 }, items)
    }
    const prices = ['1834.6', '1834.57', '1834.6', '1834.57']
    for (const [n, price] of prices.entries()) await sameDay(`sha ${n}`, price)
    for (const [topic, partition] of [
      ['price_history', 0],
      ['ticks', journal.partitionFor('ticks', GOLD)],
    ] as const) {
      const records = await recordsOf(journal, topic, partition)
      expect(records.map(({ value }) => 'price' in value && value.price)).toEqual(prices)
      expect(new Set(records.map(({ headers }) => headers['record-id'])).size).toBe(prices.length)
    }
  })

  it('says nothing of the prices of another series', async () => {
    const { acceptor, history } = await world()
    await acceptor.accept(...august)
    const [document, items] = july
    expect(await acceptor.accept({ ...document, source: 'ECB' }, items)).toMatchObject({ prices: 2, restated: 0 })
    expect((await history()).map(({ source, price }) => `${source} ${price}`).slice(3)).toEqual([
      'ECB 1834.6',
      'ECB 1807.8',
    ])
  })

  it('moves the quote with its newest price only, restated or not', async () => {
    const { journal } = await world()
    let now = Date.parse('2021-10-05T12:00:00.000Z')
    // Further apart than two quotes must be, so that none waits for a timer.
    const acceptor = new Acceptor(journal, { now: () => (now += 1_000) })
    const quotes = async () =>
      valuesIn(replay(await recordsOf(journal, 'ticks', journal.partitionFor('ticks', GOLD))).written, 'quotes')
    await acceptor.accept(...edition('2021-09-02', { august: '1785.28' }))
    const before = await quotes()
    expect(before.map(({ price }) => price)).toEqual(['1785.28'])
    expect(await acceptor.accept(...july)).toMatchObject({ prices: 2 })
    expect(await acceptor.accept(...edition('2021-10-04', { june: '1900', july: '1700' }))).toMatchObject({
      restated: 2,
    })
    expect(await quotes()).toEqual(before)
    expect(await acceptor.accept(...edition('2021-10-05', { august: '1785.3' }))).toMatchObject({ restated: 1 })
    expect((await quotes()).at(-1)?.price).toBe('1785.3')
  })

  it('fills what is missing when it is older, and restates nothing', async () => {
    const { acceptor, current } = await world()
    const [document, [, ...items]] = august
    await acceptor.accept(document, items)
    expect(await acceptor.accept(...july)).toMatchObject({ prices: 1, restated: 0, outdated: 1, unchanged: 0 })
    expect(await acceptor.accept(...august)).toMatchObject({ prices: 0, restated: 1, unchanged: 2 })
    expect(await current()).toEqual({ '2021-06-30': '1834.57', '2021-07-31': '1807.84', '2021-08-31': '1785.28' })
  })

  it('has no day if it states one after the day of acceptance, so that a later edition can still restate it', async () => {
    const { acceptor, history, current } = await world()
    expect(await acceptor.accept(...edition('2199-09-02', { june: '1834.6' }))).toMatchObject({
      prices: 1,
      rejected: 0,
    })
    expect(await history()).toMatchObject([{ released_on: null, released_on_basis: null }])
    expect(await acceptor.accept(...july)).toMatchObject({ prices: 1, restated: 0, unchanged: 1 })
    expect(await acceptor.accept(...august)).toMatchObject({ prices: 1, restated: 2 })
    expect(await current()).toEqual({ '2021-06-30': '1834.57', '2021-07-31': '1807.84', '2021-08-31': '1785.28' })
  })

  it('counts with the first of two prices of a month, also where that one is on record already', async () => {
    const { acceptor, current } = await world()
    await acceptor.accept(...july)
    const [document, [june]] = edition('2021-09-02', { june: '1834.6' })
    if (!june) throw new Error('the edition has a price')
    const twice = [june, { ...june, printed: '9' }]
    expect(await acceptor.accept(document, twice)).toMatchObject({ prices: 0, restated: 0, unchanged: 2 })
    expect(await current()).toMatchObject({ '2021-06-30': '1834.6' })
  })

  it.each(['unknown_but_written', 'unknown_and_not_written'] as const)(
    'is on record once, and counted, after an outcome that is %s',
    async (fault) => {
      const faults: Fault[] = ['ok', fault]
      const { journal } = await openTestJournal((real) => faultyJournal(real, () => faults.shift() ?? 'ok'))
      const acceptor = new Acceptor(journal)
      await acceptor.accept(...july)
      expect(await acceptor.accept(...august)).toMatchObject({ prices: 1, restated: 2, unchanged: 0 })
      expect(await valuesOf(journal, 'price_history')).toHaveLength(5)
      expect(await valuesOf(journal, 'ticks', journal.partitionFor('ticks', GOLD))).toHaveLength(5)
    },
  )

  it.each(['unknown_but_written', 'unknown_and_not_written'] as const)(
    'counts with the first of two prices of a month after an outcome between them that is %s',
    async (fault) => {
      const faults: Fault[] = ['ok', 'ok', fault]
      const { journal } = await openTestJournal((real) => faultyJournal(real, () => faults.shift() ?? 'ok'))
      const acceptor = new Acceptor(journal)
      await acceptor.accept(...july)
      const [document, [june]] = edition('2021-09-02', { june: '1834.6' })
      if (!june) throw new Error('the edition has a price')
      // Three transactions: the first has the price on record, the second fails, the third has another price of the same month.
      const others = Array.from({ length: 2_001 }, (_, day) => ({
        ...june,
        observedAt: new Date(Date.UTC(1979, 0, 1 + day)).toISOString(),
      }))
      const tally = await acceptor.accept(document, [june, ...others, { ...june, printed: '9' }])
      expect(faults).toEqual([])
      expect(tally).toMatchObject({ prices: 2_001, restated: 0, unchanged: 2 })
      const prices = (await valuesOf(journal, 'price_history')).filter(({ observed_at }) => observed_at > '2000')
      expect(prices.map(({ price }) => price)).toEqual(['1834.6', '1807.8'])
    },
  )
})

it('prices of a source that does not restate its history are never restated: several may have one time', async () => {
  const { acceptor, history } = await world()
  const as = ([document, items]: typeof july) => [{ ...document, source: 'TEST' }, items] as const
  expect(await acceptor.accept(...as(july))).toMatchObject({ prices: 2 })
  expect(await acceptor.accept(...as(august))).toMatchObject({ prices: 2, restated: 0, older: 1 })
  expect(await history()).toEqual([])
})
