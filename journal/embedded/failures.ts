/** Turns the failure of a write transaction into an error that tells the caller what was written. */
import { constants } from 'node:os'
import { cancelTimer, type Time } from '../../base/time.ts'
import { JournalError } from '../journal.ts'

const { ENOSPC, EDQUOT, EFBIG, EIO } = constants.errno
const MDB_MAP_FULL = -30792
const NO_ROOM = new Set<unknown>([ENOSPC, EDQUOT, EFBIG, MDB_MAP_FULL])
const LITTLE_ROOM_BYTES = 16 * 1024 * 1024

/**
 * Error of lmdb-js or node:fs. lmdb-js: `code` is an errno or LMDB's own code, and `commitError` is a promise that
 * rejects with the reason of a failed commit. node:fs: `errno` is the negated errno.
 */
type LmdbError = Error & {
  readonly code?: unknown
  readonly errno?: unknown
  readonly commitError?: Promise<unknown>
}

type Circumstances = {
  /** Reads from LMDB. Throws if LMDB refuses, as it does once its meta page may have been half written. */
  readonly probe: () => void
  readonly freeBytes: () => number
  readonly time: Time
  readonly path: string
  /** Approximate size of the failed write. */
  readonly wantedBytes: number
}

/**
 * Returns `full` or `unavailable` if nothing was written, and `outcome_unknown` if the environment is unusable until it
 * is opened again. Returns any other error as it is: a job threw it, and the transaction was rolled back.
 */
export async function explainFailure(
  thrown: LmdbError,
  { probe, freeBytes, time, path, wantedBytes }: Circumstances,
): Promise<Error> {
  const cause = await reasonOf(thrown, time)
  const code = typeof cause.errno === 'number' ? -cause.errno : cause.code
  if (!thrown.commitError && typeof code !== 'number') return cause
  try {
    probe()
  } catch {
    return new JournalError('outcome_unknown', cause.message, { cause })
  }
  // LMDB reports EIO when a full disk cuts a write short.
  const full = NO_ROOM.has(code) || (code === EIO && freeBytes() < LITTLE_ROOM_BYTES)
  if (!full) return new JournalError('unavailable', cause.message, { cause })
  const room = `its file system has ${inMegabytes(freeBytes())} free, and this write needs about ${inMegabytes(wantedBytes)}`
  return new JournalError('full', `no room in ${path} (${cause.message}): ${room}`, { cause })
}

const inMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

async function reasonOf(thrown: LmdbError, time: Time): Promise<LmdbError> {
  const { commitError } = thrown
  if (!commitError) return thrown
  // The reason follows in the same turn of the event loop. The time limit keeps a missing one from blocking for ever.
  const reason = commitError.then(
    () => thrown,
    (error: LmdbError) => error,
  )
  const { promise, resolve } = Promise.withResolvers<LmdbError>()
  const timer = time.timer(1_000, () => resolve(thrown)).unref()
  return Promise.race([reason, promise]).finally(() => cancelTimer(timer))
}
