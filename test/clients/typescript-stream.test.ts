import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  Almanac,
  RestError,
  type SocketEvents,
  type SocketOpener,
  StreamError,
} from '../../clients/typescript/src/node.ts'
import { listen, world } from '../api/support.ts'
import { until } from '../support/journal.ts'

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
      event: (n: number, more: object = {}) =>
        tell({
          type: 'event',
          event: { sequence: String(n).padStart(20, '0'), cursor: `c${n}`, id: `e${n}`, ...more },
        }),
    }
  }
  return { connection, opener, client: new Almanac({ key: 'KEY', sockets: async () => opener }) }
}

const gold = { commodities: [{ commodity: 'XAU', currency: 'EUR' }] }

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
    client.events({ start: 42 })[Symbol.asyncIterator]().next()
    const byNumber = await connection(2)
    byNumber.open()
    expect(JSON.parse(byNumber.sent[0] ?? '')).toEqual({ action: 'subscribe', start: '42' })
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

  it('gives a slow reader the newest price of each pair, and reads on', async () => {
    const { client, connection } = scripted()
    const prices = client.prices({ ...gold, fx: [{ base: 'EUR' }], bufferItems: 2 })[Symbol.asyncIterator]()
    const pulled = prices.next()
    const server = await connection(0)
    server.open()
    const spot = (symbol: string, price: string) => server.tell({ type: 'commodity', spot: { symbol, price } })
    const rate = (currency: string, n: number) =>
      server.tell({ type: 'fx', base: 'EUR', rate: { currency, rate: String(n) } })
    spot('XAU-EUR', '1')
    for (let n = 1; n <= 2_000; n++) for (const currency of ['USD', 'GBP']) rate(currency, n)
    expect((await pulled).value).toMatchObject({ spot: { price: '1' } })
    spot('XAU-EUR', '2')
    spot('XAU-EUR', '3')
    expect((await prices.next()).value).toMatchObject({ rate: { currency: 'USD', rate: '2000' } })
    // It changes while its first value still waits, and keeps its place.
    rate('GBP', 2_001)
    rate('USD', 2_001)
    expect((await prices.next()).value).toMatchObject({ rate: { currency: 'GBP', rate: '2001' } })
    expect((await prices.next()).value).toMatchObject({ spot: { price: '3' } })
    expect((await prices.next()).value).toMatchObject({ rate: { currency: 'USD', rate: '2001' } })
    expect(server.one).toMatchObject({ isPaused: false, isClosed: false })
    await prices.return()
  })

  it('gives a slow reader the newest prediction of each country and indicator', async () => {
    const { client, connection } = scripted()
    const batches = client.predictions().batches()
    const pulled = batches.next()
    const server = await connection(0)
    server.open()
    const predict = (country: string, indicator: string, value: string) =>
      server.tell({ type: 'prediction', prediction: { country, indicator, value } })
    predict('USA', 'cpi', '1')
    await pulled
    for (const value of ['2', '3'])
      for (const country of ['USA', 'DEU']) for (const indicator of ['cpi', 'gdp']) predict(country, indicator, value)
    const { value: batch } = await batches.next()
    expect(batch?.items.map(({ country, indicator, value }) => `${country} ${indicator} ${value}`)).toEqual([
      'USA cpi 3',
      'USA gdp 3',
      'DEU cpi 3',
      'DEU gdp 3',
    ])
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

  it('names the meaning of a code that comes without a detail', async () => {
    const { client, connection } = scripted()
    const reading = Array.fromAsync(client.prices(gold))
    const server = await connection(0)
    server.open()
    server.tell({ type: 'error', code: 'currency_not_supported' })
    await expect(reading).rejects.toThrow('currency_not_supported: Currency is not served. Use a currency code')
  })

  it.each(['bufferItems', 'bufferBytes', 'batchItems', 'maxAttempts'])(
    'refuses %s that is no integer from 1',
    (name) => {
      const { client } = scripted()
      for (const value of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
        expect(() => client.events({ [name]: value })).toThrow(
          new RangeError(`${name} must be an integer of 1 or more: ${value}`),
        )
      client.events({ [name]: 1 })
    },
  )

  it('refuses to wait for prices of nothing', () => {
    const { client } = scripted()
    expect(() => client.prices({})).toThrow('Give `commodities` or `fx`')
    expect(() => client.prices({ commodities: [], fx: [] })).toThrow('Give `commodities` or `fx`')
  })
})

/** Each of these callbacks runs in an event of the socket or of a timer, where an error would end the whole process. */
describe('a stream gives the consumer what is thrown', () => {
  it('by a converter, and nothing behind the message at fault', async () => {
    const { connection, opener } = scripted()
    const seen: string[] = []
    const saved: string[] = []
    const decimal = (text: string) => {
      if (text === 'bad') throw new Error(`no number: ${text}`)
      return text
    }
    const client = new Almanac({ key: 'KEY', sockets: async () => opener, decimal })
    const store = { load: () => 'c0', save: (cursor: string) => void saved.push(cursor) }
    const reading = (async () => {
      for await (const { id } of client.events({ store })) seen.push(id)
    })()
    const server = await connection(0)
    server.open()
    const cpi = (value: string) => ({ dataschema: 'urn:almanac:schema:Cpi', data: { value } })
    server.event(1, cpi('1'))
    server.event(2, cpi('bad'))
    server.event(3, cpi('3'))
    await expect(reading).rejects.toThrow('no number: bad')
    expect(seen).toEqual(['e1'])
    expect(saved.at(-1)).toBe('c1')
    expect(server.one.isClosed).toBe(true)
  })

  it.each(['start', 'opened', 'refused', 'timeout'])('by onStep at "%s"', async (on) => {
    const { client, connection } = scripted()
    const onStep = (input: { readonly on: string }) => {
      if (input.on === on) throw new Error(`thrown at ${on}`)
    }
    const stream = client.events({ onStep, backoff: { first: 1, max: 1 } })
    const reading = Array.fromAsync(stream)
    const isThrown = expect(reading).rejects.toThrow(`thrown at ${on}`)
    if (on !== 'start') {
      const { events } = await connection(0)
      if (on === 'opened') events.opened()
      else events.refused({ detail: 'No.' })
    }
    await isThrown
    expect(stream.state).toBe('closed')
  })

  it('by onMoved', async () => {
    const { client, connection } = scripted()
    const onMoved = (code: string) => {
      throw new Error(`moved: ${code}`)
    }
    const stream = client.events({ cursor: 'c5', onLostPlace: 'resume', onMoved })
    const reading = Array.fromAsync(stream)
    const server = await connection(0)
    server.open()
    server.tell({ type: 'error', code: 'cursor_expired', resume_cursor: 'c9' })
    await expect(reading).rejects.toThrow('moved: cursor_expired')
    expect(server.one.isClosed).toBe(true)
  })

  it.each([undefined, null, { url: 'ws://streams.test' }, 'https://streams.test', ''])(
    'by a ticket that is no address: %s',
    async (url) => {
      const { opener } = scripted()
      // A cast: a program without types.
      const client = new Almanac({ sockets: async () => opener, ticket: async () => url as string })
      const stream = client.events()
      const words =
        '`ticket` must return the `url` of a ticket, a string that begins with ws:// or wss://. It returned: '
      await expect(Array.fromAsync(stream)).rejects.toThrow(new TypeError(`${words}${typeof url}.`))
      expect(stream.state).toBe('closed')
    },
  )

  it('by the store', async () => {
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

describe('attempts in a row', () => {
  it.each([1, 3])('may fail %i times after a loss', async (maxAttempts) => {
    const { client, connection } = scripted()
    const reading = Array.fromAsync(client.events({ maxAttempts, backoff: { first: 0, max: 0 } }))
    const isThrown = expect(reading).rejects.toThrow('refused: No.')
    let index = 0
    for (const loss of [{ type: 'notice', code: 'going_away' }, undefined]) {
      const server = await connection(index++)
      server.open()
      server.event(index)
      if (loss) server.tell(loss)
      else server.events.closed(1006, '')
    }
    for (let n = 0; n < maxAttempts; n++) (await connection(index++)).events.refused({ detail: 'No.' })
    await isThrown
    expect(index).toBe(maxAttempts + 2)
  })

  it('may not fail at the start more often either', async () => {
    const { client, connection } = scripted()
    const reading = Array.fromAsync(client.events({ maxAttempts: 1 }))
    const isThrown = expect(reading).rejects.toThrow('refused: No.')
    ;(await connection(0)).events.refused({ detail: 'No.' })
    await isThrown
  })
})

describe('a handshake that is refused', () => {
  it('is reported in the words of the service, such as the right address', async () => {
    const { app } = await world()
    const streamsUrl = `ws://127.0.0.1:${await listen(app)}`
    const reading = new Almanac({ key: 'KEY', streamsUrl }).events()[Symbol.asyncIterator]()
    const words = '/v1/events/stream is a stream: connect by WebSocket to ws://streams.test:8081/v1/events/stream.'
    await expect(reading.next()).rejects.toMatchObject({
      code: 'refused',
      status: 404,
      message: `refused: The handshake was answered with status 404: ${words}`,
    })
  })

  it.each([401, 403])('by the page that gives tickets, with %i, ends the stream', async (status) => {
    const ticket = () => Promise.reject(new RestError({ code: 'unauthorized', detail: 'Log in.', status }))
    const reading = new Almanac({ ticket }).events()[Symbol.asyncIterator]()
    await expect(reading.next()).rejects.toMatchObject({
      code: 'unauthorized',
      status,
      message: 'unauthorized: Log in.',
    })
  })

  it.each([301, 302, 303, 307, 308])('by a redirection with %i names the address', async (status) => {
    const server = createServer((_, response) => response.writeHead(status, { location: 'https://b.test/x' }).end())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    // A cast: a server that listens on TCP has an address.
    const streamsUrl = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
    const reading = new Almanac({ key: 'KEY', streamsUrl }).events()[Symbol.asyncIterator]()
    await expect(reading.next()).rejects.toThrow(
      `refused: The handshake was answered with status ${status}: it redirects to https://b.test/x. Give the address that it leads to, as ws:// or wss://.`,
    )
  })

  it.each(['', 'Bad gateway', '[]', '{"detail":7}'])('is reported by its status otherwise: %s', async (body) => {
    const server = createServer((_, response) => response.writeHead(404).end(body))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    // A cast: a server that listens on TCP has an address.
    const streamsUrl = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
    const reading = new Almanac({ key: 'KEY', streamsUrl }).events()[Symbol.asyncIterator]()
    await expect(reading.next()).rejects.toThrow('refused: The handshake was answered with status 404.')
  })
})
