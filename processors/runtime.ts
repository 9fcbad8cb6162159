import { repeat } from '../base/async/retry.ts'
import { SerialQueue } from '../base/async/serial-queue.ts'
import { errorMessage } from '../base/errors.ts'
import { nextTurn, systemTime, type Time } from '../base/time.ts'
import type { Topic } from '../contracts/topics.ts'
import type { Claim, Position } from '../journal/journal.ts'
import { isPassing as isJournalPassing, JournalError, startPast } from '../journal/journal.ts'
import { processorClaim } from '../journal/layout.ts'
import type { Draft, TypedBatch, TypedJournal } from '../journal/typed.ts'
import type { CheckpointStore } from './checkpoint.ts'
import type { InputRecord, Output, Processor } from './processor.ts'
import { type Positions, rebuildState, saveCheckpoint } from './rebuild.ts'
import { startTimers } from './timers.ts'

export type ProcessorProgress = { readonly topic: Topic; readonly position: number; readonly caughtUp: boolean }

type RunOptions = {
  readonly journal: TypedJournal
  readonly checkpoints: CheckpointStore
  readonly signal: AbortSignal
  readonly partition?: number
  readonly time?: Time
  readonly onProgress?: (progress: ProcessorProgress) => void
  /** Called when this process stops running the processor, for good or until it owns the processor again. */
  readonly onStop?: () => void
  readonly onRetry?: (error: unknown) => void
  /** Called when outputs of an earlier version were corrected, with the number of records. */
  readonly onCorrected?: (records: number) => void
}

/** Input records between checkpoints. Writing a state takes about as long as replaying this many records. */
const CHECKPOINT_EVERY = 100_000
const RETRY_MS = 500
/** Corrections in one transaction, or some more. */
const CORRECTIONS_AT_ONCE = 1_000

/**
 * Runs a processor on one partition of its inputs until `signal` aborts. It claims the processor's name, rebuilds the
 * state and turns each batch of input into one transaction. When it is fenced, or when a write fails (also that of a
 * timer), it discards the state in memory and claims again. It then continues from the committed positions, or from the log
 * start if retention has overtaken them. It throws any error that a retry cannot mend.
 */
export async function runProcessor<I extends Topic, S>(processor: Processor<I, S>, options: RunOptions): Promise<void> {
  const { signal, onRetry, time = systemTime } = options
  const once = () => runOnce(processor, options, time)
  await repeat(once, { signal, isPassing, pauseMs: () => RETRY_MS, onRetry, time })
}

/** Retention has deleted the records at a position. */
class Overtaken extends Error {}

const isPassing = (error: unknown): error is JournalError | Overtaken =>
  isJournalPassing(error) || error instanceof Overtaken

