import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Quote } from '../../contracts/records.ts'
import { PricesStream } from '../../streams/prices/index.ts'
import type { Outlet } from '../../streams/stream.ts'

const names = ['XAU', 'XAG', 'XPT'] as const
const pairs = names.map((base) => ({ kind: 'commodity', base, quote: 'USD' }) as const)
type Name = (typeof names)[number]

/** What a quote says, numbered, so that it is seen whether an older one comes after a newer one. */
const quoteOf = (name: Name, price: number, n: number): Quote => ({
  ...{ symbol: `${name}-USD`, price: String(price), source: 'TEST', observed_at: new Date(n).toISOString() },
  ...{ stale: false, tick_partition: 0, tick_offset: n, state: '{}' },
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

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('quote' as const), name: fc.constantFrom(...names), price: fc.nat(2) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('check' as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('slice' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('join' as const),
      room: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant(1_000)),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('read' as const), who: fc.nat(5), room: fc.integer({ min: 1, max: 6 }) }),
  },
)

describe('feeds of prices', () => {
  it('send each client the newest, never the same twice or an older one, however checks and reading come', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let slices: (() => void)[] = []
        const stream = new PricesStream({
          clock: () => new Date(0),
          yieldTo: (goOn) => slices.push(goOn),
          feedsAtOnce: 1,
        })
        stream.loaded({ isAway: () => false })
        const readers: { outlet: Reader; feed: ReturnType<PricesStream['attach']> }[] = []
        const newest = new Map<string, string>()
        let n = 0
        const slice = () => {
          const [next, ...others] = slices
          slices = others
          next?.()
        }
        const read = (reader: (typeof readers)[number] | undefined, room: number) => {
          if (!reader?.outlet.isBehind) return
          reader.outlet.isBehind = false
          reader.outlet.room = room
          reader.feed.resume()
        }
        for (const each of steps) {
          if (each.do === 'quote') {
            stream.apply(quoteOf(each.name, each.price, ++n))
            newest.set(each.name, String(each.price))
          } else if (each.do === 'check') stream.check()
          else if (each.do === 'slice') slice()
          else if (each.do === 'read') read(readers[each.who], each.room)
          else {
            const outlet = new Reader(each.room)
            readers.push({ outlet, feed: stream.attach(outlet, pairs) })
          }
        }
        for (let round = 0; round < 3; round++) {
          for (const reader of readers) read(reader, 100)
          stream.check()
          while (slices.length > 0) slice()
        }
        for (const { outlet } of readers) {
          for (const [name, price] of newest) expect(outlet.last.get(`${name}-USD`)?.price).toBe(price)
        }
      }),
      { numRuns: 2_000 },
    )
  })
})
