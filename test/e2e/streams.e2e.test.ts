import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Event } from '../../contracts/events.ts'
import type { FxRates, Plan, SpotPrice } from '../../contracts/resources.ts'
import { type StreamName, streamLimits, streamPath } from '../../contracts/streams.ts'
import { decodeEventCursor } from '../../domain/cursor.ts'
import { Client, type Message } from '../streams/support.ts'
import { hasNoBrowser } from '../support/browser.ts'
import { startSample } from '../support/demo.ts'
import { until } from '../support/journal.ts'
import type { Service } from '../support/service.ts'
import { servePage, visit } from '../support/visit.ts'

/** The streams as a user meets them: whole processes, real sockets, a real browser. */
let dataDir: string
let service: Service
let keys: Readonly<Record<Plan, string>>

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'almanac-e2e-'))
  service = await startSample(dataDir)
  keys = await service.keys()
})
afterAll(async () => {
  await service?.destroy()
  await rm(dataDir, { recursive: true, force: true })
})

const bearer = (plan: Plan) => ({ authorization: `Bearer ${keys[plan]}` })
const connect = (stream: StreamName, plan: Plan) =>
  new Client(service.streams + streamPath(stream), { headers: bearer(plan) })

/** Connects and subscribes. */
async function subscribe(stream: StreamName, plan: Plan, wanted: object = {}): Promise<Client> {
  const client = connect(stream, plan)
  expect(await client.seen('ready'), service.output()).toHaveLength(1)
  client.send({ action: 'subscribe', ...wanted })
  expect(await client.seen('subscribed'), JSON.stringify(client.messages)).toHaveLength(1)
  return client
}

const gold = { commodities: [{ commodity: 'XAU', currency: 'EUR' }] }

describe('a key', () => {
  it('opens the prices stream and reads prices as REST serves them', async () => {
    const client = await subscribe('prices', 'pro', {
      commodities: [{ commodity: 'XAU', currency: 'USD' }],
      fx: [{ base: 'EUR', currencies: ['USD'] }],
    })
    const ask = async (path: string) => (await fetch(service.base + path, { headers: bearer('pro') })).json()
    // Prices move on between two looks: bodies of one instant are compared, of pairs that a single quote decides.
    const spots = new Map<string, unknown>()
    const spotsSent = () => client.of('commodity').map(({ spot }) => spot as SpotPrice)
    await until('a spot price is seen from both sides', async () => {
      const spot = (await ask('/v1/commodities/spot/XAU/USD')) as SpotPrice
      spots.set(spot.timestamp, spot)
      return spotsSent().some(({ timestamp }) => spots.has(timestamp))
    })
    for (const spot of spotsSent()) if (spots.has(spot.timestamp)) expect(spot).toEqual(spots.get(spot.timestamp))

    const rates = new Map<string, unknown>()
    const ratesSent = () =>
      client.of('fx').map(({ type: _, ...fx }) => fx as Omit<FxRates, 'rates'> & { rate: FxRates['rates'][number] })
    await until('a rate is seen from both sides', async () => {
      const { rates: all, ...fx } = (await ask('/v1/fx/rates/EUR')) as FxRates
      const rate = all.find(({ currency }) => currency === 'USD')
      if (rate) rates.set(rate.timestamp, { ...fx, rate })
      return ratesSent().some(({ rate: { timestamp } }) => rates.has(timestamp))
    })
    for (const fx of ratesSent()) {
      if (rates.has(fx.rate.timestamp)) expect(fx).toEqual(rates.get(fx.rate.timestamp))
    }
  })

  it('replays the events from the earliest, each once and as REST serves it, and then is caught up', async () => {
    const client = await subscribe('events', 'pro', { cursor: 'earliest', countries: ['DEU'], families: ['output'] })
    await client.seen('caught_up')
    const rest = await fetch(`${service.base}/v1/events?country=DEU&family=output&limit=1000`, {
      headers: bearer('pro'),
    })
    const { events, has_more } = (await rest.json()) as { events: Event[]; has_more: boolean }
    expect(has_more).toBe(false)
    expect(events.length).toBeGreaterThan(10)
    // A cursor's hint at the offset is REST's guess and the stream's knowledge: the texts differ, the place doesn't.
    const facts = ({ cursor: _, ...event }: Event) => event
    expect(client.of('event').map(({ event }) => facts(event as Event))).toEqual(events.map(facts))
    const place = ({ cursor }: Event) => decodeEventCursor(cursor)?.sequence
    expect(client.of('event').map(({ event }) => place(event as Event))).toEqual(events.map(place))
  })

  it('goes on from the cursor of any event, without a gap', async () => {
    const filters = { families: ['inflation'] }
    const whole = await subscribe('events', 'pro', { cursor: 'earliest', ...filters })
    await whole.seen('caught_up')
    const events = whole.of('event').map(({ event }) => event as { id: string; cursor: string })
    const half = Math.floor(events.length / 2)
    const rest = await subscribe('events', 'pro', { cursor: events[half - 1]?.cursor, ...filters })
    await rest.seen('caught_up')
    expect(rest.of('event').map(({ event }) => event)).toEqual(events.slice(half))
  })

  it('reads predictions, which say that they are computed', async () => {
    const client = await subscribe('predictions', 'pro', { countries: ['USA'], indicators: ['cpi'] })
    const [first] = await client.seen('prediction')
    expect(first?.prediction).toMatchObject({ country: 'USA', indicator: 'cpi', computed: true })
  })

  it('of the plan free has no prices stream', async () => {
    const { error, code } = await connect('prices', 'free').end()
    expect([error, code]).toEqual([{ type: 'error', code: 'plan_upgrade_required' }, 4403])
  })
})

