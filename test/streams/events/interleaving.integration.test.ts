import assert from 'node:assert/strict'
import { describe, expect, it } from 'vitest'
import { nextTurn } from '../../../base/time.ts'
import { eventFamilies } from '../../../contracts/events.ts'
import { encodeEventCursor } from '../../../domain/cursor.ts'
import type { EventFilter } from '../../../domain/event-filter.ts'
import { type EventsStream, eventsStream } from '../../../streams/events/index.ts'
import { isRefusal } from '../../../streams/stream.ts'
import { randomFrom } from '../../support/random.ts'
import { SimulatedTime, settle } from '../../support/simulated-time.ts'
import { JudgingClient } from './support/client.ts'
import { MemoryEvents } from './support/journal.ts'

const RUNS = Number(process.env.ALMANAC_TEST_RUNS ?? 1_000)
const seed = Number(process.env.ALMANAC_TEST_SEED ?? Date.now() % 2 ** 31)

type Tally = Record<string, number>

/** One short life of the stream, all of it drawn from a seed. */
class Interleaving {
  readonly #random: () => number
  readonly #time: SimulatedTime
  readonly #events: MemoryEvents
  readonly #clients: JudgingClient[] = []
  readonly #tally: Tally
  #stop = new AbortController()
  #stream: EventsStream
  #broken: unknown

