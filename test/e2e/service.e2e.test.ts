import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Compile } from '#typebox'
import { eventDataSchemas } from '../../contracts/event-data.ts'
import type { Event, EventPage } from '../../contracts/events.ts'
import { runCommand } from '../support/command.ts'
import { startSample } from '../support/demo.ts'
import { sharedServices } from '../support/distributed.ts'
import { type FirstStart, watchFirstStart, watchStart } from '../support/first-start.ts'
import { until, untilServed } from '../support/journal.ts'
import { almanac, type Service } from '../support/service.ts'
import { sharedServer } from '../support/shared-servers.ts'

/** The service as a newcomer meets it: the bundled sample, the demo keys, the addresses of the README. */
let dataDir: string
let first: FirstStart
let service: Service
let key: string

const eventDataChecks = new Map([...eventDataSchemas].map(([name, schema]) => [name, Compile(schema)]))

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(service.base + path, { headers: { authorization: `Bearer ${key}`, ...headers } })
const fitsItsSchema = ({ dataschema, data }: Event) =>
  eventDataChecks.get(dataschema.replace('urn:almanac:schema:', ''))?.Check(data) ?? false
/** What a service has said, an event a line, where no terminal is. */
const saidIn = (output: string): string[] =>
  output
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { msg: string }).msg)
const INFO = { ALMANAC_LOG_LEVEL: 'info' }
const LOADING = 'Not ready yet: the bundled sample is still being loaded.'
const SIMULATED = expect.stringContaining('simulated, not real')

const command = (...args: string[]) => runCommand(args, { ALMANAC_DATA_DIR: dataDir })

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'almanac-e2e-'))
  if (sharedServices()) {
    const started = await watchFirstStart(dataDir)
    service = started.service
    first = { ...started.seen, output: service.output() }
  } else {
    first = (await sharedServer('sample')).firstStart
    service = await startSample(dataDir, INFO)
  }
  key = (await service.keys()).pro
})
afterAll(async () => {
  await service?.destroy()
  await rm(dataDir, { recursive: true, force: true })
})

describe('the very first start', () => {
  it('says what happens in lines of JSON, and that it loads the sample and simulates prices', () => {
    const said = saidIn(first.output)
    expect(said).toEqual(expect.arrayContaining(['loading the bundled sample', 'sample loaded', SIMULATED]))
    expect(said.filter((message) => message === 'almanac is ready')).toHaveLength(1)
  })
  it('accepts connections of streams long before the first quote, and says that prices are simulated', () => {
    expect(first.handshakeSource).toBe('simulator')
  })
  it('says at /ready that it loads the sample', () => {
    expect(first.reasons).toContain(LOADING)
  })
  it('answers everything that the README asks from the moment that /ready is 200', () => {
    const asked = first.answers.map(({ path }) => path).filter((path) => !path.startsWith('/v1/fx/'))
    expect(asked.filter((path) => !path.startsWith('/v1/commodities/')).length).toBeGreaterThan(4)
    expect(first.answers.filter(({ status }) => status !== 200)).toEqual([])
    for (const { path, text } of first.answers) {
      if (path.includes('format=csv')) {
        expect(text.trim().split('\r\n').length).toBeGreaterThan(1)
        continue
      }
      const body = JSON.parse(text) as { readonly observations?: unknown[]; readonly events?: unknown[] }
      if (path.includes('/observations')) expect(body.observations?.length).toBeGreaterThan(0)
      if (path.startsWith('/v1/events')) expect(body.events?.length).toBeGreaterThan(0)
    }
  })
})

