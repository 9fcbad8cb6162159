import { join } from 'node:path'
import { expect, it } from 'vitest'
import { FEED, SIMULATOR } from '../../../contracts/instruments.ts'
import type { NewestPrice, Tick } from '../../../contracts/records.ts'
import { Lineage } from '../../../domain/lineage.ts'
import { Acceptor } from '../../../ingest/accept/accept.ts'
import type { Price } from '../../../ingest/source.ts'
import type { Journal } from '../../../journal/journal.ts'
import { localRegistry } from '../../../journal/registry.ts'
import { TypedJournal } from '../../../journal/typed.ts'
import { fileCheckpoints } from '../../../processors/checkpoint.ts'
import { quotesProcessor } from '../../../processors/quotes/process.ts'
import { runProcessor } from '../../../processors/runtime.ts'
import { testDocument } from '../../support/documents.ts'
import { temporaryDirectory, until, valuesOf } from '../../support/journal.ts'
import { iso, NOON, priceTick } from '../../support/ticks.ts'
import { timeWith } from '../../support/wall-clock.ts'

const GOLD = 'XAU-USD'
const EURO = 'EUR-USD'
const SECOND = 1_000
/** The quotes processor has decided on these when the journal is upgraded. */
const decided: readonly Tick[] = [
  priceTick('100', { recorded: NOON }),
  priceTick('99', { source: 'OTHER', recorded: NOON + SECOND }),
  priceTick('101', { recorded: NOON + 2 * SECOND }),
  priceTick('98', { source: FEED, recorded: NOON + 3 * SECOND }),
  priceTick('97', { source: SIMULATOR, recorded: NOON + 4 * SECOND }),
  priceTick('96', { source: 'ECB', recorded: NOON + 5 * SECOND }),
]
/** It has not decided on these. No processor ran for the second one's partition. */
const undecided: readonly Tick[] = [
  priceTick('102', { recorded: NOON + 6 * SECOND }),
  priceTick('1.10', { symbol: EURO, recorded: NOON + 6 * SECOND }),
  priceTick('95', { source: FEED, recorded: NOON + 7 * SECOND }),
]

const price = (symbol: string, printed: string, afterNoon: number): Price => ({
  kind: 'price',
  symbol,
  printed,
  observedAt: iso(NOON + afterNoon),
  location: '',
})
/** The prices of `TEST` above, as a file has them. */
const file = [price(GOLD, '100', 0), price(GOLD, '101', 2 * SECOND), price(GOLD, '102', 6 * SECOND)]
const euro = price(EURO, '1.10', 6 * SECOND)

type World = {
  /** Opens the same journal, which the suite closes. */
  readonly open: () => Promise<Journal>
  /** Prefix of the topics. */
  readonly prefix: string
}

/** The journal as a release without `newest_prices` knows it. */
function withoutNewestPrices(journal: Journal): Journal {
  const isUnknown = (topic: string) => topic.endsWith('newest_prices')
  const ensureTopics = journal.ensureTopics.bind(journal)
  const bounds = journal.bounds.bind(journal)
  const read = journal.read.bind(journal)
  const none = { records: [], next: 0, end: 0 }
  return Object.assign(journal, {
    ensureTopics: ((topics, options) =>
      ensureTopics(
        Object.fromEntries(Object.entries(topics).filter(([topic]) => !isUnknown(topic))),
        options,
      )) satisfies Journal['ensureTopics'],
    bounds: (async (address) =>
      isUnknown(address.topic) ? { start: 0, end: 0 } : bounds(address)) satisfies Journal['bounds'],
    read: (async (address, ...rest) =>
      isUnknown(address.topic) ? none : read(address, ...rest)) satisfies Journal['read'],
  })
}

/** Adds to a list the topics that are read. */
function listingReads(journal: Journal, topics: string[]): Journal {
  const read = journal.read.bind(journal)
  return Object.assign(journal, {
    read: ((address, ...rest) => {
      topics.push(address.topic)
      return read(address, ...rest)
    }) satisfies Journal['read'],
  })
}

/** Writes what the release before `newest_prices` leaves: ticks, some of them quoted. */
export async function writeFormerJournal({ open, prefix }: World): Promise<void> {
  const journal = await TypedJournal.open(withoutNewestPrices(await open()), localRegistry(), prefix)
  const write = async (ticks: readonly Tick[]) => {
    for (const value of ticks) {
      const at = Date.parse(value.recorded_at)
      await journal.append('ticks', journal.partitionFor('ticks', value.symbol), [{ value, id: '', at }])
    }
  }
  await write(decided)
  const controller = new AbortController()
  const running = runProcessor(quotesProcessor, {
    journal,
    checkpoints: fileCheckpoints(join(await temporaryDirectory(), 'checkpoints'), new Lineage(journal)),
    signal: controller.signal,
    partition: journal.partitionFor('ticks', GOLD),
    time: timeWith(() => NOON + 5 * SECOND),
  })
  const isQuoted = async () => (await valuesOf(journal, 'quotes')).some(({ state }) => state.includes('"ECB"'))
  await until('the last tick is quoted', isQuoted)
  controller.abort()
  await running
  await write(undecided)
  await journal.close()
}

/** What becomes of a journal whose records the release before `newest_prices` wrote, with a journal's adapter. */
export function newestPricesUpgradeSuite(world: () => Promise<World>): void {
  it('is filled from quotes and undecided ticks once, so that a file that is on record adds nothing', async () => {
    const { open, prefix } = await world()
    await writeFormerJournal({ open, prefix })
    const reads: string[] = []
    const journal = await TypedJournal.open(listingReads(await open(), reads), localRegistry(), prefix)
    const ticks = async () => [
      ...(await valuesOf(journal, 'ticks', journal.partitionFor('ticks', GOLD))),
      ...(await valuesOf(journal, 'ticks', journal.partitionFor('ticks', EURO))),
    ]
    const newest = async () =>
      new Map((await valuesOf(journal, 'newest_prices')).map((price) => [`${price.symbol} ${price.source}`, price]))
    const before = await ticks()
    expect(await new Acceptor(journal).accept(testDocument('one'), file)).toMatchObject({
      prices: 0,
      older: 2,
      unchanged: 1,
    })
    const former = { symbol: GOLD, source: 'TEST', price: '102', observed_at: iso(NOON + 6 * SECOND) }
    const expected: [string, NewestPrice][] = [
      [`${GOLD} TEST`, former],
      [`${GOLD} OTHER`, { symbol: GOLD, source: 'OTHER', price: '99', observed_at: iso(NOON + SECOND) }],
      [`${EURO} TEST`, { ...former, symbol: EURO, price: '1.10' }],
    ]
    expect(await newest()).toEqual(new Map(expected))
    expect(await ticks()).toEqual(before)

    reads.length = 0
    const next = [...file, euro, price(GOLD, '103', 7 * SECOND)]
    const tally = await new Acceptor(journal).accept(testDocument('two'), next)
    expect(tally).toMatchObject({ prices: 1, older: 2, unchanged: 2 })
    expect(reads).toContain(`${prefix}newest_prices`)
    expect(reads.filter((topic) => topic === `${prefix}quotes` || topic === `${prefix}ticks`)).toEqual([])
    const gold = { ...former, price: '103', observed_at: iso(NOON + 7 * SECOND) }
    expect(await newest()).toEqual(new Map([...expected, [`${GOLD} TEST`, gold]]))
    await journal.close()
  })
}
