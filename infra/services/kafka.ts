import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Kafka, logLevel } from 'kafkajs'
import { freePorts } from '../ports.ts'
import { type StartedService, startProgram } from './child.ts'
import { bundleDirectory, type DownloadProgress } from './jars.ts'
import { INSTALL_JAVA, javaCommand, javaOptions } from './java.ts'
import { type KafkaTls, prepareTls, scramUsers, type TlsListener, type TlsPorts } from './kafka-tls.ts'

const run = promisify(execFile)

export type RunningKafka = {
  /** `host:port` of each node. */
  readonly brokers: readonly string[]
  /** `host:port` of each node's TLS listeners, for logins by password and by client certificate. Empty without `tls`. */
  readonly tlsBrokers: { readonly sasl: readonly string[]; readonly mutual: readonly string[] }
  /**
   * Processes of the nodes. A restarted node is ready only once a majority of the nodes runs, so start the nodes of a
   * stopped majority at the same time.
   */
  readonly nodes: readonly StartedService[]
  stop(): Promise<void>
}

const HEAP_MB = 384

type Node = {
  readonly id: number
  readonly dir: string
  readonly port: number
  readonly controllerPort: number
  readonly tlsPorts: TlsPorts | undefined
}

/**
 * Starts Apache Kafka from its jars: one node, or a quorum of three that survives the loss of one. Each node is broker and
 * controller, on loopback. `dir` holds each node's data, settings and log, which a later start uses again. `settings` are
 * `server.properties` for every node and override the defaults here. `port` is the first node's; the others follow it.
 */
