import type { ClickHouseClient } from '@clickhouse/client'
import { systemTime, type Time } from '../base/time.ts'
import { partitionsOf, type Topic } from '../contracts/topics.ts'
import { readUntil } from '../journal/read-until.ts'
import type { TypedJournal } from '../journal/typed.ts'
import { BlockBuilder } from './block.ts'
import { createCopy } from './migrate.ts'
import { type PartitionProgress, projectPartition, READ } from './project-partition.ts'
import { clickHouseReadModel } from './read-model.ts'
import { columnsOf, type View } from './view.ts'
import { writeBlock } from './write-block.ts'

export type FillOptions = {
  readonly journal: TypedJournal
  readonly client: ClickHouseClient
  readonly signal: AbortSignal
  /** Called for failures that are retried. */
  readonly onRetry?: ((error: unknown) => void) | undefined
  readonly time?: Time
}

/** How far a copy is filled. A partition is absent until it is read for the first time. */
type FilledTo = {
  /** Log start of each partition, which retention may have moved meanwhile. */
  readonly starts: Map<number, number>
  readonly progress: Map<number, PartitionProgress>
}

/**
 * Creates `table` anew and fills it with the view of the whole journal, up to its current end. Returns its UUID, too. Throws the
 * signal's reason when it aborts.
 */
export async function fillFromJournal<T extends Topic>(
  view: View<T>,
  table: string,
  options: FillOptions,
): Promise<FilledTo & { readonly uuid: string | undefined }> {
  const uuid = await createCopy(options.client, view, table, options.journal)
  const filled: FilledTo = { starts: new Map(), progress: new Map() }
  await fillFurther(view, table, filled, options)
  return { ...filled, uuid }
}

/**
 * Writes a marker right before the log start of each partition whose copy ends before that. The copy has then got past what
 * the journal has deleted; otherwise it would look like a gap until the next record.
 */
export async function coverDeleted<T extends Topic>(
  view: View<T>,
  table: string,
  starts: ReadonlyMap<number, number>,
  { client, signal, onRetry, time = systemTime }: FillOptions,
): Promise<void> {
  if (!view.marker) return
  const readModel = clickHouseReadModel(client, time)
  const target = { readModel, table, columns: columnsOf(view), run: time.uuid(), time }
  const watermarks = await readModel.watermarks(table)
  for (const [partition, start] of starts) {
    const block = new BlockBuilder(view, partition, watermarks.get(partition) ?? -1, true, time.now())
    block.add({ records: [], next: start })
    if (!block.isEmpty) await writeBlock(target, block.take(), signal, onRetry)
  }
}

/** Fills a copy from where it is up to the journal's current end, and notes that in `filled`. */
export async function fillFurther<T extends Topic>(
  view: View<T>,
  table: string,
  { starts, progress }: FilledTo,
  { journal, client, signal, onRetry, time = systemTime }: FillOptions,
): Promise<void> {
  const readModel = clickHouseReadModel(client, time)
  const target = { readModel, table, columns: columnsOf(view), run: time.uuid(), time }
  for (const partition of partitionsOf(view.topic)) {
    const { start, end } = await journal.bounds(view.topic, partition)
    if (!starts.has(partition)) starts.set(partition, start)
    const { next: from, watermark } = progress.get(partition) ?? { next: start, watermark: -1 }
    const onDeleted = (start: number) => starts.set(partition, start)
    const batches = (signal: AbortSignal) =>
      readUntil((at) => journal.read(view.topic, partition, at, READ), from, end, { signal, onDeleted })
    const onProgress = (reached: PartitionProgress) => {
      if (reached.next >= from) progress.set(partition, reached)
    }
    const job = { partition, watermark, forgets: journal.retentionMs(view.topic) !== null }
    await projectPartition({ view, ...job, target, batches, intervalMs: 0, trickleMs: 0, signal, onProgress, onRetry })
    signal.throwIfAborted()
  }
}
