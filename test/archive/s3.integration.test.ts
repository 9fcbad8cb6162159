import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { AwsClient } from 'aws4fetch'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Archive } from '../../archive/archive.ts'
import { publishedMetadata } from '../../archive/iceberg/publish.ts'
import { readArchive } from '../../archive/read.ts'
import { S3Store } from '../../archive/s3.ts'
import { verifyArchive } from '../../archive/verify.ts'
import { openObjectStore } from '../../cli/parts.ts'
import { objectsContract } from '../contracts/objects-contract.ts'
import { openEmbeddedTestJournal } from '../support/embedded-journal.ts'
import { recordsOf, until } from '../support/journal.ts'
import { startArchiver, writeSome } from './support/archived-journal.ts'

const server = join(import.meta.dirname, 's3-server/.venv/bin/python')
/** Answers one request at a time, because with threads it lets two conditional writes of one object through. */
const SERVER = `
from sys import argv
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import run_simple
run_simple('127.0.0.1', int(argv[1]), DomainDispatcherApplication(create_backend_app))`
const engines = join(import.meta.dirname, 'iceberg/engines')
const python = join(engines, '.venv/bin/python')
const hasNoEngines = !existsSync(python) && process.env.CI !== 'true'
const hasNoServer = !existsSync(server) && process.env.CI !== 'true'
if (hasNoServer) console.warn('S3: not tested, because test/archive/s3-server/.venv is missing (run its make-venv)')

const access = { accessKeyId: 'test', secretAccessKey: 'secret', region: 'us-east-1', endpoint: '' }
let stop = async () => undefined as unknown
let buckets = 0

async function newBucket(): Promise<string> {
  const bucket = `bucket-${buckets++}`
  const { ok } = await new AwsClient({ ...access, service: 's3' }).fetch(`${access.endpoint}/${bucket}`, {
    method: 'PUT',
  })
  if (!ok) throw new Error(`cannot create ${bucket}`)
  return bucket
}

const openStore = async () => new S3Store(`s3://${await newBucket()}/some/prefix`, access)

describe.skipIf(hasNoServer)('with a server', () => {
  beforeAll(async () => {
    const port = await freePort()
    const child = spawn(server, ['-c', SERVER, String(port)], { stdio: 'ignore' })
    stop = () => new Promise((resolve) => child.once('exit', resolve) && child.kill())
    access.endpoint = `http://127.0.0.1:${port}`
    await until('the server answers', () =>
      fetch(access.endpoint).then(
        () => true,
        () => false,
      ),
    )
  })
  afterAll(() => stop())

  objectsContract('S3', openStore)

  it('a list is read page by page', async () => {
    const store = await openStore()
    const names = Array.from({ length: 1_005 }, (_, i) => `many/${String(i).padStart(5, '0')}`)
    for (let i = 0; i < names.length; i += 50)
      await Promise.all(names.slice(i, i + 50).map((name) => store.put(name, new Uint8Array())))
    const found: string[] = []
    for await (const { name } of store.list('many/')) found.push(name)
    expect(found).toEqual(names)
  })
  it('a journal is archived in a bucket', async () => {
    const { journal, directory } = await openEmbeddedTestJournal()
    await writeSome(journal, 0, 20)
    const store = await openStore()
    const running = startArchiver(journal, directory, { store })
    await running.caughtUp()
    await running.stop()
    expect(running.failures).toEqual([])
    const archive = await Archive.open(store)
    await verifyArchive(archive, (fault) => expect.fail(fault.message))
    let events = 0
    for await (const { records } of readArchive(archive, 'events', 0, 0)) events += records.length
    expect(events).toBe(20)
  })
  it.skipIf(hasNoEngines)('its tables are read from the bucket by an engine that shares no code with it', async () => {
    const { journal, directory } = await openEmbeddedTestJournal()
    await writeSome(journal, 0, 300)
    const store = await openStore()
    const running = startArchiver(journal, directory, { store })
    await running.caughtUp()
    const name = publishedMetadata('releases')
    const isPublished = async () => {
      const bytes = await store.get(name)
      return bytes !== undefined && Buffer.from(bytes).toString().includes('"total-records":"300"')
    }
    await until('the table is published', isPublished)
    await running.stop()
    expect(running.failures).toEqual([])
    const environment = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'us-east-1' }
    const { stdout } = await promisify(execFile)(
      python,
      [join(engines, 'read_bucket.py'), `${store.address}/${name}`, access.endpoint],
      { env: { ...process.env, ...environment } },
    )
    const expected = (await recordsOf(journal, 'releases')).map(({ offset, value: { figures } }) => {
      const [whole, fraction = ''] = String(figures.value).split('.')
      return [offset, `${whole}.${fraction.padEnd(18, '0')}`]
    })
    expect(expected).toHaveLength(300)
    expect(JSON.parse(stdout)).toEqual(expected)
  })
  it('finds what it has put below any name', async () => {
    const bucket = await newBucket()
    for (const prefix of ['date=2026-11-30', 'my backup', '2026-11-30T02:00+01', 'Rücksicherung']) {
      const store = new S3Store(`s3://${bucket}/${prefix}`, access)
      await store.put('chain/a', new Uint8Array([1]))
      expect(await Array.fromAsync(store.list('chain/')), prefix).toMatchObject([{ name: 'chain/a', bytes: 1 }])
      expect(await store.get('chain/a')).toEqual(new Uint8Array([1]))
    }
  })
  it('a fault names the request and what the server says', async () => {
    await expect(new S3Store('s3://no-such-bucket', access).get('a')).rejects.toThrow(
      'GET s3://no-such-bucket a: 404 NoSuchBucket',
    )
  })
})

it('a server that is away is a fault of the store', async () => {
  const store = new S3Store('s3://bucket', { ...access, endpoint: `http://127.0.0.1:${await freePort()}` })
  await expect(store.put('a', new Uint8Array([1]))).rejects.toThrow(/^PUT s3:\/\/bucket a: .*ECONNREFUSED/)
})
it('access to a bucket is read from the environment', async () => {
  delete process.env.AWS_ACCESS_KEY_ID
  process.env.AWS_SECRET_ACCESS_KEY = 'x'
  await expect(openObjectStore('s3://bucket/a')).rejects.toThrow(
    's3://bucket/a: an archive or a backup in S3 needs AWS_ACCESS_KEY_ID in the environment',
  )
  await expect(openObjectStore('s3://bucket/a?b')).rejects.toThrow('s3://bucket/a?b has a ?, # or %')
  await expect(openObjectStore('gs://bucket/a')).rejects.toThrow('gs://bucket/a is neither a directory nor s3://')
  process.env.AWS_ACCESS_KEY_ID = 'y'
  expect((await openObjectStore('s3://bucket/a')).address).toBe('s3://bucket/a')
})

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
