/** Documents that state figures of some days, and their orders: what derived figures follow from. */
import fc from 'fast-check'
import type { Release, Series } from '../../contracts/records.ts'
import { decideRelease } from '../../domain/decide-release.ts'
import { periodsOfYear } from '../../domain/period.ts'
import { asKnown, type KnownRelease } from '../../domain/prints.ts'
import type { Item } from '../../ingest/source.ts'
import { candidate, flowSeries, testProvenance, testSeries } from './releases.ts'

/** On this day, the publisher's figure was this; null: it had none any more. */
export type Print = {
  readonly series: Series
  readonly period: string
  readonly on: string
  readonly value: string | null
  /** If absent, the date is the publisher's own. */
  readonly basis?: 'copy'
}
export type Document = readonly Print[]

export const cpi = testSeries({ country: 'MNE', base_period: '2020' })
export const print = (series: Series, period: string, on: string, value: string | null): Print => ({
  series,
  period,
  on,
  value,
})

const volume = testSeries({ indicator: 'gdp-volume', frequency: 'Q', seasonal_adjustment: 'seasonally_adjusted' })
const flows = [flowSeries('trade-exports'), flowSeries('trade-imports')]
const places: readonly (readonly [Series, string])[] = [
  ...['2024-01', '2024-02', '2024-12', '2025-01', '2025-02'].map((period) => [cpi, period] as const),
  ...['2023-Q3', '2023-Q4', '2024-Q1', '2024-Q2', '2025-Q1', '2025-Q2'].map((period) => [volume, period] as const),
  ...flows.flatMap((series) => periodsOfYear('M', '2024').map((period) => [series, period] as const)),
]

/**
 * Prints of one figure on some of few days. No figure is there twice, because a repeated figure is not recorded. One
 * that is withdrawn is in one document, because a withdrawal is not recorded before its figure.
 */
const history = fc.record({
  steps: fc.array(fc.record({ days: fc.integer({ min: 1, max: 6 }), by: fc.integer({ min: 1, max: 3 }) }), {
    minLength: 1,
    maxLength: 4,
  }),
  first: fc.integer({ min: 0, max: 6 }),
  /** Which of the prints is a withdrawal; few figures have one. */
  withdrawn: fc.nat({ max: 40 }),
  document: fc.infiniteStream(fc.nat({ max: 5 })),
})
const dayOf = (day: number) => `2026-0${3 + Math.floor(day / 28)}-${String((day % 28) + 1).padStart(2, '0')}`

/** Documents, and the same in another order. */
export const documents = fc
  .record({
    histories: fc.array(history, { minLength: places.length, maxLength: places.length }),
    few: fc.boolean(),
    order: fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 }),
  })
  .map(({ histories, few, order }) => {
    const documents: Print[][] = order.map(() => [])
    histories.forEach(({ steps, first, withdrawn, document }, i) => {
      const [series, period] = places[i] as (typeof places)[number]
      const isWhole = withdrawn > 0 && withdrawn < steps.length
      const own = document.next().value % order.length
      let [day, value] = [first, 100]
      for (const [j, step] of (few && i % 3 > 0 ? steps.slice(0, 1) : steps).entries()) {
        day += step.days
        value += step.by
        const at = isWhole ? own : document.next().value % order.length
        documents[at]?.push(print(series, period, dayOf(day), isWhole && j === withdrawn ? null : String(value)))
      }
    })
    for (const document of documents) document.sort((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : 0))
    return { documents, inOrder: order.map((i) => documents[i] ?? []) }
  })

/** All prints as if each had been read on its day. */
export const dayByDay = (documents: readonly Document[]): Document[] => {
  const byDay = Map.groupBy(documents.flat(), ({ on }) => on)
  return [...byDay.keys()].sort().map((day) => byDay.get(day) ?? [])
}

/** What the acceptor gets of a document. */
export const itemsOf = (document: Document): Item[] =>
  document.map(({ series, period, on, value, basis }, i) => {
    const at = { series, period, released: { on, basis: basis ?? ('publisher' as const) }, location: `row ${i}` }
    return value === null
      ? { kind: 'missing', ...at }
      : { kind: 'figure', figures: { value: { printed: value } }, ...at }
  })

const AT = '2026-06-01T00:00:00.000Z'

/** What the acceptor makes of documents: the figures of one document and day are one publication. */
export function publicationsOf(documents: readonly Document[]): Release[][] {
  const known = new Map<string, KnownRelease>()
  return documents.flatMap((document, number) => {
    const provenance = { ...testProvenance, retrieved_at: AT, sha256: String(number).padStart(64, '0') }
    const publications = [...Map.groupBy(document, ({ on }) => on).values()].map((day) =>
      day.flatMap(({ series, period, on, value }) => {
        const place = `${series.id} ${period}`
        const released = { on, basis: 'publisher' } as const
        const stated = candidate(series, period, { value: value ?? '' }, { released, provenance })
        const decision = decideRelease(known.get(place), value === null ? { ...stated, printed: null } : stated, AT)
        if (!('release' in decision)) return []
        known.set(place, asKnown(decision.release, known.get(place)))
        return decision.release
      }),
    )
    return publications.filter(({ length }) => length > 0)
  })
}
