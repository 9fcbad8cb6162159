import type { Answer } from './answer.ts'
import type { ApiDeps, Awaitable } from './deps.ts'
import { ProjectedReleases, type Subject } from './projected-releases.ts'

/** Most bytes of all bodies that are kept, as text and as bytes. Nearly all text is ASCII, which takes a byte for each character. */
const MAX_KEPT = 128 * 1024 * 1024
/** How long an answer is kept, so that a table that was rebuilt is read then; milliseconds. */
const KEPT_MS = 60_000

type Deps = Pick<ApiDeps, 'newestRelease' | 'recentReleases' | 'clock'> & {
  readonly history: Pick<ApiDeps['history'], 'watermark'>
  readonly releaseIndex: Pick<ApiDeps['releaseIndex'], 'changes'>
}
/** The answer, and until it is made the promise of it; of which state, and until when it holds. */
type Kept = { answer: Awaitable<Answer>; readonly state: number; readonly until: number; size: number }

/** The question of a handler: plain data. */
type Asks<Q, A> = (question: Q) => Awaitable<A>

/**
 * Answers that follow from their question and releases alone, kept for a minute or until there is a new release which they
 * follow from. Who asks the same while an answer is made waits for that one.
 */
export class KeptAnswers {
  readonly #deps: Deps
  readonly #projected: ProjectedReleases
  /** By kind and question, the one used last at the end. */
  readonly #kept = new Map<string, Kept>()
  #size = 0

  constructor(deps: Deps) {
    this.#deps = deps
    this.#projected = new ProjectedReleases(deps)
  }

  /**
   * Makes a handler's `answer` keep its answers. `kind` tells the questions of several handlers apart. The releases that an
   * answer follows from are those about the subjects of its question, or without `subjectsOf` all.
   */
  keeping<Q, A extends Answer>(
    kind: string,
    answer: Asks<Q, A>,
    subjectsOf?: (question: Q) => readonly Subject[],
  ): Asks<Q, A> {
    return (question) => {
      const { newestRelease, clock } = this.#deps
      const newest = newestRelease()
      // No release is in memory yet, or the handlers are those of a day.
      if (newest < 0) return answer(question)
      const subjects = subjectsOf?.(question)
      const state = subjects ? this.#changes(subjects) : newest
      const key = `${kind} ${JSON.stringify(question)}`
      const known = this.#kept.get(key)
      const now = clock().getTime()
      const isGood = known?.state === state && known.until > now
      if (known && !isGood) this.#drop(key, known)
      const own = isGood
        ? known
        : this.#make(key, { state, until: now + KEPT_MS }, subjects, async () => answer(question))
      this.#kept.delete(key)
      this.#kept.set(key, own)
      // A cast, because the key says what was answered.
      return own.answer as Awaitable<A>
    }
  }

  /** Number of releases about some subjects: while it stays the same, so do they. */
  #changes(subjects: readonly Subject[]): number {
    const { releaseIndex } = this.#deps
    return subjects.reduce((sum, { country, indicator }) => sum + releaseIndex.changes(country, indicator), 0)
  }

  #make(
    key: string,
    holds: Pick<Kept, 'state' | 'until'>,
    subjects: readonly Subject[] | undefined,
    answer: () => Promise<Answer>,
  ): Kept {
    const keep = async () => {
      // Asked before the answer is made: what the read models lack now, the answer may lack.
      const isCurrent = await this.#projected.include(subjects)
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
    const own: Kept = { ...holds, answer: promise, size: 0 }
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
}
