import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { afterAll, expect } from 'vitest'
import { Value } from '#typebox'
import { InProcessBurst } from '../../access/embedded/burst.ts'
import { AccessError } from '../../access/error.ts'
import { Gate } from '../../access/gate.ts'
import type { Identity } from '../../access/identity.ts'
import { KeyTable } from '../../access/key-table.ts'
import { createKey, type Issued } from '../../access/keys.ts'
import type { Quota, QuotaDecision, QuotaState } from '../../access/quota.ts'
import type { TicketDecision, TicketRequest, Tickets } from '../../access/tickets.ts'
import { buildApi } from '../../api/build-api.ts'
import type { ApiDeps } from '../../api/deps.ts'
import { operations, statusOf } from '../../contracts/operations.ts'
import { plans } from '../../contracts/plans.ts'
import { Problem, type ProblemCode, problems } from '../../contracts/problems.ts'
import type { Quote } from '../../contracts/records.ts'
import type { Plan } from '../../contracts/resources.ts'
import { endOfDay } from '../../domain/day-of-knowledge.ts'
import { PriceBoard } from '../../domain/price-board.ts'
import { PublishersIds } from '../../domain/publishers-ids.ts'
import { firstGeneration } from '../support/lineage.ts'
import { PriceHistory } from '../support/price-history.ts'
import { AT, flowSeries, testSeries } from '../support/releases.ts'
import { Releases } from './releases-in-memory.ts'

/** A world for the api to serve: a real figure board and price board, and read models and a gate held in memory. */

export const JOURNAL = 'journal-of-the-tests'
/** A time after that of the figures in the world. */
export const AT_LATER = '2026-02-01T00:00:00.000Z'
export const NOW = '2026-11-21T12:00:00.000Z'
const MONTH_END = '2026-12-01T00:00:00.000Z'

/** A monthly quota in memory that can be short, or away; `used` is what has been charged and kept. */
export class MemoryQuota implements Quota {
  limit = Number.POSITIVE_INFINITY
  away = false
  granted = 0
  used = 0

  take(who: Identity, limit: number): QuotaDecision {
    const state = this.peek(who, limit)
    if (state.remaining === 0) return { ...state, outcome: 'exhausted' }
    this.granted++
    this.used++
    return { ...this.peek(who, limit), outcome: 'granted' }
  }
  refund(): void {
    this.used--
  }
  peek(_who: Identity, limit: number): QuotaState {
    if (this.away) throw new AccessError('unavailable', 'the store of quotas is away')
    const allowed = Math.min(limit, this.limit)
    return { used: this.used, remaining: Math.max(0, allowed - this.used), resetAt: Date.parse(MONTH_END) }
  }
  async close(): Promise<void> {}
}

/** Tickets that count, of a store that can be away. */
export class MemoryTickets implements Pick<Tickets, 'issue'> {
  away = false
  readonly issued: TicketRequest[] = []
  readonly revoked = new Set<string>()

  async issue(request: TicketRequest, now: number): Promise<TicketDecision> {
    if (this.away) throw new AccessError('unavailable', 'the store of tickets is away')
    if (this.revoked.has(request.keyId)) return { outcome: 'revoked' }
    this.issued.push(request)
    return { outcome: 'issued', ticket: String(this.issued.length).padStart(43, 'T'), expiresAt: now + 30_000 }
  }
}

const issued = Object.fromEntries(
  (['free', 'basic', 'pro'] as const).map((plan) => {
    const origins = ['https://app.example.com', 'http://localhost:*']
    const owner = { kind: 'test', plan, owner: `${plan} of the tests`, origins, expiresAt: null } as const
    return [plan, createKey(owner, Date.parse(AT), randomBytes)]
  }),
) as unknown as Readonly<Record<Plan, Issued>>

export const keyId = (plan: Plan): string => issued[plan].record.key_id
export const bearer = (plan: Plan = 'pro') => ({ authorization: `Bearer ${issued[plan].key}` })

const matchers = operations.map((operation) => ({
  operation,
  method: operation.method,
  matches: new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/?]*')}(?:\\?|$)`),
}))

export type Asked = LightMyRequestResponse & { readonly problem: Problem }

/**
 * Sends a request and holds whatever comes back against the contract: a body to its operation's schema, an error to the
 * catalogue, and the headers that every answer has. All tests of the api go through here.
 */
