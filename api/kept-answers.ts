import type { Answer } from './answer.ts'
import type { ApiDeps, Awaitable } from './deps.ts'

/** Most bytes of all bodies that are kept, as text and as bytes. Nearly all text is ASCII, which takes a byte for each character. */
const MAX_KEPT = 128 * 1024 * 1024

type Deps = {
  readonly newestRelease: ApiDeps['newestRelease']
  readonly history: Pick<ApiDeps['history'], 'watermark'>
}
/** The answer, and until it is made the promise of it. */
type Kept = { answer: Awaitable<Answer>; size: number }

/**
 * Large answers that follow from their question and the releases alone, kept until there is a new release. Who asks the same
 * while an answer is made waits for that one.
 */
export class KeptAnswers {
  readonly #deps: Deps
  /** By kind and question, the one used last at the end. */
  readonly #kept = new Map<string, Kept>()
  #state = -1
  #size = 0

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Makes a handler's `answer` keep its answers. Questions are plain data; `kind` tells those of several handlers apart. */
  keeping<Q>(kind: string, answer: (question: Q) => Awaitable<Answer>): (question: Q) => Awaitable<Answer> {
    return (question) => {
      const state = this.#deps.newestRelease()
      // No release is in memory yet, or the handlers are those of a day.
      if (state < 0) return answer(question)
      if (state !== this.#state) this.#empty(state)
      const key = `${kind} ${JSON.stringify(question)}`
      const own = this.#kept.get(key) ?? this.#make(state, key, async () => answer(question))
      this.#kept.delete(key)
      this.#kept.set(key, own)
      return own.answer
    }
  }

  #make(state: number, key: string, answer: () => Promise<Answer>): Kept {
    const keep = async () => {
      // Read before the answer is made: what the read models lack now, the answer may lack.
      const isCurrent = ((await this.#deps.history.watermark()) ?? -1) >= state
      const made = await answer()
      if (!isCurrent) {
        this.#drop(key, own)
        return made
      }
      const bytes = made.bytes ?? Buffer.from(made.body)
      this.#count(key, own, made.body.length + bytes.length)
      // No promise, so that who asks again is answered in the same turn, and without a deadline.
      own.answer = { ...made, bytes }
      return own.answer
    }
    const promise = keep()
    const own: Kept = { answer: promise, size: 0 }
    promise.catch(() => this.#drop(key, own))
    return own
  }

  #count(key: string, own: Kept, size: number): void {
    if (this.#kept.get(key) !== own) return
    own.size = size
    this.#size += size
    for (const [oldest, kept] of this.#kept) {
      if (this.#size <= MAX_KEPT) break
      this.#drop(oldest, kept)
    }
  }

  #drop(key: string, own: Kept): void {
    if (this.#kept.get(key) !== own) return
    this.#kept.delete(key)
    this.#size -= own.size
  }

  #empty(state: number): void {
    this.#state = state
    this.#kept.clear()
    this.#size = 0
  }
}
