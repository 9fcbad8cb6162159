/**
 * Signs of life: each process that holds claims says so every few moments in a topic of its own, and every process that
 * holds or waits for one listens. Only time in which Kafka answered counts as listening (`Attention`).
 */
import { EventEmitter } from 'node:events'
import { pause } from '../../base/async/pause.ts'
import type { PartitionAddress } from '../journal.ts'
import { Attention } from '../ownership.ts'
import { type KafkaClient, KafkaFailure, type Lane } from './client.ts'
import { PartitionWriter } from './partition-writer.ts'
import { visibleRecords } from './reader.ts'
import { encodeBatch } from './record-batch.ts'

/** `changed`: a claim has been taken or released. */
type Beat = { readonly instance: string; readonly holds: readonly string[]; readonly changed?: string }

const LISTEN_MS = 500
const PAUSE_MS = 250
const FETCH_BYTES = 1_000_000

type HeartbeatsOptions = {
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
  private readonly changing = new EventEmitter().setMaxListeners(0)
  private readonly attention: Attention
  private changes = 0
  private beating: NodeJS.Timeout | undefined
  private saying = false
  private saidAt = 0

  constructor(options: HeartbeatsOptions) {
    this.options = options
    this.address = { topic: options.topic, partition: 0 }
    this.writer = new PartitionWriter(options.client, this.address, options.expiryMs)
    this.attention = new Attention(options.expiryMs, 2 * LISTEN_MS)
  }

  /** Listens and beats from the first call on until `close`. */
  start(): void {
    if (this.beating) return
    this.saidAt = performance.now()
    this.beating = setInterval(() => this.beat(), this.options.expiryMs / 5).unref()
    void this.listen()
  }

  /** Notes that the owner of a name lives. */
  heardOf(instance: string, name: string): void {
    this.attention.hear(`${instance} ${name}`)
  }

  /** How much longer the owner of a name may be silent, in ms of listening; 0: it is given up. */
  leftMs(instance: string, name: string): number {
    return this.attention.leftMs(`${instance} ${name}`)
  }

  /** A number that grows with each change of any claim. */
  get changeCount(): number {
    return this.changes
  }

  /** Resolves on a change after the count was `seen`, after `ms`, or when `signal` aborts. */
  async wait(seen: number, ms: number, signal: AbortSignal): Promise<void> {
    if (this.changes !== seen) return
    const waking = new AbortController()
    const wake = () => waking.abort()
    this.changing.once('change', wake)
    await pause(ms, AbortSignal.any([signal, waking.signal]))
    this.changing.off('change', wake)
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
      while (!signal.aborted) {
        next = await this.hear(lane, next).catch(async (error) => {
          // Beats that were deleted before we came to them are as good as unheard ones.
          if (error instanceof KafkaFailure && error.type === 'OFFSET_OUT_OF_RANGE') return undefined
          await pause(PAUSE_MS, signal)
          return next
        })
      }
    } finally {
      signal.removeEventListener('abort', end)
      lane.close()
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
    this.attention.listen(performance.now() - startedAt)
    const { records, next } = visibleRecords({ bytes, aborted: [] }, from, Number.POSITIVE_INFINITY, FETCH_BYTES)
    for (const { value } of records) {
      const { instance, holds, changed } = JSON.parse(Buffer.from(value).toString()) as Beat
      for (const name of holds) this.heardOf(instance, name)
      if (changed !== undefined) this.change(changed)
    }
    return next
  }

  private change(name: string | undefined): void {
    this.changes++
    this.options.onChange(name)
    this.changing.emit('change')
  }
}
