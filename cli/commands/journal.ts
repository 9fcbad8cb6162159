import { randomUUID } from 'node:crypto'
import { hasData } from '../../base/lmdb/usable-files.ts'
import { program } from '../../contracts/program.ts'
import { type Topic, topics } from '../../contracts/topics.ts'
import type { Config } from '../../infra/config.ts'
import { closeDataDirectory } from '../../infra/private-files.ts'
import { copyJournal, endsOf } from '../../journal/copy.ts'
import { schemaTranslation } from '../../journal/copy-schemas.ts'
import { checkJournal } from '../../journal/embedded/check.ts'
import { COPY_CLAIM, type EmbeddedCopySource, openCopySource } from '../../journal/embedded/copy-source.ts'
import { JournalError } from '../../journal/journal.ts'
import { topicSettings } from '../../journal/layout.ts'
import { localRegistry } from '../../journal/registry.ts'
import { servedRegistry } from '../../journal/served-registry.ts'
import { parsed } from '../arguments.ts'
import { claimOrRefuse } from '../claims.ts'
import { type Command, complain, interruptSignal, print, UsageError } from '../command.ts'
import { DAMAGED } from '../diagnosis.ts'
import { explained, isDamage } from '../journal-faults.ts'
import {
  accessDirectory,
  copiedTopics,
  copyTargetOf,
  journalDirectory,
  openAccess,
  openOrCreateJournal,
  openRegistry,
  stopCopyAt,
} from '../parts.ts'
import { startProgress } from '../progress.ts'

