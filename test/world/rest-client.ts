import { isPassing } from '../../journal/journal.ts'
import type { SimulatedTime } from '../support/simulated-time.ts'
import type { Evidence, RestAnswer, RestQuestion } from './evidence.ts'
import type { WorldNode } from './node.ts'
import type { Told } from './rest-api.ts'

type RestClientOptions = {
  readonly random: () => number
  readonly time: Pick<SimulatedTime, 'monotonic' | 'timer'>
  readonly anyNode: () => WorldNode | undefined
  /** Called for each answer. */
  readonly onAnswer: (answer: RestAnswer) => void
  /** Called for an answer that no client of the world may get. */
  readonly onFailure: (text: string) => void
}

const COUNTRIES = ['USA', 'DEU', 'JPN']
const PERIODS = { cpi: ['2024-12', '2025-01', '2025-02'], inflation: ['2025-01', '2025-02'] } as const
/** Days of statements, and one before and one after them. */
const FIRST_DAY = Date.UTC(2025, 3, 30)
const DAYS = 242
const DAY_MS = 86_400_000
const SMALL_PAGE = 7

/** Clients of REST: they ask any node, and read a history page by page, each page from any node. */
export class RestClient {
  readonly #options: RestClientOptions
  /** Histories of the journal: a restore begins another one. */
  #restores = 0
  #answers: RestAnswer[] = []
  #finalAnswers: { readonly question: RestQuestion; answer: RestAnswer | undefined }[] = []

  constructor(options: RestClientOptions) {
    this.#options = options
  }

  /** Answers that came since the journal is this one, but those about everything. */
  get answers(): readonly RestAnswer[] {
    return this.#answers
  }

  get finalAnswers(): Evidence['finalAnswers'] {
    return this.#finalAnswers
  }

  /** Asks from now on, about every so many ms, until it asks about everything. */
  askOn(everyMs: () => number): void {
    const { random, time } = this.#options
    time.timer(1 + 2 * random() * everyMs(), () => {
      if (this.#finalAnswers.length > 0) return
      this.#ask(this.#drawQuestion(), (answer) => this.#answers.push(answer))
      this.askOn(everyMs)
    })
  }

  /** Asks about each country and indicator, so that in the end nothing is unseen. */
  askAboutAll(): void {
    this.#finalAnswers = this.#questionsAboutAll().map((question) => ({ question, answer: undefined }))
    for (const final of this.#finalAnswers)
      this.#ask(final.question, (answer) => {
        final.answer = answer
      })
  }

  /** What was asked before is of another history of the journal. */
  restored(): void {
    this.#restores++
    this.#answers = []
    this.#finalAnswers = []
  }

  /** A question of any kind. */
  #drawQuestion(): RestQuestion {
    const indicator = this.#one(['cpi', 'inflation'] as const)
    const base = { country: this.#one(COUNTRIES), indicator }
    const day = this.#day()
    const period = this.#one(PERIODS[indicator])
    return this.#one<RestQuestion>([
      { operation: 'newest', ...base },
      { operation: 'newest', ...base, period },
      { operation: 'newest', ...base, period, day },
      { operation: 'observations', ...base },
      { operation: 'observations', ...base, asOf: day },
      { operation: 'vintages', ...base },
      { operation: 'vintages', ...base, period },
      { operation: 'vintages', ...base, day },
    ])
  }

  #questionsAboutAll(): RestQuestion[] {
    return COUNTRIES.flatMap((country) =>
      (['cpi', 'inflation'] as const).flatMap((indicator): RestQuestion[] => [
        { operation: 'newest', country, indicator },
        { operation: 'newest', country, indicator, day: this.#day() },
        { operation: 'observations', country, indicator },
        { operation: 'vintages', country, indicator },
      ]),
    )
  }

  /** Asks, and reads to the end. An answer that is lost with its node is none. */
  #ask(question: RestQuestion, take: (answer: RestAnswer) => void): void {
    const { onFailure } = this.#options
    this.#read(question, take).catch((error) => {
      if (!isPassing(error)) onFailure(`${JSON.stringify(question)} threw ${(error as Error).stack ?? error}`)
    })
  }

  #one<T>(list: readonly T[]): T {
    // Cast: no list is empty.
    return list[Math.floor(this.#options.random() * list.length)] as T
  }

  #day(): string {
    return new Date(FIRST_DAY + Math.floor(this.#options.random() * DAYS) * DAY_MS).toISOString().slice(0, 10)
  }

  async #read(question: RestQuestion, take: (answer: RestAnswer) => void): Promise<void> {
    const { random, time, anyNode, onAnswer, onFailure } = this.#options
    const limit = random() < 0.7 ? 100 : SMALL_PAGE
    const restores = this.#restores
    const askedAt = time.monotonic()
    const entries: Readonly<Record<string, unknown>>[] = []
    let first: Pick<RestAnswer, 'answeredAt' | 'process'> | undefined
    let cursor: string | null = null
    do {
      const node = anyNode()
      const told: Told | undefined = await node?.api?.ask(question, { limit, cursor })
      if (!node || !told || restores !== this.#restores) return
      first ??= { answeredAt: time.monotonic(), process: node.name }
      const { status, code, body }: Told = told
      if (cursor !== null && status !== 200) {
        // The read model of the other node may be behind.
        if (status !== 503)
          onFailure(`${JSON.stringify(question)} is ${status} ${code} on a later page: ${body.detail}`)
        return
      }
      entries.push(...entriesOf(body, status))
      cursor = typeof body.next_cursor === 'string' ? body.next_cursor : null
      if (cursor !== null) continue
      const answer = { question, askedAt, ...first, status, code, entries }
      onAnswer(answer)
      take(answer)
    } while (cursor !== null)
  }
}

/** The entries of a history, or the body itself. */
function entriesOf(body: Readonly<Record<string, unknown>>, status: number): Readonly<Record<string, unknown>>[] {
  const list = body.observations ?? body.vintages
  if (status !== 200) return []
  // Cast: the schemas of the operations.
  return list === undefined ? [body] : (list as Readonly<Record<string, unknown>>[])
}
