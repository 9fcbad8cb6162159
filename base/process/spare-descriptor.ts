import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { errorCode } from '../errors.ts'

/**
 * A descriptor that this process holds in reserve. Commits read directories and /proc, and the connections of clients
 * can use up every other descriptor. A commit that failed for this would lose leases and prices.
 */
let spare: number | undefined = openSync(devNull, 'r')

/**
 * Runs `use`, which opens one file at a time, closes it and changes nothing. If no descriptor is left, it closes the
 * reserved one and runs `use` again. Calls must not nest.
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
    // Another thread has taken the descriptor. The next use tries again.
    if (!isOutOfDescriptors(error)) throw error
  }
}

const isOutOfDescriptors = (error: unknown): boolean => ['EMFILE', 'ENFILE'].includes(errorCode(error) ?? '')
