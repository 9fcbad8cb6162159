import { countryByAlpha3 } from '../../../contracts/countries.ts'
import { isDate } from '../../../domain/day.ts'
import { frequencyOf } from '../../../domain/period.ts'
import { seriesOf } from '../../../domain/series.ts'
import { readInstant } from '../../read/instant.ts'
import { figureOrReject, inOrderOfRelease, rejectOf } from '../../read/items.ts'
import { oldestFirst, priceOrReject } from '../../read/price.ts'
import { textOf } from '../../read/text.ts'
import type { Document, Figure, FigureOrigin, Item, Price, Reject } from '../../source.ts'
import {
  type FigureMembers,
  type FileRow,
  figureNames,
  type Members,
  originNames,
  type PriceMembers,
} from './members.ts'
import { readFile } from './read.ts'

/**
 * Parses a file in Almanac's own format (docs/series-file.md) into figures or prices, in an order in which they may be
 * accepted. Throws what `textOf` and `readFile` throw.
 */
export function parseFile(document: Document): readonly Item[] {
  const { kind, rows } = readFile(textOf(document))
  if (kind === 'prices 1') return oldestFirst(rows.map((row) => (row.kind === 'row' ? priceOf(row) : row)))
  const originOf = origins()
  const items = rows.map((row) => (row.kind === 'row' ? figureOf(row, originOf) : row))
  // A figure without a date counts as released on the day of acceptance, so it comes after all figures with a date.
  const undated = (item: Item): boolean => 'series' in item && item.released === undefined
  return [...inOrderOfRelease(items.filter((item) => !undated(item))), ...inOrderOfRelease(items.filter(undated))]
}

function figureOf(row: FileRow, originOf: OriginOf): Figure | Reject {
  // Cast, also in `priceOf`: `readFile` has checked the row against the schema of its kind.
  const members = row.members as FigureMembers
  const { country, period, unit, base_period = '', base_value = '' } = members
  const reject = (reason: string, detail: string, member: string) =>
    rejectOf(reason, detail, `line ${row.line}, ${member}`, row.text)
  if (!countryByAlpha3.has(country))
    return reject(
      'unknown_country',
      `country is ${JSON.stringify(country)}, which ISO 3166-1 does not have.`,
      'country',
    )
  if (!isBaseOf(members.indicator, unit, base_period, base_value))
    return reject(
      'bad_member',
      'base_period and base_value belong to the unit index, base_period alone to a gdp-volume, and to no other.',
      'base_period',
    )
  const reading = {
    ...(members.multiplier === undefined ? {} : { multiplier: members.multiplier }),
    ...(members.decimals === undefined ? {} : { decimals: Number(members.decimals) }),
  }
  const figures = Object.fromEntries(
    figureNames.flatMap((name) =>
      row.members[name] === undefined ? [] : [[name, { printed: row.members[name], ...reading }]],
    ),
  )
  if (Object.keys(figures).length === 0) return reject('missing_member', 'The row has no figure.', 'value')
  const origin = originOf(row.members)
  if (!origin) {
    const detail = `retrieved_at is ${JSON.stringify(members.retrieved_at)}, no instant with its offset from UTC.`
    return reject('bad_date', detail, 'retrieved_at')
  }
  const released = releasedOf(members)
  const series = seriesOf({
    indicator: members.indicator,
    country,
    frequency: frequencyOf(period) ?? 'A',
    source: members.source,
    dataset: members.dataset,
    unit,
    seasonal_adjustment: members.seasonal_adjustment,
    annualization: members.annualization ?? 'not_annualized',
    base_period,
    base_value,
    derivation: '',
  })
  const dated = released ? { released } : {}
  return figureOrReject({ series, period, figures, ...dated, location: `line ${row.line}`, origin }, row.text)
}

/** An index has a base and its value. An amount at constant prices may say of which year the prices are. */
const isBaseOf = (indicator: string, unit: string, period: string, value: string): boolean =>
  unit === 'index' ? period !== '' && value !== '' : value === '' && (period === '' || indicator === 'gdp-volume')

/** The date of release, by the strongest evidence that a row has. */
function releasedOf({ released_on, last_updated, copy_date }: Partial<FigureMembers>): Figure['released'] {
  if (released_on) return { on: released_on, basis: 'publisher' }
  if (last_updated) return { on: last_updated, basis: 'dataset' }
  return copy_date ? { on: copy_date, basis: 'copy' } : undefined
}

/** Returns undefined if the instant of fetching is none. */
type OriginOf = (members: Members) => FigureOrigin | undefined

/** Neighbouring rows with the same origin share one object, because most files have one origin in all. */
function origins(): OriginOf {
  let last: { readonly members: Members; readonly origin: FigureOrigin | undefined } | undefined
  return (members) => {
    const before = last
    if (before && originNames.every((name) => before.members[name] === members[name])) return before.origin
    last = { members, origin: readOrigin(members) }
    return last.origin
  }
}

function readOrigin(members: Members): FigureOrigin | undefined {
  const { retrieved_at, sha256, copy_holder, copy_url, copy_revision, copy_date, copy_transcribed } = members
  const retrievedAt = retrieved_at === undefined ? null : readInstant(retrieved_at)
  if (retrievedAt === undefined) return undefined
  const copy: FigureOrigin['copy'] =
    copy_holder === undefined
      ? null
      : {
          holder: copy_holder,
          url: copy_url ?? null,
          revision: copy_revision ?? null,
          held_on: copy_date ?? null,
          is_transcribed: copy_transcribed === 'yes',
        }
  return { retrievedAt, sha256: sha256 ?? null, copy }
}

function priceOf(row: FileRow): Price | Reject {
  const members = row.members as PriceMembers
  const { symbol, price, observed_at, multiplier } = members
  const location = `line ${row.line}`
  const observedAt = readDateOrInstant(observed_at)
  if (observedAt === undefined) {
    const detail = `observed_at is ${JSON.stringify(observed_at)}, neither a date nor an instant with its offset.`
    return rejectOf('bad_date', detail, `${location}, observed_at`, row.text)
  }
  const released = releasedOf(members)
  const dated = released ? { released } : {}
  const reading = multiplier ? { multiplier } : {}
  return priceOrReject({ symbol, printed: price, ...reading, observedAt, ...dated, location }, row.text)
}

/** Returns an instant as UTC, and a date as its last millisecond in UTC, because a day's price is known at its end. */
const readDateOrInstant = (text: string): string | undefined =>
  isDate(text) ? `${text}T23:59:59.999Z` : readInstant(text)