export const command: Command = {
  usage: `${program} journal init
${program} journal check
${program} journal copy [--source-registry URL]
${program} journal copy --cancel [--force]

init creates the journal that the settings name, with its topics, if there is none. Use it to add keys or figures before the
first start. Other commands never create a journal.

check checks every page and every record of the embedded journal, and the access store beside it. The service may run.
Exit code 4 if something is damaged, 2 if there is no journal.

copy copies the journal in ALMANAC_DATA_DIR to ALMANAC_KAFKA_BROKERS, record for record and offset for offset. It stays the
same journal: every cursor, position and read model stays valid. The service may run meanwhile. An interrupted copy is
continued by the next run. Once the service is stopped, a run finishes the copy: it closes the journal in ALMANAC_DATA_DIR
for good, and the next \`npm start\` with the same settings runs on Kafka. docs/distributed.md describes each step.

  --source-registry URL   schema registry that the journal was written with; without it, the schemas of the release
  --cancel                opens the journal in ALMANAC_DATA_DIR again, unless the copy on Kafka is finished
  --cancel --force        opens it without asking Kafka, as a separate journal with a new id; also for a backup of the
                          journal from before the move

Exit code 3 if everything has been copied, but the service still runs.`,
  async run([action = '', ...args], config) {
    if (action === 'init') return init(args, config)
    if (action === 'check') return check(args, config)
    if (action !== 'copy')
      throw new UsageError(
        `unknown action ${JSON.stringify(action)}: use init, check or copy (\`${program} help journal\` explains them)`,
      )
    const { values, positionals } = parsed(args, {
      cancel: { type: 'boolean' },
      force: { type: 'boolean' },
      'source-registry': { type: 'string' },
    })
    const { cancel: isCancel = false, force = false, 'source-registry': sourceRegistry } = values
    if (positionals.length > 0 || (force && !isCancel) || (isCancel && sourceRegistry !== undefined))
      throw new UsageError(
        `journal copy takes no other arguments; --force needs --cancel, and --source-registry excludes it (\`${program} help journal\`)`,
      )
    if (sourceRegistry !== undefined && !/^https?:\/\//.test(sourceRegistry))
      throw new UsageError(`--source-registry ${sourceRegistry} must be an http or https address`)
    // The source is the embedded journal, even if the settings name Kafka, so its errors must not mention Kafka.
    const source = await openCopySource(journalDirectory(config)).catch((error) => {
      throw explained(error, { ...config, kafka: undefined })
    })
    try {
      return await (isCancel ? cancel(source, config, force) : copy(source, config, sourceRegistry))
    } catch (error) {
      if ((error as Partial<JournalError>).code !== 'outcome_unknown') throw explained(error, config)
      throw new JournalError('unavailable', 'Kafka did not answer; run it again to continue', { cause: error })
    } finally {
      await source.close()
    }
  },
}

async function init(args: readonly string[], config: Config): Promise<number> {
  parsed(args, {}, 0)
  closeDataDirectory(config.dataDir, complain)
  const journal = await openOrCreateJournal(config)
  print(`journal ${journal.id} exists`)
  await journal.close()
  return 0
}

async function check(args: readonly string[], config: Config): Promise<number> {
  parsed(args, {}, 0)
  const [journal, access] = [journalDirectory(config), accessDirectory(config)]
  try {
    // If the journal is on Kafka, there may be only the access store.
    if (!config.kafka || hasData(journal)) {
      print(`${journal}: ${await checkJournal(journal)} records, no damage found`)
    }
    if (hasData(access)) {
      await (await openAccess({ ...config, redisUrl: '' }, () => undefined)).close()
      print(`${access}: no damage found`)
    }
    return 0
  } catch (error) {
    if (!isDamage(error)) throw error
    complain((explained(error, config) as Error).message)
    return DAMAGED
  }
}

async function copy(source: EmbeddedCopySource, config: Config, sourceRegistry: string | undefined): Promise<number> {
  const { kafka, topicPrefix, retention } = config
  if (!kafka) throw new UsageError('ALMANAC_KAFKA_BROKERS is empty: set it to the Kafka that gets the copy')
  const interrupted = interruptSignal()
  const { lost } = await claimOrRefuse(source.journal, COPY_CLAIM, 'copy')
  const { side, journal } = source
  const prefix = prefixOf(source, topicPrefix)
  // An older release may have had fewer topics.
  if (!side.isMoved) await journal.ensureTopics(topicSettings(prefix, retention))
  const copied = copiedTopics(config, prefix)
  const to = `${kafka.brokers.join(',')} (ALMANAC_KAFKA_BROKERS), topics ${topicPrefix}* (ALMANAC_TOPIC_PREFIX)`
  const target = await copyTargetOf(config, kafka, {
    source: { ...side, ends: await endsOf(journal, copied) },
    begin: async () => {
      const id = randomUUID()
      await source.bind({ id, to })
      return id
    },
  })
  const progress = startProgress('copied')
  try {
    if (target.isFinished) {
      // The mark is missing if the journal was restored from a backup made before the copy was finished.
      await source.markMoved()
      print(`journal ${side.id} is on Kafka already: \`npm start\` with these settings runs on it`)
      return 0
    }
    const from = sourceRegistry ? servedRegistry({ url: sourceRegistry, topicPrefix: prefix }) : localRegistry()
    const translate = schemaTranslation(from, await openRegistry(config))
    const outcome = await copyJournal(source, target, {
      topics: copied,
      // Cast: `copied` names a topic behind the prefix.
      translate: ({ to }, records) => translate(to.slice(topicPrefix.length) as Topic, records),
      onProgress: progress.take,
      signal: AbortSignal.any([interrupted, lost]),
    })
    print(progress.summary())
    if (outcome === 'finished') {
      print(`journal ${side.id} is on Kafka now: \`npm start\` with these settings runs on it`)
      return 0
    }
    print('the service is running and may have written more since: stop it, and run this again to finish')
    return 3
  } finally {
    progress.end()
    await target.close()
  }
}

async function cancel(source: EmbeddedCopySource, config: Config, force: boolean): Promise<number> {
  await claimOrRefuse(source.journal, COPY_CLAIM, 'copy')
  const { id, copy, isMoved } = source.side
  if (force) {
    if (!(await source.isAlone())) throw new UsageError('the service is running: stop it first')
    print(
      `journal ${id} is open again as a separate journal, ${await source.fork()}. It refuses cursors of the other one.`,
    )
    print(`Rebuild the read models: run \`ALMANAC_ROLES=store npm start\`, and beside it \`${program} rebuild\`.`)
    return 0
  }
  if (!isMoved) {
    print(`journal ${id} is open: there is nothing to cancel`)
    return 0
  }
  if (!config.kafka)
    throw new UsageError(
      `only Kafka knows whether the copy is finished: set ALMANAC_KAFKA_BROKERS for ${copy?.to}; \`--cancel --force\` opens the journal as a separate one instead`,
    )
  await stopCopyAt(config, config.kafka, { ...source.side, ends: {} })
  await source.unmark()
  print(`journal ${id} is open again`)
  return 0
}

/**
 * Prefix of the topics that have records. Throws UsageError if a topic could not be copied, because finishing the copy
 * closes the whole journal.
 */
function prefixOf(source: EmbeddedCopySource, otherwise: string): string {
  const used = new Set<string>()
  for (const { name } of source.topics().filter(({ isEmpty }) => !isEmpty)) {
    const topic = Object.keys(topics).find((known) => name.endsWith(known))
    if (topic === undefined)
      throw new UsageError(
        `topic ${name} is unknown to this release and would not be copied: use the release that wrote it`,
      )
    used.add(name.slice(0, -topic.length))
  }
  const [prefix = otherwise, ...others] = used
  if (others.length > 0)
    throw new UsageError(
      `the journal has topics of several prefixes (${[...used].join(', ')}), and only one can be copied`,
    )
  return prefix
}
