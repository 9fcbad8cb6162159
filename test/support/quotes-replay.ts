import type { Signal, Tick } from '../../contracts/records.ts'
import type { RecordOf, Topic } from '../../contracts/topics.ts'
import { partitionOf } from '../../journal/layout.ts'
import type { JournalRecord } from '../../journal/typed.ts'
import type { Output } from '../../processors/processor.ts'
import { type QuotesState, quotesProcessor } from '../../processors/quotes/process.ts'

/** The partition of the FX market's timers: its processor has symbols and a market. */
export const PARTITION = partitionOf('ticks', 'FX')

/** Ticks as they would stand in the journal: offsets grow and have holes. */
export const logOf = (ticks: readonly Tick[], partition = PARTITION): JournalRecord<'ticks'>[] =>
  ticks.map((value, i) => ({
    topic: 'ticks',
    partition,
    offset: 1 + i + Math.floor(i / 3),
    key: value.symbol,
    value,
    timestamp: Date.parse(value.recorded_at),
    headers: {},
  }))

/** A batch of so many records; then a start anew, from what has been written and the committed position. */
export type Step = { readonly size: number; readonly restart: boolean }

/** What the processor writes for a log that is read in these steps, and the rest of it at once. */
export function replay(log: readonly JournalRecord<'ticks'>[], steps: readonly Step[] = []) {
  const written: Output[] = []
  const partition = log[0]?.partition ?? PARTITION
  let state = quotesProcessor.init(partition)
  let next = 0
  for (const { size, restart } of [...steps, { size: log.length, restart: false }]) {
    const batch = log.filter(({ offset }) => offset >= next).slice(0, size)
    written.push(...batch.flatMap((record) => quotesProcessor.process(state, record)))
    next = (batch.at(-1)?.offset ?? next - 1) + 1
    if (!restart) continue
    next = Math.min(next, quotesProcessor.held?.(state) ?? next)
    state = restored(written, partition)
  }
  return { written, state }
}

function restored(written: readonly Output[], partition: number): QuotesState {
  const state = quotesProcessor.init(partition)
  for (const quote of valuesIn(written, 'quotes')) quotesProcessor.stateFrom?.quotes?.(state, quote, partition)
  for (const session of valuesIn(written, 'sessions')) quotesProcessor.stateFrom?.sessions?.(state, session, partition)
  return state
}

export const valuesIn = <T extends Topic>(outputs: readonly Output[], topic: T): RecordOf<T>[] =>
  outputs.flatMap((output) => (output.topic === topic ? [output.draft.value as RecordOf<T>] : []))

/** The signals of stale and recovered quotes, of which the processor of outages makes events. */
export const transitionsIn = (outputs: readonly Output[]): Signal[] =>
  valuesIn(outputs, 'standings').flatMap(({ signal }) => (signal === null ? [] : [JSON.parse(signal) as Signal]))

/** Adds, before each tick, the timers that would have fired by then; promptly, each at the moment it is due. */
export function withTimers(ticks: readonly Tick[], partition = PARTITION): Tick[] {
  const all: Tick[] = []
  const state = quotesProcessor.init(partition)
  const take = (tick: Tick) => {
    all.push(tick)
    const record = logOf(all, partition).at(-1)
    if (record) quotesProcessor.process(state, record)
  }
  let last = Number.NEGATIVE_INFINITY
  for (const tick of ticks) {
    const now = Date.parse(tick.recorded_at)
    last = Math.min(last, now)
    for (;;) {
      const due = [...(quotesProcessor.timers?.(state, now) ?? [])].filter(({ dueAt }) => dueAt <= now)
      const [first] = due.sort((a, b) => a.dueAt - b.dueAt)
      if (!first) break
      last = Math.max(last, first.dueAt)
      for (const timer of valuesIn([first.tick(last)], 'ticks')) take(timer)
    }
    last = now
    take(tick)
  }
  return all
}
