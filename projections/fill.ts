import type { ClickHouseClient } from '@clickhouse/client'
import { systemTime, type Time } from '../base/time.ts'
import { partitionsOf, type Topic } from '../contracts/topics.ts'
import { readUntil } from '../journal/read-until.ts'
import type { TypedJournal } from '../journal/typed.ts'
import { createCopy } from './migrate.ts'
import { projectPartition, READ } from './project-partition.ts'
import { clickHouseReadModel } from './read-model.ts'
import { columnsOf, type View } from './view.ts'

export type FillOptions = {
  readonly journal: TypedJournal
  readonly client: ClickHouseClient
  readonly signal: AbortSignal
  /** Called for failures that are retried. */
  readonly onRetry?: ((error: unknown) => void) | undefined
  readonly time?: Time
}

/**
 * Creates `table` anew and fills it with the view of the whole journal, up to its current end. Returns the log start of
 * each partition, which retention may have moved meanwhile. Throws the signal's reason when it aborts.
 */
export async function fillFromJournal<T extends Topic>(
  view: View<T>,
  table: string,
  { journal, client, signal, onRetry, time = systemTime }: FillOptions,
): Promise<ReadonlyMap<number, number>> {
  await createCopy(client, view, table, journal)
  const readModel = clickHouseReadModel(client, time)
  const target = { readModel, table, columns: columnsOf(view), run: time.uuid(), time }
  const starts = new Map<number, number>()
  for (const partition of partitionsOf(view.topic)) {
    const { start, end } = await journal.bounds(view.topic, partition)
    starts.set(partition, start)
    const onDeleted = (start: number) => starts.set(partition, start)
    const batches = (signal: AbortSignal) =>
      readUntil((at) => journal.read(view.topic, partition, at, READ), start, end, { signal, onDeleted })
    const job = { partition, watermark: -1, forgets: journal.retentionMs(view.topic) !== null }
    await projectPartition({ view, ...job, target, batches, intervalMs: 0, signal, onRetry })
    signal.throwIfAborted()
  }
  return starts
}
