import { join } from 'node:path'
import { expect, it } from 'vitest'
import { FEED } from '../../contracts/instruments.ts'
import type { Quote } from '../../contracts/records.ts'
import { partitionsOf } from '../../contracts/topics.ts'
import { Lineage } from '../../domain/lineage.ts'
import { settleMs } from '../../domain/source-price.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { fileCheckpoints } from '../../processors/checkpoint.ts'
import { eventsProcessor } from '../../processors/events/process.ts'
import { outagesProcessor } from '../../processors/outages/process.ts'
import type { Output, Processor } from '../../processors/processor.ts'
import { type QuotesState, quotesProcessor } from '../../processors/quotes/process.ts'
import { runProcessor } from '../../processors/runtime.ts'
import { openTestJournal, until, valuesOf } from '../support/journal.ts'
import { NOON, priceTick } from '../support/ticks.ts'
import { timeWith } from '../support/wall-clock.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const [gold, silver, euro, yen] = ['XAU-USD', 'XAG-USD', 'EUR-USD', 'USD-JPY'] as const

/** The quotes processor of the release before standings: every transition is a signal, and quotes say less. */
const formerQuotes: Processor<'ticks', QuotesState> = {
  ...quotesProcessor,
  process: (state, record) =>
    quotesProcessor.process(state, record).flatMap((output): Output[] => {
      if (output.topic === 'quotes') {
        const { announcedAt, ...rest } = JSON.parse(output.draft.value.state)
        const value = { ...output.draft.value, state: JSON.stringify(rest) }
        return [{ ...output, draft: { ...output.draft, value } }]
      }
      if (output.topic !== 'standings') return [output]
      const { value, ...draft } = output.draft
      if (value.signal === null) return []
      const signal = JSON.parse(value.signal)
      return [{ topic: 'signals', draft: { ...draft, id: signal.signal_id, value: signal } }]
    }),
}

/** The processors of prices and events on a clock that the test sets. */
class Prices {
  now = NOON
  readonly journal: TypedJournal
  readonly #directory: string
  #stop: (() => Promise<void>) | undefined

  constructor(journal: TypedJournal, directory: string) {
    this.journal = journal
    this.#directory = directory
  }
  start(quotes: Processor<'ticks', QuotesState>): void {
    const controller = new AbortController()
    const checkpoints = fileCheckpoints(join(this.#directory, 'checkpoints'), new Lineage(this.journal))
    const options = { journal: this.journal, checkpoints, signal: controller.signal, time: timeWith(() => this.now) }
    const running = Promise.all([
      runProcessor(eventsProcessor, options),
      ...(quotes === formerQuotes ? [] : [runProcessor(outagesProcessor, options)]),
      ...partitionsOf('ticks').map((partition) => runProcessor(quotes, { ...options, partition })),
    ])
    this.#stop = async () => {
      controller.abort()
      await running
    }
  }
  async stop(): Promise<void> {
    await this.#stop?.()
  }
  async give(...symbols: readonly string[]): Promise<void> {
    for (const symbol of symbols) {
      const value = priceTick('100', { symbol, source: FEED, recorded: this.now })
      await this.journal.append('ticks', this.journal.partitionFor('ticks', symbol), [{ value, id: '', at: this.now }])
    }
    await until('the prices are quoted', async () => {
      const quotes = await this.#quotes()
      return symbols.every((symbol) => Date.parse(quotes.get(symbol)?.observed_at ?? '') === this.now)
    })
  }
  /** Waits until these symbols are quoted as stale, and no others. */
  async untilStale(...symbols: readonly string[]): Promise<void> {
    await until(`${symbols.join(', ')} stale`, async () => {
      const quotes = await this.#quotes()
      const stale = [...quotes.values()].filter((quote) => quote.stale).map(({ symbol }) => symbol)
      return stale.sort().join() === [...symbols].sort().join()
    })
  }
  async events() {
    return valuesOf(this.journal, 'events')
  }
  async untilEvents(count: number): Promise<void> {
    await until(`${count} events`, async () => (await this.events()).length >= count)
  }
  async #quotes(): Promise<Map<string, Quote>> {
    return new Map((await valuesOf(this.journal, 'quotes')).map((quote) => [quote.symbol, quote]))
  }
}

it('a journal of the release before goes on: no event is repeated or changed, and the next outage is one event', async () => {
  const { journal, directory } = await openTestJournal()
  const prices = new Prices(journal, directory)
  prices.start(formerQuotes)
  await prices.give(gold, silver, euro, yen)
  prices.now += 2 * MINUTE
  await prices.untilStale(gold, silver, euro, yen)
  await prices.give(gold, silver, euro, yen)
  await prices.untilEvents(8)
  prices.now += 50 * SECOND
  await prices.give(silver, euro, yen)
  prices.now += 20 * SECOND
  await prices.untilStale(gold)
  await prices.untilEvents(9)
  await prices.stop()
  const former = await prices.events()
  expect(former.map(({ type }) => type)).toEqual([
    ...Array(4).fill('prices.instrument.stale'),
    ...Array(4).fill('prices.instrument.recovered'),
    'prices.instrument.stale',
  ])

  prices.now += 5 * MINUTE
  prices.start(quotesProcessor)
  await prices.untilStale(gold, silver, euro, yen)
  prices.now += SECOND
  await prices.give(euro, gold, yen, silver)
  prices.now += settleMs(FEED)
  await prices.untilEvents(11)
  await prices.stop()

  const events = await prices.events()
  expect(events.slice(0, former.length)).toEqual(former)
  const told = events.slice(former.length)
  expect(told.map(({ type, subject }) => `${type} ${subject}`)).toEqual([
    `prices.instrument.recovered ${gold}`,
    `prices.source.interrupted ${FEED}`,
  ])
  expect(JSON.parse(told[1]?.data ?? '')).toMatchObject({ source: FEED, instruments: 3 })
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, i) => i + 1))
  expect(await valuesOf(journal, 'signals')).toHaveLength(events.length)
})
