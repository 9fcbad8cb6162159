import { Archive } from '../archive/archive.ts'
import { ArchiveError } from '../archive/errors.ts'
import { ObjectStoreError } from '../archive/objects.ts'
import { verifyArchive } from '../archive/verify.ts'
import { errorCode } from '../base/errors.ts'
import { complain, UsageError } from './command.ts'
import { counted } from './counted.ts'
import { DAMAGED } from './diagnosis.ts'
import { openObjectStore } from './parts.ts'

/**
 * Runs a command on an archive, a backup or an export. Damage becomes its exit code. Every other fault of the archive, and a
 * file in the place of a directory, becomes a UsageError.
 */
export async function tellingArchiveFaults(run: () => Promise<number>): Promise<number> {
  try {
    return await run()
  } catch (error) {
    // Without a cause, because `explained` would take a file below the data directory for a fault of that setting.
    if (error instanceof ObjectStoreError && errorCode(error.cause) === 'ENOTDIR')
      throw new UsageError(`${error.message}: name a directory`)
    if (!(error instanceof ArchiveError)) throw error
    if (error.code !== 'damaged') throw new UsageError(error.message, { cause: error })
    complain(error.message)
    return DAMAGED
  }
}

/** Runs a command's work on the archive or backup at an address, and closes that. */
export async function withArchive(address: string, work: (archive: Archive) => Promise<number>): Promise<number> {
  const store = await openObjectStore(address)
  try {
    return await work(await Archive.open(store))
  } finally {
    await store.close()
  }
}

/** Checks every file of an archive or a backup, and writes each fault to standard error. Returns what was read, and the verdict. */
export async function checkArchive(archive: Archive) {
  const read = { entries: 0, records: 0, bytes: 0 }
  let faults = 0
  await verifyArchive(
    archive,
    ({ message }) => {
      faults++
      complain(message)
    },
    ({ records, bytes }) => {
      read.entries++
      read.records += records
      read.bytes += bytes
    },
  )
  return faults === 0
    ? { ...read, verdict: 'no damage found', exitCode: 0 }
    : { ...read, verdict: counted(faults, 'fault'), exitCode: DAMAGED }
}
