import { expect, it } from 'vitest'
import { Compile } from '#typebox'
import { EventsError, PredictionsError, PricesError } from '../../contracts/frames.ts'
import { plans } from '../../contracts/plans.ts'
import { MESSAGE_TOO_BIG, type StreamErrorCode, type StreamName, streamErrors } from '../../contracts/streams.ts'
import { cursorAt } from '../../domain/served-event.ts'
import { Connection, type Socket } from '../../streams/connection.ts'
import { readSubscription } from '../../streams/events/subscription.ts'
import { readFilter } from '../../streams/predictions/subscription.ts'
import { readPairs } from '../../streams/prices/subscription.ts'
import type { Stream } from '../../streams/stream.ts'
import { heapUsed } from '../support/heap.ts'
import { firstGeneration } from '../support/lineage.ts'
import { randomFrom } from '../support/random.ts'

/** ALMANAC_TEST_FRAMES=1000000 for the long run; ALMANAC_TEST_SEED repeats one. */
const FRAMES = Number(process.env.ALMANAC_TEST_FRAMES ?? 20_000)
const SEED = Number(process.env.ALMANAC_TEST_SEED ?? Date.now() % 1_000_000)
const WARM = 3_000
/** What must not be exceeded however many frames there are: V8's own growth, and no more. */
const HEAP_GROWTH = 16 * 1024 * 1024
/** How connections end, all of which the frames must bring about: they go past the shape, to what is served and beyond. */
const reached = [
  'commodity_not_supported',
  'currency_not_supported',
  'cursor_expired',
  'cursor_foreign',
  'cursor_invalid',
  'filter_not_supported',
  'invalid_command',
  'invalid_frame',
  'open',
  'resubscribe_required',
]
/** An error must fit behind a backlog. */
const LARGEST_ERROR = 2_048

const journal = 'journal'
const ends = {
  lineage: firstGeneration(journal),
  earliest: { sequence: 100, hint: 100 },
  tip: { sequence: 200, hint: 200 },
}
const readers: { readonly [S in StreamName]: Stream['read'] } = {
  prices: readPairs,
  events: (message, plan) => readSubscription(message, { plan, families: plans[plan].families }, ends),
  predictions: readFilter,
}
const streams = (Object.keys(readers) as StreamName[]).map(
  (name): Stream => ({
    name,
    read: readers[name],
    attach: () => ({ resume: () => undefined, detach: () => undefined }),
    asOf: () => '2026-11-21T00:00:00.000Z',
    isAvailable: () => true,
  }),
)

/** Draws frames: some that are good, some nearly so, some that never were. */
function framesOf(random: () => number) {
  const below = (count: number): number => Math.floor(random() * count)
  const one = <V>(values: readonly V[]): V => values[below(values.length)] as V
  const some = <V>(most: number, make: () => V): V[] => Array.from({ length: below(most + 1) }, make)
  const soup = (): string => some(24, () => one(words)).join('')
  const code = (): unknown => one(random() < 0.98 ? codes : strange)
  const list = (): unknown => (random() < 0.02 ? one(strange) : some(random() < 0.02 ? 70 : 2, code))
  const members: Readonly<Record<string, () => unknown>> = {
    commodities: () => some(random() < 0.1 ? 22 : 2, () => ({ commodity: code(), currency: code() })),
    fx: () =>
      some(random() < 0.1 ? 6 : 2, () => (random() < 0.5 ? { base: code() } : { base: code(), currencies: list() })),
    countries: list,
    families: list,
    types: list,
    indicators: list,
    cursor: () => (random() < 0.8 ? cursorAt(firstGeneration(one([journal, journal, 'another'])), below(200)) : code()),
    x: code,
    ['__proto__']: code,
  }
  const near = (stream: StreamName): string => {
    const names = random() < 0.02 ? Object.keys(members) : membersOf[stream]
    const chosen = some(2, () => one(names)).map((name) => [name, members[name]?.()])
    return JSON.stringify(Object.fromEntries([['action', random() < 0.98 ? 'subscribe' : code()], ...chosen]))
  }
  const damaged = (stream: StreamName): string => {
    const text = random() < 0.5 ? near(stream) : one(good)
    const at = below(text.length)
    return text.slice(0, at) + (random() < 0.5 ? one(words) : soup()) + text.slice(at + below(12))
  }
  return (stream: StreamName): Uint8Array => {
    const what = random()
    if (what < 0.001) return one(large)
    if (what < 0.1) return Uint8Array.from(some(64, () => below(256)))
    if (what < 0.25) return Buffer.from(soup())
    return Buffer.from(what < 0.45 ? damaged(stream) : what < 0.9 ? near(stream) : one(good))
  }
}

