import { repeat } from '../base/async/retry.ts'
import { SerialQueue } from '../base/async/serial-queue.ts'
import type { Topic } from '../contracts/topics.ts'
import type { Claim, Position } from '../journal/journal.ts'
import { isPassing, JournalError } from '../journal/journal.ts'
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
  readonly now?: () => number
  readonly onProgress?: (progress: ProcessorProgress) => void
  /** Told when this process has given the processor up, for good or until it owns it again. */
  readonly onStop?: () => void
  readonly onRetry?: (error: unknown) => void
}

/** Input records between checkpoints: writing a state costs about what replaying this many records does. */
const CHECKPOINT_EVERY = 100_000
const RETRY_MS = 500

/**
 * Runs a processor on one partition of its inputs until `signal` aborts: claims its name, rebuilds its state, then turns each
 * batch of input into one transaction. When fenced, or after a write that failed, of a timer too, it claims again and goes on
 * from the positions that were committed; what it had in memory is thrown away. Any other error is ours and is thrown.
 */
export async function runProcessor<I extends Topic, S>(processor: Processor<I, S>, options: RunOptions): Promise<void> {
  const { signal, onRetry } = options
  await repeat(() => runOnce(processor, options), { signal, isPassing, pauseMs: () => RETRY_MS, onRetry })
}

async function runOnce<I extends Topic, S>(processor: Processor<I, S>, options: RunOptions): Promise<void> {
  const { journal, checkpoints, signal, partition = 0, now = Date.now, onProgress } = options
  const claim = await journal.claim(`processor/${processor.name}/${partition}`, signal)
  const failed = new AbortController()
  const stop = AbortSignal.any([signal, claim.lost, failed.signal])
  try {
    const positions = await committedPositions(processor, journal, claim, partition)
    const place = { journal, checkpoints, partition }
    const state = await rebuildState(processor, place, positions)
    const behind = new Set<I>(processor.inputs)
    const ticker =
      processor.timers &&
      startTimers(processor, state, { journal, partition, signal: stop, now, failed: (error) => failed.abort(error) })
    let sinceCheckpoint = 0

    const take = async (topic: I, batch: TypedBatch<I>) => {
      const outputs = batch.records.flatMap((record) => processor.process(state, record as InputRecord<I>))
      if (batch.records.length > 0) {
        const next = Math.min(batch.next, processor.held?.(state) ?? batch.next)
        await commit(journal, claim, journal.position(topic, partition, next), outputs)
      }
      positions.set(topic, batch.next)
      sinceCheckpoint += batch.records.length
      if (sinceCheckpoint >= CHECKPOINT_EVERY) {
        await saveCheckpoint(processor, place, positions, state)
        sinceCheckpoint = 0
      }
      const caughtUp = batch.next >= batch.end
      if (caughtUp) behind.delete(topic)
      else behind.add(topic)
      ticker?.arm(behind.size === 0)
      onProgress?.({ topic, position: batch.next, caughtUp })
    }

    // Inputs share a state and a claim.
    const queue = new SerialQueue()
    const follow = async (topic: I) => {
      try {
        for await (const batch of journal.follow(topic, partition, positions.get(topic) ?? 0, stop)) {
          await queue.run(async () => {
            if (!failed.signal.aborted) await take(topic, batch)
          })
        }
      } catch (error) {
        // What is in memory may be ahead of what was committed: no other input may go on from it.
        failed.abort(error)
      }
    }
    try {
      await Promise.all(processor.inputs.map(follow))
      failed.signal.throwIfAborted()
      if (sinceCheckpoint > 0 && !claim.lost.aborted) await saveCheckpoint(processor, place, positions, state)
      if (claim.lost.aborted && !signal.aborted) throw new JournalError('fenced', `${claim.name} has another owner`)
    } finally {
      ticker?.stop()
    }
  } finally {
    options.onStop?.()
    await claim.release().catch(() => undefined)
  }
}

/** What was committed, or the log start where retention has passed it by. */
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
  position: Position,
  outputs: readonly Output[],
): Promise<void> {
  const byPartition = Map.groupBy(outputs, (output) => `${output.topic}/${output.partition ?? 0}`)
  const writes = [...byPartition.values()].map((group) => {
    const [{ topic, partition: to = 0 }] = group as [Output]
    return journal.write(topic, to, group.map((output) => output.draft) as Draft<typeof topic>[])
  })
  await journal.transact(claim, writes, [position])
}
