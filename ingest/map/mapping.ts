import type { Indicator } from '../../contracts/indicators.ts'
import type { Frequency, Series } from '../../contracts/records.ts'
import { seriesOf } from '../../domain/series.ts'
import { type ObservedSeries, stated } from '../read/formats/observation.ts'
import type { Fault } from '../read/items.ts'
import type { Figure } from '../source.ts'

/**
 * The mapping says which series of a publisher is which figure of a country. It is data: `rows/<publisher>.csv` has one
 * row a series, or one for the same series of many countries, and `publishers/<publisher>.ts` describes the datasets that the
 * rows name. A further country is a row, and its code if the publisher's file does not have it. CONTRIBUTING.md lists what a
 * further publisher needs.
 *
 * Which series is served if several state the same figure is no part of a row: `contracts/serving.ts` has the order of
 * publishers.
 *
 * Columns of a file of rows:
 *
 * | column | holds |
 * |---|---|
 * | `dataset` | a dataset of the publisher |
 * | `title` | what `almanac ingest --help` says of a dataset that is one series; the column may be absent |
 * | `country` | `*` for every country of the dataset, or ISO 3166-1 alpha-3 codes. A row that names a country goes before `*` |
 * | `indicator`, `figure` | indicator code and member of its body; `-` in both for a series that is known and not read |
 * | `key` | `DIMENSION=CODE` for every dimension of the dataset, the area excepted, separated by `; `. Empty where a dataset is one series |
 * | `states` | in the same form, what the message must state of the series besides, such as its unit or title; may be left out. ` | ` separates texts of which one is expected, `*` stands for any characters, and `DIMENSION?=` may also be unstated |
 * | `frequency` | `A`, `Q` or `M` |
 * | `adjustment` | `SA` or `NSA` |
 * | `annualized` | `yes` for a quarter shown at its rate for a year, or empty |
 * | `unit` | `percent`, `index` or an ISO 4217 currency |
 * | `multiplier` | power of ten of the printed figures |
 * | `base` | period in which an index is 100, or `@BASE` if the message states it; of a volume the year of its prices, for each further one of a dataset (decision 0124); empty for other figures |
 * | `decimals` | places to which printed figures are rounded, because they have binary noise below; the column may be absent |
 */
export type MappingRow = {
  readonly dataset: string
  readonly title: string
  /** ISO 3166-1 alpha-3, or `*`. */
  readonly countries: ReadonlySet<string> | '*'
  /** Undefined for a series that is known and not read. */
  readonly meaning: Meaning | undefined
  readonly key: Readonly<Record<string, string>>
  readonly states: ReadonlyMap<string, ExpectedText>
  /** Components of `key` and `states`. */
  readonly names: ReadonlySet<string>
}

/** Component in which messages state the power of ten of figures. */
const MULTIPLIER = 'UNIT_MULT'
/** Component in which messages state the period in which an index is 100. */
const BASE = 'BASE'
/** Cell of a row that leaves the base to the message. */
const STATED_BASE = `@${BASE}`

export type Meaning = Pick<Series, 'seasonal_adjustment' | 'annualization'> & {
  readonly indicator: Indicator
  readonly figure: string
  readonly frequency: Frequency
  readonly unit: string
  /** Power of ten. */
  readonly multiplier: string
  readonly base: string
  /** How to turn a printed figure into whole units. */
  readonly reading: Omit<Figure['figures'][string], 'printed'>
}

/** A row that is read. */
export type SeriesRow = MappingRow & { readonly meaning: Meaning }

/** Country of a row that names one only. */
export const onlyCountry = ({ countries }: MappingRow): string => (countries === '*' ? '' : ([...countries][0] ?? ''))

export type MappedDataset = {
  /** For `almanac ingest --help`. */
  readonly title: string
  /** Data structures that prove the dataset where a message names no dataflow, because no other dataset uses them. */
  readonly structures?: readonly string[]
  /**
   * Data structures that other datasets of the publisher use, too. A document of one does not say which dataset it is, so
   * it is read only if the user names the dataset.
   */
  readonly sharedStructures?: readonly string[]
  /**
   * Component whose code names the series, where a publisher numbers its series. It is then the dataset of the figures'
   * series, as the dataset's own name is elsewhere.
   */
  readonly series?: string
  /** Component whose code is the publisher's id of the series, where that is not the dataset of the figures' series. */
  readonly idIn?: string
  /** Dimension that holds the area; absent for a dataset of one country, whose rows name it. */
  readonly area?: string
  /**
   * Components that may have any code, each with the reason why it tells no series from another. An observation with any other
   * component that a row does not name is rejected, because it may be part of a whole, such as one sex or region.
   */
  readonly free?: Readonly<Record<string, string>>
  /**
   * What becomes of series that no row maps. `reject` suits a dataset of which only known series are requested, so that
   * a changed code is noticed. Elsewhere they are skipped, because the dataset is read whole.
   */
  readonly unmapped?: 'reject'
  /** Paths and queries of the requests for the whole dataset; absent for one that is read from files only. */
  readonly requests?: readonly string[]
  /** Recorded document that the reading of this dataset was checked against. */
  readonly checked: string
}

