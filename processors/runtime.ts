import type { RecordOf, Topic } from '../contracts/topics.ts'
import type { Claim } from '../journal/journal.ts'
import { JournalError } from '../journal/journal.ts'
import type { Draft, JournalRecord, TypedJournal } from '../journal/typed.ts'
import type { CheckpointStore } from './checkpoint.ts'

/** A record that a processor wants written; `partition` defaults to the topic's only one. */
export type Output<T extends Topic = Topic> = {
  [K in T]: { readonly topic: K; readonly partition?: number; readonly draft: Draft<K> }
}[T]

/** A deadline that the processor wants to hear of: once `dueAt` (UTC ms) has passed, its tick is appended, telling when. */
export type Timer = { readonly dueAt: number; readonly tick: (now: number) => Draft<'ticks'> }

/**
 * A stream processor. `process` is deterministic: it sees records and their times, never a clock, and moves `state` on.
 * Its outputs and its input position are one transaction, so that each input has its outputs exactly once.
 */
export type Processor<I extends Topic, S> = {
  readonly name: string
  readonly input: I
  /** Counts up when `process` changes meaning or `S` its shape: an older checkpoint is then not used. */
  readonly version: number
  init(): S
  process(state: S, record: JournalRecord<I>): Output[]
  /** Called once, after the state is rebuilt and before the first new output, with the newest record of a topic it writes. */
  readonly tail?: { readonly topic: Topic; resume(state: S, newest: RecordOf<Topic>): void }
  /** Compacted topic that carries the state; read whole instead of replaying the input. */
  readonly stateFrom?: { readonly topic: Topic; restore(state: S, record: RecordOf<Topic>, partition: number): void }
  /** The state as plain data and back, where it isn't plain itself: what a checkpoint holds. */
  readonly plain?: { from(state: S): unknown; to(data: unknown): S }
  /** Deadlines as the state has them now. Asked only once caught up. */
  timers?(state: S): Iterable<Timer>
}

export type ProcessorProgress = { readonly position: number; readonly caughtUp: boolean }

export type RunOptions = {
  readonly journal: TypedJournal
  readonly checkpoints: CheckpointStore
  readonly signal: AbortSignal
  readonly partition?: number
  readonly now?: () => number
  readonly onProgress?: (progress: ProcessorProgress) => void
  readonly onRetry?: (error: unknown) => void
}

/** Input records between checkpoints: writing a state costs about what replaying this many records does. */
const CHECKPOINT_EVERY = 100_000
const RETRY_MS = 500

/**
 * Runs a processor on one input partition until `signal` aborts: claims its name, rebuilds its state, then turns each batch
 * of input into one transaction. When fenced, or after an outcome that stayed unknown, it claims again and goes on from the
 * position that was committed; what it had in memory is thrown away. Any other error is ours and is thrown.
 */
export async function runProcessor<I extends Topic, S>(processor: Processor<I, S>, options: RunOptions): Promise<void> {
  const { signal } = options
  while (!signal.aborted) {
    try {
      await runOnce(processor, options)
    } catch (error) {
      if (signal.aborted) return
      if (!isTransient(error)) throw error
      options.onRetry?.(error)
      await pause(RETRY_MS, signal)
    }
  }
}

const isTransient = (error: unknown): boolean =>
  error instanceof JournalError &&
  (error.code === 'fenced' || error.code === 'outcome_unknown' || error.code === 'unavailable' || error.code === 'full')

async function runOnce<I extends Topic, S>(processor: Processor<I, S>, options: RunOptions): Promise<void> {
  const { journal, checkpoints, signal, partition = 0, now = Date.now, onProgress } = options
  const claim = await journal.claim(`processor/${processor.name}/${partition}`, signal)
  const stop = AbortSignal.any([signal, claim.lost])
  try {
    const committed = await journal.positionOf(claim, processor.input, partition)
    const { start } = await journal.bounds(processor.input, partition)
    let position = Math.max(committed, start)
    const state = await rebuild(processor, options, partition, position)
    let sinceCheckpoint = 0
    const ticker = processor.timers && startTimers(processor, state, journal, partition, stop, now)
    try {
      for await (const batch of journal.follow(processor.input, partition, position, stop)) {
        const outputs = batch.records.flatMap((record) => processor.process(state, record))
        if (batch.records.length > 0) await commit(journal, claim, processor.input, partition, batch.next, outputs)
        position = batch.next
        sinceCheckpoint += batch.records.length
        const caughtUp = batch.next >= batch.end
        if (sinceCheckpoint >= CHECKPOINT_EVERY) {
          await saveCheckpoint(processor, checkpoints, partition, batch.next, state)
          sinceCheckpoint = 0
        }
        ticker?.arm(caughtUp)
        onProgress?.({ position: batch.next, caughtUp })
      }
      if (sinceCheckpoint > 0 && !claim.lost.aborted)
        await saveCheckpoint(processor, checkpoints, partition, position, state)
      if (claim.lost.aborted && !signal.aborted) throw new JournalError('fenced', `${claim.name} has another owner`)
    } finally {
      ticker?.stop()
    }
  } finally {
    await claim.release().catch(() => undefined)
  }
}