  constructor(from: number, tally: Tally) {
    this.#random = randomFrom(from)
    this.#time = new SimulatedTime(this.#random)
    this.#events = new MemoryEvents(() => nextTurn(this.#time))
    this.#tally = tally
    for (let count = this.#upTo(6); count > 0; count--) this.#append()
    if (this.#random() < 0.3) this.#events.cut(this.#upTo(this.#events.end))
    this.#stream = this.#open()
  }

  async run(): Promise<void> {
    for (let steps = 15 + this.#upTo(50); steps > 0; steps--) await this.#act()
    await this.#drain()
    this.#stop.abort()
    for (const client of this.#clients) {
      for (const [kind, count] of Object.entries(client.told)) this.#count(kind, count)
      client.leave()
    }
    while (this.#time.step()) await settle()
    assert.equal(this.#broken, undefined)
  }

  #upTo(limit: number): number {
    return Math.floor(this.#random() * (limit + 1))
  }

  #count(what: string, by = 1): void {
    this.#tally[what] = (this.#tally[what] ?? 0) + by
  }

  #append(): void {
    this.#events.append(1 + this.#upTo(3), this.#random() < 0.1 ? 9 + this.#upTo(9) : this.#upTo(2))
  }

  #open(): EventsStream {
    this.#stop = new AbortController()
    const stream = eventsStream({
      journal: this.#events.asJournal(),
      signal: this.#stop.signal,
      time: this.#time,
      ringBytes: 700 * (1 + this.#upTo(8)),
      blockBytes: 3_000 * this.#upTo(4),
      blockSize: 4,
      reads: 2,
      warmOffsets: this.#upTo(8),
      restMs: 5,
      graceMs: 400,
      framesAtOnce: 4,
      pace: { burstFrames: 3, burstScanned: 5, checkpointRecords: 4, behindRecords: 6 },
    })
    stream.done.catch((error) => {
      this.#broken ??= error
    })
    return stream
  }

  async #act(): Promise<void> {
    if (this.#events.isDown && this.#random() < 0.15) this.#outage()
    const draw = this.#random()
    const client = this.#clients[this.#upTo(this.#clients.length - 1)]
    if (draw < 0.5) {
      if (!this.#time.step()) this.#time.pass(5)
      await settle()
    } else if (draw < 0.66) this.#append()
    else if (draw < 0.72) this.#time.pass(this.#upTo(8))
    else if (draw < 0.74) this.#time.pass(6_000)
    else if (draw < 0.8) this.#join()
    else if (draw < 0.88) this.#resume(client)
    else if (draw < 0.92) client?.leave()
    else if (draw < 0.95) client?.glance()
    else if (draw < 0.97) this.#restart()
    else if (draw < 0.985) this.#events.cut(this.#events.start + this.#upTo(12))
    else this.#outage()
    for (const each of this.#clients) if (!each.feed && this.#random() < 0.2) this.#connect(each)
    if (this.#broken) throw this.#broken
  }

  #outage(): void {
    this.#events.isDown = !this.#events.isDown
    if (this.#events.isDown) this.#count('outage')
    this.#events.wake()
  }

  #restart(): void {
    this.#count('restart')
    this.#stop.abort()
    for (const client of this.#clients) client.leave()
    this.#stream = this.#open()
  }

  #resume(client: JudgingClient | undefined): void {
    if (!client?.feed) return
    client.isBlocked = false
    client.feed.resume()
  }

  #join(): void {
    if (this.#clients.length >= 5) return
    const client = new JudgingClient(this.#events, this.#filter(), () => this.#random() < 0.2)
    const draw = this.#random()
    if (draw < 0.3) client.cursor = 'earliest'
    else if (draw < 0.6) {
      const { first, all, id } = this.#events
      const sequence = first + this.#upTo(all.length + 1 - first)
      const hint = this.#random() < 0.5 ? this.#upTo(this.#events.end + 5) : Number.MAX_SAFE_INTEGER
      client.cursor = encodeEventCursor({ journal: id, sequence, hint })
      client.place = sequence
    }
    this.#clients.push(client)
    this.#connect(client)
  }

  #filter(): EventFilter {
    const some = (values: readonly string[]) => new Set(values.filter(() => this.#random() < 0.5))
    const all = this.#random() < 0.4
    return {
      countries: all || this.#random() < 0.6 ? null : some(['ABW', 'AFG', 'AGO', 'AIA']),
      families: all ? new Set(eventFamilies) : some(eventFamilies),
      types: all || this.#random() < 0.7 ? null : new Set(['economics.release.revised']),
    }
  }

  #connect(client: JudgingClient): void {
    const { countries, families, types } = client.filter
    const message = {
      action: 'subscribe',
      families: [...families],
      ...(countries && { countries: [...countries] }),
      ...(types && { types: [...types] }),
      ...(client.cursor === undefined ? {} : { cursor: client.cursor }),
    }
    const subscription = this.#stream.read(message, 'pro')
    if (!isRefusal(subscription)) {
      client.connected(this.#stream.attach(client, subscription))
      return
    }
    this.#count(`refused ${subscription.refused}`)
    if (subscription.refused === 'unavailable') return
    assert.equal(subscription.refused, 'cursor_expired')
    assert((client.place ?? 0) < this.#events.first, `event ${client.place} is kept, but its cursor refused`)
    client.cursor = subscription.resumeCursor
    client.place = undefined
  }

  /** With clients that read and a journal that is there, all arrives that should. */
  async #drain(): Promise<void> {
    this.#events.isDown = false
    this.#append()
    for (let round = 0; round < 100 && !this.#clients.every((client) => client.hasAll); round++) {
      for (const client of this.#clients) {
        if (!client.feed) this.#connect(client)
        if (client.isBlocked) this.#resume(client)
      }
      while (this.#time.step()) {
        await settle()
        if (this.#broken) throw this.#broken
      }
      this.#time.pass(100)
    }
    for (const client of this.#clients) {
      client.glance()
      assert(client.hasAll, `a client at ${client.place} of ${this.#events.all.length} gets no further`)
      this.#count('received', client.received)
    }
  }
}

describe('the events stream under any interleaving', () => {
  it(`hands each client what its filter passes, in order, once: ${RUNS} runs`, async () => {
    const tally: Tally = {}
    for (let run = 0; run < RUNS; run++) {
      try {
        await new Interleaving(seed + run, tally).run()
      } catch (error) {
        throw new Error(`with ALMANAC_TEST_SEED=${seed + run} ALMANAC_TEST_RUNS=1: ${(error as Error).message}`, {
          cause: error,
        })
      }
    }
    if (process.env.ALMANAC_TEST_TALLY) console.log(tally)
    // A run in which nothing happens shows nothing: each of these must have come about.
    if (RUNS < 1_000) return
    const lasting = ['caught_up', 'checkpoint', 'falling_behind', 'restart', 'outage']
    for (const what of [...lasting, 'refused cursor_expired', 'ended by cursor_expired']) {
      expect(tally[what], what).toBeGreaterThan(10)
    }
    expect(tally.received).toBeGreaterThan(RUNS)
  })
})
