import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that wait for a minute, or compute for one, in few lines. Vitest begins with the longest texts where it knows no times,
 * as in a fresh clone: these would come last, and the other workers would have nothing left to do beside them.
 */
const WAITING = ['e2e/outage.e2e.test.ts', 'world/world.integration.test.ts', 'distributed/schedule.test.ts']

/** Starts the files that wait first, each in its group. */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const gone = WAITING.filter((file) => !existsSync(join(import.meta.dirname, '..', file)))
    if (gone.length > 0) throw new Error(`test/support/waiting-first.ts names files that do not exist: ${gone}`)
    const others = ({ moduleId }: TestSpecification) => !WAITING.some((file) => moduleId.endsWith(`/test/${file}`))
    return (await super.sort(files)).toSorted((a, b) => Number(others(a)) - Number(others(b)))
  }
}
