import { type ReadPosition, startPast } from './journal.ts'

type ReadUntilOptions = {
  readonly signal?: AbortSignal
  readonly onDeleted?: (start: number) => void
}

/**
 * Yields what `read` returns for the offsets from `offset` on, at least to `end`, or until `signal` aborts. If retention
 * deletes the records to be read, it calls `onDeleted` with the new log start and goes on there.
 */
export async function* readUntil<B extends ReadPosition>(
  read: (offset: number) => Promise<B>,
  offset: number,
  end: number,
  { signal, onDeleted }: ReadUntilOptions = {},
): AsyncGenerator<B> {
  for (let at = offset; at < end && !signal?.aborted; ) {
    const batch = await read(at).catch((error: unknown) => {
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
