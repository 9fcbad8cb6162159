/**
 * Heartbeats of owners, in a topic of their own. Each process that holds claims writes one every fifth of `expiryMs`. Every
 * process that holds a claim or waits for one reads them. Only time during which Kafka answered counts as listening
 * (`Attention`).
 */

import { EventEmitter } from 'node:events'
import { pause } from '../../base/async/pause.ts'
import { systemTime } from '../../base/time.ts'
import type { PartitionAddress } from '../journal.ts'
import { Attention } from '../ownership.ts'
import { type KafkaClient, KafkaFailure, type Lane } from './client.ts'
import { PartitionWriter } from './partition-writer.ts'
import { visibleRecords } from './reader.ts'
import { encodeBatch } from './record-batch.ts'

/** One heartbeat. `changed` names a claim that has just been taken or released. */
type Beat = { readonly instance: string; readonly holds: readonly string[]; readonly changed?: string }

const LISTEN_MS = 500
const PAUSE_MS = 250
const FETCH_BYTES = 1_000_000

type HeartbeatsOptions = {
  readonly client: KafkaClient
  readonly topic: string
  readonly instance: string
  readonly expiryMs: number
  /** Names of the claims that this process holds. */
  readonly holds: () => readonly string[]
  /** Called if no heartbeat of this process has been acknowledged for `expiryMs`: contenders may have taken its claims. */
  readonly onUnheard: () => void
  /**
   * Called when a claim has been taken or released, with its name; with undefined if this process may have missed a
   * change.
   */
  readonly onChange: (name: string | undefined) => void
}

export class Heartbeats {
  readonly #options: HeartbeatsOptions
  readonly #address: PartitionAddress
  readonly #writer: PartitionWriter
  readonly #ending = new AbortController()
  readonly #changing = new EventEmitter().setMaxListeners(0)
  readonly #attention: Attention
  #changes = 0
  #beating: NodeJS.Timeout | undefined
  #saying = false
  #saidAt = 0

  constructor(options: HeartbeatsOptions) {
    this.#options = options
    this.#address = { topic: options.topic, partition: 0 }
    this.#writer = new PartitionWriter(options.client, this.#address, options.expiryMs)
    this.#attention = new Attention(options.expiryMs, 2 * LISTEN_MS)
  }

  /** Reads and writes heartbeats from the first call until `close`. */
  start(): void {
    if (this.#beating) return
    this.#saidAt = performance.now()
    this.#beating = setInterval(() => this.#beat(), this.#options.expiryMs / 5).unref()
    void this.#listen()
  }

  /** Notes a sign of life of the owner of a name. */
  heardOf(instance: string, name: string): void {
    this.#attention.hear(`${instance} ${name}`)
  }

  /** Returns how much longer the owner of a name may be silent, in ms of listening. At 0 a contender takes the name. */
  leftMs(instance: string, name: string): number {
    return this.#attention.leftMs(`${instance} ${name}`)
  }

  /** Number of ownership changes that were announced, of all claims. */
  get changeCount(): number {
    return this.#changes
  }

  /** Resolves once `changeCount` differs from `seen`, after `ms`, or when `signal` aborts. */
  async wait(seen: number, ms: number, signal: AbortSignal): Promise<void> {
    if (this.#changes !== seen) return
    const waking = new AbortController()
    const wake = () => waking.abort()
    this.#changing.once('change', wake)
    await pause(ms, AbortSignal.any([signal, waking.signal]), systemTime)
    this.#changing.off('change', wake)
  }

  /** Announces that a claim has been taken or released. */
  async announce(name: string): Promise<void> {
    // A lost announcement only delays contenders: they read the row again by themselves.
    await this.#say({ ...this.#beatOfNow(), changed: name }).catch(() => undefined)
  }

  async close(): Promise<void> {
    clearInterval(this.#beating)
    this.#ending.abort()
    await this.#writer.settled()
  }

  #beatOfNow(): Beat {
    return { instance: this.#options.instance, holds: this.#options.holds() }
  }

  #beat(): void {
    const { holds, expiryMs, onUnheard } = this.#options
    if (holds().length === 0) this.#saidAt = performance.now()
    else if (performance.now() - this.#saidAt > expiryMs) onUnheard()
    if (this.#saying || holds().length === 0) return
    this.#saying = true
    this.#say(this.#beatOfNow())
      // A lost heartbeat needs no handling: the next one follows, and `onUnheard` is called if they all fail.
      .catch(() => undefined)
      .finally(() => {
        this.#saying = false
      })
  }

  async #say(beat: Beat): Promise<void> {
    const startedAt = performance.now()
    const value = Buffer.from(JSON.stringify(beat))
    await this.#writer.append(encodeBatch([{ key: beat.instance, value, timestamp: Date.now(), headers: {} }], false))
    this.#saidAt = startedAt
  }

  async #listen(): Promise<void> {
    const { signal } = this.#ending
    const lane = this.#options.client.openLane()
    const end = () => lane.close()
    signal.addEventListener('abort', end)
    try {
      let next: number | undefined
      while (!signal.aborted) {
        next = await this.#hear(lane, next).catch(async (error) => {
          // Kafka deleted heartbeats before this process read them. It continues at the end, as if it had missed them.
          if (error instanceof KafkaFailure && error.type === 'OFFSET_OUT_OF_RANGE') return undefined
          await pause(PAUSE_MS, signal, systemTime)
          return next
        })
      }
    } finally {
      signal.removeEventListener('abort', end)
      lane.close()
    }
  }

  /** Fetches once and returns the offset to continue from. */
  async #hear(lane: Lane, from: number | undefined): Promise<number> {
    if (from === undefined) {
      const end = await this.#options.client.offsetOf(this.#address, 'end')
      this.#change(undefined)
      return end
    }
    const startedAt = performance.now()
    const options = { maxBytes: FETCH_BYTES, waitMs: LISTEN_MS, isolation: 'all' } as const
    const { bytes } = await lane.fetch(this.#address, from, options)
    this.#attention.listen(performance.now() - startedAt)
    const { records, next } = visibleRecords({ bytes, aborted: [] }, from, Number.POSITIVE_INFINITY, FETCH_BYTES)
    for (const { value } of records) {
      // Only `say` writes to this topic.
      const { instance, holds, changed } = JSON.parse(Buffer.from(value).toString()) as Beat
      for (const name of holds) this.heardOf(instance, name)
      if (changed !== undefined) this.#change(changed)
    }
    return next
  }

  #change(name: string | undefined): void {
    this.#changes++
    this.#options.onChange(name)
    this.#changing.emit('change')
  }
}
