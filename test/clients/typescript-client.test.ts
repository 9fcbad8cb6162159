import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest'
import { clientsFolder } from '../../clients/generate/artifacts.ts'
import { convertDecimals } from '../../clients/typescript/src/decimal.ts'
import {
  Almanac,
  dataOf,
  type Event,
  fileCursor,
  ProblemError,
  type SocketEvents,
  type SocketOpener,
  StreamError,
} from '../../clients/typescript/src/node.ts'
import { until } from '../support/journal.ts'

const sources = join(clientsFolder, 'typescript/src')

describe('the package', () => {
  it('imports nothing but itself and Node', () => {
    for (const file of globSync('**/*.ts', { cwd: sources })) {
      const targets = [...readFileSync(join(sources, file), 'utf8').matchAll(/(?:from|import\() ?'([^']+)'/g)].map(
        ([, target = '']) => target,
      )
      for (const target of targets) expect(target, file).toMatch(file === 'node.ts' ? /^(?:\.\/|node:)/ : /^\.{1,2}\//)
    }
  })

  it('is at most 15 KB for a browser: bundled, minified and gzipped', async () => {
    const bundle = await rolldown({ input: join(sources, 'index.ts') })
    const { output } = await bundle.generate({ minify: true, format: 'esm' })
    expect(output).toHaveLength(1)
    const size = gzipSync(output[0].code, { level: 9 }).length
    expect(size).toBeGreaterThan(3_000)
    expect(size).toBeLessThanOrEqual(15 * 1_024)
  })
})

describe('an address of the streams', () => {
  it.each(['http://127.0.0.1:8080', '127.0.0.1:8081', ''])('is refused at once: "%s"', (streamsUrl) => {
    expect(() => new Almanac({ streamsUrl }).events()).toThrow('streamsUrl must begin with ws:// or wss://')
  })
})

describe('decimals', () => {
  const mark = (text: string) => `<${text}>`
  it('are converted where the schema has them, and nowhere else', () => {
    const cpi = { country: 'USA', period: '2026-03', value: '330.2', base_period: '1982/1984', base_value: '100' }
    expect(convertDecimals(cpi, 'Cpi', mark)).toEqual({ ...cpi, value: '<330.2>', base_value: '<100>' })
    const list = { observations: [{ value: '1', unit: 'USD' }], next_cursor: null }
    expect(convertDecimals(list, 'ObservationList', mark)).toEqual({
      observations: [{ value: '<1>', unit: 'USD' }],
      next_cursor: null,
    })
    const fx = { type: 'fx', base: 'USD', rate: { currency: 'EUR', rate: '0.9' } }
    expect(convertDecimals(fx, 'FxPrice', mark)).toMatchObject({ rate: { currency: 'EUR', rate: '<0.9>' } })
    expect(convertDecimals({ year_to_date: null }, 'GdpGrowth', mark)).toEqual({ year_to_date: null })
  })
  it('are converted in the data of an event by its dataschema', () => {
    const event = { dataschema: 'urn:almanac:schema:CpiRevision', data: { value: '2', previous: { value: '1' } } }
    expect(convertDecimals(event, 'Event', mark)).toMatchObject({ data: { value: '<2>', previous: { value: '<1>' } } })
    const unknown = { dataschema: 'urn:almanac:schema:OfTomorrow', data: { value: '2' } }
    expect(convertDecimals(unknown, 'Event', mark)).toEqual(unknown)
  })
  it('have the type of the converter', () => {
    const client = new Almanac({ decimal: Number })
    expectTypeOf(client.rest.economics_get_cpi).returns.resolves.toHaveProperty('value').toEqualTypeOf<number>()
    expectTypeOf(new Almanac().rest.economics_get_cpi).returns.resolves.toHaveProperty('value').toEqualTypeOf<string>()
    // @ts-expect-error A country is missing.
    expectTypeOf(() => client.rest.economics_get_cpi()).toBeFunction()
  })
  it('of an event have the type that it names', () => {
    const event = { dataschema: 'urn:almanac:schema:Cpi', data: { value: '1' } } as unknown as Event
    expect(dataOf(event, 'Cpi')?.value).toBe('1')
    expect(dataOf(event, 'Gdp')).toBeUndefined()
  })
})

describe('REST calls', () => {
  const answers = (...list: (() => Response)[]) => {
    const asked: Request[] = []
    const send: typeof fetch = async (input, init) => {
      asked.push(new Request(input, init))
      return list[asked.length - 1]?.() ?? new Response('{}', { headers: { 'content-type': 'application/json' } })
    }
    return { asked, client: new Almanac({ key: 'KEY', url: 'http://rest.test/', fetch: send }) }
  }
  const problem =
    (status: number, code: string, headers: Record<string, string> = {}) =>
    () =>
      new Response(JSON.stringify({ code, detail: 'Why.', title: 'What', status, request_id: 'r' }), {
        status,
        headers,
      })

  it('put path, query and repeated parameters where they belong', async () => {
    const { asked, client } = answers()
    await client.rest.events_list({ country: ['USA', 'DEU'], limit: 5 })
    await client.rest.commodities_get_spot({ commodity: 'A/B', currency: 'EUR' })
    await client.rest.events_create_stream_ticket({ origin: 'http://o.test' })
    expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET http://rest.test/v1/events?country=USA&country=DEU&limit=5',
      'GET http://rest.test/v1/commodities/spot/A%2FB/EUR',
      'POST http://rest.test/v1/events/stream-ticket',
    ])
    expect(asked[0]?.headers.get('authorization')).toBe('Bearer KEY')
    expect(await asked[2]?.json()).toEqual({ origin: 'http://o.test' })
  })

  it('accept what the operation answers with', async () => {
    const { asked, client } = answers(
      () => new Response('{}', { headers: { 'content-type': 'application/json' } }),
      () => new Response('{}\n{}\n', { headers: { 'content-type': 'application/x-ndjson; charset=utf-8' } }),
    )
    await client.rest.account_get_usage()
    expect(await client.rest.events_export({ start: '2026-09-01' })).toBe('{}\n{}\n')
    expect(asked.map(({ headers }) => headers.get('accept'))).toEqual(['application/json', '*/*'])
  })

  it('throw the problem by its code', async () => {
    const { client } = answers(problem(404, 'no_complete_publication'))
    const error = await client.rest.economics_get_cpi({ country: 'GER' }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ProblemError)
    expect(error).toMatchObject({ code: 'no_complete_publication', status: 404, message: 'Why.', requestId: 'r' })
  })

  it('are repeated after what passes, and not after what does not', async () => {
    const passing = answers(problem(503, 'unavailable', { 'retry-after': '0' }), problem(429, 'rate_limited'))
    await passing.client.rest.health_health_get()
    expect(passing.asked).toHaveLength(3)
    const used = answers(problem(429, 'quota_exhausted', { 'retry-after': '86400' }))
    await expect(used.client.rest.account_get_usage()).rejects.toMatchObject({ code: 'quota_exhausted' })
    expect(used.asked).toHaveLength(1)
  })

  it('read page after page', async () => {
    const page = (value: string, next_cursor: string | null) => () =>
      new Response(JSON.stringify({ observations: [{ value }], next_cursor, as_of: '' }), {
        headers: { 'content-type': 'application/json' },
      })
    const { asked, client } = answers(page('1', 'c1'), page('2', null))
    const values = await Array.fromAsync(client.observations('USA', 'exports', { start: '2020' }), ({ value }) => value)
    expect(values).toEqual(['1', '2'])
    expect(asked.map(({ url }) => new URL(url).search)).toEqual([
      '?limit=1000&start=2020',
      '?limit=1000&start=2020&cursor=c1',
    ])
  })
})

