import type { FaultKind } from './faults.ts'
import type { WorldOptions } from './world.ts'

/** Runs that are tried before the smallest one so far counts. */
const MOST_ATTEMPTS = 24

/**
 * Looks for a smaller run that still fails: first with half of the steps, again and again, then without one kind of fault after
 * another. `fails` runs the world.
 */
export async function shrink(
  failing: Required<WorldOptions>,
  fails: (options: Required<WorldOptions>) => Promise<boolean>,
): Promise<Required<WorldOptions>> {
  let smallest = failing
  let attempts = 0
  const tryOne = async (options: Required<WorldOptions>): Promise<boolean> => {
    if (attempts++ >= MOST_ATTEMPTS || !(await fails(options))) return false
    smallest = options
    return true
  }
  while (smallest.steps > 1 && (await tryOne({ ...smallest, steps: Math.floor(smallest.steps / 2) })));
  for (const kind of failing.kinds) await tryOne({ ...smallest, kinds: without(smallest.kinds, kind) })
  return smallest
}

const without = (kinds: readonly FaultKind[], kind: FaultKind): FaultKind[] => kinds.filter((other) => other !== kind)
