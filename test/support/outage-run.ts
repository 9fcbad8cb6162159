import type { Signal, Standing, Tick } from '../../contracts/records.ts'
import { partitionsOf, type Topic } from '../../contracts/topics.ts'
import { partitionOf } from '../../journal/layout.ts'
import type { JournalRecord } from '../../journal/typed.ts'
import { outagesProcessor } from '../../processors/outages/process.ts'
import type { Output, Timer } from '../../processors/processor.ts'
import { quotesProcessor } from '../../processors/quotes/process.ts'
import { valuesIn } from './quotes-replay.ts'
import { priceTick } from './ticks.ts'

const recordOf = <T extends Topic>(
  topic: T,
  partition: number,
  offset: number,
  value: JournalRecord<T>['value'],
  at: number,
) => ({ topic, partition, offset, key: null, value, timestamp: at, headers: {} }) as JournalRecord<T>

/**
 * The quotes processors of all partitions and the processor of outages, on a clock of their own. Timers fire as time
 * passes, unless the service is stopped.
 */
export class OutageRun {
  now: number
  readonly standings: JournalRecord<'standings'>[] = []
  readonly signals: Signal[] = []
  readonly #books = partitionsOf('ticks').map((partition) => quotesProcessor.init(partition))
  readonly #outages = outagesProcessor.init(0)
  #offset = 0

  constructor(now: number) {
    this.now = now
  }

  /** Lets time pass while the service runs. */
  pass(until: number): void {
    for (;;) {
      const due = this.#timers().filter(({ dueAt }) => dueAt <= until)
      const [first] = due.sort((a, b) => a.dueAt - b.dueAt)
      if (!first) break
      this.now = Math.max(this.now, first.dueAt)
      this.#take(first.tick(this.now))
    }
    this.now = Math.max(this.now, until)
  }

  /** Lets time pass while the service is stopped. */
  stop(until: number): void {
    this.now = until
  }

  price(symbol: string, source: string, price = '100'): void {
    this.#tick(priceTick(price, { symbol, source, recorded: this.now }))
  }

  /** Fires what is due for one symbol, as its partition does when it is the first to be ready after a start. */
  fire(symbol: string): void {
    for (const timer of this.#timers()) {
      if (timer.dueAt > this.now) continue
      const tick = timer.tick(this.now)
      if (tick.topic === 'ticks' && (tick.draft.value as Tick).symbol === symbol) this.#take(tick)
    }
  }

  /** Types and subjects of what was told, but for sessions. */
  get told(): string[] {
    return this.signals
      .filter(({ type }) => !type.startsWith('prices.session.'))
      .map(({ type, subject }) => `${type} ${subject}`)
  }

  #timers(): Timer[] {
    const quotes = this.#books.flatMap((state) => [...(quotesProcessor.timers?.(state, this.now) ?? [])])
    return [...quotes, ...(outagesProcessor.timers?.(this.#outages, this.now) ?? [])]
  }
  #take({ topic, draft }: Output): void {
    if (topic === 'ticks') this.#tick(draft.value as Tick)
    else this.#standing(draft.value as Standing)
  }
  #tick(tick: Tick): void {
    const partition = partitionOf('ticks', tick.symbol)
    const state = this.#books[partition]
    if (!state) throw new Error(`no partition ${partition}`)
    const outputs = quotesProcessor.process(state, recordOf('ticks', partition, ++this.#offset, tick, this.now))
    this.signals.push(...valuesIn(outputs, 'signals'))
    for (const standing of valuesIn(outputs, 'standings')) this.#standing(standing)
  }
  #standing(standing: Standing): void {
    const record = recordOf('standings', 0, ++this.#offset, standing, this.now)
    this.standings.push(record)
    this.signals.push(...valuesIn(outagesProcessor.process(this.#outages, record), 'signals'))
  }
}

/** What the processor of outages makes of standings, from an empty state. */
export function replayStandings(records: readonly JournalRecord<'standings'>[]): Signal[] {
  const state = outagesProcessor.init(0)
  return records.flatMap((record) => valuesIn(outagesProcessor.process(state, record), 'signals'))
}
