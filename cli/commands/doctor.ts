import { existsSync } from 'node:fs'
import { access, constants, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { program } from '../../contracts/program.ts'
import { partitionsOf, topicNames } from '../../contracts/topics.ts'
import { withoutPassword } from '../../infra/addresses.ts'
import { adminAddresses } from '../../infra/admin-addresses.ts'
import { type Config, ConfigError } from '../../infra/config.ts'
import { diskState, freeBytes } from '../../infra/disk.ts'
import { urlOf } from '../../infra/urls.ts'
import { probeBrokers } from '../../journal/kafka/contact.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { openClickHouse } from '../../projections/clickhouse.ts'
import { assertTablesOfJournal } from '../../projections/migrate.ts'
import { readUserLags } from '../../projections/user-lags.ts'
import { eventQueries } from '../../projections/views/events/query.ts'
import { views } from '../../projections/views/index.ts'
import { type Command, print, UsageError } from '../command.ts'
import { counted } from '../counted.ts'
import { askKafka, askRedis, askRegistry } from '../engines.ts'
import { formatChangeText } from '../ingest-report.ts'
import { journalFaultOf } from '../journal-faults.ts'
import { kafkaOptions, openJournal, rememberedAnswers } from '../parts.ts'
import { clickHouseUrl } from '../store-address.ts'

type Finding = { readonly ok: boolean; readonly says: string; readonly mend?: string }
/** Findings of one check that a later one needs. */
type Seen = { journal?: Pick<TypedJournal, 'id' | 'generations' | 'bounds'> }
type Check = { readonly name: string; run(config: Config, seen: Seen): Promise<Finding> }

/** Checks of a deployment, in order. A failed one tells what to do. */
const checks: readonly Check[] = [
  {
    name: 'node',
    run: async () => {
      const [major = 0] = process.versions.node.split('.').map(Number)
      return major === 22
        ? good(process.version)
        : bad(process.version, `run \`npm start\` or \`${program}\`: they use the Node 22 that npm has installed`)
    },
  },
  {
    name: 'data directory',
    run: async ({ dataDir }) => {
      const directory = nearestDirectory(dataDir)
      await access(directory, constants.W_OK)
      const room = await statfs(directory)
      const made = directory === resolve(dataDir) ? '' : ' (does not exist yet: the first start creates it)'
      const says = `${resolve(dataDir)}${made}, ${(freeBytes(room) / 1e9).toFixed(1)} GB free`
      return diskState(room) === 'ok' ? good(says) : bad(says, 'free some space: writes stop when the disk is full')
    },
  },
  engine('Kafka', askKafka, 'start it, or check ALMANAC_KAFKA_BROKERS'),
  engine(
    'registry',
    askRegistry,
    'start it, or check ALMANAC_SCHEMA_REGISTRY_URL: the base address of a Confluent API, with a login (http://user:password@…) if it requires one',
  ),
  engine('Redis', askRedis, 'start it, or check ALMANAC_REDIS_URL and the settings in docs/redis.md'),
  {
    name: 'journal',
    run: lookAtJournal,
  },
  {
    name: 'formats',
    // A changed format is read where it can be, so it is no fault.
    run: async (config) => {
      const changed = await rememberedAnswers(config).changed()
      if (changed.length === 0) return good('no dataset has changed')
      const says = changed.map((change) => `${change.source}/${change.dataset} has changed ${formatChangeText(change)}`)
      const mend = `compare the figures with the publisher's, then run \`${program} schedule --accept-format NAME\``
      return { ...good(says.join('\n                    ')), mend }
    },
  },
  {
    name: 'read models',
    run: async (config, seen) => {
      const url = await clickHouseUrl(config)
      const writer = openClickHouse({ url, timeoutMs: 5_000 })
      const readUrl = config.clickhouseReadUrl || url
      const reader = openClickHouse({ url: readUrl, timeoutMs: 5_000 })
      try {
        const servers = [
          { client: writer, address: url, setting: 'ALMANAC_CLICKHOUSE_URL' },
          { client: reader, address: readUrl, setting: 'ALMANAC_CLICKHOUSE_READ_URL' },
        ]
        for (const { client, address, setting } of servers) {
          const pong = await client.ping({ select: true })
          if (pong.success) continue
          const fault = `${withoutPassword(address)} does not answer: ${pong.error.message}`
          return bad(fault, `run \`npm start\`, or check ${setting}`)
        }
        if (seen.journal) await assertTablesOfJournal(reader, views, seen.journal)
        const bounds = await eventQueries(reader).bounds()
        const lags = seen.journal ? await readUserLags(reader, seen.journal) : []
        const own = lags.map(({ name, lag }) => `, ${name} at most ${counted(lag, 'offset')} behind`).join('')
        return good(`${withoutPassword(readUrl)}, events up to ${bounds?.last.sequence ?? 0}${own}`)
      } finally {
        await Promise.all([writer.close(), reader.close()])
      }
    },
  },
  {
    name: 'REST',
    run: async ({ host, httpPort }) => {
      const address = `${urlOf('http', host, httpPort)}/health`
      const answer = await fetch(address, { signal: AbortSignal.timeout(3_000) })
      // Cast: the contract of /health is an object of texts.
      const health = (await answer.json()) as Record<string, string>
      const says = `${address}: ${Object.entries(health)
        .map(([part, state]) => `${part} ${state}`)
        .join(', ')}`
      return health.status === 'ok' ? good(says) : bad(says, 'see the log for the reason why a part is not ok')
    },
  },
  {
    name: 'admin',
    run: async ({ admin, roles }) => {
      if (admin.port === 0) return good('none: ALMANAC_ADMIN_PORT is 0')
      const answers = await Promise.all(
        adminAddresses(admin, roles).map(async (address) => {
          const { status } = await fetch(`${address}/ready`, { signal: AbortSignal.timeout(3_000) })
          return { address, ok: status === 204 }
        }),
      )
      const says = answers.map(({ address, ok }) => `${address} ${ok ? 'ready' : 'still starting'}`).join(', ')
      return answers.every(({ ok }) => ok) ? good(says) : bad(says, 'wait until it is ready, or read its log')
    },
  },
]

async function lookAtJournal(config: Config, seen: Seen): Promise<Finding> {
  // Opening the journal would wait half a minute for brokers that are down, so they are probed first.
  if (config.kafka && !(await probeBrokers(await kafkaOptions(config.kafka, config.topicPrefix))))
    return bad('no Kafka broker can be reached', 'mend the Kafka check above, and run this again')
  const journal = await openJournal(config)
  try {
    const found = new Map(
      await Promise.all(
        topicNames.map(async (topic) => {
          const each = await Promise.all(partitionsOf(topic).map((partition) => journal.bounds(topic, partition)))
          return [topic, each] as const
        }),
      ),
    )
    // The journal is closed before the next check.
    const bounds: TypedJournal['bounds'] = async (topic, partition) =>
      found.get(topic)?.[partition] ?? { start: 0, end: 0 }
    seen.journal = { id: journal.id, generations: journal.generations, bounds }
    const sizes = Array.from(
      found,
      ([topic, each]) => `${topic} ${each.map((at) => `${at.start}–${at.end}`).join(' ')}`,
    )
    return good(`${journal.id}: ${sizes.join(', ')}`)
  } finally {
    await journal.close()
  }
}

/** Returns the directory, or the nearest one above it that exists. */
function nearestDirectory(path: string): string {
  const absolute = resolve(path)
  return existsSync(absolute) ? absolute : nearestDirectory(dirname(absolute))
}

function engine(name: string, ask: (config: Config) => Promise<string>, mend: string): Check {
  const run = (config: Config) => ask(config).then(good, (error: Error) => bad(reasonOf(error), mend))
  return { name, run }
}

/** Text of an error. `fetch` tells only in the cause what failed. */
const reasonOf = ({ message, cause }: Error): string =>
  cause instanceof Error && !message.includes(cause.message) ? `${message}: ${cause.message}` : message

const good = (says: string): Finding => ({ ok: true, says })
const bad = (says: string, mend: string): Finding => ({ ok: false, says, mend })

export const command: Command = {
  usage: `${program} doctor

Checks Node, the data directory, Kafka, the schema registry, Redis, the journal, the formats of publishers' datasets, the read
models, REST and the admin ports. Beside the read models stand the tables of \`${program} project\`, with how far each is
behind the journal.
Exit code 1 if a check fails. Nothing is created: if there is no journal, the output says where it was looked for.`,
  async run(args, config) {
    if (args.length > 0) throw new UsageError('doctor takes no arguments')
    let well = true
    const seen: Seen = {}
    for (const { name, run } of checks) {
      const finding = await run(config, seen).catch((error: Error) => {
        const { says, mend } = journalFaultOf(error, config) ?? {
          says: reasonOf(error),
          mend:
            error instanceof ConfigError
              ? 'correct that setting'
              : 'start the service with `npm start`, if it is not running',
        }
        return bad(says, mend)
      })
      well &&= finding.ok
      print(
        `${finding.ok ? 'ok ' : 'BAD'} ${name.padEnd(15)} ${finding.says}${finding.mend ? `\n                    → ${finding.mend}` : ''}`,
      )
    }
    return well ? 0 : 1
  },
}
