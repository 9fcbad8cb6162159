/**
 * Answers of the journal in memory, drawn by chance. Which call may get which answer follows from the outcomes that
 * `journal/journal.ts` documents:
 *
 * - Nothing is written twice: Kafka's sequence numbers and the row of a claim exclude it, and the port promises it. `done_twice`
 *   is for calls that may be repeated without harm.
 * - After `outcome_unknown` a transaction may still be written (`written_after_the_answer`), but not once the name has been
 *   claimed again. An append has no claim that could stop it, so its outcome is settled when the caller hears of it.
 */
export type Answer =
  | 'ok'
  /** `unavailable` for this call only. Nothing was done. */
  | 'refused'
  /** `full`. Nothing was written. */
  | 'full'
  /** `outcome_unknown`, and everything was written. */
  | 'unknown_but_written'
  /** `outcome_unknown`, and nothing was written. A transaction may leave holes, as an aborted one does in Kafka. */
  | 'unknown_and_not_written'
  /** `outcome_unknown`. The transaction is written some time later, unless its claim has been fenced by then. */
  | 'written_after_the_answer'
  /** The call is carried out, and its answer takes up to `longestMs`. */
  | 'late'
  /** The call is carried out twice, as if an answer had been lost and the request repeated. */
  | 'done_twice'
  /** Another client takes the claim's name and releases it again, before the call arrives. */
  | 'claim_lost'
  /** This client cannot reach the journal for up to `longestMs`. Calls whose answer is under way lose it. */
  | 'unavailable_for_a_while'

export type Call = 'ensureTopics' | 'append' | 'transact' | 'read' | 'claim' | 'beat' | 'release' | 'retain'

const always = ['refused', 'late', 'unavailable_for_a_while'] as const
const unknown = ['unknown_but_written', 'unknown_and_not_written'] as const

/** Answers that a call may get beside `ok`. `read` stands for every call that changes nothing. */
export const possibleAnswers: Readonly<Record<Call, readonly Exclude<Answer, 'ok'>[]>> = {
  ensureTopics: [...always, 'done_twice'],
  append: [...always, ...unknown, 'full'],
  transact: [...always, ...unknown, 'full', 'written_after_the_answer', 'claim_lost'],
  read: always,
  claim: [...always, 'done_twice'],
  beat: [...always, 'claim_lost'],
  release: [...always, 'done_twice'],
  retain: [...always, 'done_twice'],
}

/** Probability of each answer for a call that may get it. Those that are left out do not occur. */
export type Rates = Partial<Readonly<Record<Exclude<Answer, 'ok'>, number>>>

/** Draws answers, and counts how often each has been given. */
export class Answers {
  /** May be replaced at any time: `{}` lets every call succeed from then on. */
  rates: Rates
  readonly fired: Record<Answer, number> = {
    ok: 0,
    refused: 0,
    full: 0,
    unknown_but_written: 0,
    unknown_and_not_written: 0,
    written_after_the_answer: 0,
    late: 0,
    done_twice: 0,
    claim_lost: 0,
    unavailable_for_a_while: 0,
  }
  readonly #random: () => number

  constructor(random: () => number, rates: Rates = {}) {
    this.#random = random
    this.rates = rates
  }

  draw(call: Call): Answer {
    const answer = this.#drawn(call)
    this.fired[answer]++
    return answer
  }

  #drawn(call: Call): Answer {
    let left = this.#random()
    for (const answer of possibleAnswers[call]) {
      left -= this.rates[answer] ?? 0
      if (left < 0) return answer
    }
    return 'ok'
  }
}
