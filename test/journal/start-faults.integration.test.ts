import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kafka, logLevel } from 'kafkajs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { topics } from '../../contracts/topics.ts'
import { freePort } from '../../infra/ports.ts'
import type { TopicSettings } from '../../journal/journal.ts'
import { openKafkaJournal } from '../../journal/kafka/journal.ts'
import { localRegistry } from '../../journal/registry.ts'
import { TypedJournal } from '../../journal/typed.ts'
import { createAuthority } from '../support/certificates.ts'
import { runCommand } from '../support/command.ts'
import { createByAdmin } from '../support/kafka-topics.ts'
import { almanac } from '../support/service.ts'
import { serviceIsThere } from '../support/services.ts'
import { type SharedServers, sharedServer } from '../support/shared-servers.ts'

type Settings = Readonly<Record<string, string>>
type Fault = {
  readonly name: string
  readonly settings: () => Settings
  /** The fault and its remedy, in the words of `almanac start` and `almanac doctor`. */
  readonly says: RegExp
  readonly mend: RegExp
  readonly isAway?: boolean
  /** Runs `start` in a process of its own, so that its log is seen too. */
  readonly hasLog?: boolean
}

/**
 * What is wrong between the service and its engines. Said at the start in one line, with exit code 2 where the user must mend
 * it and 1 where an engine is away; and by the doctor, who goes on.
 */
