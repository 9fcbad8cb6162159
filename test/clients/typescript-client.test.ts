import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest'
import { clientsFolder } from '../../clients/generate/artifacts.ts'
import { compareDecimalTexts, convertDecimals } from '../../clients/typescript/src/decimal.ts'
import {
  Almanac,
  dataOf,
  type Event,
  fileCursor,
  type HistoryIndicator,
  type Observation,
  RestError,
  type SeriesObservation,
} from '../../clients/typescript/src/node.ts'
import { bearer, listen, world } from '../api/support.ts'

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

describe('an option that the client does not have', () => {
  it('does not compile, also in a variable, and is refused', () => {
    // @ts-expect-error It is named `key`.
    expect(() => new Almanac({ apiKey: 'k' })).toThrow('Almanac has no option "apiKey". Known: key, url, ')
    const options = { apiKey: 'k', url: 'http://rest.test' }
    // @ts-expect-error It is named `key`.
    expect(() => new Almanac(options)).toThrow('Almanac has no option "apiKey".')
    const mistyped = { retrys: 1, url: 'http://rest.test' }
    expect(() => new Almanac(mistyped)).toThrow('Almanac has no option "retrys". Did you mean "retries"?')
  })
})

describe('an address of the streams', () => {
  it.each(['http://127.0.0.1:8080', '127.0.0.1:8081', ''])('is refused at once: "%s"', (streamsUrl) => {
    expect(() => new Almanac({ streamsUrl }).events()).toThrow('streamsUrl must begin with ws:// or wss://')
  })
  it.each(['https://almanac.example', 'http://10.0.0.7:8080', 'http://localhost.example', 'almanac.example', ''])(
    'must be given beside the url "%s"',
    (url) => {
      const client = new Almanac({ key: 'KEY', url })
      const words = `Give \`streamsUrl\`, for example 'wss://streams.example': the streams of ${url} are not at ws://127.0.0.1:8081.`
      expect(() => client.events()).toThrow(new TypeError(words))
      expect(() => client.prices({ fx: [{ base: 'EUR' }] })).toThrow(words)
      expect(() => client.predictions()).toThrow(words)
      new Almanac({ url, streamsUrl: 'wss://streams.example' }).events()
      new Almanac({ url, ticket: async () => 'wss://streams.example' }).events()
    },
  )
  it.each(['http://127.0.0.1:9080', 'http://LOCALHOST/', 'http://[::1]:8080/asof/2026-01-01', undefined])(
    'is known beside the loopback url %s',
    (url) => {
      new Almanac(url === undefined ? {} : { url }).events()
    },
  )
})

