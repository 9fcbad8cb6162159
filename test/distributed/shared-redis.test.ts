import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { monthOf } from '../../access/month.ts'
import { quotaName } from '../../access/redis/names.ts'
import { plans } from '../../contracts/plans.ts'
import type { Health } from '../../contracts/resources.ts'
import { streamPath } from '../../contracts/streams.ts'
import { type RunningRedis, startRedis } from '../../infra/services/redis.ts'
import { Acceptor } from '../../ingest/accept/accept.ts'
import { Client } from '../streams/support.ts'
import { REDIS_DATABASES, untilStreamsAreLetIn } from '../support/distributed.ts'
import { until } from '../support/journal.ts'
import { testDocument } from '../support/releases.ts'
import type { Service } from '../support/service.ts'
import { type Deployment, openDeployment } from './support/deployment.ts'
import { figureOf, loadSeries } from './support/load.ts'

/** Two nodes, each with an api and a streams process, that share one Redis: what they must agree on about keys. */

/** Calls over both nodes; ALMANAC_TEST_DECISIONS=100000 for the long run. */
const DECISIONS = Number(process.env.ALMANAC_TEST_DECISIONS ?? 1_000)
/** Calls of one key, and how many of them are left to it. Fewer than a minute's allowance, which is not meant here. */
const CALLS = 500
const LEFT = 200
const AT_ONCE = 50

let dir: string
let redis: RunningRedis
let client: Redis
let deployment: Deployment
let nodes: readonly [Service, Service]

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'almanac-redis-'))
  redis = await startRedis({ dir, args: ['--databases', String(REDIS_DATABASES)] })
  deployment = await openDeployment({ redisUrl: redis.url })
  client = new Redis(deployment.settings.ALMANAC_REDIS_URL ?? '')
  client.on('error', () => undefined)
  nodes = [
    await deployment.startNode('store,ingest,processors,projections,api,streams'),
    await deployment.startNode('api,streams'),
  ]
  await new Acceptor(deployment.journal).accept(testDocument, [figureOf(0)])
  await untilStreamsAreLetIn(redis.url)
})
afterAll(async () => {
  client?.disconnect()
  await deployment?.close()
  await redis?.stop()
  await rm(dir, { recursive: true, force: true })
})

const nodeOf = (call: number): Service => nodes[call % 2] as Service
const authorization = (key: string) => ({ authorization: `Bearer ${key}` })
const ask = (node: Service, key: string, path = `/v1/economics/${loadSeries.country}/cpi`) =>
  fetch(node.base + path, { headers: authorization(key) })
const open = (node: Service, key: string) =>
  new Client(node.streams + streamPath('events'), { headers: authorization(key) })

/** Both nodes know a key once they have read its record. */
const known = (key: string) =>
  until('both nodes know the key', async () => {
    const answers = await Promise.all(nodes.map((node) => ask(node, key, '/v1/usage')))
    return answers.every(({ status }) => status === 200)
  })

/** How often each answer came, by status and problem. */
async function tallied(answers: Iterable<Response>): Promise<Record<string, number>> {
  const tally: Record<string, number> = {}
  for (const answer of answers) {
    const body = await answer.text()
    const what = answer.ok ? 'granted' : `${answer.status} ${(JSON.parse(body) as { code: string }).code}`
    tally[what] = (tally[what] ?? 0) + 1
  }
  return tally
}

