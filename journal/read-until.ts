import type { Topic } from '../contracts/topics.ts'
import { type ReadLimits, startPast } from './journal.ts'
import type { TypedBatch, TypedJournal } from './typed.ts'

type ReadUntilOptions = {
  readonly limits?: ReadLimits
  readonly signal?: AbortSignal
  readonly onDeleted?: (start: number) => void
}

/**
 * Yields batches from `offset` on, at least to `end`, or until `signal` aborts. If retention deletes the records to be read,
 * it calls `onDeleted` with the new log start and goes on there.
 */
export async function* readUntil<T extends Topic>(
  journal: Pick<TypedJournal, 'read'>,
  topic: T,
  partition: number,
  offset: number,
  end: number,
  { limits, signal, onDeleted }: ReadUntilOptions = {},
): AsyncGenerator<TypedBatch<T>> {
  for (let at = offset; at < end && !signal?.aborted; ) {
    const batch = await journal.read(topic, partition, at, limits).catch((error: unknown) => {
      const start = startPast(at, error)
      if (start === undefined) throw error
      return start
    })
    if (typeof batch === 'number') {
      onDeleted?.(batch)
      at = batch
    } else {
      yield batch
      at = batch.next
    }
  }
}
