/** A print of one period, by one of the series that may answer it. */
export type AnsweringPrint = {
  /** Place of its series among those that may answer, best first, from 1. */
  readonly place: number
  /** Empty if it withdrew the figures. */
  readonly figures: Readonly<Record<string, string>>
  /** Day of its release, YYYY-MM-DD. */
  readonly released_on: string
  /** Journal offset of its record. */
  readonly offset: number
}

/** What the answer for one figure of a period was, from a day on. */
export type AnswerFrom<P> = {
  /** Number of the figure among those that are asked for, from 1. */
  readonly number: number
  /** Null if nothing answered any more. */
  readonly value: string | null
  /** The print that has the value, or the one by which the value before it ended. */
  readonly print: P
  /** The day, YYYY-MM-DD: that of the print, or a later one on which a better series withdrew its figures. */
  readonly validFrom: string
  /** Journal offset of the record by which this became the answer. No two entries of a figure have the same. */
  readonly offset: number
}

/**
 * The answers for one period in the order of time, figure by figure. On each day the best series answers: the first one whose
 * print in force has all needed figures, or else the first with any. What other series said is left out, and so is what
 * was undone by the end of its day. Other prints of the answering series are entries, also several of one day.
 *
 * @param prints of one period, by `released_on` and then by offset, without those that another record voids or redates
 * @param asked with `print` only that print of each figure is answered, counted from 1; none if there was none by `asOf`
 */
export function answersOverTime<P extends AnsweringPrint>(
  prints: readonly P[],
  { figures, needed, print, asOf = '' }: Asked,
): AnswerFrom<P>[] {
  const answers = figures.map((): AnswerFrom<P>[] => [])
  const inForce = new Map<number, P>()
  let before: P | undefined
  for (const [validFrom, ofDay] of Map.groupBy(prints, ({ released_on }) => released_on)) {
    for (const print of ofDay) inForce.set(print.place, print)
    const answer = best(inForce.values(), needed)
    if (answer !== undefined && answer === before) continue
    const { place } = answer ?? before ?? best(ofDay, needed) ?? {}
    const steps = ofDay.filter((print) => print.place === place).map((print) => ({ print, cause: print }))
    if (answer && steps.length === 0) {
      // An older print of another series takes the place of one that was withdrawn.
      const cause = ofDay.findLast((print) => print.place === before?.place) ?? answer
      steps.push({ print: answer, cause })
    }
    for (const { print, cause } of steps) {
      for (const [i, figure] of figures.entries()) {
        const value = print.figures[figure] ?? null
        if (value === null && (answers[i]?.at(-1)?.value ?? null) === null) continue
        const source = value === null ? cause : print
        answers[i]?.push({ number: i + 1, value, print: source, validFrom, offset: cause.offset })
      }
    }
    before = answer
  }
  return print === undefined ? answers.flat() : answers.flatMap((own) => nthPrint(own, print, asOf))
}

type Asked = {
  readonly figures: readonly string[]
  readonly needed: readonly string[]
  readonly print?: number
  readonly asOf?: string
}

/** A withdrawal is no print, so the print that comes after one has the next number. */
function nthPrint<P>(answers: readonly AnswerFrom<P>[], print: number, asOf: string): AnswerFrom<P>[] {
  const found = answers.filter(({ value }) => value !== null)[print - 1]
  return found && (asOf === '' || found.validFrom <= asOf) ? [found] : []
}

type Rank = Pick<AnsweringPrint, 'place' | 'figures'>

/** The print that answers, of those in force; undefined if all of them withdrew their figures. */
export function best<P extends Rank>(inForce: Iterable<P>, needed: readonly string[]): P | undefined {
  let found: P | undefined
  for (const print of inForce) {
    if (Object.keys(print.figures).length === 0) continue
    if (found === undefined || isBetter(print, found, needed)) found = print
  }
  return found
}

function isBetter(a: Rank, b: Rank, needed: readonly string[]): boolean {
  const [ofA, ofB] = [hasAll(a, needed), hasAll(b, needed)]
  return ofA === ofB ? a.place < b.place : ofA
}

const hasAll = ({ figures }: Rank, needed: readonly string[]): boolean =>
  needed.every((figure) => figures[figure] !== undefined)