/** The state as it stands before the record at `position`. */
async function rebuild<I extends Topic, S>(
  processor: Processor<I, S>,
  { journal, checkpoints }: RunOptions,
  partition: number,
  position: number,
): Promise<S> {
  const saved = processor.stateFrom ? undefined : await checkpoints.load(processor.name, partition, processor.version)
  const usable = saved && saved.offset <= position ? saved : undefined
  const state = usable ? (processor.plain?.to(usable.state) ?? (usable.state as S)) : processor.init()
  if (processor.stateFrom) {
    const { topic, restore } = processor.stateFrom
    for await (const batch of journal.readToEnd(topic, 0)) {
      for (const record of batch.records) restore(state, record.value, partition)
    }
  } else {
    // What these records put out was committed with the position: here they only move the state on.
    let at = Math.max(usable?.offset ?? 0, (await journal.bounds(processor.input, partition)).start)
    while (at < position) {
      const batch = await journal.read(processor.input, partition, at)
      for (const record of batch.records) if (record.offset < position) processor.process(state, record)
      at = batch.next
    }
  }
  if (processor.tail) {
    const newest = await journal.newest(processor.tail.topic, 0)
    if (newest) processor.tail.resume(state, newest.value)
  }
  return state
}

async function saveCheckpoint<I extends Topic, S>(
  processor: Processor<I, S>,
  checkpoints: CheckpointStore,
  partition: number,
  offset: number,
  state: S,
): Promise<void> {
  if (processor.stateFrom) return
  const plain = processor.plain ? processor.plain.from(state) : state
  await checkpoints.save(processor.name, partition, { version: processor.version, offset, state: plain })
}

async function commit(
  journal: TypedJournal,
  claim: Claim,
  input: Topic,
  partition: number,
  next: number,
  outputs: readonly Output[],
): Promise<void> {
  const byPartition = Map.groupBy(outputs, (output) => `${output.topic}/${output.partition ?? 0}`)
  const writes = [...byPartition.values()].map((group) => {
    const [{ topic, partition: to = 0 }] = group as [Output]
    return journal.write(topic, to, group.map((output) => output.draft) as Draft<typeof topic>[])
  })
  await journal.transact(claim, writes, [journal.position(input, partition, next)])
}

const TIMER_RESOLUTION_MS = 250

/** Appends the timers that are due, while the processor is caught up; each is read back as input and decided on there. */
function startTimers<I extends Topic, S>(
  processor: Processor<I, S>,
  state: S,
  journal: TypedJournal,
  partition: number,
  signal: AbortSignal,
  now: () => number,
) {
  let caughtUp = false
  let appending = false
  const fire = async () => {
    if (!caughtUp || appending || signal.aborted) return
    const at = now()
    const due = [...(processor.timers?.(state) ?? [])].filter((timer) => timer.dueAt <= at)
    if (due.length === 0) return
    appending = true
    // Until these are read back the state still has them as due: don't fire them twice.
    caughtUp = false
    try {
      await journal.append(
        'ticks',
        partition,
        due.map((timer) => timer.tick(at)),
      )
    } catch {
      // Not appended, or not known to be: the next round asks the state again.
      caughtUp = true
    } finally {
      appending = false
    }
  }
  const interval = setInterval(fire, TIMER_RESOLUTION_MS)
  interval.unref()
  const arm = (value: boolean): void => {
    caughtUp = value
  }
  return { arm, stop: () => clearInterval(interval) }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
  })
