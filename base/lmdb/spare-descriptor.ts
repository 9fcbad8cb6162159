import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'

/**
 * A descriptor that this process holds in reserve. Commits read directories and /proc; connections of clients can use up
 * every other descriptor, and a commit that failed then would lose leases and prices.
 */
let spare: number | undefined = openSync(devNull, 'r')

/**
 * Runs `use`, which opens one file at a time, closes it and changes nothing. If no descriptor was left, the reserved one is
 * closed and `use` runs again. Calls don't nest.
 */
export function withSpareDescriptor<T>(use: () => T): T {
  if (spare === undefined) retake()
  try {
    return use()
  } catch (error) {
    if (!isOutOfDescriptors(error) || spare === undefined) throw error
    closeSync(spare)
    spare = undefined
    try {
      return use()
    } finally {
      retake()
    }
  }
}

function retake(): void {
  try {
    spare = openSync(devNull, 'r')
  } catch (error) {
    // Another thread has taken the descriptor meanwhile. It is tried again before the next use.
    if (!isOutOfDescriptors(error)) throw error
  }
}

const isOutOfDescriptors = (error: unknown): boolean =>
  ['EMFILE', 'ENFILE'].includes((error as NodeJS.ErrnoException).code ?? '')
