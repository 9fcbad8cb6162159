import { cancelTimer, type RunningTimer } from '../base/time.ts'
import type { Topic } from '../contracts/topics.ts'
import type { TypedBatch } from '../journal/typed.ts'
import { BlockBuilder, piecesOf } from './block.ts'
import { ClickHouseFailure } from './clickhouse.ts'
import { gatheringMs, WritePace } from './gathering.ts'
import type { View } from './view.ts'
import { type BlockTarget, writeBlock } from './write-block.ts'

/** Small batches, because each is decoded, projected and encoded in one turn of the event loop. */
export const READ = { maxRecords: 250 }

/** Longest time that a block waits for more rows while there is more to read, ms. */
const BEHIND_MS = 1_000

/** Progress of a partition: everything before `next` is in the table, whose greatest offset is `watermark`. */
export type PartitionProgress = { readonly next: number; readonly watermark: number }

type PartitionJob<T extends Topic> = {
  readonly view: View<T>
  readonly partition: number
  readonly target: BlockTarget
  /** Greatest offset in the table, -1 if it has no row of this partition. */
  readonly watermark: number
  /** True if the topic has retention: see BlockBuilder. */
  readonly forgets: boolean
  /** Yields the journal's batches after the watermark, in order, until there are no more or `signal` aborts. */
  readonly batches: (signal: AbortSignal) => AsyncIterable<TypedBatch<T>>
  /** Shortest time between the starts of two writes while the block isn't full, ms; see `gatheringMs`. */
  readonly intervalMs: number
  /** Time between two writes while records go on coming, ms; see `WritePace`. */
  readonly trickleMs: number
  readonly signal: AbortSignal
  readonly onProgress?: ((progress: PartitionProgress) => void) | undefined
  readonly onRetry?: ((error: unknown) => void) | undefined
}

/**
 * Writes one partition's records into the table until the batches end or `signal` aborts; then it finishes the current
 * write. Reading and projecting go on while a block is being written, until the next one is full, so it holds two
 * blocks at most. While it is behind it writes full blocks. At the tail it writes records at once after a pause, and
 * gathers records that come fast or go on coming, because every write makes a part. Throws errors of `batches` and `writeBlock`.
 */
export async function projectPartition<T extends Topic>(job: PartitionJob<T>): Promise<void> {
  const { time } = job.target
  const failed = new AbortController()
  const signal = AbortSignal.any([job.signal, failed.signal])
  const builder = new BlockBuilder(job.view, job.partition, job.watermark, job.forgets, time.now())
  let next = 0
  let watermark = job.watermark
  let ended = false
  let behind = true
  let sealed = false
  const started = time.monotonic()
  const pace = new WritePace(job.trickleMs, started)
  let pause: RunningTimer | undefined
  let writing: Promise<void> | undefined

  const pump = (): void => {
    if (writing || signal.aborted) return
    if (builder.isEmpty) {
      job.onProgress?.({ next, watermark })
      return
    }
    const now = time.monotonic()
    const interval = Math.max(behind ? BEHIND_MS : 0, gatheringMs(job.intervalMs, now - started))
    const wait = (behind ? pace.dueAfterLast(interval) : pace.dueAt(interval)) - now
    cancelTimer(pause)
    if (wait > 0 && !builder.isFull && !ended && !sealed) {
      pause = time.timer(wait, pump)
      return
    }
    pace.noteWrite(now)
    writing = write()
  }

  const write = async (): Promise<void> => {
    const covered = next
    const block = builder.take()
    try {
      await writeBlock(job.target, block, signal, job.onRetry)
      watermark = block.through
      job.onProgress?.({ next: covered, watermark })
    } catch (error) {
      failed.abort(
        withOffsets(error, `${job.view.topic}/${job.partition}, offsets ${block.after + 1} to ${block.through}`),
      )
    }
    writing = undefined
    pump()
  }

  /** Writes everything that has been added, even a single row. */
  const flush = async (): Promise<void> => {
    sealed = true
    pump()
    while (writing) await writing
    sealed = false
  }

  try {
    for await (const batch of job.batches(signal)) {
      for (const piece of piecesOf(job.view, batch)) {
        const [first] = piece.records
        if (first && !builder.admits(first)) await flush()
        if (signal.aborted) break
        builder.add(piece)
        next = piece.next
        behind = piece.next < piece.end
        pump()
        while (builder.isFull && writing) await writing
      }
    }
    ended = true
    pump()
  } finally {
    cancelTimer(pause)
    while (writing) await writing
  }
  failed.signal.throwIfAborted()
}

/** Adds to a refusal which records the refused rows come from. */
const withOffsets = (error: unknown, offsets: string): unknown =>
  error instanceof ClickHouseFailure && error.kind === 'rejected'
    ? new ClickHouseFailure('rejected', `${offsets}: ${error.message}`, { cause: error, code: error.code })
    : error
