import { join } from 'node:path'
import Fastify from 'fastify'
import type { Registry } from 'prom-client'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Admission, StreamDoor } from '../../access/stream-door.ts'
import { buildAdmin } from '../../api/admin/build-admin.ts'
import type { JobView } from '../../api/admin/jobs-page.ts'
import { measureEndings, measureHealth, measureRequests, newRegistry } from '../../cli/processes/metrics.ts'
import {
  measureIngest,
  measureJobs,
  measureJournal,
  measureProcessors,
  measureProjections,
} from '../../cli/processes/pipeline-metrics.ts'
import { streamPath } from '../../contracts/streams.ts'
import { Lineage } from '../../domain/lineage.ts'
import { Acceptor } from '../../ingest/accept/accept.ts'
import { fileCheckpoints } from '../../processors/checkpoint.ts'
import { runProcessors } from '../../processors/main.ts'
import { views } from '../../projections/views/index.ts'
import { startStreamServer } from '../../streams/server.ts'
import type { Stream } from '../../streams/stream.ts'
import { Client } from '../streams/support.ts'
import { openTestJournal, until } from '../support/journal.ts'
import { testDocument, testSeries } from '../support/releases.ts'

type Bounds = Awaited<ReturnType<Parameters<typeof measureJournal>[0]['bounds']>>

/** The samples of one metric that aren't 0: `name{labels} value`. */
async function samplesOf(registry: Registry, name: string): Promise<string[]> {
  const lines = (await registry.getSingleMetricAsString(name)).split('\n')
  return lines.filter((line) => line !== '' && !line.startsWith('#') && !line.endsWith(' 0')).sort()
}

describe('/metrics', () => {
  it('counts requests by route and status, but not who asks whether a starting node is ready', async () => {
    const registry = newRegistry()
    const app = Fastify()
    onTestFinished(() => app.close())
    measureRequests(app, registry)
    app.get('/ready', (_request, reply) => reply.code(503).send())
    app.get('/v1/usage', () => '')
    for (const url of ['/ready', '/v1/usage', '/nothing', '/nothing/else']) await app.inject(url)
    const samples = await samplesOf(registry, 'almanac_http_request_seconds')
    expect(samples.filter((line) => line.includes('_count'))).toEqual([
      'almanac_http_request_seconds_count{method="GET",route="/v1/usage",status="200"} 1',
      'almanac_http_request_seconds_count{method="GET",route="none",status="404"} 2',
    ])
  })

  it('answers before Prometheus gives up while neither journal nor read models do', async () => {
    const registry = newRegistry()
    let answering = true
    const answer = <T>(value: T) => (answering ? Promise.resolve(value) : new Promise<T>(() => undefined))
    const bounds = () => answer<Bounds>({ start: 0, end: 7 })
    measureJournal({ bounds }, registry)
    measureProcessors({ bounds }, registry).onProgress('events', 0, { topic: 'releases', position: 5, caughtUp: false })
    measureJobs({ list: () => answer<JobView[]>([job('TEST/new', null)]) }, registry)
    const progress = () => answer({ lag: 3, position: 4, running: true, watermarks: new Map<number, number>() })
    const all = views.map(({ name }) => ({ name, progress }))
    measureProjections({ all, userLags: () => answer([{ name: 'user_own', lag: 5, position: 6 }]) }, registry)
    measureIngest(registry)('TEST', { new: 2 })
    const app = await buildAdmin({
      metrics: registry,
      overview: () => expect.unreachable(),
      ready: () => true,
      token: '',
      host: '127.0.0.1',
      clock: Date.now,
    })
    onTestFinished(() => app.close())
    const scrape = async () => (await app.inject({ url: '/metrics', headers: { host: 'localhost' } })).body
    const well = await scrape()
    expect(well).toContain('almanac_journal_end_offset{topic="releases",partition="0"} 7')
    expect(well).toContain('almanac_processor_lag_offsets{processor="events",topic="releases",partition="0"} 2')
    expect(well).toContain('almanac_schedule_jobs{state="never_ran"} 1')
    expect(well).toContain(`almanac_projection_lag_offsets{view="${views[0]?.name}"} 3`)
    expect(well).toContain('almanac_projection_lag_offsets{view="user_own"} 5')
    expect(well).toContain('almanac_projection_position_offsets{view="user_own"} 6')
    expect(well).toContain('almanac_processor_position_offset{processor="events",topic="releases",partition="0"} 5')
    answering = false
    const begun = performance.now()
    const text = await scrape()
    // The default of `scrape_timeout`.
    expect(performance.now() - begun).toBeLessThan(10_000)
    expect(text).toContain('almanac_ingest_items_total{source="TEST",outcome="new"} 2')
    // Nothing is said of what nobody knows.
    expect(text).not.toMatch(
      /^almanac_(journal_end|projection_(lag|position)|processor_lag)_offsets?\{|^almanac_schedule_jobs\{/m,
    )
  })
})

describe('the lag of processors', () => {
  it('is what they have still to take in, and nobody’s once they are given up', async () => {
    const registry = newRegistry()
    let end = 10
    const measured = measureProcessors({ bounds: async () => ({ start: 0, end }) }, registry)
    const lag = () => samplesOf(registry, 'almanac_processor_lag_offsets')
    measured.onProgress('quotes', 1, { topic: 'ticks', position: 4, caughtUp: false })
    measured.onProgress('quotes', 2, { topic: 'ticks', position: 10, caughtUp: true })
    expect(await lag()).toEqual(['almanac_processor_lag_offsets{processor="quotes",topic="ticks",partition="1"} 6'])
    // What is read meanwhile may be beyond the end that was asked for before.
    end = 9
    measured.onProgress('quotes', 1, { topic: 'ticks', position: 10, caughtUp: true })
    expect(await lag()).toEqual([])
    end = 30
    measured.onRetry('quotes', new Error('injected'))
    measured.onStop('quotes', 1)
    expect(await lag()).toEqual(['almanac_processor_lag_offsets{processor="quotes",topic="ticks",partition="2"} 20'])
    const retried = await samplesOf(registry, 'almanac_processor_retries_total')
    expect(retried).toEqual(['almanac_processor_retries_total{processor="quotes"} 1'])
  })

  it('is told by the owner alone', async () => {
    const { journal, directory } = await openTestJournal()
    const run = () => {
      const registry = newRegistry()
      const stop = new AbortController()
      const checkpoints = fileCheckpoints(join(directory, 'checkpoints'), new Lineage(journal))
      const done = runProcessors({ journal, checkpoints, signal: stop.signal, ...measureProcessors(journal, registry) })
      const text = () => registry.getSingleMetricAsString('almanac_processor_lag_offsets')
      const end = async () => {
        stop.abort()
        await done
      }
      onTestFinished(end)
      return { text, end }
    }
    const figure = { period: '2024-01', figures: { value: { printed: '100.1' } }, location: 'line 1' }
    await new Acceptor(journal).accept(testDocument, [{ kind: 'figure', series: testSeries(), ...figure }])
    const caughtUp = /processor="derivations",topic="releases",partition="0"\} 0$/m
    const owner = run()
    await until('the owner has taken in all', async () => caughtUp.test(await owner.text()))
    const standby = run()
    expect(await standby.text()).not.toContain('{')
    await owner.end()
    expect(await owner.text()).not.toContain('{')
    await until('the standby is the owner', async () => caughtUp.test(await standby.text()))
  })
})

describe('the endings of connections', () => {
  it('are counted by code, whoever ended them', async () => {
    const registry = newRegistry()
    const stream: Stream = {
      name: 'predictions',
      read: () => ({}),
      attach: () => ({ resume: () => undefined, detach: () => undefined }),
      asOf: () => '',
      isAvailable: () => true,
    }
    const door: Pick<StreamDoor, 'enter' | 'standing' | 'leave'> = {
      async enter({ stream: name, authorization }) {
        const admission: Admission = { stream: name, keyId: 'TEST', account: 'TEST', plan: 'pro', lease: '' }
        return authorization === undefined ? { refused: 'unauthorized', detail: 'No key.' } : admission
      },
      standing: () => 'valid' as never,
      leave: async () => undefined,
    }
    const log = { warn: () => undefined }
    const onEnd = measureEndings(registry)
    const server = await startStreamServer({
      host: '127.0.0.1',
      port: 0,
      streamBase: 'ws://streams.test',
      streams: [stream],
      door,
      log,
      onEnd,
    })
    const url = `ws://127.0.0.1:${server.port}${streamPath('predictions')}`
    const endings = async () =>
      (await samplesOf(registry, 'almanac_stream_endings_total')).map((line) => /code="(\w+)"\} (\d+)/.exec(line)?.[0])

    await new Client(url).end()
    const open = async () => {
      const client = new Client(url, { headers: { authorization: 'TEST' } })
      await client.seen('ready')
      return client
    }
    const [wrong, leaving, lost, left] = await Promise.all([open(), open(), open(), open()])
    wrong.send('no JSON')
    leaving.socket.close(1001)
    lost.socket.terminate()
    await until('three have ended', () => server.open() === 1)
    await server.drain(0)
    await left.end()
    expect(await endings()).toEqual([
      'code="client_closed"} 1',
      'code="connection_lost"} 1',
      'code="going_away"} 1',
      'code="invalid_frame"} 1',
      'code="unauthorized"} 1',
    ])
  })
})

