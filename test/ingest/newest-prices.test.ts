import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { NewestPrice, Tick } from '../../contracts/records.ts'
import { partitionsOf } from '../../contracts/topics.ts'
import { Acceptor } from '../../ingest/accept/accept.ts'
import type { Document, Price } from '../../ingest/source.ts'
import type { Journal } from '../../journal/journal.ts'
import { processorClaim } from '../../journal/layout.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { testDocument } from '../support/documents.ts'
import { type Fault, faultyJournal } from '../support/faulty-journal.ts'
import { openTestJournal, recordsOf, valuesOf } from '../support/journal.ts'
import { MemoryServer } from '../support/memory-journal/server.ts'
import { replay, valuesIn } from '../support/quotes-replay.ts'
import { iso, NOON, priceTick } from '../support/ticks.ts'
import { newestPricesUpgradeSuite, writeFormerJournal } from './support/newest-prices-upgrade-suite.ts'

const GOLD = 'XAU-USD'
const SILVER = 'XAG-USD'
const MINUTE = 60_000
const price = (minute: number, printed: string, symbol = GOLD): Price => ({
  kind: 'price',
  symbol,
  printed,
  observedAt: iso(NOON + minute * MINUTE),
  location: '',
})
const from = (source: string) => ({ ...testDocument(source), source })

const newestIn = async (journal: TypedJournal) =>
  new Map((await valuesOf(journal, 'newest_prices')).map((price) => [`${price.symbol} ${price.source}`, price]))
const ticksIn = async (journal: TypedJournal): Promise<Tick[]> =>
  (await Promise.all(partitionsOf('ticks').map((partition) => valuesOf(journal, 'ticks', partition)))).flat()
/** Lets nothing be read from `ticks` in place of the topic: the quotes processor has decided on all that come. */
async function decideOnAllTicks(journal: TypedJournal): Promise<void> {
  for (const partition of new Set([GOLD, SILVER].map((symbol) => journal.partitionFor('ticks', symbol)))) {
    const claim = await journal.claim(processorClaim('quotes', partition))
    await journal.transact(claim, [], [journal.position('ticks', partition, 1_000)])
    await claim.release()
  }
}
/** What the topic should have: of the ticks of each symbol and source the newest, of two of one time the last. */
const newestOf = (ticks: readonly Tick[]) => {
  const newest = new Map<string, NewestPrice>()
  for (const { symbol, source, price, observed_at } of ticks) {
    const known = newest.get(`${symbol} ${source}`)
    if (!known || known.observed_at <= observed_at)
      newest.set(`${symbol} ${source}`, { symbol, source, price, observed_at })
  }
  return newest
}

