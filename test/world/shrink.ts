/** A run of a world, and which kinds of faults it may have. */
export type Run<K extends string> = { readonly seed: number; readonly steps: number; readonly kinds: readonly K[] }

/** Runs that are tried before the smallest one so far counts. */
const MOST_ATTEMPTS = 24

/**
 * Looks for a smaller run that still fails: first with half of the steps, again and again, then without one kind of fault after
 * another. `fails` runs the world.
 */
export async function shrink<K extends string>(
  failing: Run<K>,
  fails: (run: Run<K>) => Promise<boolean>,
): Promise<Run<K>> {
  let smallest = failing
  let attempts = 0
  const tryOne = async (run: Run<K>): Promise<boolean> => {
    if (attempts++ >= MOST_ATTEMPTS || !(await fails(run))) return false
    smallest = run
    return true
  }
  while (smallest.steps > 1 && (await tryOne({ ...smallest, steps: Math.floor(smallest.steps / 2) })));
  for (const kind of failing.kinds)
    await tryOne({ ...smallest, kinds: smallest.kinds.filter((other) => other !== kind) })
  return smallest
}