async function runOnce<I extends Topic, S>(processor: Processor<I, S>, options: RunOptions, time: Time): Promise<void> {
  const { journal, checkpoints, signal, partition = 0, onProgress } = options
  const claim = await journal.claim(processorClaim(processor.name, partition), signal)
  const failed = new AbortController()
  const stop = AbortSignal.any([signal, claim.lost, failed.signal])
  try {
    const positions = await committedPositions(processor, journal, claim, partition)
    const context = { journal, checkpoints, partition }
    const { state, isFromCheckpoint } = await rebuildState(processor, context, positions)
    if (processor.recall && !isFromCheckpoint) {
      const corrected = await writeCorrections(journal, claim, processor.recall.correct(state, time.now()), stop, time)
      if (claim.lost.aborted && !signal.aborted) throw lostClaim(claim)
      if (corrected === undefined) return
      // The next start need not look at everything again.
      if ([...positions.values()].some((position) => position > 0))
        await saveCheckpoint(processor, context, positions, state)
      if (corrected > 0) options.onCorrected?.(corrected)
    }
    const behind = new Set<I>(processor.inputs)
    const ticker =
      processor.timers &&
      startTimers(processor, state, { journal, partition, signal: stop, time, failed: (error) => failed.abort(error) })
    let sinceCheckpoint = 0

    const processBatch = async (topic: I, batch: TypedBatch<I>) => {
      // A cast, because TypeScript does not tie the type of a record to its topic.
      const records = batch.records as unknown as readonly InputRecord<I>[]
      const outputs =
        processor.processBatch?.(state, records) ?? records.flatMap((record) => processor.process(state, record))
      if (batch.records.length > 0) {
        const next = Math.min(batch.next, processor.held?.(state) ?? batch.next)
        await commit(journal, claim, [journal.position(topic, partition, next)], outputs)
      }
      positions.set(topic, batch.next)
      sinceCheckpoint += batch.records.length
      if (sinceCheckpoint >= CHECKPOINT_EVERY) {
        await saveCheckpoint(processor, context, positions, state)
        sinceCheckpoint = 0
      }
      const caughtUp = batch.next >= batch.end
      if (caughtUp) behind.delete(topic)
      else behind.add(topic)
      ticker?.arm(behind.size === 0)
      onProgress?.({ topic, position: batch.next, caughtUp })
    }

    // All inputs share one state and one claim, so their batches run one after the other.
    const queue = new SerialQueue()
    const follow = async (topic: I) => {
      try {
        for await (const batch of journal.follow(topic, partition, positions.get(topic) ?? 0, stop)) {
          await queue.run(async () => {
            if (!failed.signal.aborted) await processBatch(topic, batch)
          })
        }
      } catch (error) {
        // The state in memory may be ahead of the committed positions, so no other input may continue from it.
        const isOvertaken = startPast(positions.get(topic) ?? 0, error) !== undefined
        failed.abort(isOvertaken ? new Overtaken(errorMessage(error), { cause: error }) : error)
      }
    }
    try {
      await Promise.all(processor.inputs.map(follow))
      failed.signal.throwIfAborted()
      if (sinceCheckpoint > 0 && !claim.lost.aborted) await saveCheckpoint(processor, context, positions, state)
      if (claim.lost.aborted && !signal.aborted) throw lostClaim(claim)
    } finally {
      ticker?.stop()
    }
  } finally {
    options.onStop?.()
    // A failure is ignored: this process can claim the name again, and others can once the claim has expired or this
    // process has ended.
    await claim.release().catch(() => undefined)
  }
}

/** The committed positions, or the start of the log where retention has deleted records beyond them. */
async function committedPositions<I extends Topic, S>(
  processor: Processor<I, S>,
  journal: TypedJournal,
  claim: Claim,
  partition: number,
): Promise<Positions<I>> {
  const positions: Positions<I> = new Map()
  for (const topic of processor.inputs) {
    const { start } = await journal.bounds(topic, partition)
    positions.set(topic, Math.max(await journal.positionOf(claim, topic, partition), start))
  }
  return positions
}

async function commit(
  journal: TypedJournal,
  claim: Claim,
  positions: readonly Position[],
  outputs: readonly Output[],
): Promise<void> {
  const byPartition = Map.groupBy(outputs, (output) => `${output.topic}/${output.partition ?? 0}`)
  const writes = [...byPartition.values()].map((group) => {
    // Casts, because a group has at least one output, and all its outputs have the same topic.
    const [{ topic, partition: to = 0 }] = group as [Output]
    return journal.writeOf(topic, to, group.map((output) => output.draft) as Draft<typeof topic>[])
  })
  await journal.transact(claim, writes, positions)
}

const lostClaim = ({ name }: Claim) => new JournalError('fenced', `${name} has another owner`)

/** Writes lists of outputs in transactions of some size. Returns their number; undefined if it was aborted. No list is cut. */
async function writeCorrections(
  journal: TypedJournal,
  claim: Claim,
  lists: Iterable<readonly Output[]>,
  signal: AbortSignal,
  time: Time,
): Promise<number | undefined> {
  let written = 0
  let chunk: Output[] = []
  const write = async () => {
    if (chunk.length > 0) await commit(journal, claim, [], chunk)
    written += chunk.length
    chunk = []
  }
  for (const outputs of lists) {
    if (signal.aborted) return undefined
    for (const output of outputs) chunk.push(output)
    if (chunk.length >= CORRECTIONS_AT_ONCE) await write()
    // Making a list may take a second, in which nothing else of this process runs.
    else await nextTurn(time)
  }
  await write()
  return written
}