describe('newest_prices', () => {
  it('has the newest price of each symbol and source that does not restate its history, one record each, by which a repetition is known', async () => {
    const { journal } = await openTestJournal()
    await decideOnAllTicks(journal)
    const acceptor = new Acceptor(journal)
    const documents: readonly (readonly [Document, Price[]])[] = [
      [from('TEST'), [price(0, '100'), price(1, '101'), price(1, '31', SILVER), price(2, '102')]],
      [from('OTHER'), [price(0, '99')]],
      [from('WB'), [price(0, '98')]],
      [from('TEST'), [price(1, '101'), price(3, '103')]],
    ]
    for (const document of documents) await acceptor.accept(...document)
    expect(await recordsOf(journal, 'newest_prices')).toMatchObject([
      { key: 'XAG-USD TEST', value: { price: '31', observed_at: iso(NOON + MINUTE) } },
      { key: 'XAU-USD OTHER', value: { price: '99', observed_at: iso(NOON) } },
      { key: 'XAU-USD TEST', value: { price: '103', observed_at: iso(NOON + 3 * MINUTE) } },
    ])
    // All of them once more are no news, for a process that wrote and for one that starts.
    for (const again of [acceptor, new Acceptor(journal)])
      for (const document of documents) expect(await again.accept(...document)).toMatchObject({ prices: 0 })
  })

  it('is what the ticks say, and both are what they are without faults, whatever transactions fail and whoever reads', async () => {
    const prices = fc.array(
      fc.record({
        minute: fc.nat(9),
        printed: fc.constantFrom('100', '101', '102'),
        symbol: fc.constantFrom(GOLD, SILVER),
      }),
      { minLength: 1, maxLength: 6 },
    )
    const documents = fc.array(fc.record({ source: fc.constantFrom('TEST', 'OTHER'), prices, process: fc.nat(1) }), {
      minLength: 1,
      maxLength: 4,
    })
    const faults = fc.array(
      fc.constantFrom<Fault>('ok', 'unavailable', 'unknown_but_written', 'unknown_and_not_written'),
      { maxLength: 4 },
    )
    await fc.assert(
      fc.asyncProperty(documents, faults, async (documents, faults) => {
        const accepted = async (faults: readonly Fault[]) => {
          const failing: Fault[] = []
          const { journal } = await openTestJournal((real) => faultyJournal(real, () => failing.shift() ?? 'ok'))
          await decideOnAllTicks(journal)
          failing.push(...faults)
          const acceptors = Array.from({ length: 2 }, () => new Acceptor(journal, { now: () => NOON + 10 * MINUTE }))
          const tallies = []
          for (const { source, prices, process } of documents) {
            const items = prices.map(({ minute, printed, symbol }) => price(minute, printed, symbol))
            tallies.push(await acceptors[process]?.accept(from(source), items))
          }
          const found = { tallies, ticks: await ticksIn(journal), newest: await newestIn(journal) }
          await journal.close()
          return found
        }
        const found = await accepted(faults)
        expect(found.newest).toEqual(newestOf(found.ticks))
        expect(found).toEqual(await accepted([]))
      }),
      { numRuns: 12 },
    )
  })

  it('is looked for once in what an earlier release wrote, however long it stays empty', async () => {
    const asked: string[] = []
    const { journal } = await openTestJournal((real) => {
      const bounds = real.bounds.bind(real)
      return Object.assign(real, {
        bounds: ((address) => {
          asked.push(address.topic)
          return bounds(address)
        }) satisfies Journal['bounds'],
      })
    })
    const acceptor = new Acceptor(journal)
    asked.length = 0
    const unknown = Array.from({ length: 2_500 }, (_, i) => price(i, '100', 'XAU-USS'))
    for (let document = 0; document < 2; document++)
      expect(await acceptor.accept(from('TEST'), unknown)).toMatchObject({ rejected: 2_500, prices: 0 })
    const times = (topic: string) => asked.filter((one) => one.endsWith(topic)).length
    expect(times('newest_prices')).toBeGreaterThan(2)
    expect(times('quotes')).toBe(1)
  })

  it('lacks what a release before it writes beside it: that is recorded once more, and no quote changes', async () => {
    const { journal } = await openTestJournal()
    const partition = journal.partitionFor('ticks', GOLD)
    const acceptor = new Acceptor(journal, { now: () => NOON + 10 * MINUTE })
    await acceptor.accept(from('TEST'), [price(0, '100'), price(1, '101')])
    const value = { ...priceTick('102', { recorded: NOON + 11 * MINUTE, observed: NOON + 2 * MINUTE }) }
    await journal.append('ticks', partition, [{ value, id: '', at: NOON + 11 * MINUTE }])
    const quotes = async () => valuesIn(replay(await recordsOf(journal, 'ticks', partition)).written, 'quotes')
    const before = await quotes()
    const whole = [price(0, '100'), price(1, '101'), price(2, '102')]
    expect(await acceptor.accept(from('TEST'), whole)).toMatchObject({ prices: 1, older: 1, unchanged: 1 })
    expect(await quotes()).toEqual(before)
    expect(await acceptor.accept(from('TEST'), whole)).toMatchObject({ prices: 0, older: 2, unchanged: 1 })
  })
})

describe('newest_prices of a journal of the release before it', () => {
  async function world() {
    const server = new MemoryServer()
    return { open: async () => server.open(), prefix: 'almanac.' }
  }

  newestPricesUpgradeSuite(world)

  it.each<Fault>(['unavailable', 'unknown_but_written', 'unknown_and_not_written'])(
    'is filled once, though the transaction that fills it is %s',
    async (fault) => {
      const server = new MemoryServer()
      await writeFormerJournal({ open: async () => server.open(), prefix: 'almanac.' })
      const failing: Fault[] = [fault]
      const { journal } = await openTestJournal((real) => faultyJournal(real, () => failing.shift() ?? 'ok'), server)
      const before = await ticksIn(journal)
      const tally = await new Acceptor(journal).accept(from('TEST'), [price(1, '103')])
      expect([tally.prices, failing]).toEqual([1, []])
      expect([...(await newestIn(journal)).keys()].sort()).toEqual(['EUR-USD TEST', 'XAU-USD OTHER', 'XAU-USD TEST'])
      expect(await ticksIn(journal)).toHaveLength(before.length + 1)
    },
  )
})