export async function startKafka(options: {
  readonly dir: string
  readonly nodes?: 1 | 3
  /** First port. Each node takes one port and, for its controller, the one 10 above it. 0 or absent: free ports. */
  readonly port?: number
  readonly settings?: Readonly<Record<string, string>>
  readonly tls?: KafkaTls
  /** Further options of Java; a later one overrides an earlier one. */
  readonly jvm?: readonly string[]
  readonly progress?: DownloadProgress
}): Promise<RunningKafka> {
  const count = options.nodes ?? 1
  const libraries = await bundleDirectory('kafka', { progress: options.progress })
  const nodes = await nodesOf(resolve(options.dir), count, options.port || 0, options.tls !== undefined)
  const clusterId = await clusterIdOf(resolve(options.dir))
  await Promise.all(nodes.map((node) => prepare(node, nodes, clusterId, libraries, options)))
  const started = await Promise.allSettled(nodes.map((node) => startNode(node, libraries, options.jvm ?? [])))
  const running = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const stop = async () => void (await Promise.all(running.map((node) => node.stop())))
  try {
    const failed = started.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
    const brokers = nodes.map(addressOf)
    await Promise.all(brokers.map((broker) => untilItSees(broker, count)))
    const tlsBrokers = { sasl: nodes.flatMap(tlsAddress('SASL')), mutual: nodes.flatMap(tlsAddress('MUTUAL')) }
    return { brokers, tlsBrokers, nodes: running, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const addressOf = ({ port }: Node): string => `127.0.0.1:${port}`
const tlsAddress =
  (listener: TlsListener) =>
  ({ tlsPorts }: Node): string[] =>
    tlsPorts ? [`127.0.0.1:${tlsPorts[listener]}`] : []

async function nodesOf(dir: string, count: number, port: number, withTls: boolean): Promise<Node[]> {
  const free = port === 0 ? await freePorts(2 * count) : []
  const forTls = withTls ? await freePorts(2 * count) : []
  return Array.from({ length: count }, (_, i) => ({
    id: i + 1,
    dir: join(dir, `node-${i + 1}`),
    port: free[i] ?? port + i,
    controllerPort: free[count + i] ?? port + 10 + i,
    // Casts, because twice as many ports were asked for as there are nodes.
    tlsPorts: withTls ? { SASL: forTls[i] as number, MUTUAL: forTls[count + i] as number } : undefined,
  }))
}

/** Id of the cluster, drawn once for a data directory. */
async function clusterIdOf(dir: string): Promise<string> {
  const file = join(dir, 'cluster-id')
  const known = await readFile(file, 'utf8').catch(() => '')
  if (known) return known
  const id = randomBytes(16).toString('base64url').replace(/^-/, 'A')
  await mkdir(dir, { recursive: true })
  await writeFile(file, id)
  return id
}

function settingsOf(node: Node, nodes: readonly Node[]): Record<string, string> {
  const copies = String(nodes.length)
  const inSync = nodes.length > 1 ? '2' : '1'
  return {
    'process.roles': 'broker,controller',
    'node.id': String(node.id),
    'controller.quorum.voters': nodes.map(({ id, controllerPort }) => `${id}@127.0.0.1:${controllerPort}`).join(','),
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAINTEXT',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    listeners: `PLAINTEXT://${addressOf(node)},CONTROLLER://127.0.0.1:${node.controllerPort}`,
    'advertised.listeners': `PLAINTEXT://${addressOf(node)}`,
    'log.dirs': join(node.dir, 'data'),
    'auto.create.topics.enable': 'false',
    'num.partitions': '1',
    'default.replication.factor': copies,
    'min.insync.replicas': inSync,
    'offsets.topic.replication.factor': copies,
    'offsets.topic.num.partitions': '4',
    // The maximum, so that a consumer that was stopped for months continues at its offset.
    'offsets.retention.minutes': String(2 ** 31 - 1),
    'transaction.state.log.replication.factor': copies,
    'transaction.state.log.min.isr': inSync,
    'transaction.state.log.num.partitions': '4',
    'share.coordinator.state.topic.replication.factor': copies,
    'share.coordinator.state.topic.min.isr': inSync,
    'group.initial.rebalance.delay.ms': '0',
    // A killed node can join again only after its session has timed out. Kafka's default is 9 s.
    'broker.session.timeout.ms': '6000',
    'broker.heartbeat.interval.ms': '1000',
    'num.network.threads': '2',
    'num.io.threads': '4',
  }
}

const propertiesFile = (node: Node): string => join(node.dir, 'server.properties')

/** Writes the node's settings, and formats its data directory unless it is formatted already. */
async function prepare(
  node: Node,
  nodes: readonly Node[],
  clusterId: string,
  libraries: string,
  { settings = {}, tls }: { readonly settings?: Readonly<Record<string, string>>; readonly tls?: KafkaTls },
): Promise<void> {
  await mkdir(node.dir, { recursive: true })
  const plain = settingsOf(node, nodes)
  const withTls = tls && node.tlsPorts && (await prepareTls(node.dir, tls, node.tlsPorts, plain))
  const all = { ...plain, ...withTls, ...settings }
  const lines = Object.entries(all).map(([name, value]) => `${name}=${value}\n`)
  await writeFile(propertiesFile(node), lines.join(''))
  if (await isFormatted(node)) return
  const tool = ['kafka.tools.StorageTool', 'format', '--ignore-formatted', '-t', clusterId, '-c', propertiesFile(node)]
  try {
    await run(javaCommand(), [...javaArguments(libraries), ...tool, ...(tls ? scramUsers(tls) : [])])
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string }
    if (code === 'ENOENT') throw new Error(`java is not installed: ${INSTALL_JAVA}`)
    throw new Error(`Kafka's storage tool could not prepare ${node.dir}:\n${stdout}${stderr}`)
  }
}

const isFormatted = (node: Node): Promise<boolean> =>
  readFile(join(node.dir, 'data', 'meta.properties')).then(
    () => true,
    () => false,
  )

const javaArguments = (libraries: string, jvm: readonly string[] = []): string[] => [
  ...javaOptions(HEAP_MB),
  ...jvm,
  `-Dlog4j2.configurationFile=${join(import.meta.dirname, 'kafka-log4j2.properties')}`,
  '-cp',
  join(libraries, '*'),
]

const startNode = (node: Node, libraries: string, jvm: readonly string[]): Promise<StartedService> =>
  startProgram({
    name: `Kafka node ${node.id}`,
    command: javaCommand(),
    args: [...javaArguments(libraries, jvm), 'kafka.Kafka', propertiesFile(node)],
    ports: [node.port, node.controllerPort, ...Object.values(node.tlsPorts ?? {})],
    install: INSTALL_JAVA,
    logFile: join(node.dir, 'kafka.log'),
    ready: async () => (await brokersSeenBy(addressOf(node))).includes(node.id),
  })

/** Ids of the brokers in the metadata that a node gives to clients. */
async function brokersSeenBy(broker: string): Promise<number[]> {
  const client = new Kafka({
    brokers: [broker],
    clientId: 'almanac-infra',
    logLevel: logLevel.NOTHING,
    retry: { retries: 0 },
  })
  const admin = client.admin()
  try {
    await admin.connect()
    const { brokers, controller } = await admin.describeCluster()
    return controller === null ? [] : brokers.map(({ nodeId }) => nodeId)
  } finally {
    await admin.disconnect()
  }
}

async function untilItSees(broker: string, count: number): Promise<void> {
  const deadline = Date.now() + 30_000
  while ((await brokersSeenBy(broker)).length < count) {
    if (Date.now() > deadline) throw new Error(`Kafka node ${broker} did not see all ${count} nodes within 30 s`)
    await new Promise((done) => setTimeout(done, 50))
  }
}
