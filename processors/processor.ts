import type { Signal } from '../contracts/records.ts'
import type { RecordOf, Topic } from '../contracts/topics.ts'
import type { Draft, JournalRecord } from '../journal/typed.ts'

/** A record for the journal to write. `partition` defaults to 0. */
export type Output<T extends Topic = Topic> = {
  [K in T]: { readonly topic: K; readonly partition?: number; readonly draft: Draft<K> }
}[T]

/** A record of any of the input topics; `topic` says which. */
export type InputRecord<I extends Topic> = { [K in I]: JournalRecord<K> }[I]

/** Time and cause of the outputs that an input record has. */
type Caused = Pick<Draft<Topic>, 'at' | 'cause'>

export const causedBy = <I extends Topic>({ topic, partition, offset, timestamp }: InputRecord<I>): Caused => ({
  at: timestamp,
  cause: { topic, partition, offset },
})

export const signalOutput = (value: Signal, caused: Caused & Pick<Draft<'signals'>, 'releasedOn'>): Output => ({
  topic: 'signals',
  draft: { value, id: value.signal_id, ...caused },
})

/**
 * A deadline of a processor. Once `dueAt` (UTC ms) has passed, its tick is appended to one of the processor's inputs,
 * with the time of that moment.
 */
export type Timer = {
  readonly dueAt: number
  readonly tick: (now: number) => Output<'ticks' | 'standings' | 'calendar'>
}

/**
 * A stream processor. `process` is deterministic: it sees records and their times, never a clock, and updates `state`
 * in place. Its outputs and its input position are one transaction, so that each input has its outputs exactly once.
 */
export type Processor<I extends Topic, S> = {
  readonly name: string
  /**
   * The input topics. Each is read in its own order. Records of two topics arrive in any order, and a rebuild reads one
   * topic after the other. So no state may depend on the order between topics, except what `tail` restores, such as the
   * sequence of events.
   */
  readonly inputs: readonly I[]
  /** Increases when `process` changes its meaning or `S` its shape. A checkpoint of an older version is not used. */
  readonly version: number
  init(partition: number): S
  process(state: S, record: InputRecord<I>): Output[]
  /**
   * As `process` for all records that were read together, for a processor with a single input that needs fewer outputs for them
   * than one by one. What the outputs say in the end is the same.
   */
  readonly processBatch?: (state: S, records: readonly InputRecord<I>[]) => Output[]
  /**
   * Restores state from the newest record of a topic that the processor writes. `resume` is called once, after the
   * state is rebuilt and before the first new output.
   */
  readonly tail?: { readonly topic: Topic; resume(state: S, newest: RecordOf<Topic>): void }
  /**
   * Corrects the state by a compacted topic that the processor writes, because an earlier version may have decided otherwise.
   * `resume` is called as that of `tail` is, with the newest record of each key.
   */
  readonly recorded?: { readonly topic: Topic; resume(state: S, newest: Iterable<RecordOf<Topic>>): void }
  /** Compacted topics that carry the state. They are read whole instead of replaying the inputs. */
  readonly stateFrom?: { readonly [T in Topic]?: (state: S, record: RecordOf<T>, partition: number) => void }
  /**
   * The oldest input offset whose outputs are still to come and that `stateFrom` does not carry. The committed position stays at
   * it. Records that a restart reads again must have no second effect. Only for a processor with a single input.
   */
  held?(state: S): number | undefined
  /**
   * Only for a processor that writes to its input and compares what it makes with what is on record. While the state is rebuilt,
   * `take` gets the records of the input in place of `process`, in order and up to its end: those from the committed position on
   * only to recall what the processor wrote itself (`isProcessed` is false). It may get some records a second time. `correct`
   * returns the outputs that are missing, because an earlier version decided otherwise. It is called when no checkpoint of this
   * version was found, with the time (UTC ms), and its outputs are written before new input is read.
   */
  readonly recall?: {
    take(state: S, record: InputRecord<I>, isProcessed: boolean): void
    correct(state: S, now: number): Iterable<Output[]>
  }
  /** Converts the state to plain data for a checkpoint, and back. Needed only if the state is not plain itself. */
  readonly plain?: { from(state: S): unknown; to(data: unknown): S }
  /** The deadlines of the current state. Called only when the processor has caught up. */
  timers?(state: S, now: number): Iterable<Timer>
  /** How often `timers` is called, ms; ten times a second by default. */
  readonly timersEveryMs?: number
}
