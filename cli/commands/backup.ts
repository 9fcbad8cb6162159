import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { Archive } from '../../archive/archive.ts'
import { BACKUP_CLAIM, backUp } from '../../archive/back-up.ts'
import { proveCut, readCut } from '../../archive/cut.ts'
import { SegmentThread } from '../../archive/segment-thread.ts'
import { errorMessage } from '../../base/errors.ts'
import { program } from '../../contracts/program.ts'
import type { Config } from '../../infra/config.ts'
import { checkArchive, tellingArchiveFaults, withArchive } from '../archives.ts'
import { parsed } from '../arguments.ts'
import { noteBackup } from '../backup-note.ts'
import { claimOrRefuse } from '../claims.ts'
import { type Command, complain, interruptSignal, print, UsageError } from '../command.ts'
import { counted } from '../counted.ts'
import { openJournal, openObjectStore } from '../parts.ts'
import { startProgress } from '../progress.ts'

export const command: Command = {
  usage: `${program} backup DIR
${program} backup --verify DIR

backup writes the whole journal into DIR, up to one consistent moment, with all positions. The service may run. A second run
with the same DIR adds only what is new. An interrupted run leaves the backup before it as it was; the next run continues.
\`${program} restore DIR\` restores it.

  --verify   checks a backup instead: every file, the chain of each partition, and the moment. It needs no journal.

Exit code 4 if a file is damaged or missing, 2 if there is no journal or no backup.`,
  async run(args, config) {
    const { values, positionals } = parsed(args, { verify: { type: 'boolean' } }, 1)
    const [directory] = positionals
    if (directory === undefined) throw new UsageError(`name the directory: \`${program} backup DIR\``)
    return tellingArchiveFaults(() => (values.verify ? verify(directory) : take(directory, config)))
  },
}

async function take(directory: string, config: Config): Promise<number> {
  assertElsewhere(directory, config)
  const interrupted = interruptSignal()
  const store = await openObjectStore(directory)
  const journal = await openJournal(config)
  const progress = startProgress('added')
  const thread = new SegmentThread()
  try {
    const claim = await claimOrRefuse(journal, BACKUP_CLAIM, 'backup')
    const noteFinished = await noteBackup(config, journal.id, directory, Date.now()).catch(tellNoNote)
    const cut = await backUp({
      journal,
      archive: await Archive.openFor(store, journal, Date.now()),
      now: Date.now,
      newEncoder: thread.newEncoder,
      signal: AbortSignal.any([interrupted, claim.lost]),
      onProgress: progress.take,
      onGap: ({ topic, partition, from, to }) =>
        print(
          `${topic}/${partition} offsets ${from} to ${to} are not in the backup: the journal's retention deleted them`,
        ),
    })
    await noteFinished?.(Date.parse(cut.taken_at)).catch(tellNoNote)
    await claim.release()
    print(`${progress.summary()}: ${directory} holds journal ${journal.id} as of ${cut.taken_at}`)
    return 0
  } finally {
    progress.end()
    await thread.close()
    await store.close()
    await journal.close()
  }
}

/** A backup is whole without the note that operators see on the admin port. */
function tellNoNote(error: unknown): undefined {
  complain(`the backup is not noted in ALMANAC_DATA_DIR: ${errorMessage(error)}`)
}

/** Throws UsageError for a target that is lost with the data directory, or that the service itself writes. */
function assertElsewhere(target: string, { dataDir, archive }: Config): void {
  const setting = isIn(target, dataDir)
    ? 'ALMANAC_DATA_DIR'
    : archive && isIn(target, archive.address)
      ? 'ALMANAC_ARCHIVE'
      : undefined
  if (setting === undefined) return
  throw new UsageError(
    `${target} is in ${setting}, which the service itself writes: name another directory for the backup`,
  )
}

/** Either may be the address of a bucket. */
const isIn = (target: string, other: string): boolean =>
  target.startsWith('s3://') || other.startsWith('s3://')
    ? withoutSlashes(target) === withoutSlashes(other)
    : leadsInto(target, other)

/** Whether a path leads to a directory or into it, through whatever links. Neither needs to exist. */
const leadsInto = (path: string, directory: string): boolean =>
  `${resolveLinks(path)}${sep}`.startsWith(`${resolveLinks(directory)}${sep}`)

/** The path without links, as far as it exists. */
function resolveLinks(path: string): string {
  const absolute = resolve(path)
  if (existsSync(absolute)) return realpathSync(absolute)
  const parent = dirname(absolute)
  return parent === absolute ? absolute : join(resolveLinks(parent), basename(absolute))
}

/** An address without the slashes at its end, which name the same place. */
const withoutSlashes = (address: string): string => address.replace(/\/+$/, '')

const verify = (directory: string): Promise<number> =>
  withArchive(directory, async (archive) => {
    const cut = await readCut(archive)
    const { records, verdict, exitCode } = await checkArchive(archive)
    // What the cut needs is proven from the entries, which must be sound for it.
    if (exitCode === 0) await proveCut(archive, cut)
    print(`${directory}: journal ${cut.journal} as of ${cut.taken_at}, ${counted(records, 'record')}, ${verdict}`)
    return exitCode
  })
