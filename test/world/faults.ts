import type { Answers, Rates } from '../support/memory-journal/answers.ts'
import { insertAnswers, type MemoryReadModel } from '../support/memory-read-model.ts'

/** Faults that the world draws. A run has some of them, so that rare ones also come alone. */
export const faultKinds = [
  /** A node ends as by SIGKILL, at any await. */
  'kill',
  /** A node ends as by SIGTERM, and another one starts on its machine. */
  'restart',
  /** A node stops, for some ms or for longer than a claim lives without a heartbeat. */
  'stop',
  /** The wall clock of a node is set. */
  'clock_step',
  /** A node cannot reach the journal. */
  'partition',
  /** The log of events loses its beginning, whoever reads there. */
  'retention',
  /** A client of the stream reads no further for a while. */
  'slow_client',
  /** A client of the stream loses its connection. */
  'lost_connection',
  /** A node runs the release before this one, and writes records in their former version. */
  'former_release',
  /** Calls of the journal get answers that `memory-journal/answers.ts` lists. */
  'journal_answers',
  /** Inserts get answers that `memory-read-model.ts` lists. */
  'insert_answers',
  /** All nodes end, and the journal goes on from a backup that was taken a while before. */
  'restore',
] as const
export type FaultKind = (typeof faultKinds)[number]

const journalAnswers = [
  'refused',
  'full',
  'unknown_but_written',
  'unknown_and_not_written',
  'written_after_the_answer',
  'late',
  'done_twice',
  'claim_lost',
  'unavailable_for_a_while',
] as const satisfies readonly (keyof Rates)[]

/** Names of everything that must fire at least once in a whole run of the world. */
export const firedNames: readonly string[] = [
  ...faultKinds.filter((kind) => kind !== 'journal_answers' && kind !== 'insert_answers'),
  ...journalAnswers.map((answer) => `journal: ${answer}`),
  ...insertAnswers.map((answer) => `insert: ${answer}`),
]

/** Answers to writes and claims, which are few among the calls of the journal. */
const answersToFewCalls: readonly string[] = [
  'full',
  'unknown_but_written',
  'unknown_and_not_written',
  'written_after_the_answer',
  'done_twice',
  'claim_lost',
]

/** Draws rates of half of the answers, so that each is also seen without the others. */
const drawnRates = <A extends string>(answers: readonly A[], random: () => number, mostOf: (answer: A) => number) =>
  // Cast: `fromEntries` forgets the keys.
  Object.fromEntries(
    answers.filter(() => random() < 0.5).map((answer) => [answer, random() * mostOf(answer)]),
  ) as Partial<Record<A, number>>

export const drawnJournalRates = (random: () => number): Rates =>
  drawnRates(journalAnswers, random, (answer) => (answersToFewCalls.includes(answer) ? 0.15 : 0.02))
export const drawnInsertRates = (random: () => number): MemoryReadModel['rates'] =>
  drawnRates(insertAnswers, random, () => 0.5)

/** How often each fault has fired. */
export class FaultCounts {
  readonly #counts = new Map<string, number>()

  add(name: string, count = 1): void {
    if (count > 0) this.#counts.set(name, (this.#counts.get(name) ?? 0) + count)
  }

  addAnswers({ fired }: Answers, readModel: MemoryReadModel): void {
    for (const answer of journalAnswers) this.add(`journal: ${answer}`, fired[answer])
    for (const [answer, count] of readModel.fired) this.add(`insert: ${answer}`, count)
  }

  addAll(other: FaultCounts): void {
    for (const [name, count] of other.#counts) this.add(name, count)
  }

  get neverFired(): string[] {
    return firedNames.filter((name) => !this.#counts.has(name))
  }

  toString(): string {
    return firedNames.map((name) => `${name} ${this.#counts.get(name) ?? 0}`).join(', ')
  }
}
