import { figuresText, isPublished, type Judge, recordsOfTopic } from './judge.ts'
import { printsOf, printsStated, statedByPlace, valueAsOf } from './prints.ts'

/** Months of inflation, with those it is computed from: the month, the one before, the year before, December before. */
const months: Readonly<Record<string, readonly [string, string, string, string]>> = {
  '2025-01': ['2025-01', '2024-12', '2024-01', '2024-12'],
  '2025-02': ['2025-02', '2025-01', '2024-02', '2024-12'],
}

/** Change in percent with one decimal; halves are rounded away from zero. `now` and `base` have one decimal. */
function percentChange(now: string, base: string): number {
  const [a, b] = [Math.round(Number(now) * 10), Math.round(Number(base) * 10)]
  const thousandths = 1_000 * (a - b)
  const rounded = Math.floor((2 * Math.abs(thousandths) + b) / (2 * b))
  return (Math.sign(thousandths) * rounded) / 10 + 0
}

/**
 * The prints of inflation are those of a full computation from everything that publishers stated: on each day on which an index
 * was stated anew, what follows from the indices as of that day. It is withdrawn with any of them.
 */
export const judgeDerived: Judge = (evidence, isQuiet) => {
  if (!isQuiet) return []
  const complaints: string[] = []
  const derived = printsOf(recordsOfTopic(evidence, 'releases').filter(({ value }) => !isPublished(value)))
  // Cast: the published schema of releases.
  const byCountry = Map.groupBy(
    [...derived.values()].flat(),
    ({ value }) => (value.series as { country: string }).country,
  )
  const stated = statedByPlace(evidence)
  const countries = new Set([...stated.keys()].map((place) => place.slice(0, 3)))
  for (const country of countries) {
    for (const [period, inputs] of Object.entries(months)) {
      const histories = inputs.map((month) => {
        const isOfMonth = ([place]: readonly [string, unknown]) =>
          place.startsWith(country) && place.endsWith(` ${month}`)
        return printsStated([...stated].find(isOfMonth)?.[1] ?? [])
      })
      const days = new Set(histories.flatMap((history) => history.map(({ on }) => on)))
      const expected: string[] = []
      for (const day of [...days].sort()) {
        const [now, before, yearBefore, december] = histories.map((history) => valueAsOf(history, day))
        if (now === undefined || before === undefined || yearBefore === undefined || december === undefined) continue
        if (now === null || before === null || yearBefore === null || december === null) {
          // What never was complete is not withdrawn.
          if (expected.length > 0 && !expected.at(-1)?.endsWith(' ')) expected.push(`${day} `)
          continue
        }
        const figures = { year_over_year: yearBefore, month_over_month: before, year_to_date: december }
        const text = Object.entries(figures).map(([member, base]) => `${member} ${percentChange(now, base)}`)
        const print = text.sort().join(' ')
        if (!expected.at(-1)?.endsWith(print)) expected.push(`${day} ${print}`)
      }
      const found = byCountry
        .get(country)
        ?.filter(({ value }) => value.period === period)
        .map(({ on, value }) => `${on} ${figuresText(value)}`)
      if ((found ?? []).join() !== expected.join())
        complaints.push(`inflation of ${country} in ${period} is ${found}, and follows as ${expected}`)
    }
  }
  return complaints
}
