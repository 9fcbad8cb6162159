/**
 * Signs of life: each process that holds claims says so every few moments in a topic of its own, and everybody who holds
 * or waits for one listens. Silence is measured in time during which we were listening and Kafka answered, so that neither
 * a broker's restart nor our own stop looks like somebody else's death; clocks of different processes are never compared.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { PartitionAddress } from '../journal.ts'
import { type KafkaClient, KafkaFailure, type Lane } from './client.ts'
import { PartitionWriter } from './partition-writer.ts'
import { visibleRecords } from './reader.ts'
import { encodeBatch } from './record-batch.ts'

/** `changed`: a claim has been taken or released. */
type Beat = { readonly instance: string; readonly holds: readonly string[]; readonly changed?: string }

const LISTEN_MS = 500
const PAUSE_MS = 250
const FETCH_BYTES = 1_000_000

export type HeartbeatsOptions = {
  readonly client: KafkaClient
  readonly topic: string
  readonly instance: string
  readonly expiryMs: number
  /** What to say that we hold. */
  readonly holds: () => readonly string[]
  /** No beat of ours has been acknowledged for `expiryMs`: others may have given us up. */
  readonly onUnheard: () => void
  /** Somebody has taken or released a claim; undefined: we may have missed that. */
  readonly onChange: (name: string | undefined) => void
}

export class Heartbeats {
  private readonly options: HeartbeatsOptions
  private readonly address: PartitionAddress
  private readonly writer: PartitionWriter
  private readonly ending = new AbortController()
  private readonly waiting = new Set<() => void>()
  /** Time spent listening, in ms, and its state when each holder and name were last heard of. */
  private listened = 0
  private readonly heard = new Map<string, number>()
  private changes = 0
  private users = 0
  private listening: Promise<void> | undefined
  private beating: NodeJS.Timeout | undefined
  private saying = false
  private saidAt = 0

  constructor(options: HeartbeatsOptions) {
    this.options = options
    this.address = { topic: options.topic, partition: 0 }
    this.writer = new PartitionWriter(options.client, this.address, options.expiryMs)
  }

  /** Listens and beats from the first user on until the last one has left. */
  enter(): void {
    if (this.users++ > 0) return
    this.saidAt = performance.now()
    this.listening ??= this.listen()
    this.beating = setInterval(() => this.beat(), this.options.expiryMs / 5).unref()
  }

  leave(): void {
    if (--this.users > 0) return
    clearInterval(this.beating)
    this.heard.clear()
  }

  /** For how many ms of listening, from a reading of `clock` on, nothing has been heard of the holder of a name. */
  silenceOf(instance: string, name: string, from: number): number {
    return this.listened - Math.max(from, this.heard.get(`${instance} ${name}`) ?? 0)
  }

  /** How long we have been listening, in ms. */
  get clock(): number {
    return this.listened
  }

  /** A number that grows with each change of any claim. */
  get changeCount(): number {
    return this.changes
  }

  /** Resolves on a change after the count was `seen`, after `ms`, or when `signal` aborts. */
  async wait(seen: number, ms: number, signal: AbortSignal): Promise<void> {
    if (this.changes !== seen || signal.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const wake = () => resolve()
    const late = setTimeout(wake, ms)
    this.waiting.add(wake)
    signal.addEventListener('abort', wake)
    await promise
    signal.removeEventListener('abort', wake)
    this.waiting.delete(wake)
    clearTimeout(late)
  }

  /** Tells everybody that a claim has changed hands. A message that is lost costs them time, no more. */
  async announce(name: string): Promise<void> {
    await this.say({ ...this.beatOfNow(), changed: name }).catch(() => undefined)
  }

  async close(): Promise<void> {
    clearInterval(this.beating)
    this.ending.abort()
    await this.writer.settled()
  }

  private beatOfNow(): Beat {
    return { instance: this.options.instance, holds: this.options.holds() }
  }

  private beat(): void {
    const { holds, expiryMs, onUnheard } = this.options
    // Older is as good as never heard.
    for (const [holder, at] of this.heard) if (this.listened - at > expiryMs) this.heard.delete(holder)
    if (holds().length === 0) this.saidAt = performance.now()
    else if (performance.now() - this.saidAt > expiryMs) onUnheard()
    if (this.saying || holds().length === 0) return
    this.saying = true
    this.say(this.beatOfNow())
      .catch(() => undefined)
      .finally(() => {
        this.saying = false
      })
  }

  private async say(beat: Beat): Promise<void> {
    const startedAt = performance.now()
    const value = Buffer.from(JSON.stringify(beat))
    await this.writer.append(encodeBatch([{ key: beat.instance, value, timestamp: Date.now(), headers: {} }], false))
    this.saidAt = startedAt
  }

  private async listen(): Promise<void> {
    const { signal } = this.ending
    const lane = this.options.client.openLane()
    const end = () => lane.close()
    signal.addEventListener('abort', end)
    try {
      let next: number | undefined
      while (!signal.aborted && this.users > 0) {
        next = await this.hear(lane, next).catch(async (error) => {
          // Beats that were deleted before we came to them are as good as unheard ones.
          if (error instanceof KafkaFailure && error.type === 'OFFSET_OUT_OF_RANGE') return undefined
          await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined)
          return next
        })
      }
    } finally {
      signal.removeEventListener('abort', end)
      lane.close()
      this.listening = undefined
    }
  }

  /** One fetch. Returns where to go on. */
  private async hear(lane: Lane, from: number | undefined): Promise<number> {
    if (from === undefined) {
      const end = await this.options.client.offsetOf(this.address, 'end')
      this.change(undefined)
      return end
    }
    const startedAt = performance.now()
    const options = { maxBytes: FETCH_BYTES, waitMs: LISTEN_MS, isolation: 'all' } as const
    const { bytes } = await lane.fetch(this.address, from, options)
    this.listened += Math.min(performance.now() - startedAt, 2 * LISTEN_MS)
    const { records, next } = visibleRecords({ bytes, aborted: [] }, from, Number.POSITIVE_INFINITY, FETCH_BYTES)
    for (const { value } of records) {
      const { instance, holds, changed } = JSON.parse(Buffer.from(value).toString()) as Beat
      for (const name of holds) this.heard.set(`${instance} ${name}`, this.listened)
      if (changed !== undefined) this.change(changed)
    }
    return next
  }

  private change(name: string | undefined): void {
    this.changes++
    this.options.onChange(name)
    for (const wake of this.waiting) wake()
  }
}
