/** A partition that is being merged: the batch that is next, and how many of its records are taken. */
type Head<R> = { records: readonly R[]; taken: number }

/**
 * Merges the partitions of a topic, each in batches, into one sequence: the record with the smallest time goes first, the lower
 * partition number wins a tie. Records of one partition keep their order even where their times go backwards, so the result is
 * a function of the partitions' contents alone, whatever their batches. Reads at most one batch ahead per partition.
 */
export async function* mergeByTime<R extends { readonly timestamp: number }>(
  partitions: readonly AsyncIterator<readonly R[]>[],
): AsyncGenerator<readonly R[]> {
  const heads: Head<R>[] = partitions.map(() => ({ records: [], taken: 0 }))
  const refill = async (index: number): Promise<void> => {
    for (;;) {
      const result = await (partitions[index] as AsyncIterator<readonly R[]>).next()
      heads[index] = { records: result.done ? [] : result.value, taken: 0 }
      if (result.done || result.value.length > 0) return
    }
  }
  try {
    await Promise.all(heads.keys().map(refill))
    for (;;) {
      const merged: R[] = []
      let index = indexOfEarliest(heads)
      if (index < 0) return
      for (; index >= 0; index = indexOfEarliest(heads)) {
        const head = heads[index] as Head<R>
        merged.push(head.records[head.taken++] as R)
        if (head.taken === head.records.length) break
      }
      yield merged
      await refill(index)
    }
  } finally {
    await Promise.all(partitions.map((partition) => partition.return?.()))
  }
}

/** Index of the head whose next record has the smallest time; -1 if all have ended. */
function indexOfEarliest(heads: readonly Head<{ readonly timestamp: number }>[]): number {
  let earliest = -1
  let time = Number.POSITIVE_INFINITY
  for (let index = 0; index < heads.length; index++) {
    const { records, taken } = heads[index] as Head<{ readonly timestamp: number }>
    const next = records[taken]
    if (next === undefined || next.timestamp >= time) continue
    earliest = index
    time = next.timestamp
  }
  return earliest
}

/** Merges sequences in the order in which their items arrive; ends when all have ended, throws what one throws. */
export async function* mergeByArrival<R>(sources: readonly AsyncIterator<R>[]): AsyncGenerator<R> {
  const arrived: { readonly source: AsyncIterator<R>; readonly result: IteratorResult<R> }[] = []
  let failure: { readonly error: unknown } | undefined
  let wake = (): void => undefined
  // A queue instead of Promise.race, because each race would leave one more reaction on the promise of a silent source.
  const pull = (source: AsyncIterator<R>): void => {
    source.next().then(
      (result) => {
        arrived.push({ source, result })
        wake()
      },
      (error: unknown) => {
        failure ??= { error }
        wake()
      },
    )
  }
  for (const source of sources) pull(source)
  for (let open = sources.length; open > 0; ) {
    const next = arrived.shift()
    if (next === undefined) {
      if (failure) throw failure.error
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      await promise
    } else if (next.result.done) open -= 1
    else {
      yield next.result.value
      pull(next.source)
    }
  }
}
