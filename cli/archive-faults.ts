import { ArchiveError } from '../archive/errors.ts'
import { UsageError } from './command.ts'
import { DAMAGED } from './diagnosis.ts'

/** Runs a command on an archive. Damage becomes its exit code, and every other fault of the archive a UsageError. */
export async function tellingArchiveFaults(run: () => Promise<number>): Promise<number> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
    if (error.code !== 'damaged') throw new UsageError(error.message, { cause: error })
    process.stderr.write(`almanac: ${error.message}\n`)
    return DAMAGED
  }
}