describe('decimals', () => {
  const mark = (text: string) => `<${text}>`
  it('compare by value, not by text', () => {
    expect(['10', '9', '-0.1', '2.10', '-3', '0'].sort(compareDecimalTexts)).toEqual([
      '-3',
      '-0.1',
      '0',
      '2.10',
      '9',
      '10',
    ])
    for (const [a, b] of [
      ['2.10', '2.1'],
      ['-0.0', '0'],
      ['7', '7.000'],
    ] as const)
      expect(compareDecimalTexts(a, b)).toBe(0)
    expect(compareDecimalTexts('123456789012345678901.51', '123456789012345678901.5')).toBeGreaterThan(0)
  })
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
    expect(error).toBeInstanceOf(RestError)
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

  it('name an address that cannot be reached, and why', async () => {
    const server = createServer((socket) => {
      // An answer that breaks off.
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{'))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    // A cast: a server that listens on TCP has an address.
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const failed = () => new Almanac({ url }).rest.health_health_get().catch((thrown: unknown) => thrown)
    const cut = await failed()
    expect(cut).toMatchObject({ code: 'unreachable', status: null, isRetryable: true })
    expect(String(cut)).toContain(`${url}/health cannot be reached: `)
    server.close()
    await once(server, 'close')
    const refused = await failed()
    expect(refused).toBeInstanceOf(RestError)
    expect(String(refused)).toMatch(
      /^RestError: \S+\/health cannot be reached: connect ECONNREFUSED .* Check that the service runs, and that `url` is its address\.$/,
    )
  })

  it('end with the reason of the caller who cancels them', async () => {
    const reason = new Error('no longer needed')
    const call = new Almanac().rest.health_health_get({}, { signal: AbortSignal.abort(reason) })
    await expect(call).rejects.toBe(reason)
  })

  it('refuse an operation that there is not, and one without a part of its path', async () => {
    const client = new Almanac()
    // Casts: a program without types.
    await expect(client.csv('events_lists' as 'events_list', {})).rejects.toThrow(
      'There is no operation "events_lists". Did you mean "events_list"?',
    )
    await expect(client.pages('events_lists' as 'events_list', {}).next()).rejects.toThrow(
      'Did you mean "events_list"?',
    )
    await expect(client.rest.economics_get_cpi({} as { country: string })).rejects.toThrow(
      'economics_get_cpi needs "country".',
    )
  })

  it.each([
    ['cpii', '"cpii" has no history. Did you mean "cpi"?'],
    ['trade/export', 'Did you mean "trade/exports"?'],
    ['candles', '"candles" has no history. Known: cpi, inflation, unemployment, '],
  ])('name the history that "%s" may mean', async (indicator, message) => {
    // A cast: a program without types.
    await expect(new Almanac().observations('USA', indicator as 'cpi').next()).rejects.toThrow(message)
    await expect(new Almanac().vintages('USA', indicator as 'cpi').next()).rejects.toThrow(message)
  })

  it('take the indicators that have a history, and no others, at compile time', () => {
    expectTypeOf<'trade/exports' | 'exports' | 'gdp-growth'>().toExtend<HistoryIndicator>()
    // @ts-expect-error It is spelled `cpi`.
    expectTypeOf(() => new Almanac().observations('USA', 'cpii')).toBeFunction()
    // @ts-expect-error Only operations have it.
    expectTypeOf(() => new Almanac().vintages('USA', 'candles')).toBeFunction()
    // @ts-expect-error A frequency is a letter.
    expectTypeOf(() => new Almanac().observations('USA', 'unemployment', { frequency: 'monthly' })).toBeFunction()
  })

  it('say at compile time what an entry of a history says', () => {
    const client = new Almanac()
    const entryOf = <T>(_: AsyncGenerator<T>): T => ({}) as T
    const [gdp, exports] = [client.observations('USA', 'gdp'), client.observations('USA', 'exports')]
    expectTypeOf(entryOf(gdp)).toEqualTypeOf<SeriesObservation>()
    expectTypeOf(entryOf(exports)).toEqualTypeOf<Observation>()
    expectTypeOf(entryOf(client.observations('USA', 'trade/exports'))).toEqualTypeOf<Observation>()
    const any = client.observations('USA', 'cpi' as HistoryIndicator)
    expectTypeOf(entryOf(any)).toEqualTypeOf<Observation | SeriesObservation>()
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

  it('read events from a start on page after page, of the service itself', async () => {
    const { app } = await world()
    const client = new Almanac({ key: bearer().authorization.slice(7), url: `http://127.0.0.1:${await listen(app)}` })
    const pages = await Array.fromAsync(client.pages('events_list', { start: '2', limit: 3 }))
    expect(pages.length).toBeGreaterThan(1)
    const sequences = pages.flatMap(({ events }) => events.map(({ sequence }) => Number(sequence)))
    expect(sequences).toEqual(Array.from(sequences, (_, index) => index + 2))
  })

  it('read the vintages page after page, in the frequency that is asked for', async () => {
    const page = (value: string | null, next_cursor: string | null) => () =>
      new Response(JSON.stringify({ vintages: [{ value }], next_cursor, as_of: '' }), {
        headers: { 'content-type': 'application/json' },
      })
    const { asked, client } = answers(page('1', 'c1'), page(null, null))
    const range = { start: '2020', frequency: 'Q' } as const
    const values = await Array.fromAsync(client.vintages('AUS', 'unemployment', range), ({ value }) => value)
    expect(values).toEqual(['1', null])
    expect(asked.map(({ url }) => url.slice('http://rest.test'.length))).toEqual([
      '/v1/economics/AUS/unemployment/vintages?limit=1000&start=2020&frequency=Q',
      '/v1/economics/AUS/unemployment/vintages?limit=1000&start=2020&frequency=Q&cursor=c1',
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
