import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import avro from 'avsc'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type AvroSchema, avroSchemas } from '../../contracts/avro.ts'
import { freePort } from '../../infra/ports.ts'
import { type RunningRegistry, startRegistry } from '../../infra/services/registry.ts'
import { codecFor } from '../../journal/codec.ts'
import { localRegistry, releasedSchemas } from '../../journal/registry.ts'
import { IncompatibleSchemaError, RegistryRefusedError, servedRegistry } from '../../journal/served-registry.ts'
import { registryContract } from '../contracts/registry-contract.ts'
import { accepted, candidate, testSeries } from '../support/releases.ts'
import { serviceIsThere } from '../support/services.ts'

registryContract('local', localRegistry)

type Fields = { readonly fields: readonly unknown[] }
const withField = (schema: AvroSchema, field: object) => ({
  ...(schema as Fields),
  fields: [...(schema as Fields).fields, field],
})

/** A prefix of the test's own, for subjects that nobody has. */
let prefixes = 0
const newPrefix = () => `test-${++prefixes}.`

/** A server that answers with `handle` and what reached it. */
async function listen(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server: Server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a served registry that is not there', () => {
  it('is unavailable, by name and without its password, when nothing listens', async () => {
    const registry = servedRegistry({
      url: `http://me:TESTSECRET@127.0.0.1:${await freePort()}/apis/ccompat/v7`,
      topicPrefix: 'test.',
    })
    const failure = await registry.register('ticks').catch((error: Error) => error)
    expect(failure).toMatchObject({ name: 'JournalError', code: 'unavailable' })
    expect(String(failure)).toMatch(/ECONNREFUSED/)
    expect(String(failure)).not.toContain('TESTSECRET')
    await expect(registry.schema(1)).rejects.toMatchObject({ code: 'unavailable' })
  })
  it('is unavailable when it takes a request and never answers', async () => {
    const address = await listen(() => undefined)
    const registry = servedRegistry({ url: `http://${address}`, topicPrefix: 'test.', requestMs: 100 })
    await expect(registry.register('ticks')).rejects.toMatchObject({ code: 'unavailable' })
    await expect(registry.schema(1)).rejects.toMatchObject({ code: 'unavailable' })
  })
  it('is asked again after a failure', async () => {
    let away = true
    const address = await listen((request, response) => {
      response.writeHead(away ? 503 : 200, { 'content-type': 'application/json' })
      const config = request.url?.startsWith('/config/')
      response.end(
        JSON.stringify(away ? { message: 'TEST' } : config ? { compatibilityLevel: 'FULL_TRANSITIVE' } : { id: 7 }),
      )
    })
    const registry = servedRegistry({ url: `http://${address}`, topicPrefix: 'test.' })
    await expect(registry.register('ticks')).rejects.toMatchObject({ code: 'unavailable' })
    away = false
    expect(await registry.register('ticks')).toBe(7)
  })
  it('is not one at all when the address has no such API', async () => {
    const address = await listen((_, response) => response.writeHead(404).end('{}'))
    await expect(servedRegistry({ url: `http://${address}`, topicPrefix: 'test.' }).register('ticks')).rejects.toThrow(
      'Confluent API',
    )
  })
})

