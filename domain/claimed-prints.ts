import { type AnswerFrom, type AnsweringPrint, answersOverTime } from './answers-over-time.ts'
import { isClaimed, type StatedClaim } from './claim.ts'

/** A print that states the claimed figure. */
export type MeetingPrint<P> = {
  readonly print: P
  /** Number of the figure among those of the indicator, from 1. */
  readonly number: number
  readonly value: string
  /** The next print of its series, which took its place; undefined if there is none. */
  readonly next: P | undefined
  /** Whether it answers a request for the period now. */
  readonly isServed: boolean
}

type Rule = { readonly figures: readonly string[]; readonly needed: readonly string[] }

/**
 * The prints of a period that state a claimed figure, and what the period has now. `prints` are in the order of their dates;
 * `unitOf` gives the unit of a series by its place.
 */
export function claimedPrints<P extends AnsweringPrint>(
  claim: StatedClaim,
  prints: readonly P[],
  rule: Rule,
  unitOf: (place: number) => string,
): { readonly claimed: MeetingPrint<P>[]; readonly served: (AnswerFrom<P> & { readonly value: string })[] } {
  const served = answersOverTime(prints, rule).flatMap(({ value, ...answer }, i, all) =>
    value === null || all[i + 1]?.number === answer.number ? [] : { ...answer, value },
  )
  const claimed = prints.flatMap((print, i) => {
    const next = prints.slice(i + 1).find(({ place }) => place === print.place)
    return rule.figures.flatMap((figure, f) => {
      const value = print.figures[figure]
      if (value === undefined || !isClaimed(claim, value, unitOf(print.place))) return []
      const isServed = served.some((answer) => answer.number === f + 1 && answer.print === print)
      return { print, number: f + 1, value, next, isServed }
    })
  })
  return { claimed, served }
}