/** What the page below saw of one WebSocket. */
type Seen = { readonly messages: readonly Message[]; readonly code: number; readonly reason: string }

/** Asks the server it came from for a ticket, opens a stream with it, then tries the spent ticket, and reports. */
const page = `<!doctype html><script type="module">
const open = (url) => new Promise((done) => {
  const messages = []
  const socket = new WebSocket(url)
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data)
    messages.push(message)
    if (message.type === 'ready') socket.send(JSON.stringify({ action: 'subscribe', ...${JSON.stringify(gold)} }))
    if (message.type === 'commodity') socket.close(1000)
  }
  socket.onclose = ({ code, reason }) => done({ messages, code, reason })
})
const { url } = await (await fetch('/ticket', { method: 'POST' })).json()
const seen = [await open(url), await open(url)]
await fetch('/seen', { method: 'POST', body: JSON.stringify(seen) })
</script>`

/** Serves the page as an application’s server does, which holds the key, and resolves with what a browser reports. */
async function serveTicketPage() {
  const reported = Promise.withResolvers<Seen[]>()
  const { origin } = await servePage(page, async (path, body) => {
    if (path === '/ticket') return ticketFor(origin)
    reported.resolve(JSON.parse(body))
    return '{}'
  })
  return { origin, reported: reported.promise }
}

async function ticketFor(origin: string): Promise<string> {
  const answer = await fetch(`${service.base}/v1/prices/stream-ticket`, {
    method: 'POST',
    headers: { ...bearer('pro'), 'content-type': 'application/json' },
    body: JSON.stringify({ origin }),
  })
  const text = await answer.text()
  expect(answer.status, text).toBe(201)
  return text
}

describe('a browser', () => {
  it.skipIf(hasNoBrowser)('reads prices with a ticket, and why the ticket is refused the second time', async () => {
    const { origin, reported } = await serveTicketPage()
    await visit(origin)
    const [first, second] = await reported
    expect(first?.messages.map(({ type }) => type)).toEqual(['ready', 'subscribed', 'commodity'])
    expect(first?.messages.at(-1)?.spot).toMatchObject({ symbol: 'XAU-EUR' })
    expect(second).toEqual({
      messages: [{ type: 'error', code: 'unauthorized' }],
      code: 4401,
      reason: 'unauthorized: The ticket was used before; it opens one stream once.',
    })
  })
})

/** Between two tries for a slot. */
const POLL_MS = 250

const streamsProcess = () => service.processes().find(({ name }) => name === 'streams.ts')?.pid

describe('the process of the streams', () => {
  it('is started again after SIGKILL, and what a key had open comes free', async () => {
    const held = [await subscribe('events', 'basic'), await subscribe('events', 'basic')]
    expect((await connect('events', 'basic').end()).reason).toBe('stream_limit')
    const pid = streamsProcess()
    expect(pid).toBeTypeOf('number')
    service.kill(pid ?? 0)
    for (const client of held) expect((await client.end()).code).toBe(1006)
    const diedAt = Date.now()
    let refusedAt = diedAt
    const slots: Client[] = []
    const reasons = new Set<string>()
    await until('both slots are free', async () => {
      const askedAt = Date.now()
      const client = connect('events', 'basic')
      await client.seen('ready')
      if (client.closed) {
        reasons.add(client.closed.reason)
        if (client.closed.reason === 'stream_limit') refusedAt = askedAt
        await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      } else {
        client.send({ action: 'subscribe' })
        if ((await client.seen('subscribed')).length > 0) slots.push(client)
      }
      return slots.length === 2
    })
    expect(refusedAt - diedAt).toBeLessThanOrEqual(streamLimits.leaseMs)
    // Not there yet, or what the dead process held: nothing else may have kept us out.
    expect(['', 'stream_limit', 'unavailable']).toEqual(expect.arrayContaining([...reasons]))
    for (const client of slots) expect(client.closed).toBeUndefined()
    expect(streamsProcess()).not.toBe(pid)
  })

  it('tells every client on SIGTERM, each in the way of its stream, and the service exits 0', async () => {
    const prices = await subscribe('prices', 'pro', gold)
    const events = await subscribe('events', 'pro')
    const askedAt = Date.now()
    const stopped = service.stop()
    const [last, lastOfPrices] = [await events.end(), await prices.end()]
    expect(last.code).toBe(1001)
    expect(last.error).toMatchObject({ type: 'notice', code: 'going_away', reconnect_in_ms: expect.any(Number) })
    const cursors = events.messages.flatMap(({ cursor, event }) => (event as Event | undefined)?.cursor ?? cursor ?? [])
    const [told, known] = [cursors.at(-1), cursors.at(-2)].map((cursor) => decodeEventCursor(String(cursor))?.sequence)
    expect(last.error?.cursor).toBe(cursors.at(-1))
    expect(told).toBeGreaterThan(1)
    expect(told).toBe(known)
    expect(lastOfPrices.code).toBe(1001)
    expect(lastOfPrices.error).toEqual({ type: 'error', code: 'unavailable' })
    expect(await stopped).toBe(0)
    expect(Date.now() - askedAt).toBeLessThan(10_000)
  })
})
