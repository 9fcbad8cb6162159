import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commodities } from '../../contracts/instruments.ts'
import type { Quote } from '../../contracts/records.ts'
import { PricesStream } from '../../streams/prices/index.ts'
import type { Outlet } from '../../streams/stream.ts'
import { heapUsed } from '../support/heap.ts'
import { timeWith } from '../support/wall-clock.ts'

const names = ['XAU', 'XAG', 'XPT'] as const
const pairOf = (base: Name) => ({ kind: 'commodity', base, quote: 'USD' }) as const
type Name = (typeof names)[number]

/** What a quote says, numbered, so that it is seen whether an older one comes after a newer one. */
const quoteOf = (name: Name, price: number, n: number): Quote => ({
  symbol: `${name}-USD`,
  price: String(price),
  source: 'TEST',
  observed_at: new Date(n).toISOString(),
  stale: false,
  tick_partition: 0,
  tick_offset: n,
  state: '{}',
})

/** Takes `room` frames, then says that it is behind, until it reads. */
class Reader implements Outlet {
  room: number
  isBehind = false
  readonly last = new Map<string, { price: string; observed: string }>()

  constructor(room: number) {
    this.room = room
  }

  send(frame: Uint8Array): boolean {
    expect(this.isBehind, 'sent to who is behind').toBe(false)
    const { spot } = JSON.parse(Buffer.from(frame).toString())
    if (spot) {
      const before = this.last.get(spot.symbol)
      expect(spot.price, 'the same price again').not.toBe(before?.price)
      expect(spot.timestamp > (before?.observed ?? ''), 'an older one').toBe(true)
      this.last.set(spot.symbol, { price: spot.price, observed: spot.timestamp })
    }
    this.isBehind = --this.room <= 0
    return !this.isBehind
  }
  cork(write: () => void): void {
    write()
  }
  fail(): void {}
}

/** A stream whose checks go a client a slice, as the test says. */
function world() {
  const slices: (() => void)[] = []
  const stream = new PricesStream({
    time: { now: () => 0, soon: (goOn) => void slices.push(goOn) },
    feedsAtOnce: 1,
  })
  stream.loaded({ isAway: () => false })
  const readers: { outlet: Reader; feed: ReturnType<PricesStream['attach']>; names: readonly Name[] }[] = []
  const newest = new Map<Name, string>()
  let quotes = 0
  return {
    readers,
    check: () => stream.check(),
    slice: () => slices.shift()?.(),
    finish() {
      while (slices.length > 0) slices.shift()?.()
    },
    quote(name: Name, price: number) {
      stream.apply(quoteOf(name, price, ++quotes))
      newest.set(name, String(price))
    },
    join(room: number, some: readonly Name[] = names) {
      const outlet = new Reader(room)
      readers.push({ outlet, names: some, feed: stream.attach(outlet, some.map(pairOf)) })
      return outlet
    },
    read(who: number, room: number) {
      const { outlet, feed } = readers[who] ?? {}
      if (!outlet?.isBehind) return
      outlet.isBehind = false
      outlet.room = room
      feed?.resume()
    },
    leave: (who: number) => readers.splice(who, 1)[0]?.feed.detach(),
    mustHaveAll() {
      for (const { outlet, names: some } of readers) {
        for (const name of some) expect(outlet.last.get(`${name}-USD`)?.price).toBe(newest.get(name))
      }
    },
  }
}

const step = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constant('quote' as const), fc.constantFrom(...names), fc.nat(2)) },
  { weight: 4, arbitrary: fc.tuple(fc.constant('check' as const)) },
  { weight: 4, arbitrary: fc.tuple(fc.constant('slice' as const)) },
  {
    weight: 2,
    arbitrary: fc.tuple(
      fc.constant('join' as const),
      fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant(1_000)),
      fc.shuffledSubarray([...names]),
    ),
  },
  { weight: 3, arbitrary: fc.tuple(fc.constant('read' as const), fc.nat(5), fc.integer({ min: 1, max: 6 })) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('leave' as const), fc.nat(5)) },
)

describe('feeds of prices', () => {
  it('send each client the newest, never the same twice or an older one, however checks and reading come', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { quote, check, slice, join, read, leave, finish, readers, mustHaveAll } = world()
        for (const [what, ...with_] of steps) {
          if (what === 'quote') quote(...(with_ as [Name, number]))
          else if (what === 'check') check()
          else if (what === 'slice') slice()
          else if (what === 'join') join(...(with_ as [number, Name[]]))
          else if (what === 'read') read(...(with_ as [number, number]))
          else leave(...(with_ as [number]))
        }
        for (let round = 0; round < 3; round++) {
          readers.forEach((_, who) => {
            read(who, 100)
          })
          check()
          finish()
        }
        mustHaveAll()
      }),
      { numRuns: 2_000 },
    )
  })

  it('miss no check, though the next one comes while it is under way; that one follows', () => {
    const { quote, check, join, finish, mustHaveAll } = world()
    for (let count = 0; count < 3; count++) join(1_000)
    for (const name of names) quote(name, 1)
    for (let round = 0; round < 2; round++) {
      check()
      finish()
    }
    quote('XAU', 2)
    check()
    quote('XAG', 2)
    check()
    finish()
    mustHaveAll()
  })

  it('keep nothing of subscriptions once nobody has them', () => {
    const stream = new PricesStream({ time: timeWith(() => 0) })
    const outlet = { send: () => true, cork: (write: () => void) => write(), fail: () => {} }
    const codes = Object.keys(commodities).slice(0, 14)
    const pairs = codes.map((base) => ({ kind: 'commodity', base, quote: 'USD' }) as const)
    // Each another subset, by the bits of a number.
    const comeAndGo = (from: number, to: number) => {
      for (let bits = from; bits < to; bits++)
        stream
          .attach(
            outlet,
            pairs.filter((_, i) => (bits >> i) & 1),
          )
          .detach()
    }
    comeAndGo(1, 1_000)
    const before = heapUsed()
    comeAndGo(1_000, 1 << codes.length)
    expect(heapUsed() - before).toBeLessThan(1_000_000)
  })
})