describe('two nodes on one Redis', () => {
  it(
    `grant what a key has left this month, no call more, over ${DECISIONS} calls`,
    async () => {
      const { callsPerMonth } = plans.pro
      const keys = await deployment.newKeys('pro', Math.ceil(DECISIONS / CALLS))
      for (const { key, record } of keys) {
        await known(key)
        const counted = quotaName(record.key_id, monthOf(Date.now()).name)
        await client.set(counted, callsPerMonth - LEFT)
        const granted: Promise<Response>[] = []
        // Each of these asks one call after the other, of either node in turn.
        const callers = Array.from({ length: AT_ONCE }, async (_, caller) => {
          for (let call = 0; call < CALLS / AT_ONCE; call++) {
            const answering = ask(nodeOf(caller + call), key)
            granted.push(answering)
            await answering
          }
        })
        await Promise.all(callers)
        expect(await tallied(await Promise.all(granted))).toEqual({
          granted: LEFT,
          '429 quota_exhausted': CALLS - LEFT,
        })
        expect(await client.get(counted)).toBe(String(callsPerMonth))
      }
    },
    30_000 + DECISIONS * 20,
  )

  it('hold a key to its calls a minute together', async () => {
    const [free] = await deployment.newKeys('free', 1)
    const key = free?.key ?? ''
    await known(key)
    // The calls above have been of the same allowance.
    const { callsPerMinute } = plans.free
    const startedAt = performance.now()
    const answers = await Promise.all(Array.from({ length: 100 }, (_, call) => ask(nodeOf(call), key)))
    const refilled = Math.ceil(((performance.now() - startedAt) / 60_000) * callsPerMinute)
    const { granted = 0, '429 rate_limited': limited = 0 } = await tallied(answers)
    expect(granted + limited).toBe(100)
    expect(granted).toBeGreaterThan(0)
    expect(granted).toBeLessThanOrEqual(callsPerMinute + refilled)
  })

  it('let two of fifty connections of a Basic key in', async () => {
    const [basic] = await deployment.newKeys('basic', 1)
    const key = basic?.key ?? ''
    await known(key)
    const clients = Array.from({ length: 50 }, (_, call) => open(nodeOf(call), key))
    const outcomes = await Promise.all(
      clients.map(async (one) => ((await one.seen('ready')).length > 0 ? 'ready' : one.closed?.reason)),
    )
    expect(outcomes.filter((outcome) => outcome === 'ready')).toHaveLength(plans.basic.concurrentStreams)
    expect(outcomes.filter((outcome) => outcome === 'stream_limit')).toHaveLength(48)
  })

  it('let one in of two who bring the same ticket at once', async () => {
    const origin = 'http://localhost:3000'
    const [pro] = await deployment.newKeys('pro', 1)
    const key = pro?.key ?? ''
    await known(key)
    for (let round = 0; round < 5; round++) {
      const answer = await fetch(`${nodeOf(round).base}/v1/events/stream-ticket`, {
        method: 'POST',
        headers: { ...authorization(key), 'content-type': 'application/json' },
        body: JSON.stringify({ origin }),
      })
      const { url } = (await answer.json()) as { url: string }
      const { pathname, search } = new URL(url)
      const both = nodes.map((node) => new Client(node.streams + pathname + search, { headers: { origin } }))
      const outcomes = await Promise.all(
        both.map(async (one) => ((await one.seen('ready')).length > 0 ? 'ready' : one.closed?.reason)),
      )
      expect(outcomes.sort()).toEqual(['ready', 'unauthorized'])
      for (const one of both) one.socket.terminate()
    }
  })
})

describe('when Redis is killed', () => {
  it('both nodes refuse at once, say why, and serve again within 10 s of its return', async () => {
    const [basic] = await deployment.newKeys('basic', 1)
    const key = basic?.key ?? ''
    await known(key)
    const held = open(nodes[0], key)
    expect(await held.seen('ready')).toHaveLength(1)
    held.send({ action: 'subscribe' })
    expect(await held.seen('subscribed')).toHaveLength(1)

    const statuses = async () => (await Promise.all(nodes.map((node) => ask(node, key)))).map(({ status }) => status)
    const health = async () =>
      (await Promise.all(nodes.map(async (node) => (await fetch(`${node.base}/health`)).json()))) as Health[]
    expect(await statuses()).toEqual([200, 200])
    expect((await health()).map(({ access }) => access)).toEqual(['ok', 'ok'])

    const { pid } = redis
    await redis.kill()
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
    for (const node of nodes) {
      const askedAt = performance.now()
      const answer = await ask(node, key)
      expect(performance.now() - askedAt).toBeLessThan(2_000)
      expect(answer.status).toBe(503)
      expect(answer.headers.get('retry-after')).toBe('5')
      expect(await answer.json()).toMatchObject({ code: 'unavailable' })
      const { error, code } = await open(node, key).end()
      expect([error?.code, code]).toEqual(['quota_unavailable', 4429])
    }
    await until('both say that it is away', async () =>
      (await health()).every(({ status, access }) => status === 'degraded' && access === 'unavailable'),
    )
    expect((await health()).map(({ journal, read_models }) => [journal, read_models])).toEqual(
      Array(2).fill(['ok', 'ok']),
    )
    // What needs no key goes on.
    expect((await fetch(`${nodes[0].base}/docs`)).status).toBe(200)

    await redis.start()
    const backAt = performance.now()
    await until('both serve again', async () => (await statuses()).every((status) => status === 200))
    await until('both are well', async () => (await health()).every(({ status }) => status === 'ok'))
    const served = Math.round(performance.now() - backAt)
    expect(served).toBeLessThan(10_000)

    // It has read its own file, so it knows all the streams that are open.
    let reopened: Client | undefined
    await until('a stream is let in', async () => {
      reopened = open(nodes[1], key)
      return (await reopened.seen('ready')).length > 0
    })
    const letIn = Math.round(performance.now() - backAt)
    expect(letIn).toBeLessThan(10_000)
    // The other node may not have a connection to Redis again yet, and says then that it can't check.
    let refusal = ''
    await until('the other node can judge it, too', async () => {
      refusal = (await open(nodes[0], key).end()).reason
      return !refusal.startsWith('quota_unavailable')
    })
    expect(refusal).toBe('stream_limit')
    expect([held.closed, reopened?.closed]).toEqual([undefined, undefined])
    console.log(`Redis was killed: REST back after ${served} ms, streams after ${letIn} ms`)
  })
})
