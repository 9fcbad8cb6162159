import { Worker } from 'node:worker_threads'
import { errorMessage } from '../base/errors.ts'
import type { Topic } from '../contracts/topics.ts'
import type { SegmentEncoder } from './open-segment.ts'
import type { PackedRecords } from './packed-records.ts'
import type { SealedFile, UnfiledEntry } from './sealed-file.ts'

/** A request to the thread: records of a segment, or the end of it. */
export type SegmentRequest = {
  readonly number: number
  readonly segment: number
  readonly topic: Topic
  readonly partition: number
  /** Sent without a copy. */
  readonly add?: PackedRecords
  /** What the entry says of the segment, if that has ended. */
  readonly seal?: UnfiledEntry
}

/** The thread's answer: bytes of the file so far, and the file once it is sealed. */
export type SegmentAnswer = { readonly number: number; readonly bytes: number; readonly sealed?: SealedFile }

/**
 * Encodes segments, and reads them back, in a thread of its own. A row group takes 50 to 100 ms, for which everything else in
 * the process would wait. Closing it drops the segments that are not finished.
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
    this.#worker.on('error', (cause) =>
      this.#fail(new Error(`the thread that encodes segments failed: ${errorMessage(cause)}`, { cause })),
    )
    this.#worker.on('exit', () => this.#fail(new Error('the thread that encodes segments has ended')))
  }

  /** Begins a segment. */
  readonly newEncoder = (topic: Topic, partition: number): SegmentEncoder => {
    const segment = { segment: this.#segments++, topic, partition }
    let bytes = 0
    let last: Promise<SegmentAnswer> | undefined
    return {
      get bytes() {
        return bytes
      },
      // Resolves once the records before are taken: the next ones are made meanwhile, and no more of them wait in the thread.
      add: async (records) => {
        const before = last
        last = this.#ask({ ...segment, add: records })
        // A failure is told by what comes next.
        last.catch(() => undefined)
        if (before) bytes = (await before).bytes
        if (this.#failure) throw this.#failure
      },
      seal: async (unfiled) => {
        const { sealed } = await this.#ask({ ...segment, seal: unfiled })
        if (!sealed) throw new Error('the thread that encodes segments sent no file')
        return sealed
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
    // Cast: the memory is nobody else's, and not shared.
    const transferred = request.add ? [request.add.bytes.buffer as ArrayBuffer] : []
    this.#worker.postMessage({ ...request, number }, transferred)
    return answer.promise
  }

  #fail(error: Error): void {
    this.#failure ??= error
    for (const { reject } of this.#waiting.values()) reject(this.#failure)
    this.#waiting.clear()
  }
}
