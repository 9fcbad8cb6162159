import { hash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import avsc from 'avsc'
import type { FastifyInstance } from 'fastify'
import { describe, expect, it } from 'vitest'
import { decodeGrant, encodeGrant } from '../../api/iceberg/file-grant.ts'
import type { Tables } from '../../api/iceberg/tables-port.ts'
import { merge, mergeable } from '../../archive/compaction.ts'
import { publishedMetadata, publishTables, rootOf } from '../../archive/iceberg/publish.ts'
import { TableSnapshots } from '../../archive/iceberg/table-snapshots.ts'
import { decodeEventCursor } from '../../domain/cursor.ts'
import { openArchive, startArchiver, writeSome } from '../archive/support/archived-journal.ts'
import { openTestJournal } from '../support/journal.ts'
import { bearer, keyId, listen, world } from './support.ts'

const V1 = '/iceberg/v1'
const NAMESPACE = `${V1}/namespaces/almanac`
const secret = randomBytes(32)

/** A service with an archive, whose tables keys of the plan `pro` may read. */
async function served() {
  const { journal, directory } = await openTestJournal()
  await writeSome(journal, 1, 300)
  const { stop, caughtUp } = startArchiver(journal, directory)
  await caughtUp()
  await stop()
  const snapshots = new TableSnapshots(await openArchive(directory))
  await publishTables(snapshots)
  const { store } = snapshots.archive
  const tables: Tables = {
    mayRead: ({ plan }) => plan === 'pro',
    secret,
    current: (topic) => snapshots.current(topic),
    named: (topic, name) => snapshots.named(topic, name),
    published: async (topic) => {
      const bytes = await store.get(publishedMetadata(topic))
      return bytes && { location: `${rootOf(store)}/${publishedMetadata(topic)}`, bytes }
    },
    size: (name) => store.size(name),
    read: (name, range) => store.get(name, range),
  }
  return Object.assign(await world({ tables }), { journal, directory })
}

const get = (app: FastifyInstance, url: string, headers: Record<string, string> = bearer()) =>
  app.inject({ url, headers })

type ManifestFile = { readonly manifest_path: string; readonly manifest_length: number }
type DataFile = { readonly file_path: string; readonly record_count: number; readonly file_size_in_bytes: number }

/** Follows a table from its metadata to its data files, as an engine does. */
async function follow(app: FastifyInstance, table: string) {
  const { metadata } = (await get(app, `${NAMESPACE}/tables/${table}`)).json()
  const [snapshot] = metadata.snapshots
  const list = await records<ManifestFile>(app, snapshot['manifest-list'])
  const files: DataFile[] = []
  for (const { manifest_path, manifest_length } of list) {
    const { rawPayload } = await get(app, pathOf(manifest_path), {})
    expect(rawPayload.length).toBe(manifest_length)
    files.push(...(await records<{ data_file: DataFile }>(app, manifest_path)).map(({ data_file }) => data_file))
  }
  return { snapshot, files }
}

const pathOf = (address: string) => new URL(address).pathname

/** Records of an Avro file, by the library's own reader of files. */
async function records<R>(app: FastifyInstance, address: string): Promise<R[]> {
  const { rawPayload, statusCode } = await get(app, pathOf(address), {})
  expect(statusCode).toBe(200)
  const decoder = new avsc.streams.BlockDecoder()
  decoder.end(rawPayload)
  const found: R[] = []
  for await (const record of decoder) found.push(record)
  return found
}

describe('the catalogue', () => {
  it('leads from a table to its files, which are those of the archive', async () => {
    const { app, journal } = await served()
    const { files, snapshot } = await follow(app, 'releases')
    expect(files.length).toBeGreaterThan(0)
    for (const { file_path, file_size_in_bytes } of files) {
      const { rawPayload, headers } = await get(app, pathOf(file_path), {})
      expect(rawPayload.length).toBe(file_size_in_bytes)
      expect(file_path).toContain(hash('sha256', rawPayload))
      expect(headers.etag).toBe(`"${hash('sha256', rawPayload)}"`)
    }
    expect(files.reduce((sum, { record_count }) => sum + record_count, 0)).toBe(300)
    const { end } = await journal.bounds('releases', 0)
    expect(snapshot.summary).toMatchObject({ 'total-records': '300', 'almanac.offset.0': String(end) })
  })

  it('names with a snapshot of the events the cursor that goes on after it', async () => {
    const { app, journal } = await served()
    const { summary } = (await follow(app, 'events')).snapshot
    const newest = (await journal.newest('events', 0))?.value.sequence ?? 0
    expect(decodeEventCursor(summary['almanac.cursor'])).toMatchObject({ journal: journal.id, sequence: newest + 1 })
  })

  it('goes on serving a snapshot after the table has grown and was compacted', async () => {
    const { app, journal, directory } = await served()
    const { metadata } = (await get(app, `${NAMESPACE}/tables/releases`)).json()
    const list = metadata.snapshots[0]['manifest-list']
    const before = (await get(app, pathOf(list), {})).rawPayload
    for (let n = 2; n < 12; n++) {
      await writeSome(journal, 1_000 * n, 20)
      const { stop, caughtUp } = startArchiver(journal, directory)
      await caughtUp()
      await stop()
    }
    // An archiver that is stopped may leave the merge undone.
    const archive = await openArchive(directory)
    const window = mergeable(await archive.chain('releases', 0))
    if (window) await merge(archive, window, Date.now())
    const { metadata: newer } = (await get(app, `${NAMESPACE}/tables/releases`)).json()
    expect(newer.snapshots[0].summary['total-records']).toBe('500')
    expect(newer['current-snapshot-id']).not.toBe(metadata['current-snapshot-id'])
    expect(newer['last-sequence-number']).toBeGreaterThan(metadata['last-sequence-number'])
    expect((await follow(app, 'releases')).files.length).toBeLessThan(11)
    expect((await get(app, pathOf(list), {})).rawPayload).toEqual(before)
  })

  it('lists one namespace with six tables, for each warehouse', async () => {
    const { app, directory } = await served()
    expect((await get(app, `${V1}/config`)).json()).toMatchObject({ overrides: {} })
    expect((await get(app, `${V1}/config?warehouse=shared`)).json().overrides).toEqual({ prefix: 'shared' })
    for (const prefix of ['', '/shared']) {
      expect((await get(app, `${V1}${prefix}/namespaces`)).json()).toEqual({ namespaces: [['almanac']] })
      const path = `${V1}${prefix}/namespaces/almanac`
      expect((await get(app, path)).json()).toEqual({ namespace: ['almanac'], properties: {} })
      expect((await get(app, `${path}/tables`)).json().identifiers).toHaveLength(6)
      for (const url of [path, `${path}/tables/ticks`])
        expect(await app.inject({ method: 'HEAD', url, headers: bearer() })).toMatchObject({
          statusCode: 204,
          body: '',
        })
    }
    const { metadata } = (await get(app, `${V1}/shared/namespaces/almanac/tables/events`)).json()
    expect(metadata.snapshots[0]['manifest-list']).toContain(`file://${join(directory, 'archive')}/iceberg/events/`)
  })

  it.each([
    [`${V1}/namespaces/other`, 404, 'NoSuchNamespaceException'],
    [`${NAMESPACE}/tables/access`, 404, 'NoSuchTableException'],
    [`${V1}/config?warehouse=x`, 400, 'BadRequestException'],
    [`${V1}/nothing`, 404, 'NoSuchNamespaceException'],
  ])('answers an error in the form of Iceberg: %s', async (url, code, type) => {
    const { app } = await served()
    const answer = await get(app, url)
    expect(answer.statusCode).toBe(code)
    expect(answer.json()).toEqual({ error: { message: expect.any(String), type, code } })
  })

  it('refuses writes, keys that may not read it, and none', async () => {
    const { app } = await served()
    const refused = async (method: 'POST' | 'DELETE' | 'GET', url: string, headers: Record<string, string>) => {
      const answer = await app.inject({ method, url, headers })
      return [answer.statusCode, answer.json().error.type]
    }
    const unsupported = [405, 'UnsupportedOperationException']
    expect(await refused('DELETE', `${NAMESPACE}/tables/ticks`, bearer())).toEqual(unsupported)
    expect(await refused('POST', `${NAMESPACE}/tables`, bearer())).toEqual(unsupported)
    expect(await refused('GET', `${V1}/config`, bearer('free'))).toEqual([403, 'ForbiddenException'])
    expect(await refused('GET', `${NAMESPACE}/tables/ticks`, bearer('basic'))).toEqual([403, 'ForbiddenException'])
    expect(await refused('GET', `${V1}/config`, {})).toEqual([401, 'NotAuthorizedException'])
  })

  it('charges a call for a table, and nothing for the rest', async () => {
    const { app, quota } = await served()
    await get(app, `${V1}/config`)
    await get(app, `${NAMESPACE}/tables`)
    expect(quota.used).toBe(0)
    const { files } = await follow(app, 'signals')
    expect(quota.used).toBe(1)
    for (const { file_path } of files) await get(app, pathOf(file_path), {})
    expect(quota.used).toBe(1)
  })
})

describe('a file of a table', () => {
  async function oneFile() {
    const own = await served()
    const { files } = await follow(own.app, 'ticks')
    const path = pathOf(files[0]?.file_path ?? '')
    const whole = await get(own.app, path, {})
    return Object.assign(own, { path, bytes: whole.rawPayload, etag: String(whole.headers.etag) })
  }

  it('is served in parts', async () => {
    const { app, path, bytes, etag } = await oneFile()
    const part = async (range: string, more = {}) => {
      const { statusCode, rawPayload, headers } = await get(app, path, { range, ...more })
      return [statusCode, rawPayload.toString('hex'), headers['content-range']]
    }
    const size = bytes.length
    expect(await part('bytes=0-3')).toEqual([206, bytes.subarray(0, 4).toString('hex'), `bytes 0-3/${size}`])
    expect(await part('bytes=-8')).toEqual([
      206,
      bytes.subarray(-8).toString('hex'),
      `bytes ${size - 8}-${size - 1}/${size}`,
    ])
    expect(await part(`bytes=${size - 2}-${size + 9}`)).toEqual([
      206,
      bytes.subarray(-2).toString('hex'),
      `bytes ${size - 2}-${size - 1}/${size}`,
    ])
    expect(await part(`bytes=${size}-`)).toEqual([416, '', `bytes */${size}`])
    expect((await part('bytes=0-1,4-5'))[0]).toBe(200)
    expect((await part('bytes=0-3', { 'if-range': '"other"' }))[0]).toBe(200)
    expect((await part('bytes=0-3', { 'if-range': etag }))[0]).toBe(206)
    expect((await get(app, path, { 'if-none-match': etag })).statusCode).toBe(304)
    const head = await app.inject({ method: 'HEAD', url: path })
    expect(head).toMatchObject({ statusCode: 200, body: '' })
    expect(head.headers).toMatchObject({ 'content-length': String(size), 'accept-ranges': 'bytes', etag })
  })

  it('is at an address that cannot be made, changed or kept', async () => {
    const own = await oneFile()
    const status = async (path: string) => (await get(own.app, path, {})).statusCode
    const [, grant = ''] = /\/files\/([^/]+)\//.exec(own.path) ?? []
    expect(await status(own.path)).toBe(200)
    expect(await status(own.path.replace(grant, grant.replace('ticks.', 'events.')))).toBe(403)
    expect(await status(own.path.replace(grant, grant.replace(/\.(\d+)\./, '.9999999999.')))).toBe(403)
    expect(await status(own.path.replace(grant, `${grant.slice(0, -1)}${grant.endsWith('A') ? 'B' : 'A'}`))).toBe(403)
    const missing = await get(own.app, own.path.replace('/data/ticks/', '/data/events/'), {})
    expect([missing.statusCode, missing.json().error.type]).toEqual([404, 'NotFoundException'])
    for (const name of [
      'archive.json',
      'data/ticks/..%2F..%2Farchive.json',
      'chain/ticks/0/x',
      'iceberg/ticks/newest.metadata.json',
    ])
      expect(await status(own.path.replace(/data\/ticks\/.*/, name)), name).toBe(404)
    own.now = '2026-11-21T13:00:01.000Z'
    expect(await status(own.path)).toBe(403)
  })

  it('is refused as soon as the key that loaded the table is revoked', async () => {
    const { app, path, keys } = await oneFile()
    const key = keys.get(keyId('pro'))
    if (!key) throw new Error('no key')
    keys.apply({ ...key, status: 'revoked' })
    expect((await get(app, path, {})).statusCode).toBe(403)
    keys.apply(key)
    expect((await get(app, path, {})).statusCode).toBe(200)
    // What the operator has named is looked up at each file, too: here the plan.
    keys.apply({ ...key, plan: 'basic' })
    expect((await get(app, path, {})).statusCode).toBe(403)
  })

  it('is sent over a real connection as it is, at the address by which the client came', async () => {
    const { app } = await oneFile()
    const port = await listen(app)
    const { metadata } = (await (
      await fetch(`http://127.0.0.1:${port}${NAMESPACE}/tables/ticks`, { headers: bearer() })
    ).json()) as { metadata: { location: string } }
    expect(metadata.location.startsWith(`http://127.0.0.1:${port}/iceberg/files/`)).toBe(true)
    const secure = await get(app, `${NAMESPACE}/tables/ticks`, {
      ...bearer(),
      host: 'data.example.com',
      'x-forwarded-proto': 'https',
    })
    expect(secure.json().metadata.location).toContain('https://data.example.com/iceberg/files/')
  })
})

describe('a grant', () => {
  const grant = { topic: 'ticks', keyId: 'key_1', expires: 100 }
  it('is valid until it expires, under its own secret', () => {
    const text = encodeGrant(secret, grant)
    expect(decodeGrant(secret, text, 99_999)).toEqual(grant)
    expect(decodeGrant(secret, text, 100_000)).toBeUndefined()
    expect(decodeGrant(randomBytes(32), text, 0)).toBeUndefined()
    expect(decodeGrant(secret, '', 0)).toBeUndefined()
  })
})