export async function ask(app: FastifyInstance, request: InjectOptions | string): Promise<Asked> {
  const asked: InjectOptions = typeof request === 'string' ? { url: request, headers: bearer() } : request
  const response = await app.inject(asked)
  holdToContract(String(asked.url), asked.method ?? 'GET', response)
  return Object.assign(response, { problem: response.statusCode >= 400 && response.body ? response.json() : undefined })
}

function holdToContract(url: string, method: string, response: LightMyRequestResponse): void {
  const { statusCode, headers, rawPayload } = response
  const where = `${method} ${url} ${statusCode} ${response.body.slice(0, 300)}`
  expect(headers['request-id'], where).toMatch(/^[A-Za-z0-9_-]{8,64}$/)
  expect(headers['x-content-type-options'], where).toBe('nosniff')
  if (statusCode === 204 || statusCode === 304 || method === 'HEAD') {
    expect(rawPayload.length, where).toBe(0)
    return
  }
  const coded = headers['content-encoding'] !== undefined
  if (statusCode >= 400) {
    expect(headers['content-type'], where).toBe('application/problem+json; charset=utf-8')
    const problem: Problem = response.json()
    expect(Value.Errors(Problem, problem), where).toEqual([])
    const { status, title, retry } = problems[problem.code as ProblemCode]
    expect(problem, where).toMatchObject({ status, title, type: `/problems/${problem.code}`, ok: false })
    expect(statusCode, where).toBe(status)
    expect(problem.request_id, where).toBe(headers['request-id'])
    // As the request was sent: `inject` writes addresses as browsers do.
    expect(problem.instance, where).toBe(new URL(url, 'http://localhost').pathname)
    expect(problem.detail.length, where).toBeGreaterThan(10)
    expect(headers['retry-after'] !== undefined, where).toBe(retry)
    expect(headers['www-authenticate'] === 'Bearer', where).toBe(status === 401)
    expect(headers['cache-control'], where).toBe('no-store')
    return
  }
  const operation = matchers.find((own) => own.method === method && own.matches.test(url))?.operation
  expect(statusCode, where).toBe(operation ? statusOf(operation) : 200)
  expect(headers['cache-control'], where).toBeDefined()
  if (!operation || coded) return
  const isCsv = operation.hasCsv === true && headers['content-type'] === 'text/csv; charset=utf-8; header=present'
  const { mediaType = 'application/json', forms = {} } = operation
  const isFile = Object.values(forms).some((type) => type !== mediaType && type === headers['content-type'])
  if (!isCsv && !isFile) expect(headers['content-type'], where).toBe(`${mediaType}; charset=utf-8`)
  if (operation.method === 'POST' || operation.isStreamed) expect(headers.etag, where).toBeUndefined()
  else expect(headers.etag, where).toMatch(/^"[\w-]{22}"$/)
  const bodies = operation.isStreamed
    ? linesOf(response.body)
    : [operation.mediaType ? response.body : !isCsv && response.json()]
  if (!isCsv) for (const body of bodies) expect([...Value.Errors(operation.response, body)], where).toEqual([])
  expect(headers.ratelimit !== undefined, where).toBe(operation.access !== 'none')
}

/** The lines of an NDJSON body. */
export const linesOf = (body: string): Record<string, unknown>[] =>
  body
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

export const quote = (symbol: string, price: string, more: Partial<Quote> = {}): Quote => ({
  symbol,
  price,
  source: 'TEST',
  observed_at: AT,
  stale: false,
  tick_partition: 0,
  tick_offset: 1,
  state: '',
  ...more,
})

export type World = {
  readonly app: FastifyInstance
  readonly releases: Releases
  readonly quota: MemoryQuota
  readonly tickets: MemoryTickets
  readonly keys: KeyTable
  readonly prices: PriceBoard
  readonly priceHistory: PriceHistory
  readonly deps: ApiDeps
  now: string
  ready: true | string
  /** Calls a minute that every plan has. */
  perMinute: number
}