const membersOf: { readonly [S in StreamName]: readonly string[] } = {
  prices: ['commodities', 'fx'],
  events: ['countries', 'families', 'types', 'cursor'],
  predictions: ['countries', 'indicators'],
}
const good = [
  { action: 'ping' },
  { action: 'subscribe', commodities: [{ commodity: 'XAU', currency: 'USD' }], fx: [{ base: 'EUR', currencies: [] }] },
  {
    action: 'subscribe',
    countries: ['USA'],
    families: ['inflation'],
    types: [],
    cursor: cursorAt(firstGeneration(journal), 42),
  },
  { action: 'subscribe', countries: ['USA'], indicators: ['cpi'] },
].map((message) => JSON.stringify(message))
const words = [
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '"',
  '\\',
  '\\u',
  '\\ud800',
  'é',
  '\u0000',
  '1e999',
  '-',
  'null',
  'true',
  '0',
  '"action":',
  '"ping"',
  '"subscribe"',
  '"commodities":',
  '"fx":',
  '"base":',
  '"currencies":',
  '"countries":',
  '"cursor":',
  '"__proto__":',
  '"constructor":',
  '"toString"',
  '"XAU"',
  '"USD"',
  '"USA"',
  '"earliest"',
  'v1.',
]
const codes = ['XAU', 'USD', 'EUR', 'USA', 'MYS', 'inflation', 'cpi', 'earliest', 'latest', 'nobody', '__proto__', '']
const strange = [null, true, 0, -1, 1e300, {}, [], [[]], { a: 1 }, 'x'.repeat(600), 'é\u0000\ud800', ['XAU', 7]]
const large = [
  `{"action":"ping"${' '.repeat(65_536 - 17)}}`,
  `{"action":"ping"${' '.repeat(65_537 - 17)}}`,
  `{"action":"ping","x":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
  `{"action":"subscribe","fx":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}}`,
  `{"action":"subscribe","${'x'.repeat(60_000)}":1}`,
  `{"action":"${'é'.repeat(30_000)}"}`,
  `{"action":"subscribe","countries":[${'"A",'.repeat(15_000)}"A"]}`,
  '['.repeat(60_000),
].map((text) => Buffer.from(text))

const errors = { prices: Compile(PricesError), events: Compile(EventsError), predictions: Compile(PredictionsError) }

/** A socket that holds what it is told to the promises of the shell. */
class Told implements Socket {
  last: Uint8Array | undefined
  ended: { readonly code: number; readonly reason: string } | undefined
  send(frame: Uint8Array): number {
    if (this.ended) throw new Error('sent behind the end')
    this.last = frame
    return 1
  }
  ping(): number {
    return 1
  }
  cork(write: () => void): void {
    write()
  }
  end(code: number, reason: string): void {
    if (this.ended) throw new Error('ended twice')
    this.ended = { code, reason }
  }
  getBufferedAmount(): number {
    return 0
  }
}

/** What became of one connection that sent these: open, or the code of its error, which is checked whole. */
function outcomeOf(stream: Stream, sent: readonly Uint8Array[], isBinary: boolean, admittedAfter: number): string {
  const socket = new Told()
  const connection = new Connection(stream, socket, () => 0)
  for (const [i, bytes] of sent.entries()) {
    if (i === admittedAfter) connection.admit('pro')
    connection.take({ type: 'frame', bytes, isBinary })
  }
  if (admittedAfter >= sent.length) connection.admit('pro')
  if (!socket.ended) return connection.isOpen ? 'open' : 'closed without an end'
  const message: unknown = JSON.parse(Buffer.from(socket.last ?? []).toString())
  if (!errors[stream.name].Check(message)) throw new Error(`no error as described: ${JSON.stringify(message)}`)
  const { code } = message as { readonly code: StreamErrorCode }
  expect(socket.ended?.reason.split(':')[0]).toBe(code)
  expect(Buffer.byteLength(socket.ended?.reason ?? '')).toBeLessThanOrEqual(123)
  const isTooBig = code === 'invalid_frame' && socket.ended?.code === MESSAGE_TOO_BIG
  expect(socket.ended?.code).toBe(isTooBig ? MESSAGE_TOO_BIG : streamErrors[code].close)
  expect(socket.last?.length).toBeLessThan(LARGEST_ERROR)
  return code
}

it(`survives ${FRAMES} frames, ends each connection as described, and keeps nothing (seed ${SEED})`, () => {
  const random = randomFrom(SEED)
  const next = framesOf(random)
  const outcomes = new Map<string, number>()
  const judge = (count: number) => {
    for (let judged = 0; judged < count; ) {
      const stream = streams[judged % streams.length] as Stream
      const sent = Array.from({ length: 1 + Math.floor(random() * 3) }, () => next(stream.name))
      const outcome = outcomeOf(stream, sent, random() < 0.05, Math.floor(random() * 4))
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      judged += sent.length
    }
  }
  judge(WARM)
  const before = heapUsed()
  judge(FRAMES)
  const growth = heapUsed() - before
  expect([...outcomes.keys()].sort()).toEqual(reached)
  expect(growth).toBeLessThan(HEAP_GROWTH)
})