describe('a cursor in a file', () => {
  it('is replaced as a whole, and leaves nothing beside it', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'almanac-cursor-'))
    onTestFinished(() => rm(directory, { recursive: true }))
    const store = fileCursor(join(directory, 'cursor'))
    expect(await store.load()).toBeNull()
    await store.save('v1.one')
    await store.save('v1.two')
    expect(await store.load()).toBe('v1.two')
    expect(await readdir(directory)).toEqual(['cursor'])
    await writeFile(join(directory, 'cursor'), '')
    expect(await store.load()).toBeNull()
  })
})

/** A server by hand: what it is told to send arrives at once. */
function scripted() {
  const opened: { readonly sent: string[]; readonly events: SocketEvents; isClosed: boolean; isPaused: boolean }[] = []
  const opener: SocketOpener = {
    canPause: true,
    open(_, __, events) {
      const one = { sent: [] as string[], events, isClosed: false, isPaused: false }
      opened.push(one)
      const set = (change: Partial<typeof one>) => void Object.assign(one, change)
      return {
        send: (text) => void one.sent.push(text),
        close: () => set({ isClosed: true }),
        pause: () => set({ isPaused: true }),
        resume: () => set({ isPaused: false }),
      }
    },
  }
  const connection = async (index: number) => {
    await until(`connection ${index}`, () => opened.length > index)
    const one = opened[index]
    if (!one) throw new Error('no connection')
    const tell = (message: object) => one.events.frame(JSON.stringify(message))
    return {
      ...one,
      one,
      tell,
      open() {
        one.events.opened()
        tell({ type: 'ready' })
        tell({ type: 'subscribed', cursor: 'c0' })
      },
      event: (n: number) =>
        tell({ type: 'event', event: { sequence: String(n).padStart(20, '0'), cursor: `c${n}`, id: `e${n}` } }),
    }
  }
  return { connection, opener, client: new Almanac({ key: 'KEY', sockets: async () => opener }) }
}

