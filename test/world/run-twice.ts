import { execFileSync } from 'node:child_process'
import { type Run, shrink } from './shrink.ts'

const SHOWN = 12

/** A world, and the file that keeps the runs of it in which something was found. */
type World<K extends string, O extends Outcome> = {
  readonly corpus: string
  run(run: Run<K>): Promise<O>
}
/** What a run led to: broken promises, and a hash of all that happened. */
type Outcome = { readonly complaints: readonly string[]; readonly trace: string }

/** Complaints about a run, or about two runs of it that differ. A run that throws complains, too. */
async function complaintsOf<K extends string, O extends Outcome>(
  world: World<K, O>,
  run: Run<K>,
  onFirst: (outcome: O) => void = () => undefined,
): Promise<readonly string[]> {
  try {
    const first = await world.run(run)
    onFirst(first)
    if (first.complaints.length > 0) return first.complaints
    const again = await world.run(run)
    return again.trace === first.trace ? [] : [`repetition: traces ${first.trace} and ${again.trace} differ`]
  } catch (error) {
    return [`world: ${(error as Error).stack ?? error}`]
  }
}

/**
 * Runs a world twice. Throws what is wrong, with the smallest run found that still shows it, and how to repeat that. `onFirst` gets
 * the first outcome.
 */
export async function assertSound<K extends string, O extends Outcome>(
  world: World<K, O>,
  failing: Run<K>,
  onFirst: (outcome: O) => void = () => undefined,
): Promise<void> {
  const complaints = await complaintsOf(world, failing, onFirst)
  if (complaints.length === 0) return
  const smallest = await shrink(failing, async (smaller) => (await complaintsOf(world, smaller)).length > 0)
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim()
  throw new Error(
    [
      `seed ${failing.seed}, ${failing.steps} steps, commit ${commit}:`,
      ...complaints.slice(0, SHOWN),
      ...(complaints.length > SHOWN ? [`and ${complaints.length - SHOWN} more`] : []),
      `The smallest run that fails: ${JSON.stringify(smallest)}`,
      `To repeat it, add that to ${world.corpus} with what was found, and run the test again.`,
    ].join('\n'),
  )
}