describe('a service that was just started', () => {
  it.each([
    'cpi',
    'inflation',
    'unemployment',
    'labour-force-participation',
    'gdp',
    'gdp-growth',
    'trade',
    'trade/exports',
    'trade/imports',
  ])('answers the latest %s of the United States', async (path) => {
    const answer = await get(`/v1/economics/USA/${path}`)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({
      country: 'USA',
      released_on: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
    })
  })
  /** A page of events. A busy machine may answer too slowly for the moment, which is 503 with the advice to ask again. */
  async function eventsFrom(cursor: string): Promise<EventPage> {
    let answer = await get(`/v1/events?limit=1000&cursor=${cursor}`)
    await untilServed(`events from ${cursor}`, async () => {
      if (answer.status === 503) answer = await get(`/v1/events?limit=1000&cursor=${cursor}`)
      return answer.status !== 503
    })
    const text = await answer.text()
    expect(answer.status, text.slice(0, 500)).toBe(200)
    return JSON.parse(text) as EventPage
  }

  it('pages through a history and the events, to their end', async () => {
    const periods: string[] = []
    let cursor: string | null = ''
    do {
      const answer = await get(
        `/v1/economics/DEU/trade/exports/observations?limit=5${cursor ? `&cursor=${cursor}` : '&start=2015'}`,
      )
      expect(answer.status).toBe(200)
      const page = (await answer.json()) as { observations: { period: string }[]; next_cursor: string | null }
      periods.push(...page.observations.map(({ period }) => period))
      cursor = page.next_cursor
    } while (cursor)
    expect(periods.length).toBeGreaterThan(12)
    expect(periods).toEqual([...periods].sort())
    let next = 'earliest'
    const types = new Set<string>()
    let seen = 0
    let last = 0
    for (let more = true; more; ) {
      const page = await eventsFrom(next)
      for (const event of page.events) {
        expect(Number(event.sequence)).toBe(++last)
        if (!fitsItsSchema(event)) expect.fail(`its data does not fit its dataschema: ${JSON.stringify(event)}`)
        types.add(event.type)
      }
      seen += page.events.length
      next = page.next_cursor
      more = page.has_more
    }
    expect(seen).toBeGreaterThan(1000)
    for (const type of ['economics.release.revised', 'predictions.prediction.updated']) expect(types).toContain(type)
  })
  it('has events of real revisions, each with what it replaced', async () => {
    const page = (await (await get('/v1/events?type=economics.release.revised&country=USA&family=output')).json()) as {
      events: { data: { value: string; previous: { value: string } } }[]
    }
    expect(page.events.length).toBeGreaterThan(0)
    for (const { data } of page.events) expect(data.previous).not.toEqual(data)
  })
  it('prices commodities and currencies', async () => {
    const gold = await get('/v1/commodities/spot/XAU/EUR')
    expect(await gold.json()).toMatchObject({ symbol: 'XAU-EUR', unit: 'troy_ounce', stale: false })
    // The demo's prices are made up, and say so.
    expect(gold.headers.get('almanac-source')).toBe('simulator')
    const rates = (await (await get('/v1/fx/rates/EUR')).json()) as { market_session: string; rates: object[] }
    expect(rates.rates.length).toBeGreaterThan(20)
    expect(rates.market_session).toBe('simulated')
  })
  it('has its pages, its description and its health open to everybody', async () => {
    for (const path of ['/', '/docs', '/openapi.json', '/health', '/ready', '/problems', '/problems/unauthorized']) {
      expect((await fetch(service.base + path)).status, path).toBe(200)
    }
    expect((await fetch(`${service.base}/v1/usage`)).status).toBe(401)
  })
  it('takes a new key within a second, and refuses it within a second of its revocation', async () => {
    const created = JSON.parse(
      (await command('keys', 'create', '--plan', 'free', '--owner', 'e2e', '--json')).stdout,
    ) as { key: string; key_id: string }
    const status = async () =>
      (await fetch(`${service.base}/v1/usage`, { headers: { authorization: `Bearer ${created.key}` } })).status
    await until('the new key works', async () => (await status()) === 200)
    const derived = JSON.parse((await command('keys', 'derive', created.key_id, '--json')).stdout) as { key: string }
    const search = `${service.base}/fred/series/search?search_text=gdp&api_key=${derived.key}`
    await until('its read-only key works', async () => (await fetch(search)).status === 200)
    expect((await command('keys', 'revoke', created.key_id, '--json')).code).toBe(0)
    await until('the revoked key is refused', async () => (await status()) === 401)
    await until('its read-only key is refused', async () => (await fetch(search)).status === 401)
    expect((await command('keys', 'list')).stdout).toContain(`${created.key_id}  free   revoked`)
  })
  it('names no key of an address in its log or an answer', async () => {
    const { pro = '', read_only: short = '' } = await service.keys()
    expect(short).toMatch(/^[a-z0-9]{32}$/)
    const secrets = [pro, short]
    const paths = secrets.flatMap((secret) => [
      `/fred/series?series_id=x&api_key=${secret}`,
      `/v1/usage?api_key=${secret}`,
      `/v1/economics/USA/${secret}?api_key=${secret}`,
      `/${secret}`,
      `/v1/events/stream?api_key=${secret}`,
    ])
    const said: string[] = []
    for (const path of paths)
      for (const base of [service.base, service.streams.replace('ws:', 'http:')]) {
        const answer = await fetch(base + path)
        expect(answer.status, base + path).toBeGreaterThanOrEqual(400)
        said.push(await answer.text(), JSON.stringify([...answer.headers]))
      }
    expect(said).toHaveLength(2 * 2 * 5 * 2)
    for (const secret of secrets) {
      expect(said.filter((text) => text.includes(secret))).toEqual([])
      expect(service.output()).not.toContain(secret)
    }
  })
  it('takes in a file while it runs, and serves it', async () => {
    const file = join(dataDir, 'own.csv')
    const { writeFile } = await import('node:fs/promises')
    const head = [
      'almanac: figures 1',
      'source: TEST',
      'dataset: T1',
      'publisher: Test office',
      'licence: none',
      'url: file:own',
    ]
    const members = [
      'indicator: unemployment',
      'country: ISL',
      'unit: percent',
      'seasonal_adjustment: not_seasonally_adjusted',
    ]
    await writeFile(
      file,
      `${[...head, ...members].map((line) => `# ${line}`).join('\n')}\nperiod,rate\n2025-01,3.40\n2025-02,oops\n`,
    )
    const result = await command('ingest', 'file', file)
    expect(result).toMatchObject({ code: 3, stdout: expect.stringContaining('1 new, 1 rejected') })
    await until('it is served', async () => (await get('/v1/economics/ISL/unemployment')).status === 200)
    expect(await (await get('/v1/economics/ISL/unemployment?period=2025-01')).json()).toMatchObject({ rate: '3.40' })
    expect((await command('replay', 'quarantine')).stdout).toContain('not_a_decimal')
  })
  it('replays the journal, the same bytes every time', async () => {
    const [one, two] = [
      await command('replay', 'releases', '--to', '500'),
      await command('replay', 'releases', '--to', '500'),
    ]
    expect(one.stdout.split('\n').length).toBeGreaterThan(400)
    expect(two.stdout).toBe(one.stdout)
    expect(await command('replay', 'nothing')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('name one topic'),
    })
  })
  it('finds its read models equal to the journal', async () => {
    const verified = await command('verify')
    expect(verified.stderr + verified.stdout).toContain('events')
    expect(verified.code).toBe(0)
  })
  it('makes a read model anew while it answers, and goes on behind it', async () => {
    const events = async () => {
      // Without `as_of`, which moves on as events come.
      const { events, next_cursor } = (await (await get('/v1/events?cursor=earliest&limit=50')).json()) as EventPage
      return { events, next_cursor }
    }
    const before = await events()
    let isDone = false
    const rebuilding = command('rebuild', 'events').finally(() => {
      isDone = true
    })
    let answers = 0
    // A pause, because the quota counts requests.
    for (; !isDone; answers++, await pause(200)) expect(await events()).toEqual(before)
    expect(answers).toBeGreaterThan(1)
    expect(await rebuilding).toMatchObject({ code: 0, stdout: expect.stringContaining('equal to the journal') })
  })
  it('refuses to start beside itself, and with a setting that does not exist, and says why', async () => {
    const port = new URL(service.base).port
    const beside = await almanac(['start'], { ALMANAC_DATA_DIR: join(dataDir, 'other'), ALMANAC_HTTP_PORT: port })
    expect(beside).toMatchObject({ code: 2, stderr: expect.stringContaining(`${port} is in use`) })
    const same = await almanac(['start'], { ALMANAC_DATA_DIR: dataDir, ALMANAC_HTTP_PORT: '0' })
    expect(same).toMatchObject({ code: 2, stderr: expect.stringContaining('is in use by the service') })
    const typo = await almanac(['start'], { ALMANAC_DATADIR: 'x' })
    expect(typo).toMatchObject({ code: 2, stderr: expect.stringContaining('ALMANAC_DATADIR is not a setting') })
  })
  it('leaves on SIGTERM with 0, and goes on where it was, without loading anything twice', async () => {
    const before = await (await get('/v1/events?cursor=earliest&limit=1')).json()
    const tail = async () =>
      ((await (await get('/v1/events?cursor=latest')).json()) as { next_cursor: string }).next_cursor
    const end = await tail()
    const started = Date.now()
    expect(await service.stop()).toBe(0)
    expect(Date.now() - started).toBeLessThan(10_000)
    expect(saidIn(service.output())).toEqual(expect.arrayContaining(['stopping', 'stopped']))
    const later = await watchStart(dataDir, INFO, async () => undefined)
    service = later.service
    expect(later.reasons).not.toContain(LOADING)
    expect(saidIn(service.output())).not.toContain('loading the bundled sample')
    expect(saidIn(service.output())).toContainEqual(SIMULATED)
    expect((await service.keys()).pro).toBe(key)
    expect(await (await get('/v1/events?cursor=earliest&limit=1')).json()).toMatchObject({
      events: (before as { events: unknown[] }).events,
    })
    const page = (await (await get(`/v1/events?cursor=${end}`)).json()) as { events: { type: string }[] }
    // Prices and the calendar may have events of their own meanwhile.
    expect(page.events.filter(({ type }) => type.startsWith('economics.'))).toEqual([])
  })
})
