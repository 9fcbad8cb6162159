import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createKey, rotateKey } from '../../access/keys.ts'
import type { Answer } from '../../api/answer.ts'
import type { ApiDeps } from '../../api/deps.ts'
import { executor, type Handlers } from '../../api/execute.ts'
import { FairSlots, slotLimits } from '../../api/fair-slots.ts'
import { systemTime } from '../../base/time.ts'
import { operationById } from '../../contracts/operations.ts'
import { SimulatedTime } from '../support/simulated-time.ts'
import { turnsOf } from '../support/turns.ts'
import { ask, bearer, listen, NOW, type World, world } from './support.ts'

const PAGE = '/v1/events?limit=1000'
const { runningPerAccount, waitingPerAccount } = slotLimits

/** A world in which queries of events hang until they are let go. */
async function blockable() {
  const plain = await world()
  const { eventQueries } = plain.releases
  const held: (() => void)[] = []
  let isOpen = false
  let begun = 0
  let running = 0
  let most = 0
  const slow =
    <A extends readonly unknown[], R>(query: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      begun++
      most = Math.max(most, ++running)
      if (!isOpen) await new Promise<void>((resolve) => held.push(resolve))
      running--
      return query(...args)
    }
  const events: ApiDeps['events'] = {
    page: slow(eventQueries.page),
    byId: slow(eventQueries.byId),
    bounds: slow(eventQueries.bounds),
    recordedFrom: slow(eventQueries.recordedFrom),
  }
  const served = await world({ events, newestEvent: async () => plain.releases.events.length })
  return {
    served,
    begun: () => begun,
    running: () => running,
    most: () => most,
    letGo: () => {
      isOpen = true
      for (const go of held.splice(0)) go()
    },
    /** Lets queries through from now on; those that hang already go on hanging. */
    unblock: () => {
      isOpen = true
    },
  }
}

/** Keys of one account: a key and the one that it was rotated to. */
function twoKeys({ keys }: World) {
  const now = Date.parse(NOW)
  const wanted = { kind: 'test', plan: 'pro', owner: 'greedy', origins: [], expiresAt: null } as const
  const first = createKey(wanted, now, randomBytes)
  const second = rotateKey(first.record, 3_600_000, now, randomBytes)
  for (const record of [first.record, ...second.records]) keys.apply(record)
  return [first.key, second.key].map((key) => ({ authorization: `Bearer ${key}` }))
}

const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

describe('one account that asks for many pages at once', () => {
  it('runs few of them at a time, over all its keys, and holds up nobody else', async () => {
    const { served, letGo, unblock, most, running } = await blockable()
    const { app, quota } = served
    const headers = twoKeys(served)
    const pages = many(40, (i) => ask(app, { url: PAGE, headers: headers[i % 2] ?? {} }))
    await expect.poll(running).toBe(runningPerAccount)
    // Cheap operations of the account itself don't wait for its pages.
    expect((await ask(app, { url: '/v1/economics/USA/cpi', headers: headers[0] ?? {} })).statusCode).toBe(200)
    unblock()
    expect((await ask(app, { url: PAGE, headers: bearer('basic') })).statusCode).toBe(200)
    expect((await ask(app, { url: `${PAGE}&cursor=latest`, headers: bearer('free') })).statusCode).toBe(200)
    // What waits is not charged: two pages that run, and the three requests above.
    expect([running(), most(), quota.used]).toEqual([runningPerAccount, runningPerAccount + 1, runningPerAccount + 3])
    letGo()
    const answers = await Promise.all(pages)
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(40).fill(200))
    expect([most(), quota.used]).toEqual([runningPerAccount + 1, 43])
  })

  it('is told rate_limited beyond its queue, and not charged for it', async () => {
    const { served, letGo, running } = await blockable()
    const [headers = {}] = twoKeys(served)
    const allowed = runningPerAccount + waitingPerAccount
    const pages = many(allowed + 5, () => ask(served.app, { url: PAGE, headers }))
    const refused = await Promise.race(pages)
    expect(refused.problem).toMatchObject({ code: 'rate_limited', status: 429 })
    expect(refused.headers['retry-after']).toBe('5')
    await expect.poll(running).toBe(runningPerAccount)
    letGo()
    const statuses = (await Promise.all(pages)).map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 429)).toHaveLength(5)
    expect(served.quota.used).toBe(allowed)
  })

  it('has the same slots over MCP, for single events and for histories', async () => {
    const { served, letGo, begun, unblock } = await blockable()
    const [greedy = {}] = twoKeys(served)
    const mcp = (headers: Record<string, string>, name: string, given: object) =>
      served.app.inject({
        method: 'POST',
        url: '/mcp',
        headers: { ...headers, 'content-type': 'application/json' },
        payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
      })
    const event = `evt_${'0'.repeat(26)}`
    const first = [
      mcp(greedy, 'events_list', { limit: 1000 }),
      ask(served.app, { url: `/v1/events/${event}`, headers: greedy }),
    ]
    await expect.poll(begun).toBe(runningPerAccount)
    const waiting = [
      mcp(greedy, 'events_get', { event_id: event }),
      ask(served.app, { url: '/v1/economics/USA/trade/exports/observations', headers: greedy }),
    ]
    unblock()
    expect((await mcp(bearer('basic'), 'events_list', {})).statusCode).toBe(200)
    expect([begun(), served.quota.used]).toEqual([runningPerAccount + 1, runningPerAccount + 1])
    letGo()
    const statuses = (await Promise.all([...first, ...waiting])).map(({ statusCode }) => statusCode)
    expect(statuses).toEqual([200, 404, 200, 200])
  })

  it('is not charged for a request whose client left the queue', async () => {
    const { served, letGo, running } = await blockable()
    const { app, quota } = served
    const [headers = {}] = twoKeys(served)
    const port = await listen(app)
    const pages = many(runningPerAccount, () => ask(app, { url: PAGE, headers }))
    await expect.poll(running).toBe(runningPerAccount)
    const arrived = new Promise<Socket>((resolve) => {
      app.server.once('request', (request) => resolve(request.socket))
    })
    const leaving = httpRequest({ port, path: PAGE, headers })
    leaving.on('error', () => undefined)
    leaving.end()
    const socket = await arrived
    const closed = once(socket, 'close')
    leaving.destroy()
    await closed
    letGo()
    await Promise.all(pages)
    expect((await ask(app, { url: PAGE, headers })).statusCode).toBe(200)
    expect(quota.granted).toBe(runningPerAccount + 1)
  })
})

