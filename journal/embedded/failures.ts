/** What a failed write transaction means to the caller. */
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { JournalError } from '../journal.ts'

const { ENOSPC, EDQUOT, EFBIG, EIO } = constants.errno
const MDB_MAP_FULL = -30792
const NO_ROOM = new Set<unknown>([ENOSPC, EDQUOT, EFBIG, MDB_MAP_FULL])
const LITTLE_ROOM_BYTES = 16 * 1024 * 1024

/**
 * Of lmdb-js: `code` is an errno or LMDB's own; a failed commit promises its reason in `commitError`, and rejects it.
 * Of node:fs: `errno` is the errno, negated.
 */
type LmdbError = Error & {
  readonly code?: unknown
  readonly errno?: unknown
  readonly commitError?: Promise<unknown>
}

type Circumstances = {
  /** Throws if LMDB can no longer be read: it refuses after its meta page may have been half written. */
  readonly probe: () => void
  readonly freeBytes: () => number
  readonly path: string
  /** About how much the write would have taken. */
  readonly wantedBytes: number
}

/**
 * `full` or `unavailable`: nothing was written. `outcome_unknown`: the environment is unusable until it is opened again.
 * Any other error is ours (a job threw, the transaction was undone) and is returned as it is.
 */
export async function explainFailure(
  thrown: LmdbError,
  { probe, freeBytes, path, wantedBytes }: Circumstances,
): Promise<Error> {
  const cause = await reasonOf(thrown)
  const code = typeof cause.errno === 'number' ? -cause.errno : cause.code
  if (!thrown.commitError && typeof code !== 'number') return cause
  try {
    probe()
  } catch {
    return new JournalError('outcome_unknown', cause.message, { cause })
  }
  // A write cut short by a full disk is reported as EIO.
  const full = NO_ROOM.has(code) || (code === EIO && freeBytes() < LITTLE_ROOM_BYTES)
  if (!full) return new JournalError('unavailable', cause.message, { cause })
  const room = `its file system has ${inMegabytes(freeBytes())} free, and this write needs about ${inMegabytes(wantedBytes)}`
  return new JournalError('full', `no room in ${path} (${cause.message}): ${room}`, { cause })
}

const inMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

async function reasonOf(thrown: LmdbError): Promise<LmdbError> {
  const { commitError } = thrown
  if (!commitError) return thrown
  // The reason follows in the same turn of the event loop; were it ever to stay away, we do not wait for it.
  const reason = commitError.then(
    () => thrown,
    (error: LmdbError) => error,
  )
  return Promise.race([reason, sleep(1_000, thrown, { ref: false })])
}
