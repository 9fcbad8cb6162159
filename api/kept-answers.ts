import type { Answer } from './answer.ts'
import type { ApiDeps, Awaitable } from './deps.ts'
import type { ReadModelReach, Subject } from './read-model-reach.ts'
import { RecentlyUsed } from './recently-used.ts'

/** Most bytes of all that is kept. Bodies are kept as text and as bytes; nearly all text is ASCII, a byte for each character. */
const MAX_KEPT = 128 * 1024 * 1024
/** What an answer takes beside its body and its question. */
const ENTRY_BYTES = 2_500

type Deps = Pick<ApiDeps, 'newestRelease'> & {
  readonly releaseIndex: Pick<ApiDeps['releaseIndex'], 'changes'>
  readonly reach: Pick<ReadModelReach, 'includes'>
  readonly monotonic: () => number
}
type Kept = {
  /** The offset of the newest release, or the number of releases about the subjects: while it stays the same, so does the answer. */
  readonly state: number
  /** Until it is made, the promise of it. */
  answer: Awaitable<Answer>
}

/** Work of a handler. Questions are plain data. */
type Keeping<Q, A> = {
  kept(question: Q): A | undefined
  answer(question: Q): Awaitable<A>
}

/**
 * Answers that follow from their question and releases alone, kept for half a minute or until there is a new release that they
 * follow from. Who asks the same while an answer is made waits for that one.
 */
export class KeptAnswers {
  readonly #deps: Deps
  /** By kind and question. */
  readonly #kept: RecentlyUsed<Kept>

  constructor(deps: Deps) {
    this.#deps = deps
    this.#kept = new RecentlyUsed(MAX_KEPT, deps.monotonic)
  }

  /**
   * Makes a handler's `answer` keep its answers. `kind` tells the questions of several handlers apart. An answer follows from the
   * releases about the subjects of its question, or without `subjectsOf` from all.
   */
  keeping<Q, A extends Answer>(
    kind: string,
    answer: (question: Q) => Awaitable<A>,
    subjectsOf?: (question: Q) => readonly Subject[],
  ): Keeping<Q, A> {
    const find = (question: Q) => {
      const newest = this.#deps.newestRelease()
      // No release is in memory yet, or the handlers are those of a day.
      if (newest < 0) return undefined
      const subjects = subjectsOf?.(question)
      const state = subjects ? this.#changes(subjects) : newest
      const key = `${kind} ${JSON.stringify(question)}`
      const known = this.#kept.get(key)
      return { key, state, subjects, own: known?.state === state ? known : undefined }
    }
    // Casts, because the key says what was answered.
    return {
      kept: (question) => {
        const known = find(question)?.own?.answer
        return known instanceof Promise ? undefined : (known as A | undefined)
      },
      answer: (question) => {
        const found = find(question)
        if (!found) return answer(question)
        const { key, state, subjects, own = this.#make(key, state, subjects, async () => answer(question)) } = found
        return own.answer as Awaitable<A>
      },
    }
  }

  /** Number of releases about some subjects. */
  #changes(subjects: readonly Subject[]): number {
    const { releaseIndex } = this.#deps
    return subjects.reduce((sum, { country, indicator }) => sum + releaseIndex.changes(country, indicator), 0)
  }

  #make(key: string, state: number, subjects: readonly Subject[] | undefined, answer: () => Promise<Answer>): Kept {
    const least = ENTRY_BYTES + key.length
    const keep = async () => {
      // Asked before the answer is made: what the read model lacks now, the answer may lack.
      const isCurrent = await this.#deps.reach.includes(subjects)
      const made = await answer()
      if (!isCurrent) {
        this.#kept.drop(key, own)
        return made
      }
      const bytes = made.bytes ?? Buffer.from(made.body)
      this.#kept.resize(key, own, least + made.body.length + bytes.length)
      // No promise, so that who asks again is answered in the same turn, and without a deadline.
      own.answer = { ...made, bytes }
      return own.answer
    }
    const promise = keep()
    const own: Kept = { state, answer: promise }
    this.#kept.set(key, own, least)
    promise.catch(() => this.#kept.drop(key, own))
    return own
  }
}
