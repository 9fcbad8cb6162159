import type { Judge } from './judge.ts'
import { sameNumber, statedByPlace, valueAsOf } from './prints.ts'

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

/** What the table of vintages answers for a day is what the naive model of dated statements says. Only once all is quiet. */
export const judgeAsOf: Judge = (evidence, isQuiet) => {
  if (!isQuiet) return []
  const rows = (evidence.tables.vintages ?? []).map(({ row }) => row)
  const gone = new Set(rows.flatMap(({ redates, voids }) => [redates, voids]))
  const current = rows
    .filter(({ release_id, voids, derivation }) => !gone.has(release_id) && voids === null && derivation === '')
    .toSorted((a, b) => {
      const [on, other] = [String(a.released_on), String(b.released_on)]
      return on === other ? Number(a._offset) - Number(b._offset) : on < other ? -1 : 1
    })
  const byPlace = Map.groupBy(current, ({ series, period }) => `${series} ${period}`)
  const complaints: string[] = []
  for (const [place, stated] of statedByPlace(evidence)) {
    const days = new Set(stated.flatMap(({ on }) => [dayAfter(on, -1), on, dayAfter(on, 1)]))
    for (const day of days) {
      const row = byPlace.get(place)?.findLast(({ released_on }) => String(released_on) <= day)
      // Cast: the column of figures is a map.
      const answer = (row?.figures as Record<string, string> | undefined)?.value
      const truth = valueAsOf(stated, day) ?? undefined
      if (answer === undefined || truth === undefined ? answer !== truth : !sameNumber(answer, truth))
        complaints.push(`as of ${day}, ${place} is answered with ${answer}; publishers had stated ${truth}`)
    }
  }
  return complaints
}