/** Figures of made-up series, so that no invented figure looks official, for every indicator and a few countries. */
function fill(releases: Releases): void {
  const rate = { unit: 'percent' }
  const money = { unit: 'USD', frequency: 'Q' } as const
  const growth = { year_over_year: '2.1', quarter_over_quarter: '0.5' }
  for (const [period, value] of [
    ['2025-10', '325.1'],
    ['2025-11', '325.4'],
  ] as const) {
    releases.accept(testSeries(), period, { value })
    const change = { year_over_year: '2.7', month_over_month: '0.1', year_to_date: '2.6' }
    releases.accept(testSeries({ ...rate, indicator: 'inflation' }), period, change)
    releases.accept(testSeries({ ...rate, indicator: 'unemployment' }), period, { rate: '4.6' })
    releases.accept(testSeries({ ...rate, indicator: 'labour-force-participation' }), period, { rate: '62.5' })
    releases.accept(flowSeries('trade-imports'), period, { value: '348900000000' })
    const flows = { exports: '302000000000', imports: '348900000000', balance: '-46900000000' }
    releases.accept(testSeries({ ...money, frequency: 'M', indicator: 'trade' }), period, flows)
  }
  releases.accept(testSeries({ ...money, indicator: 'gdp' }), '2025-Q3', { value: '30485729000000' })
  releases.accept(testSeries({ ...rate, frequency: 'Q', indicator: 'gdp-growth' }), '2025-Q3', growth)
  for (let month = 1; month <= 12; month++) {
    const period = `2025-${String(month).padStart(2, '0')}`
    releases.accept(flowSeries('trade-exports'), period, { value: `${300 + month}000000000` })
  }
  for (const year of ['2022', '2023', '2024']) {
    releases.accept(flowSeries('trade-exports', { country: 'MYS', frequency: 'A', unit: 'MYR' }), year, { value: '1' })
  }
  releases.accept(flowSeries('trade-exports', { country: 'CHN', unit: 'CNY' }), '2025-10', { value: '2000000000000' })
}

/** Closed after the test file. */
const open: FastifyInstance[] = []
afterAll(() => Promise.all(open.map((app) => app.close())))

/** The served world; `change` replaces what a test needs otherwise. */
export async function world(change: Partial<ApiDeps> = {}): Promise<World> {
  const releases = new Releases()
  fill(releases)
  const prices = new PriceBoard()
  const priceHistory = new PriceHistory()
  const burst = new InProcessBurst()
  for (const [symbol, price] of [
    ['EUR-USD', '1.16'],
    ['EUR-JPY', '180.1'],
    ['XAU-USD', '4100.5'],
  ] as const) {
    prices.apply(quote(symbol, price))
  }
  prices.apply(quote('WTI-USD', '60.1', { source: 'simulator' }))
  const quota = new MemoryQuota()
  const tickets = new MemoryTickets()
  const keys = new KeyTable()
  for (const { record } of Object.values(issued)) keys.apply(record)
  const state = { now: NOW, ready: true as true | string, perMinute: 1_000_000 }
  const gate = new Gate({
    keys,
    quota,
    burst: { take: (who, _perMinute, now) => burst.take(who, state.perMinute, now) },
    revocations: { isRevoked: () => false },
    plans,
    streamsOpen: () => 0,
    time: { now: () => Date.parse(state.now) },
  })
  const deps: ApiDeps = {
    figures: releases.board,
    releaseIndex: releases.releaseIndex,
    statements: releases.statements,
    releaseDates: releases.dates,
    fetches: { lastOf: () => null },
    publishersIds: new PublishersIds([]),
    prices,
    quotes: prices,
    history: releases.history,
    vintages: releases.vintages,
    newestRelease: () => releases.log.at(-1)?.offset ?? -1,
    newestRecords: releases.newestRecords,
    recentReleases: { since: (offset) => releases.log.filter((logged) => logged.offset > offset) },
    events: releases.eventQueries,
    held: { spans: async () => [] },
    journal: releases.journal,
    candles: priceHistory.candles,
    ticks: priceHistory.ticks,
    asOf: (day) => ({
      ...releases.asOf(day),
      candles: { ...priceHistory.candles, lastPrices: async () => priceHistory.lastBefore(endOfDay(day)) },
      ticks: priceHistory.ticks,
    }),
    newestEvent: async () => releases.events.length,
    journalReaches: (offset) => offset <= (releases.log.at(-1)?.offset ?? -1),
    gate,
    tickets,
    apiBase: 'http://rest.test:8080',
    streamBase: 'ws://streams.test:8081',
    lineage: firstGeneration(JOURNAL),
    clock: () => new Date(state.now),
    pricesUntil: () => new Date(state.now),
    version: '0.0.0-test',
    health: () => ({
      status: 'ok',
      version: '0.0.0-test',
      journal: 'ok',
      read_models: 'ok',
      access: 'ok',
      data_as_of: releases.board.recordedAt,
    }),
    answering: () => state.ready,
    ready: () => state.ready,
    ...change,
  }
  const app = await buildApi(deps)
  open.push(app)
  return Object.assign(state, { app, releases, prices, quota, tickets, keys, deps, priceHistory })
}

/** Listens on a free port of the loopback and gives its address. */
export async function listen(app: FastifyInstance): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}
