import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { archiveState, startOverview } from '../../cli/processes/overview.ts'
import { loadConfig } from '../../infra/config.ts'
import { randomFrom } from '../support/random.ts'
import { SimulatedTime } from '../support/simulated-time.ts'

/** Nobody listens on the port after this one. */
const env = { ALMANAC_ROLES: 'ingest,api,streams,store', ALMANAC_ADMIN_PORT: '1' }

type Started = { isStreams?: boolean; more?: Record<string, string>; ready?: () => boolean }

function start({ isStreams = false, more = {}, ready = () => true }: Started = {}) {
  const registry = new Registry()
  const time = new SimulatedTime(randomFrom(1))
  const closers: (() => unknown)[] = []
  const watch = startOverview({
    config: loadConfig({ ...env, ...more }),
    isStreams,
    registry,
    ready,
    lifecycle: { onClose: (_name, close) => void closers.push(close) },
    time,
  })
  return { registry, time, closers, ...watch }
}

describe('the samples of a process', () => {
  it('are taken every ten seconds, until the process ends', async () => {
    const { registry, time, closers, overview } = start({
      more: { ALMANAC_ROLES: 'archive', ALMANAC_ARCHIVE: '/archive' },
    })
    const registers = [registry]
    const streams = new Gauge({ name: 'almanac_stream_connections', help: 'x', labelNames: ['stream'], registers })
    const requests = new Histogram({
      name: 'almanac_http_request_seconds',
      help: 'x',
      labelNames: ['status', 'route'],
      buckets: [0.1, 1],
      registers,
    })
    const retries = new Counter({ name: 'almanac_archive_retries_total', help: 'x', registers })
    await time.advance(10_000)
    streams.set({ stream: 'prices' }, 3)
    for (let i = 0; i < 40; i++) requests.observe({ status: 200, route: '/' }, 0.05)
    retries.inc(7)
    await time.advance(10_000)
    const { sampledAt, streams: lines, requests: answers, latency, alerts } = await overview()
    expect(sampledAt.map((at) => at - (sampledAt[0] ?? 0))).toEqual([0, 10_000, 20_000])
    expect(lines).toEqual([{ name: 'prices', values: [undefined, undefined, 3] }])
    expect(answers).toMatchObject([{ name: '200', rise: 40, rates: [undefined, undefined, 4] }])
    expect(latency[0]?.values[2]).toBeCloseTo(0.05)
    expect(alerts.find(({ alert }) => alert === 'AlmanacArchiveFails')?.state).toBe('holds')
    for (const close of closers) await close()
    await time.advance(60_000)
    expect((await overview()).sampledAt).toHaveLength(3)
  })

  it('are not taken again while the last one is being taken, and lack what cannot be read', async () => {
    const { registry, time, overview } = start()
    const answer = Promise.withResolvers<void>()
    let asked = 0
    const gauge = (name: string, collect: () => Promise<void>) =>
      new Gauge({ name, help: 'x', labelNames: ['view'], registers: [registry], collect })
    gauge('almanac_projection_lag_offsets', () => {
      asked++
      return answer.promise
    })
    gauge('almanac_archive_lag_offsets', () => Promise.reject(new Error('away')))
    await time.advance(60_000)
    expect([asked, (await overview()).sampledAt.length]).toEqual([1, 1])
    answer.resolve()
    await time.advance(10_000)
    expect([asked, (await overview()).sampledAt.length]).toEqual([2, 3])
    expect((await overview()).archiveLag).toBeNull()
  })

  it('tell how long an alert holds, also after the clock was set back or forward', async () => {
    const { registry, time, overview } = start()
    const labelNames = ['part']
    new Gauge({ name: 'almanac_part_up', help: 'x', labelNames, registers: [registry] }).set({ part: 'journal' }, 0)
    const retries = new Counter({ name: 'almanac_archive_retries_total', help: 'x', registers: [registry] })
    const away = async () => (await overview()).alerts.find(({ alert }) => alert === 'AlmanacPartAway')
    await time.advance(60_000)
    retries.inc(5)
    await time.advance(60_000)
    for (const ms of [-3_600_000, 7_200_000]) {
      time.setWallClockBy(ms)
      await time.advance(10_000)
      const { at, sampledAt } = await overview()
      expect(await away()).toMatchObject({ state: 'fires', cases: [{ beganAt: sampledAt[1] }] })
      expect([sampledAt.at(-1), sampledAt]).toEqual([at, sampledAt.toSorted((a, b) => a - b)])
    }
  })
})

