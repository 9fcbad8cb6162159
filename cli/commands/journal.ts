import { parseArgs } from 'node:util'
import type { Topic } from '../../contracts/topics.ts'
import type { Config } from '../../infra/config.ts'
import { type CopyOptions, copyJournal } from '../../journal/copy.ts'
import { schemaTranslation } from '../../journal/copy-schemas.ts'
import { COPY_CLAIM, type EmbeddedCopySource, openCopySource } from '../../journal/embedded/copy-source.ts'
import { localRegistry } from '../../journal/registry.ts'
import { servedRegistry } from '../../journal/served-registry.ts'
import { topicSettings } from '../../journal/typed.ts'
import { type Command, print, UsageError } from '../command.ts'
import { explained } from '../journal-faults.ts'
import { journalDirectory, openCopyTarget, openRegistry } from '../parts.ts'

export const command: Command = {
  summary: 'Moves the embedded journal to Kafka',
  usage: `almanac journal copy [--source-registry URL]
almanac journal copy --cancel

Copies the journal in ALMANAC_DATA_DIR to ALMANAC_KAFKA_BROKERS, record for record and offset for offset: it stays the
same journal, and every cursor, position and read model goes on working with it. May run while the service does, and be
cut at any time: the next run goes on. With the service stopped the copy is finished: the journal in ALMANAC_DATA_DIR is
closed for good, and the next \`npm start\` with the same settings runs on Kafka. docs/distributed.md has the walk.

  --source-registry URL   the registry that the journal was written with, if it wasn't the schemas of the release
  --cancel                opens the journal in ALMANAC_DATA_DIR again, unless the copy on Kafka is finished; where Kafka is
                          gone for good, unset ALMANAC_KAFKA_BROKERS, and nobody is asked

Exit code 3 if everything has been copied, but the service still runs.`,
  async run(args, config) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { cancel: { type: 'boolean' }, 'source-registry': { type: 'string' } },
    })
    if (positionals.join(' ') !== 'copy')
      throw new UsageError('`almanac journal copy`, with options; `almanac help journal` tells more')
    const source = await openCopySource(journalDirectory(config))
    if (!source) throw new UsageError(`${journalDirectory(config)} has no journal: ALMANAC_DATA_DIR says where it is`)
    try {
      if (values.cancel) return await cancel(source, config)
      return await copy(source, config, values['source-registry'])
    } finally {
      await source.close()
    }
  },
}

async function copy(source: EmbeddedCopySource, config: Config, sourceRegistry: string | undefined): Promise<number> {
  if (!config.kafka) throw new UsageError('set ALMANAC_KAFKA_BROKERS: where is the journal to be copied to?')
  const { topicPrefix, retention } = config
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort(new UsageError('interrupted; run it again to go on')))
  await beAlone(source)
  const from = sourceRegistry ? servedRegistry({ url: sourceRegistry, topicPrefix }) : localRegistry()
  const translate = schemaTranslation(from, await openRegistry(config))
  const target = await openCopyTarget(config, config.kafka, source.journal.id)
  const progress = startProgress()
  try {
    if (target.isFinished) {
      print(`journal ${source.journal.id} is on Kafka already: \`npm start\` with these settings runs on it`)
      return 0
    }
    const outcome = await copyJournal(source, target, {
      topics: topicSettings(topicPrefix, retention),
      translate: (topic, records) => translate(topic.slice(topicPrefix.length) as Topic, records),
      movedTo: `${config.kafka.brokers.join(',')} (ALMANAC_KAFKA_BROKERS), topics ${topicPrefix}* (ALMANAC_TOPIC_PREFIX)`,
      onProgress: progress.take,
      signal: stop.signal,
    }).catch((error) => {
      throw explained(error, config)
    })
    print(progress.summary())
    if (outcome === 'finished') {
      print(`journal ${source.journal.id} is on Kafka now: \`npm start\` with these settings runs on it`)
      return 0
    }
    print('the service is running, so more may have come since: stop it, and run this again to finish')
    return 3
  } finally {
    progress.end()
    target.close()
  }
}

async function cancel(source: EmbeddedCopySource, config: Config): Promise<number> {
  if (!source.moved) {
    print(`journal ${source.journal.id} is open: there is nothing to cancel`)
    return 0
  }
  if (config.kafka) {
    const target = await openCopyTarget(config, config.kafka, source.journal.id)
    target.close()
    if (target.isFinished)
      throw new UsageError(
        'the copy on Kafka is finished, and may have gone on since: to give it up, delete its topics',
      )
  }
  await source.unmark()
  print(`journal ${source.journal.id} is open again`)
  return 0
}

const PATIENCE_MS = 3_000

/** Two copies would write between each other's records. */
async function beAlone({ journal }: EmbeddedCopySource): Promise<void> {
  await journal.claim(COPY_CLAIM, AbortSignal.timeout(PATIENCE_MS)).catch((cause) => {
    throw new UsageError('another copy of this journal is under way', { cause })
  })
}

const PROGRESS_MS = 2_000

function startProgress() {
  const places = new Map<string, { done: number; end: number }>()
  let records = 0
  const startedAt = performance.now()
  const sum = (of: (place: { done: number; end: number }) => number) =>
    Array.from(places.values()).reduce((total, place) => total + of(place), 0)
  const count = (n: number) => n.toLocaleString('en')
  const seconds = () => (performance.now() - startedAt) / 1_000
  const tell = () => {
    const [done, end] = [sum(({ done }) => done), sum(({ end }) => end)]
    if (end > 0) print(`${count(done)} of ${count(end)} offsets (${Math.floor((100 * done) / end)} %)`)
  }
  const timer = setInterval(tell, PROGRESS_MS)
  const take: CopyOptions['onProgress'] = ({ address: { topic, partition }, done, end, ...step }) => {
    places.set(`${topic}/${partition}`, { done, end })
    records += step.records
  }
  return {
    take,
    summary: () => `${count(records)} records copied in ${seconds().toFixed(1)} s`,
    end: () => clearInterval(timer),
  }
}
