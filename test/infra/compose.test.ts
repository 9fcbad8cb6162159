import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseRedisAddress } from '../../base/redis/address.ts'
import { adminAddresses } from '../../infra/admin-addresses.ts'
import type { Config } from '../../infra/config.ts'
import { type ComposeService, configOf, isOurs, mountsOf, readCompose, repositoryOf } from './compose-file.ts'
import { infra, roles, shutdownSeconds } from './container-files.ts'

const file = readCompose()
const services = Object.entries(file.services)
const ours = services.filter(([, service]) => isOurs(service))
const others = services.filter(([, service]) => !isOurs(service))

/** Where the servers of other people listen, by image, as their settings or their manuals say. */
const portsOfImages: Readonly<Record<string, (service: ComposeService) => readonly number[]>> = {
  'apache/kafka': ({ environment }) => kafkaListeners(environment?.KAFKA_LISTENERS).map(({ port }) => port),
  'apicurio/apicurio-registry-kafkasql': () => [8080],
  'clickhouse/clickhouse-server': () => [8123, 9000],
  redis: () => [6379],
  'prom/prometheus': () => [9090],
  'grafana/grafana': () => [3000],
}

function portsOf(service: ComposeService): readonly number[] {
  if (!isOurs(service)) return portsOfImages[repositoryOf(service.image)]?.(service) ?? []
  const { roles: own, httpPort, streamPort } = configOf(service)
  return [...(own.includes('api') ? [httpPort] : []), ...(own.includes('streams') ? [streamPort] : [])]
}

/** `PLAINTEXT://kafka:9092,CONTROLLER://:9093` as names, hosts and ports. */
const kafkaListeners = (text: unknown) =>
  [...String(text).matchAll(/(\w+):\/\/([\w.-]*):(\d+)/g)].map(([, name, host = '', port]) => ({
    name,
    host,
    port: Number(port),
  }))

const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80))

/** Host and port of every engine that a configuration names; an engine that it doesn’t name has no host. */
function enginesOf({ kafka, schemaRegistryUrl, clickhouseUrl, redisUrl }: Config) {
  const registry = new URL(schemaRegistryUrl)
  const clickhouse = new URL(clickhouseUrl)
  const redis = parseRedisAddress(redisUrl)
  return [
    ...(kafka?.brokers ?? ['']).map((broker) => ({ host: broker.split(':')[0]!, port: Number(broker.split(':')[1]) })),
    { host: registry.hostname, port: portOf(registry) },
    { host: clickhouse.hostname, port: portOf(clickhouse) },
    redis.kind === 'single' ? redis.node : { host: '', port: 0 },
  ]
}

const conditionsOf = ({ depends_on = {} }: ComposeService): [string, string][] =>
  Array.isArray(depends_on)
    ? depends_on.map((name: string) => [name, 'service_started'])
    : Object.entries(depends_on).map(([name, { condition }]) => [name, condition])

const checksItself = (service: ComposeService | undefined): boolean =>
  service !== undefined && (service.healthcheck !== undefined || isOurs(service))

describe.each(services)('compose.yaml: %s', (_name, service) => {
  it('waits for services that there are, and that can become what it waits for', () => {
    for (const [name, condition] of conditionsOf(service)) {
      expect(file.services, 'depends_on').toHaveProperty([name])
      expect(['service_started', 'service_healthy']).toContain(condition)
      if (condition === 'service_healthy') expect(checksItself(file.services[name]), `${name} checks itself`).toBe(true)
    }
  })

  it('mounts what there is', () => {
    for (const { source } of mountsOf(service)) {
      if (source.startsWith('.')) expect(existsSync(join(infra, source)), source).toBe(true)
      else expect(file.volumes).toHaveProperty([source])
    }
    for (const { source } of service.configs ?? []) expect(file.configs).toHaveProperty([source])
  })

  it('publishes ports that it listens on, on loopback only', () => {
    for (const published of service.ports ?? []) {
      const [host, , target] = published.split(':')
      expect(host).toBe('127.0.0.1')
      expect(portsOf(service)).toContain(Number(target))
    }
  })

  it('is checked on a port that it listens on', () => {
    const asked = service.healthcheck?.test.join(' ').matchAll(/localhost:(\d+)/g) ?? []
    for (const [, port] of asked) expect(portsOf(service)).toContain(Number(port))
  })

  it('has an environment of texts and numbers', () => {
    // Compose refuses a bare true, and takes the value of an empty one from whoever runs it.
    for (const [name, value] of Object.entries(service.environment ?? {})) {
      expect(['string', 'number'], name).toContain(typeof value)
    }
  })
})