describe('a stream', () => {
  it('begins at a time once, and connects again with the cursor', async () => {
    const { connection, client } = scripted()
    const reading = client.events({ start: '2026-09-01', countries: ['USA'], backoff: { first: 0, max: 0 } })
    const first = reading[Symbol.asyncIterator]().next()
    const one = await connection(0)
    one.open()
    one.event(7)
    expect((await first).value).toMatchObject({ id: 'e7' })
    one.events.closed(1006, '')
    const other = await connection(1)
    other.open()
    reading.stop()
    expect([...one.sent, ...other.sent].map((text) => JSON.parse(text))).toEqual([
      { action: 'subscribe', countries: ['USA'], start: '2026-09-01' },
      { action: 'subscribe', countries: ['USA'], cursor: 'c7' },
    ])
    expect(() => client.events({ start: '42', cursor: 'latest' })).toThrow('Give either start or cursor')
  })

  it('saves the cursor of what was processed, and of what stands behind it', async () => {
    const saved: string[] = []
    const { client, connection } = scripted()
    const stream = client.events({ store: { load: () => null, save: (cursor) => void saved.push(cursor) } })
    const events = stream[Symbol.asyncIterator]()
    const first = events.next()
    const server = await connection(0)
    server.open()
    await until('the place is saved', () => saved.length === 1)
    server.event(1)
    server.event(2)
    expect((await first).value).toMatchObject({ id: 'e1' })
    server.tell({ type: 'checkpoint', cursor: 'c9' })
    expect(saved).toEqual(['c0'])
    expect((await events.next()).value).toMatchObject({ id: 'e2' })
    await events.return()
    // The second event was being processed when the loop ended.
    expect(saved).toEqual(['c0', 'c1'])
    expect(server.one.isClosed).toBe(true)
  })

  it('saves a checkpoint by itself once all is processed', async () => {
    const saved: string[] = []
    const { client, connection } = scripted()
    const stream = client.events({ store: { load: () => 'c7', save: (cursor) => void saved.push(cursor) } })
    const batches = stream.batches()
    const pulled = batches.next()
    const server = await connection(0)
    server.open()
    expect(JSON.parse(server.sent[0] ?? '')).toEqual({ action: 'subscribe', cursor: 'c7' })
    server.event(8)
    const { value: batch } = await pulled
    server.tell({ type: 'checkpoint', cursor: 'c9' })
    expect(saved).toEqual(['c0'])
    await batch?.ack()
    expect(saved).toEqual(['c0', 'c9'])
    server.tell({ type: 'heartbeat', as_of: '', cursor: 'c10' })
    await until('the heartbeat is saved', () => saved.at(-1) === 'c10')
    await batches.return()
  })

  it('pauses at its bound, and reads on once there is room', async () => {
    const { client, connection } = scripted()
    const batches = client.events({ bufferItems: 8, batchItems: 4 }).batches()
    const pulled = batches.next()
    const server = await connection(0)
    server.open()
    for (let n = 1; n <= 8; n++) server.event(n)
    expect(server.one.isPaused).toBe(true)
    expect((await pulled).value?.items).toHaveLength(4)
    expect(server.one.isPaused).toBe(false)
    await batches.return()
  })

  it('delivers what came before an error, then throws it', async () => {
    const { client, connection } = scripted()
    const seen: string[] = []
    const reading = (async () => {
      for await (const { id } of client.events()) seen.push(id)
    })()
    const server = await connection(0)
    server.open()
    server.event(1)
    server.tell({ type: 'error', code: 'filter_not_supported', detail: 'No.', resume_cursor: 'c1' })
    const error = await reading.catch((thrown: unknown) => thrown)
    expect(seen).toEqual(['e1'])
    expect(error).toBeInstanceOf(StreamError)
    expect(error).toMatchObject({ code: 'filter_not_supported', resumeCursor: 'c1' })
  })

  it('gives the consumer what a converter throws', async () => {
    const { connection, opener } = scripted()
    const decimal = (text: string) => {
      throw new Error(`no number: ${text}`)
    }
    const client = new Almanac({ key: 'KEY', sockets: async () => opener, decimal })
    const reading = Array.fromAsync(client.prices({ commodities: [] }))
    const server = await connection(0)
    server.open()
    server.tell({ type: 'commodity', spot: { price: '1' } })
    await expect(reading).rejects.toThrow('no number: 1')
    expect(server.one.isClosed).toBe(true)
  })

  it('tells the consumer that its cursor cannot be saved', async () => {
    const { client, connection } = scripted()
    const full = new Error('the disk is full')
    const store = { load: () => null, save: () => Promise.reject(full) }
    const reading = Array.fromAsync(client.events({ store }))
    const server = await connection(0)
    server.open()
    await expect(reading).rejects.toBe(full)
    expect(server.one.isClosed).toBe(true)
  })
})