describe('a read past its deadline', () => {
  it('keeps its slot until it ends, so that hanging queries do not add up', async () => {
    const time = new SimulatedTime(() => 0)
    const read = Promise.withResolvers<Answer>()
    const answer: Answer = { body: '{}', etag: '""', cacheControl: '' }
    const answers = [read.promise, Promise.resolve(answer)]
    const handlers: Handlers = {
      events_get: { needsSlot: true, ask: () => undefined, answer: () => answers.shift() ?? answer },
    }
    const { deps } = await world()
    const slots = new FairSlots({ ...slotLimits, runningPerAccount: 1, waitMs: 60_000 })
    const execute = executor(deps, handlers, slots, time)
    const caller = () => deps.gate.authenticate(bearer().authorization)
    const run = () => execute(operationById('events_get'), { params: {}, query: {} }, caller())
    const late = Promise.resolve(run()).catch((error) => error)
    const next = Promise.resolve(run())
    await time.advance(10_000)
    // Its cause is logged, because the service itself is at fault.
    expect(await late).toMatchObject({ code: 'unavailable', cause: expect.any(Error) })
    expect(answers).toHaveLength(1)
    read.resolve(answer)
    await read.promise
    await time.advance(0)
    expect(await next).toBe(answer)
  })
})

describe('an answer that is in memory', () => {
  it('needs no slot, and is charged', async () => {
    const answer: Answer = { body: '{}', etag: '""', cacheControl: '' }
    const read = Promise.withResolvers<Answer>()
    let asked = 0
    const handlers: Handlers = {
      events_get: {
        needsSlot: true,
        ask: () => ++asked,
        kept: (question) => (question === 2 ? answer : undefined),
        answer: () => read.promise,
      },
    }
    const { deps, quota } = await world()
    const slots = new FairSlots({ ...slotLimits, runningPerAccount: 1 })
    const execute = executor(deps, handlers, slots, systemTime)
    const caller = deps.gate.authenticate(bearer().authorization)
    const run = () => execute(operationById('events_get'), { params: {}, query: {} }, caller)
    const first = run()
    await expect.poll(() => quota.used).toBe(1)
    expect(await run()).toBe(answer)
    // The third one waits for the slot of the first, and is not charged until it has it.
    const third = run()
    expect(quota.used).toBe(2)
    read.resolve(answer)
    expect(await Promise.all([first, third])).toEqual([answer, answer])
    expect(quota.used).toBe(3)
  })
})

describe('requests that wait for each other', () => {
  it('are answered in turns of the event loop of their own, if nothing has to be read', async () => {
    const answer: Answer = { body: '{}', etag: '""', cacheControl: '' }
    const handlers: Handlers = { events_get: { needsSlot: true, ask: () => undefined, answer: () => answer } }
    const { deps } = await world()
    const execute = executor(deps, handlers, new FairSlots({ ...slotLimits, runningPerAccount: 2 }), systemTime)
    const caller = deps.gate.authenticate(bearer().authorization)
    const turns = await turnsOf(() =>
      Promise.all(many(40, () => execute(operationById('events_get'), { params: {}, query: {} }, caller))),
    )
    expect(turns).toBeGreaterThanOrEqual(19)
  })
})