describe('compose.yaml', () => {
  it('uses every volume and config that it declares', () => {
    const mounted = services.flatMap(([, service]) => mountsOf(service).map(({ source }) => source))
    const configured = services.flatMap(([, service]) => (service.configs ?? []).map(({ source }) => source))
    expect(Object.keys(file.volumes).filter((name) => !mounted.includes(name))).toEqual([])
    expect(Object.keys(file.configs).filter((name) => !configured.includes(name))).toEqual([])
  })

  it('publishes no port twice', () => {
    const published = services.flatMap(([, { ports = [] }]) => ports.map((port) => port.split(':')[1]))
    expect(published).toEqual([...new Set(published)])
  })

  it('has a service for every role, and one for each', () => {
    const own = ours.map(([name, service]) => [name, ...configOf(service).roles])
    expect(own.sort()).toEqual(roles.map((role) => [role, role]).sort())
  })

  it('builds our image once and asks no registry for it', () => {
    // Compose builds side by side, and the second to give an image its name fails: "already exists".
    const built = ours.flatMap(([, { build }]) => (build ? [build] : []))
    expect(built).toHaveLength(1)
    expect(existsSync(join(infra, built[0]!.context, built[0]!.dockerfile))).toBe(true)
    expect([...new Set(ours.map(([, { image, pull_policy }]) => `${image} ${pull_policy}`))]).toEqual(['almanac never'])
  })

  it.each(others)('pins %s to a version', (_name, { image }) => {
    expect(image).toMatch(/^[\w./-]+:(?!latest)[\w.-]*\d[\w.-]*$/)
  })

  it('has the Kafka and the registry that we are tested with', () => {
    const pom = readFileSync(join(infra, 'services/pom.xml'), 'utf8')
    const version = (name: string) => new RegExp(`<${name}.version>(.+)</`).exec(pom)?.[1]
    expect(file.services.kafka?.image).toBe(`apache/kafka:${version('kafka')}`)
    expect(file.services.registry?.image).toBe(`apicurio/apicurio-registry-kafkasql:${version('apicurio')}`)
  })
})

describe.each(ours)('compose.yaml: our %s', (_name, service) => {
  const config = () => configOf(service)

  it('asks engines of the file where they listen, and waits for them', () => {
    const healthy = conditionsOf(service).filter(([, condition]) => condition === 'service_healthy')
    for (const { host, port } of enginesOf(config())) {
      expect(file.services).toHaveProperty([host])
      expect(portsOf(file.services[host]!), host).toContain(port)
      expect(healthy.map(([name]) => name)).toContain(host)
    }
  })

  it('is let in by ClickHouse', () => {
    const { username, password, pathname } = new URL(config().clickhouseUrl)
    const { environment, healthcheck } = file.services.clickhouse!
    expect(environment).toMatchObject({
      CLICKHOUSE_USER: username,
      CLICKHOUSE_PASSWORD: password,
      CLICKHOUSE_DB: pathname.slice(1),
    })
    expect(healthcheck?.test.join(' ')).toContain(`--user ${username} --password ${password} `)
  })

  it('can be reached by Prometheus and by its health check, and asks for a token', () => {
    const { host, admin, demo } = config()
    expect([host, admin.host]).toEqual(['0.0.0.0', '0.0.0.0'])
    expect(adminAddresses(admin, config().roles)).toHaveLength(1)
    expect(admin.token).not.toBe('')
    expect(admin.token).toBe(file.configs['admin-token']?.content)
    expect(demo).toBe(false)
  })

  it('is published where it says that it is', () => {
    const { roles: own, streamUrl } = config()
    const published = (service.ports ?? []).map((port) => port.split(':').slice(0, 2).join(':'))
    expect(published).toHaveLength(portsOf(service).length)
    if (own.includes('streams')) expect(streamUrl).toBe(`ws://${published[0]}`)
  })

  it('keeps what it mounts in its data directory', () => {
    for (const { target } of mountsOf(service)) expect(target).toBe(config().dataDir)
  })

  it('may leave in its own time', () => {
    expect(service.stop_grace_period).toMatch(/^\d+s$/)
    expect(Number.parseInt(service.stop_grace_period!, 10)).toBeGreaterThan(shutdownSeconds())
  })
})

describe('compose.yaml: kafka', () => {
  it('listens where its clients are sent to, and the registry asks it there', () => {
    const { environment } = file.services.kafka!
    const listens = kafkaListeners(environment?.KAFKA_LISTENERS)
    const advertised = kafkaListeners(environment?.KAFKA_ADVERTISED_LISTENERS)
    expect(advertised).toHaveLength(1)
    for (const { name, host, port } of advertised) {
      expect(host).toBe('kafka')
      expect(listens).toContainEqual({ name, host: '', port })
      expect(file.services.registry?.environment?.KAFKA_BOOTSTRAP_SERVERS).toBe(`${host}:${port}`)
    }
    const [, , voter] = /^(\d+)@localhost:(\d+)$/.exec(String(environment?.KAFKA_CONTROLLER_QUORUM_VOTERS)) ?? []
    const controller = environment?.KAFKA_CONTROLLER_LISTENER_NAMES
    expect(listens.find(({ name }) => name === controller)?.port).toBe(Number(voter))
  })

  it('keeps its log on a volume', () => {
    const { environment } = file.services.kafka!
    expect(mountsOf(file.services.kafka!).map(({ target }) => target)).toContain(environment?.KAFKA_LOG_DIRS)
  })
})