export type MappedPublisher = {
  /** Agency code, as in `Series.source`. */
  readonly name: string
  readonly publisher: string
  readonly licence: string
  /**
   * Agency that a message must name, with its sub-agencies (`OECD` covers `OECD.SDD.TPS`), where it is not `name`: `ESTAT`
   * for `EUROSTAT`.
   */
  readonly agency?: string
  /** Host that serves the documents. The only one that is asked for them. */
  readonly host: string
  /**
   * Country of an area code, as ISO 3166-1 alpha-3; null for an area that is no country; undefined if unknown. Absent where no
   * dataset has an area.
   */
  readonly countryOf?: (area: string) => string | null | undefined
  readonly datasets: Readonly<Record<string, MappedDataset>>
  /**
   * Set if a document may hold several datasets, as a release of the ONS does, whose datasets are single series. Those
   * that are not mapped, or not asked for, are skipped. Elsewhere the rows of another dataset are rejected.
   */
  readonly skipsOtherDatasets?: true
  /** Rows by dataset. */
  readonly rows: ReadonlyMap<string, readonly MappingRow[]>
}

const NO_BASE = { period: '', value: '' }

/** Returns the series of what a row means, for a dataset and a country. `base` is that of an index or volume. */
export const seriesOfMeaning = (
  { indicator, frequency, unit, seasonal_adjustment, annualization }: Meaning,
  { source, dataset, country }: Pick<Series, 'source' | 'dataset' | 'country'>,
  base: { readonly period: string; readonly value: string } = NO_BASE,
): Series =>
  seriesOf({
    indicator,
    country,
    frequency,
    source,
    dataset,
    unit,
    seasonal_adjustment,
    annualization,
    base_period: base.period,
    base_value: base.value,
    derivation: '',
  })

/**
 * Returns the series of an observation. A multiplier or base that the message states must be what the row says, and a
 * base that the row leaves to the message must be stated.
 */
export function seriesOfObservation(
  observed: ObservedSeries,
  meaning: Meaning,
  { source, dataset, country }: Pick<Series, 'source' | 'dataset' | 'country'>,
): Series | Fault {
  const power = stated(observed, MULTIPLIER) ?? ''
  if (power !== '' && power !== meaning.multiplier)
    return {
      reason: 'unknown_unit',
      detail: `${MULTIPLIER} is ${JSON.stringify(power)}; ${meaning.multiplier} is expected.`,
    }
  const found = stated(observed, BASE) ?? ''
  const base = meaning.base === STATED_BASE ? found : meaning.base
  if (meaning.base === STATED_BASE && !/^\d{4}(?:-(?:0[1-9]|1[0-2]|Q[1-4]))?$/.test(base))
    return { reason: 'unknown_base', detail: `${BASE} is ${JSON.stringify(base)}, no period.` }
  if (found !== '' && found !== base)
    return {
      reason: 'unknown_base',
      detail: `The base is stated as ${JSON.stringify(found)}; ${base || 'none'} is expected.`,
    }
  const value = meaning.unit === 'index' ? '100' : ''
  return seriesOfMeaning(meaning, { source, dataset, country }, { period: base, value })
}

/** What a message must state of a series in one component: a cell of the column `states`. */
type ExpectedText = {
  /** The texts that are expected, for people: `Exports`, or `A or B`. */
  readonly expected: string
  /** Tells whether a component may be as the message states it; undefined or '' if the message does not. */
  readonly admits: (found: string | undefined) => boolean
}

/**
 * Reads what is expected: texts separated by ` | `, of which one must be stated, with `*` for any characters. With
 * `isOptional` the message may also state nothing.
 */
export function expectedText(text: string, isOptional: boolean): ExpectedText {
  const patterns = text.split(' | ')
  return {
    expected: patterns.join(' or '),
    admits: (found = '') => (found === '' ? isOptional : patterns.some((pattern) => isLike(found, pattern))),
  }
}

/** Tells whether a text is like a pattern. A search instead of a regular expression: its time is linear in a hostile text. */
function isLike(text: string, pattern: string): boolean {
  const [first = '', ...parts] = pattern.split('*')
  const last = parts.pop()
  if (last === undefined) return text === pattern
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const part of parts) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}