describe.skipIf(!serviceIsThere('java'))('a real registry', () => {
  let dir: string
  let server: RunningRegistry

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'almanac-registry-'))
    server = await startRegistry({ dir })
  })
  afterAll(async () => {
    await server?.stop()
    await rm(dir, { recursive: true, force: true })
  })

  const connect = (topicPrefix: string) => servedRegistry({ url: server.url, topicPrefix })
  const get = async (path: string): Promise<unknown> => (await fetch(server.url + path)).json()
  const put = async (subject: string, schema: unknown): Promise<number> => {
    const body = JSON.stringify({ schema: JSON.stringify(schema) })
    const headers = { 'Content-Type': 'application/vnd.schemaregistry.v1+json' }
    const response = await fetch(`${server.url}/subjects/${subject}/versions`, { method: 'POST', headers, body })
    if (!response.ok) throw new Error(await response.text())
    return ((await response.json()) as { id: number }).id
  }

  registryContract('served', () => connect('contract.'))

  it('holds every released version under the topic’s full name, oldest first and once', async () => {
    const prefix = newPrefix()
    await connect(prefix).register('ticks')
    await connect(prefix).register('ticks')
    const ours = releasedSchemas().filter(({ topic }) => topic === 'ticks')
    expect(ours.length).toBeGreaterThan(1)
    const subject = `/subjects/${prefix}ticks-value/versions`
    expect(await get(subject)).toEqual(ours.map((_, i) => i + 1))
    for (const [i, { schema }] of ours.entries()) {
      const version = (await get(`${subject}/${i + 1}`)) as { schema: string }
      expect(JSON.parse(version.schema)).toEqual(schema)
    }
  })
  it('gives nodes that start at the same time the same ids', async () => {
    const prefix = newPrefix()
    const nodes = Array.from({ length: 6 }, () => connect(prefix))
    const ids = await Promise.all(nodes.map((node) => node.register('access')))
    expect(new Set(ids).size).toBe(1)
    // Apicurio may list one schema as several versions then; it is one schema with one id all the same.
    const subject = `/subjects/${prefix}access-value/versions`
    const versions = (await get(subject)) as number[]
    const known = await Promise.all(
      versions.map(async (version) => (await get(`${subject}/${version}`)) as { id: number }),
    )
    const released = releasedSchemas().filter(({ topic }) => topic === 'access')
    expect(new Set(known.map(({ id }) => id)).size).toBe(released.length)
  })
  it('guards its subjects with FULL_TRANSITIVE from the first version on', async () => {
    const prefix = newPrefix()
    await connect(prefix).register('events')
    const subject = `${prefix}events-value`
    expect(await get(`/config/${subject}`)).toEqual({ compatibilityLevel: 'FULL_TRANSITIVE' })
    const added = withField(avroSchemas.events, { name: 'more', type: 'string' })
    await expect(put(subject, added)).rejects.toThrow('Incompatible')
  })
  it('refuses our schema where the subject holds one that it does not go together with', async () => {
    const prefix = newPrefix()
    await put(`${prefix}events-value`, withField(avroSchemas.events, { name: 'more', type: 'string' }))
    const refused = connect(prefix).register('events')
    await expect(refused).rejects.toThrow(IncompatibleSchemaError)
    await expect(refused).rejects.toThrow(`version 1 of ${prefix}events-value`)
  })
  it('serves the schema of a newer release, and the codec reads what was written with it', async () => {
    const prefix = newPrefix()
    const registry = connect(prefix)
    const codec = await codecFor('releases', registry)
    const newer = withField(avroSchemas.releases, { name: 'more', type: ['null', 'string'], default: null })
    const id = await put(`${prefix}releases-value`, newer)
    const release = accepted(candidate(testSeries(), '2025-11', { value: '101.50' }))
    const body = avro.Type.forSchema(newer as unknown as avro.Schema).toBuffer({ ...release, more: 'TEST' })
    const head = Buffer.alloc(5)
    head.writeUInt32BE(id, 1)
    expect(await codec.decode(Buffer.concat([head, body]))).toEqual(release)
    // The older release still writes with its own, beside the newer one.
    expect(await connect(prefix).register('releases')).toBe(await registry.register('releases'))
  })
  it('keeps its ids through SIGKILL', async () => {
    const prefix = newPrefix()
    const id = await connect(prefix).register('quotes')
    await server.kill()
    await server.start()
    expect(await connect(prefix).register('quotes')).toBe(id)
    expect(await connect(prefix).schema(id)).toEqual(await connect(prefix).schema(id))
  })
  it('is given the credentials of the URL, decoded, with every request', async () => {
    const expected = `Basic ${Buffer.from('me:TEST/@secret').toString('base64')}`
    const seen: string[] = []
    const address = await listen(async (request, response) => {
      seen.push(`${request.method} ${request.url?.split('/')[1]}`)
      if (request.headers.authorization !== expected) return response.writeHead(401).end('{"message":"TEST"}')
      const body = await Array.fromAsync(request as AsyncIterable<Buffer>)
      const answer = await fetch(server.url + request.url, {
        method: request.method ?? 'GET',
        headers: { 'Content-Type': 'application/vnd.schemaregistry.v1+json' },
        ...(body.length > 0 ? { body: Buffer.concat(body) } : {}),
      })
      return response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    })
    const at = (credentials: string) =>
      servedRegistry({ url: `http://${credentials}@${address}`, topicPrefix: newPrefix() })
    const id = await at('me:TEST%2F%40secret').register('ticks')
    await at('me:TEST%2F%40secret').schema(id)
    expect(new Set(seen)).toEqual(new Set(['PUT config', 'GET config', 'POST subjects', 'GET schemas']))
    await expect(at('me:wrong').register('ticks')).rejects.toThrow(RegistryRefusedError)
    await expect(at('me:wrong').schema(id)).rejects.toThrow(RegistryRefusedError)
  })
})
