import { addDays } from './day.ts'
import type { DatedValue } from './real-time.ts'

/** What was answered for the figure with a number. */
type DatedAnswer = DatedValue & { readonly number: number }

/** An answer within the values of one kind. */
export type AnswerOfKind<A> = {
  readonly answer: A
  readonly kind: string
  /** Null if from that day on no value of this kind answers. */
  readonly value: string | null
  readonly validFrom: string
  /** The last day; undefined if it still stands. */
  readonly validTo: string | undefined
}

/**
 * The answers over time for each kind of value apart. Where a value of another kind takes the place of one, as with a new base,
 * that one ends: so the newest entry of a kind says on each day whether the kind answers, without a look at the others. Of
 * several answers of a day the last one counts.
 *
 * @param answers by period, figure and time
 */
export function answersByKind<A extends DatedAnswer>(
  answers: readonly A[],
  kindOf: (answer: A) => string,
): AnswerOfKind<A>[] {
  const ofFigures = Map.groupBy(answers, ({ period, number }) => `${period} ${number}`)
  return [...ofFigures.values()].flatMap((ofFigure) => kindsOfFigure(ofFigure, kindOf))
}

function kindsOfFigure<A extends DatedAnswer>(answers: readonly A[], kindOf: (answer: A) => string) {
  const byKind = new Map<string, AnswerOfKind<A>[]>()
  let current: string | undefined
  for (const [i, answer] of answers.entries()) {
    const { valid_from: validFrom, value } = answer
    if (answers[i + 1]?.valid_from === validFrom) continue
    const kind = value === null ? undefined : kindOf(answer)
    if (current !== undefined && current !== kind) add({ answer, kind: current, value: null })
    if (kind !== undefined) add({ answer, kind, value })
    current = kind
  }
  return [...byKind.values()].flat()

  function add(entry: Pick<AnswerOfKind<A>, 'answer' | 'kind' | 'value'>): void {
    const validFrom = entry.answer.valid_from
    const ofKind = byKind.get(entry.kind) ?? []
    byKind.set(entry.kind, ofKind)
    const before = ofKind.pop()
    if (before) ofKind.push({ ...before, validTo: addDays(validFrom, -1) })
    ofKind.push({ ...entry, validFrom, validTo: undefined })
  }
}
