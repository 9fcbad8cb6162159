import { execFileSync } from 'node:child_process'
import { FaultCounts, faultKinds } from './faults.ts'
import { shrink } from './shrink.ts'
import { runWorld, type WorldOptions } from './world.ts'

const SHOWN = 12

/** Complaints about a run, or about two runs of it that differ. A run that throws complains, too. */
export async function complaintsOf(options: WorldOptions, fired = new FaultCounts()): Promise<readonly string[]> {
  try {
    const first = await runWorld(options)
    fired.addAll(first.fired)
    if (first.complaints.length > 0) return first.complaints
    const again = await runWorld(options)
    return again.trace === first.trace ? [] : [`repetition: traces ${first.trace} and ${again.trace} differ`]
  } catch (error) {
    return [`world: ${(error as Error).stack ?? error}`]
  }
}

/** Runs the world twice. Throws what is wrong, with the smallest run found that still shows it, and how to repeat that. */
export async function assertSound({ kinds = faultKinds, ...options }: WorldOptions, fired: FaultCounts): Promise<void> {
  const failing = { ...options, kinds }
  const complaints = await complaintsOf(failing, fired)
  if (complaints.length === 0) return
  const fails = async (smaller: WorldOptions) => (await complaintsOf(smaller)).length > 0
  const smallest = await shrink(failing, fails)
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim()
  const { seed, steps } = smallest
  throw new Error(
    [
      `seed ${options.seed}, ${options.steps} steps, commit ${commit}:`,
      ...complaints.slice(0, SHOWN),
      ...(complaints.length > SHOWN ? [`and ${complaints.length - SHOWN} more`] : []),
      `The smallest run that fails: ${JSON.stringify({ seed, steps, kinds: smallest.kinds })}`,
      'To repeat it, add that to test/world/corpus.json with what was found, and run test/world/world.integration.test.ts.',
    ].join('\n'),
  )
}
