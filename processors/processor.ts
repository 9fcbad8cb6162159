import type { RecordOf, Topic } from '../contracts/topics.ts'
import type { Draft, JournalRecord } from '../journal/typed.ts'

/** A record that a processor wants written; `partition` defaults to the topic's only one. */
export type Output<T extends Topic = Topic> = {
  [K in T]: { readonly topic: K; readonly partition?: number; readonly draft: Draft<K> }
}[T]

/** A record of any of the input topics; `topic` tells which. */
export type InputRecord<I extends Topic> = { [K in I]: JournalRecord<K> }[I]

/** A deadline that the processor wants to hear of: once `dueAt` (UTC ms) has passed, its tick is appended, telling when. */
export type Timer = { readonly dueAt: number; readonly tick: (now: number) => Draft<'ticks'> }

/**
 * A stream processor. `process` is deterministic: it sees records and their times, never a clock, and moves `state` on.
 * Its outputs and its input position are one transaction, so that each input has its outputs exactly once.
 */
export type Processor<I extends Topic, S> = {
  readonly name: string
  /**
   * Each is read in its own order; between two of them the order is that of arrival, and a rebuild reads one after the other:
   * no state may depend on it but what `tail` brings back, as the sequence of events is.
   */
  readonly inputs: readonly I[]
  /** Counts up when `process` changes meaning or `S` its shape: an older checkpoint is then not used. */
  readonly version: number
  init(partition: number): S
  process(state: S, record: InputRecord<I>): Output[]
  /** Called once, after the state is rebuilt and before the first new output, with the newest record of a topic it writes. */
  readonly tail?: { readonly topic: Topic; resume(state: S, newest: RecordOf<Topic>): void }
  /** Compacted topics that carry the state; read whole instead of replaying the inputs. */
  readonly stateFrom?: { readonly [T in Topic]?: (state: S, record: RecordOf<T>, partition: number) => void }
  /**
   * The oldest input offset whose outputs are still to come and that `stateFrom` doesn't carry: the committed position stays
   * at it, and what is read again after a restart must have no effect twice. Only with a single input.
   */
  held?(state: S): number | undefined
  /** The state as plain data and back, where it isn't plain itself: what a checkpoint holds. */
  readonly plain?: { from(state: S): unknown; to(data: unknown): S }
  /** Deadlines as the state has them now. Asked only once caught up. */
  timers?(state: S, now: number): Iterable<Timer>
}