describe.skipIf(!serviceIsThere('java'))('a start that cannot go well', () => {
  let dir: string
  let kafka: SharedServers['kafka']
  /** Prefix of all topics here, because other files use the same Kafka. */
  const own = `start-faults-${randomUUID()}.`
  const at = (file: string) => join(dir, file)
  const registries: Record<'missing' | 'forbidden' | 'incompatible', string> = {
    missing: '',
    forbidden: '',
    incompatible: '',
  }
  const servers: Server[] = []
  let gone = ''

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'almanac-start-faults-'))
    kafka = await sharedServer('kafka')
    await writeFile(at('authority.pem'), kafka.authority)
    await writeFile(at('stranger.pem'), (await createAuthority('TEST stranger')).certificate)
    gone = `127.0.0.1:${await freePort()}`
    // The doctor and other commands create no journal.
    const journal = await openKafkaJournal({ brokers: kafka.brokers, clientId: 'test', prefix: own })
    await (await TypedJournal.open(journal, localRegistry())).close()
    await makeTopic(`${own}few.`, 'ticks', { partitions: 1, cleanup: 'delete', retentionMs: null })
    await makeTopic(`${own}kept.`, 'access', { partitions: 1, cleanup: 'delete', retentionMs: null })
    await makeTopic(`${own}arrival.`, 'ticks', { ...topics.ticks, retentionMs: null })
    await makeStamped(`${own}arrival.access`)
    registries.missing = await answering(404, '{}')
    registries.forbidden = await answering(401, '{"message":"TEST"}')
    registries.incompatible = await answering(409, '{"error_code":409,"message":"TEST is incompatible"}')
  })

  afterAll(async () => {
    for (const server of servers) server.close()
    await rm(dir, { recursive: true, force: true })
  })

  async function makeTopic(prefix: string, topic: string, settings: TopicSettings): Promise<void> {
    const journal = await openKafkaJournal({ brokers: kafka.brokers, clientId: 'test', prefix })
    await journal.ensureTopics({ [prefix + topic]: settings })
    await journal.close()
  }

  /** As on a cluster whose operator has made the topics. */
  async function makeStamped(topic: string): Promise<void> {
    const settings = { 'cleanup.policy': 'compact', 'message.timestamp.type': 'LogAppendTime' }
    const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }))
    const admin = new Kafka({ brokers: [...kafka.brokers], logLevel: logLevel.NOTHING }).admin()
    await admin.connect()
    await createByAdmin(admin, { topic, numPartitions: 1, configEntries })
    await admin.disconnect()
  }

  /** A schema registry that lets subjects be guarded, if it knows and trusts us, and then answers so. */
  async function answering(status: number, body: string): Promise<string> {
    const server = createServer((request, response) => {
      const isGuard = status === 409 && request.url?.startsWith('/config/')
      response.writeHead(isGuard ? 200 : status, { 'content-type': 'application/json' })
      response.end(isGuard ? '{"compatibilityLevel":"FULL_TRANSITIVE"}' : body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    servers.push(server)
    return `http://TEST:s3cret@127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  const plain = (over: Settings = {}) => ({
    ALMANAC_KAFKA_BROKERS: kafka.brokers.join(','),
    ALMANAC_TOPIC_PREFIX: own,
    ...over,
  })
  const secure = (over: Settings = {}) => ({
    ALMANAC_KAFKA_BROKERS: kafka.tlsBrokers.sasl.join(','),
    ALMANAC_KAFKA_TLS: '1',
    ALMANAC_KAFKA_CA_FILE: at('authority.pem'),
    ALMANAC_KAFKA_SASL: 'scram-sha-512',
    ALMANAC_KAFKA_USERNAME: kafka.user,
    ALMANAC_KAFKA_PASSWORD: kafka.password,
    ...over,
  })

  const faults: Fault[] = [
    {
      name: 'no broker at that address',
      settings: () => ({ ALMANAC_KAFKA_BROKERS: gone }),
      says: /(ALMANAC_KAFKA_BROKERS=127\.0\.0\.1:\d+ cannot be reached \(UNREACHABLE: .*ECONNREFUSED|cannot connect to 127)/,
      mend: /start Kafka, or correct the setting|start it, or check ALMANAC_KAFKA_BROKERS/,
      isAway: true,
      hasLog: true,
    },
    {
      name: 'a wrong password',
      settings: () => secure({ ALMANAC_KAFKA_PASSWORD: 'TEST-wrong' }),
      says: /refuses the login of ALMANAC_KAFKA_USERNAME=almanac with ALMANAC_KAFKA_SASL=scram-sha-512/,
      mend: /check ALMANAC_KAFKA_PASSWORD/,
      hasLog: true,
    },
    {
      name: 'a wrong password, with the other client',
      settings: () => secure({ ALMANAC_KAFKA_PASSWORD: 'TEST-wrong', ALMANAC_KAFKA_CLIENT: 'platformatic' }),
      says: /refuses the login of ALMANAC_KAFKA_USERNAME=almanac with ALMANAC_KAFKA_SASL=scram-sha-512/,
      mend: /check ALMANAC_KAFKA_PASSWORD/,
    },
    {
      name: 'a wrong authority',
      settings: () => secure({ ALMANAC_KAFKA_CA_FILE: at('stranger.pem') }),
      says: /Kafka broker 127\.0\.0\.1:\d+ has a certificate of an authority that is not trusted/,
      mend: /ALMANAC_KAFKA_CA_FILE=\S+stranger\.pem must name/,
    },
    {
      name: 'a file that is not there',
      settings: () => secure({ ALMANAC_KAFKA_CA_FILE: at('nothing.pem') }),
      says: /ALMANAC_KAFKA_CA_FILE=\S+nothing\.pem cannot be read/,
      mend: /correct that setting|ENOENT/,
    },
    {
      name: 'plain text to a port with TLS',
      settings: () => plain({ ALMANAC_KAFKA_BROKERS: kafka.tlsBrokers.sasl.join(',') }),
      says: /Kafka broker 127\.0\.0\.1:\d+ requires TLS/,
      mend: /set ALMANAC_KAFKA_TLS=1/,
    },
    {
      name: 'no schema registry at that address',
      settings: () => plain({ ALMANAC_SCHEMA_REGISTRY_URL: `http://${gone}/apis/ccompat/v7` }),
      says: /ALMANAC_SCHEMA_REGISTRY_URL: no answer from the schema registry at http:\S+: .*ECONNREFUSED/,
      mend: /start it, or correct the setting/,
      isAway: true,
    },
    {
      name: 'something else than a schema registry',
      settings: () => plain({ ALMANAC_SCHEMA_REGISTRY_URL: registries.missing }),
      says: /ALMANAC_SCHEMA_REGISTRY_URL: http:\S+ has no path for .*-value\. Is it the base address of a Confluent API\?/,
      mend: /correct the address, or the login in it/,
    },
    {
      name: 'a schema registry that refuses the login',
      settings: () => plain({ ALMANAC_SCHEMA_REGISTRY_URL: registries.forbidden }),
      says: /ALMANAC_SCHEMA_REGISTRY_URL: the schema registry at http:\S+ does not allow .*-value/,
      mend: /correct the address, or the login in it/,
    },
    {
      name: 'a schema that the registry finds incompatible',
      settings: () => plain({ ALMANAC_SCHEMA_REGISTRY_URL: registries.incompatible }),
      says: /refuses version 1 of \S+\.\w+-value: .*TEST is incompatible/,
      mend: /set another ALMANAC_TOPIC_PREFIX/,
    },
    {
      name: 'a topic with too few partitions',
      settings: () => plain({ ALMANAC_TOPIC_PREFIX: `${own}few.` }),
      says: /topic \S+few\.ticks has 1 partitions, delete; asked for \d+ partitions, delete/,
      mend: /set another ALMANAC_TOPIC_PREFIX/,
    },
    {
      name: 'a topic that is not compacted',
      settings: () => plain({ ALMANAC_TOPIC_PREFIX: `${own}kept.` }),
      says: /topic \S+kept\.access has 1 partitions, delete; asked for 1 partitions, compact/,
      mend: /set cleanup\.policy and message\.timestamp\.type with kafka-configs\.sh/,
    },
    {
      name: 'a topic that replaces the time of records',
      settings: () => plain({ ALMANAC_TOPIC_PREFIX: `${own}arrival.` }),
      says: /topic \S+arrival\.access has message\.timestamp\.type=LogAppendTime; asked for CreateTime/,
      mend: /message\.timestamp\.type with kafka-configs\.sh/,
    },
  ]

  it.concurrent.each(faults)('says $name in one line, and how to mend it', async (fault) => {
    const { says, mend, isAway = false, hasLog = false } = fault
    const settings = { ...fault.settings(), ALMANAC_DATA_DIR: await mkdtemp(at('data-')) }
    const ports = { ALMANAC_HTTP_PORT: String(await freePort()), ALMANAC_STREAM_PORT: String(await freePort()) }
    const { code, stdout, stderr } = await (hasLog ? almanac : runCommand)(['start'], { ...settings, ...ports })
    const lines = stderr.trimEnd().split('\n')
    expect(lines.at(-1)).toMatch(/^almanac: /)
    expect(lines.at(-1)).toMatch(says)
    expect(lines.at(-1)).toMatch(mend)
    expect(stderr + stdout).not.toMatch(/^ +at |\\n +at |s3cret|TEST-wrong/m)
    expect(code).toBe(isAway ? 1 : 2)
    // A broker that is away is told of at once, tried for half a minute, and told of once more.
    if (hasLog && isAway) expect(lines[0]).toContain('does not answer; retrying')
    expect(lines.length).toBeLessThanOrEqual(isAway && hasLog ? 3 : 1)
  })

  it.concurrent.each([['kafkajs'], ['platformatic']])(
    'creates no topic by a command with another prefix (%s)',
    async (client) => {
      const env = {
        ...plain({ ALMANAC_TOPIC_PREFIX: `mistyped-${own}${client}.`, ALMANAC_KAFKA_CLIENT: client }),
        ALMANAC_DATA_DIR: await mkdtemp(at('data-')),
      }
      const says = new RegExp(
        `there is no journal on Kafka: topic mistyped-${own}${client}.journal .*ALMANAC_TOPIC_PREFIX=mistyped`,
      )
      for (const args of [
        ['keys', 'list'],
        ['replay', 'access'],
        ['ingest', 'file', at('none.csv')],
      ]) {
        const { code, stderr } = await runCommand(args, env)
        expect([code, stderr.trimEnd().split('\n')]).toEqual([2, [expect.stringMatching(says)]])
      }
      const doctor = await runCommand(['doctor'], env)
      expect(doctor.stdout).toMatch(new RegExp(`^BAD journal +${says.source}`, 'm'))
      const admin = new Kafka({ brokers: [...kafka.brokers], logLevel: logLevel.NOTHING }).admin()
      await admin.connect()
      expect((await admin.listTopics()).filter((name) => name.startsWith(`mistyped-${own}`))).toEqual([])
      await admin.disconnect()
    },
  )

  it.concurrent.each(faults)('is diagnosed by the doctor: $name', async ({ settings, says, mend }) => {
    const env = { ...settings(), ALMANAC_DATA_DIR: await mkdtemp(at('data-')) }
    const { code, stdout, stderr } = await runCommand(['doctor'], env)
    const findings = [...stdout.matchAll(/^BAD .*\n +→ .*$/gm)].map(String)
    expect(findings.filter((finding) => says.test(finding) && mend.test(finding))).toHaveLength(1)
    expect(stdout).toMatch(/^(ok |BAD) admin/m)
    expect(stdout + stderr).not.toMatch(/^ +at |s3cret|TEST-wrong/m)
    expect(code).toBe(1)
  })
})
