import { Worker } from 'node:worker_threads'
import type { Topic } from '../contracts/topics.ts'
import type { PortableRecord } from '../journal/portable-records.ts'
import type { SegmentEncoder } from './segment.ts'

/** A request to the thread: records of a segment, or the end of it. */
export type SegmentRequest = {
  readonly number: number
  readonly segment: number
  readonly topic: Topic
  readonly partition: number
  readonly add?: {
    readonly records: readonly Omit<PortableRecord, 'body'>[]
    /** All bodies as one buffer: a view would be sent with the whole buffer below it. */
    readonly bodies: Uint8Array
    /** End of each record's body in `bodies`. */
    readonly ends: readonly number[]
  }
}

/** The thread's answer: bytes of the file so far, and the file once it has ended. */
export type SegmentAnswer = { readonly number: number; readonly bytes: number; readonly file?: Uint8Array<ArrayBuffer> }

/**
 * Encodes segments in a thread of its own. A row group takes 50 to 100 ms, for which everything else in the process would
 * wait. Closing it drops the segments that are not finished.
 */
export class SegmentThread {
  readonly #worker = new Worker(new URL('./segment-thread-main.ts', import.meta.url))
  readonly #waiting = new Map<number, PromiseWithResolvers<SegmentAnswer>>()
  #requests = 0
  #segments = 0
  #failure: Error | undefined

  constructor() {
    this.#worker.on('message', (answer: SegmentAnswer) => {
      this.#waiting.get(answer.number)?.resolve(answer)
      this.#waiting.delete(answer.number)
    })
    this.#worker.on('error', (cause) => this.#fail(new Error('the thread that encodes segments failed', { cause })))
    this.#worker.on('exit', () => this.#fail(new Error('the thread that encodes segments has ended')))
  }

  /** Begins a segment. */
  readonly newEncoder = (topic: Topic, partition: number): SegmentEncoder => {
    const segment = { segment: this.#segments++, topic, partition }
    let bytes = 0
    return {
      get bytes() {
        return bytes
      },
      // Resolves once these records are taken, so that no more of them wait in the thread.
      add: async (records) => {
        const bodies = Buffer.concat(records.map(({ body }) => body))
        let end = 0
        const ends = records.map(({ body }) => (end += body.length))
        const rest = records.map(({ body: _, ...others }) => others)
        bytes = (await this.#ask({ ...segment, add: { records: rest, bodies, ends } })).bytes
      },
      finish: async () => {
        const { file } = await this.#ask(segment)
        if (!file) throw new Error('the thread that encodes segments sent no file')
        return file
      },
    }
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }

  #ask(request: Omit<SegmentRequest, 'number'>): Promise<SegmentAnswer> {
    if (this.#failure) return Promise.reject(this.#failure)
    const number = this.#requests++
    const answer = Promise.withResolvers<SegmentAnswer>()
    this.#waiting.set(number, answer)
    this.#worker.postMessage({ ...request, number })
    return answer.promise
  }

  #fail(error: Error): void {
    this.#failure ??= error
    for (const { reject } of this.#waiting.values()) reject(this.#failure)
    this.#waiting.clear()
  }
}
