import type { Evidence, StatedFigure, WrittenRecord } from '../evidence.ts'
import { figuresText, isPublished, type Judge, recordsOfTopic, seriesId } from './judge.ts'

/** A value is null from the day on which it was withdrawn. */
type DatedValue = Pick<StatedFigure, 'on' | 'value'>

export const sameNumber = (a: string, b: string): boolean => Number(a) === Number(b)
const sameValue = (a: string | null, b: string | null): boolean =>
  a === null || b === null ? a === b : sameNumber(a, b)
const valueText = (value: string | null): string => (value === null ? '' : `value ${Number(value)}`)

const placeOfFigure = ({ series, period }: Pick<StatedFigure, 'series' | 'period'>): string => `${series} ${period}`

/** Everything that publishers stated, by series and period, in the order of days. */
export function statedByPlace({ documents }: Evidence): Map<string, DatedValue[]> {
  const stated = documents.flatMap(({ figures, isAcknowledged }) => (isAcknowledged ? figures : []))
  const byPlace = new Map<string, DatedValue[]>()
  for (const [place, all] of Map.groupBy(stated, placeOfFigure))
    byPlace.set(
      place,
      all.toSorted((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : 0)),
    )
  return byPlace
}

/** Statements of a new value, without those that repeat the one before. Nothing is withdrawn before there is a value. */
export const printsStated = (stated: readonly DatedValue[]): DatedValue[] =>
  stated.filter(({ value }, i) => !sameValue(stated[i - 1]?.value ?? null, value))

/** The naive model: on a day, the figure was what the newest statement of that day or before says; null if it was withdrawn. */
export const valueAsOf = (stated: readonly DatedValue[], day: string): string | null | undefined =>
  stated.findLast(({ on }) => on <= day)?.value

type Print = {
  readonly place: string
  readonly offset: number
  readonly on: string
  readonly value: WrittenRecord['value']
}

/** The prints that releases add up to, without those that another one redates or voids, in the order of their days. */
export function printsOf(releases: readonly Pick<WrittenRecord, 'value' | 'offset'>[]): Map<string, Print[]> {
  const gone = new Set(releases.flatMap(({ value }) => [value.redates, value.voids]))
  const prints = releases
    .filter(({ value }) => !gone.has(value.release_id) && value.voids === null)
    .map(({ value, offset }) => {
      const place = placeOfFigure({ series: seriesId(value), period: String(value.period) })
      return { place, offset, on: String(value.released_on), value }
    })
    .toSorted((a, b) => (a.on === b.on ? a.offset - b.offset : a.on < b.on ? -1 : 1))
  return Map.groupBy(prints, ({ place }) => place)
}

/**
 * Lost writes and aborted reads of figures. The prints on record are the statements of all documents, each value with the
 * earliest day that states it, in whatever order the documents were read. Before quiet, a document that was not acknowledged may
 * be on record, so that only what is on record without having been stated is a fault.
 */
export const judgePrints: Judge = (evidence, isQuiet) => {
  const complaints: string[] = []
  const releases = recordsOfTopic(evidence, 'releases')
  const prints = printsOf(releases.filter(({ value }) => isPublished(value)))
  const everStated = new Set(
    evidence.documents.flatMap(({ figures }) =>
      figures.map((figure) => `${placeOfFigure(figure)} ${figure.on} ${valueText(figure.value)}`),
    ),
  )
  for (const [place, all] of prints)
    for (const { on, value } of all)
      if (!everStated.has(`${place} ${on} ${figuresText(value)}`))
        complaints.push(`${place} has the print ${figuresText(value)} of ${on}, which no document states`)
  if (!isQuiet) return complaints
  for (const [place, stated] of statedByPlace(evidence)) {
    const expected = printsStated(stated).map(({ on, value }) => `${on} ${valueText(value)}`)
    const found = prints.get(place)?.map(({ on, value }) => `${on} ${figuresText(value)}`) ?? []
    if (found.join() !== expected.join())
      complaints.push(`${place} has the prints ${found.join(', ')}, and the documents state ${expected.join(', ')}`)
  }
  return complaints
}
