/**
 * Merges the partitions of a topic into one sequence: the record with the smallest time goes first, the lower partition
 * number wins a tie. Records of one partition keep their order even where their times go backwards, so the result is a
 * function of the partitions' contents alone. Reads at most one record ahead per partition.
 */
export async function* mergeByTime<R extends { readonly timestamp: number }>(
  partitions: readonly AsyncIterator<R>[],
): AsyncGenerator<R> {
  try {
    const heads = await Promise.all(partitions.map((partition) => partition.next()))
    for (;;) {
      const first = indexOfEarliest(heads)
      const head = heads[first]
      if (head === undefined || head.done) return
      yield head.value
      heads[first] = await (partitions[first] as AsyncIterator<R>).next()
    }
  } finally {
    await Promise.all(partitions.map((partition) => partition.return?.()))
  }
}

/** Index of the unfinished head with the smallest time; -1 when all have ended. */
function indexOfEarliest(heads: readonly IteratorResult<{ readonly timestamp: number }>[]): number {
  let earliest = -1
  let time = Number.POSITIVE_INFINITY
  for (const [index, head] of heads.entries()) {
    if (head.done || head.value.timestamp >= time) continue
    earliest = index
    time = head.value.timestamp
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
