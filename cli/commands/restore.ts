import { rm } from 'node:fs/promises'
import type { Archive } from '../../archive/archive.ts'
import { openRestoreSource } from '../../archive/restore-source.ts'
import { program } from '../../contracts/program.ts'
import type { Config } from '../../infra/config.ts'
import { closeDataDirectory } from '../../infra/private-files.ts'
import { copyJournal, endsOf } from '../../journal/copy.ts'
import { CopyRefusedError } from '../../journal/copy-terms.ts'
import { tellingArchiveFaults, withArchive } from '../archives.ts'
import { parsed } from '../arguments.ts'
import { type Command, complain, interruptSignal, print, UsageError } from '../command.ts'
import { markSample } from '../demo.ts'
import { checkpointDirectory, copiedTopics, openRegistry, restoreTargetOf, sampleMarkFile } from '../parts.ts'
import { startProgress } from '../progress.ts'

export const command: Command = {
  usage: `${program} restore DIR

restore brings the backup in DIR into the journal that the settings name: ALMANAC_DATA_DIR, or ALMANAC_KAFKA_BROKERS and
ALMANAC_TOPIC_PREFIX. There must not be one yet. The restored journal has the same id, offsets, holes and positions, so that
record ids, the order of events, cursors and answers are those of the backup. It goes on as a generation of its own:
cursors of events that came after the backup are refused. Every record is proven before it is written; a damaged file is
refused with its name. An interrupted restore is continued by the next run, and a service does not start on it. \`import\`
is the same command. docs/backup.md says what to do after which loss.

Exit code 4 if a file is damaged or missing, 2 if there is no backup or the journal is not empty.`,
  async run(args, config) {
    const [directory] = parsed(args, {}, 1).positionals
    if (directory === undefined) throw new UsageError(`name the directory of the backup: \`${program} restore DIR\``)
    const interrupted = interruptSignal()
    return tellingArchiveFaults(() =>
      withArchive(directory, (archive) => restore(archive, config, interrupted)).catch((error) => {
        if (!(error instanceof CopyRefusedError)) throw error
        // Without a cause, because `explained` would add the advice for copies to it.
        throw new UsageError(`${error.message}: docs/backup.md#when-a-restore-is-refused says what to do`)
      }),
    )
  },
}

async function restore(archive: Archive, config: Config, interrupted: AbortSignal): Promise<number> {
  const { source, cut } = await openRestoreSource(archive, await openRegistry(config))
  closeDataDirectory(config.dataDir, complain)
  const topics = copiedTopics(config, '')
  const target = await restoreTargetOf(config, {
    source: { ...source.side, ends: await endsOf(source.journal, topics) },
    // Cast: the side of a backup always names the copy: it is the cut.
    begin: async () => (source.side.copy as { id: string }).id,
  })
  const progress = startProgress('restored')
  try {
    if (!target.isFinished) {
      // States that were saved after the backup name the same journal, but hold records that it does not have.
      await rm(checkpointDirectory(config), { recursive: true, force: true })
      const translate = async (_: unknown, records: Parameters<typeof target.write>[2]) => records
      await copyJournal(source, target, { topics, translate, onProgress: progress.take, signal: interrupted })
      print(progress.summary())
    }
    await markSample(sampleMarkFile(config), cut.journal)
    print(`journal ${cut.journal} is as of ${cut.taken_at}: \`npm start\` with these settings runs on it`)
    print(`keys revoked or rotated since then are valid again: see \`${program} keys list\`, and revoke them`)
    return 0
  } finally {
    progress.end()
    await target.close()
  }
}