describe('what the overview tells of its process', () => {
  it('is that it is not ready, until a sample was taken that has all that it measures', async () => {
    let ready = false
    const { registry, time, overview } = start({ more: { ALMANAC_ROLES: 'ingest' }, ready: () => ready })
    await time.advance(10_000)
    expect(await overview()).toMatchObject({ verdict: 'unknown', doubt: 'Not ready: still starting' })
    // It becomes ready while a sample is being taken.
    const collect = () => {
      ready = true
    }
    new Gauge({ name: 'almanac_part_up', help: 'x', registers: [registry], collect })
    await time.advance(10_000)
    expect([ready, (await overview()).verdict]).toEqual([true, 'unknown'])
    await time.advance(10_000)
    expect(await overview()).toMatchObject({ verdict: 'well', doubt: null })
  })

  it('is that its samples are old while its metrics cannot be read', async () => {
    const { registry, time, overview } = start({ more: { ALMANAC_ROLES: 'ingest' } })
    await time.advance(10_000)
    const collect = () => new Promise<void>(() => undefined)
    new Gauge({ name: 'almanac_part_up', help: 'x', registers: [registry], collect })
    await time.advance(30_000)
    expect((await overview()).verdict).toBe('well')
    await time.advance(10_000)
    expect(await overview()).toMatchObject({ verdict: 'unknown', doubt: 'The newest sample is 40 seconds old' })
  })

  it('is which roles run in it, and how the process of the streams is', async () => {
    // Its admin port is the next one.
    const asked: unknown[] = []
    const answers = [{ verdict: 'concerns', streams: [{ values: [null, 3] }, { values: [4] }, { values: [null] }] }]
    const server = createServer(({ url, headers }, response) => {
      asked.push([url, headers.authorization])
      const [answer] = answers.splice(0)
      response.writeHead(answer ? 200 : 503).end(JSON.stringify(answer))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const { overview } = start({ more: { ALMANAC_ADMIN_PORT: `${port - 1}`, ALMANAC_ADMIN_TOKEN: 'T' } })
    expect((await overview()).process).toMatchObject({
      roles: ['ingest', 'api'],
      streams: { port, verdict: 'concerns', open: 7 },
    })
    expect(asked).toEqual([['/overview.json', 'Bearer T']])
    expect((await overview()).process.streams).toEqual({ port, verdict: 'unavailable', open: 0 })

    const streams = await start({ isStreams: true }).overview()
    expect(streams.process).toMatchObject({ roles: ['streams'], streams: undefined })
    const apart = await start({ more: { ALMANAC_ROLES: 'api', ALMANAC_CLICKHOUSE_URL: 'http://x' } }).overview()
    expect(apart.process.streams).toBeUndefined()
  })

  it('is what can be asked, and that it does not answer', async () => {
    const { known, overview } = start()
    expect(await overview()).toMatchObject({ quota: undefined, sources: undefined, archive: undefined })
    known.quota = () => Promise.reject(new Error('Redis is away'))
    known.sources = async () => []
    known.engine = async () => '26.7'
    known.archive = () => archiveState('/archive', { isOwner: true, sealedAt: undefined, fault: 'disk full' })
    const told = await overview()
    expect(told.concerns).toMatchObject({ archive: 1, unanswered: 1 })
    known.engine = () => Promise.reject(new Error('ClickHouse is away'))
    expect((await overview()).concerns).toMatchObject({ unanswered: 2 })
    expect(told).toMatchObject({ quota: 'unavailable', sources: [], archive: { fault: 'disk full', sealedAt: null } })
    const versions = Object.fromEntries(told.versions.map(({ name, version }) => [name, version]))
    expect(versions).toMatchObject({ Node: process.version, Journal: 'embedded', 'Read models': 'ClickHouse 26.7' })
  })

  it('names no secret of the settings', async () => {
    const secrets = { ALMANAC_ADMIN_TOKEN: 's3cret-token', ALMANAC_REDIS_URL: 'redis://user:s3cret@redis' }
    const { overview } = start({ more: secrets })
    expect(JSON.stringify(await overview())).not.toContain('s3cret')
  })
})
