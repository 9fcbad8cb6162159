import { endedPrints, latestOf, NO_END, type Validity } from '../read/validity.ts'
import type { Figure, Item, Missing } from '../source.ts'

/** What a part of a print, or the figure that is made of it, says of it. */
type Stated = Pick<Figure, 'series' | 'period' | 'location'> & {
  readonly released?: Figure['released']
  /** Days on which the print stood, if its message states them. */
  readonly valid?: Validity | undefined
}
type PartsOfAll<Part extends Stated = Stated> = readonly (readonly Part[])[]

/**
 * SDMX messages that limit the validity of data sets: a history (`includeHistory`), or the data as of a day (`asOf`). A message
 * whose data sets have no end is none of them: some publishers write the time of their answer as the beginning.
 */
export const isHistoryMessage = (partsOfAll: PartsOfAll): boolean =>
  partsOfAll.some((parts) => parts.some(({ valid }) => valid !== undefined && valid.to < NO_END))

/** Dates parts by the beginning of their validity: the publisher had the figure on that day, and released it then or before. */
export const datedByValidity = <Part extends Stated>(partsOfAll: PartsOfAll<Part>): PartsOfAll<Part> =>
  partsOfAll.map((parts) =>
    parts.map((part) => {
      const on = firstDay(part)
      return on === '' ? part : { ...part, released: { on, basis: 'copy' } }
    }),
  )

/** An end alone is a day on which the figure stood, too. */
const firstDay = ({ valid }: Stated): string =>
  valid === undefined ? '' : valid.from === '' && valid.to < NO_END ? valid.to : valid.from

/**
 * Statements that a period has no figure any more, by the rule of `endedPrints`. `partsOfAll` are dated, and `items` are what was made
 * of them: what gave no figure does not end one.
 */
export function withdrawalsIn(partsOfAll: PartsOfAll, items: readonly Item[]): Missing[] {
  const figures = new Set(items.flatMap((item) => (item.kind === 'figure' ? keyOf(item) : [])))
  const prints = partsOfAll.flatMap(([part]) => (part ? [{ part, ...validityOf(part) }] : []))
  const lastKnown = latestOf(prints.map(({ to }) => to))
  const byPeriod = Map.groupBy(prints, ({ part: { series, period } }) => `${series.id} ${period}`)
  return [...byPeriod.values()].flatMap((ofPeriod) =>
    endedPrints(ofPeriod, lastKnown).flatMap(([{ part }, on]): Missing[] => {
      const { series, period, location } = part
      return figures.has(keyOf(part))
        ? [{ kind: 'missing', series, period, location, released: { on, basis: 'copy' } }]
        : []
    }),
  )
}

const keyOf = ({ series, period, released }: Stated): string => `${series.id} ${period} ${released?.on}`

const validityOf = (part: Stated): Validity => ({ from: firstDay(part), to: part.valid?.to ?? NO_END })