const job = (name: string, outcome: string | null, running = false): JobView => ({
  name,
  running,
  nextRun: running ? null : 0,
  when: '',
  timeZone: 'UTC',
  announced: [],
  lastRun: outcome === null ? null : { outcome, startedAt: 0, endedAt: 0, attempt: 1, detail: '', retryAt: null },
})

describe('the state of the schedule and of the parts', () => {
  it('is told by job and by part', async () => {
    const registry = newRegistry()
    const jobs = [job('TEST/1', 'failed'), job('TEST/2', 'failed'), job('TEST/3', 'running', true), job('TEST/4', null)]
    measureJobs({ list: async () => jobs }, registry)
    expect(await samplesOf(registry, 'almanac_schedule_jobs')).toEqual([
      'almanac_schedule_jobs{state="failed"} 2',
      'almanac_schedule_jobs{state="never_ran"} 1',
      'almanac_schedule_jobs{state="running"} 1',
    ])
    const health = {
      status: 'degraded',
      version: '0',
      journal: 'ok',
      read_models: 'unavailable',
      access: 'ok',
    } as const
    let dataAsOf = ''
    measureHealth(() => ({ ...health, data_as_of: dataAsOf }), registry)
    expect(await registry.getSingleMetricAsString('almanac_part_up')).toContain('{part="read_models"} 0')
    expect(await samplesOf(registry, 'almanac_part_up')).toEqual([
      'almanac_part_up{part="access"} 1',
      'almanac_part_up{part="journal"} 1',
    ])
    expect(await samplesOf(registry, 'almanac_data_as_of_timestamp_seconds')).toEqual([])
    dataAsOf = '2026-11-01T12:00:00.500Z'
    expect(await samplesOf(registry, 'almanac_data_as_of_timestamp_seconds')).toEqual([
      'almanac_data_as_of_timestamp_seconds 1793534400.5',
    ])
  })
})
