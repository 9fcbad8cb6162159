import type { Document, Figure, FigureOrigin, Price } from '../../../ingest/source.ts'
import { faultOf, figureNames, type Kind, type Members, memberNames } from '../../../ingest/sources/file/members.ts'

/** Members in the head of every file: the publication, and where its figures were taken from. */
export type Origin = Pick<Document, 'publisher' | 'licence' | 'url'> & Partial<FigureOrigin>

/**
 * Writes figures of any series as a CSV file in Almanac's own format. Members that all figures share go into the head,
 * the others into columns; rows keep the given order. `parseFile` reads back the same figures.
 * A figure has the file's origin unless it has its own. Throws `RangeError` if there is no figure, and for figures that
 * the format can't express: a derived series, members of one period with different multipliers or decimals, the day of
 * another copy, text over several lines.
 */
export const writeFigures = (origin: Origin, figures: readonly Figure[]): string =>
  write(
    'figures 1',
    figures.map((figure) => ({ ...membersOf({ ...origin, ...figure.origin }), ...membersOfFigure(figure, origin) })),
  )

/** Writes prices of one source as a CSV file in Almanac's own format. Throws `RangeError` as `writeFigures` does. */
export const writePrices = (origin: Origin & Pick<Document, 'source'>, prices: readonly Price[]): string =>
  write(
    'prices 1',
    prices.map(({ symbol, printed, multiplier = '', observedAt, released }) => ({
      ...membersOf(origin),
      source: origin.source,
      symbol,
      multiplier,
      last_updated: released?.basis === 'dataset' ? released.on : '',
      observed_at: observedAt,
      price: printed.trim(),
    })),
  )

const membersOf = ({ publisher, licence, url, retrievedAt, sha256, copy }: Origin): Members => ({
  publisher,
  licence,
  url,
  retrieved_at: retrievedAt ?? '',
  sha256: sha256 ?? '',
  copy_holder: copy?.holder ?? '',
  copy_url: copy?.url ?? '',
  copy_revision: copy?.revision ?? '',
  copy_date: copy?.held_on ?? '',
  copy_transcribed: copy?.is_transcribed ? 'yes' : '',
})

function membersOfFigure({ series, period, figures, released, origin }: Figure, file: Origin): Members {
  const { copy } = origin ?? file
  if (released?.basis === 'copy' && released.on !== copy?.held_on)
    throw new RangeError(
      `${series.id} ${period}: released on ${released.on} by a copy of ${copy?.held_on ?? 'no day'}.`,
    )
  if (series.derivation !== '') throw new RangeError(`${series.id} is derived; only published figures are written.`)
  const [reading, ...others] = new Set(
    Object.values(figures).map(({ multiplier = '', decimals = '' }) => `${multiplier} ${decimals}`),
  )
  if (others.length > 0)
    throw new RangeError(`${series.id} ${period}: its members have different multipliers or decimals.`)
  const [multiplier = '', decimals = ''] = reading?.split(' ') ?? []
  return {
    source: series.source,
    dataset: series.dataset,
    indicator: series.indicator,
    country: series.country,
    unit: series.unit,
    seasonal_adjustment: series.seasonal_adjustment,
    annualization: series.annualization === 'annualized' ? 'annualized' : '',
    base_period: series.base_period,
    base_value: series.base_value,
    multiplier,
    decimals,
    last_updated: released?.basis === 'dataset' ? released.on : '',
    released_on: released?.basis === 'publisher' ? released.on : '',
    period,
    ...Object.fromEntries(figureNames.map((name) => [name, figures[name]?.printed.trim() ?? ''])),
  }
}

/** Members that stand in a column even if they are the same in all rows. */
const columnsOfKind: Readonly<Record<Kind, readonly string[]>> = {
  'figures 1': ['period', ...figureNames],
  'prices 1': ['observed_at', 'price'],
}

/** Writes head, header and rows. An empty member counts as absent. */
function write(kind: Kind, rows: readonly Members[]): string {
  const [first] = rows
  if (!first) throw new RangeError('There is nothing to write.')
  for (const row of rows) {
    const fault = faultOf(kind, 'whole', Object.fromEntries(Object.entries(row).filter(([, value]) => value !== '')))
    if (fault) throw new RangeError(fault.detail)
  }
  const present = memberNames(kind).filter((name) => rows.some((row) => row[name]))
  const isColumn = (name: string) => columnsOfKind[kind].includes(name) || rows.some((row) => row[name] !== first[name])
  const columns = present.filter(isColumn)
  return [
    `# almanac: ${kind}`,
    `# rows: ${rows.length}`,
    ...present.filter((name) => !isColumn(name)).map((name) => `# ${name}: ${first[name]}`),
    columns.join(','),
    ...rows.map((row) => columns.map((name) => quoted(row[name] ?? '')).join(',')),
    '',
  ].join('\n')
}

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
