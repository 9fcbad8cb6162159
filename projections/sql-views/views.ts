/**
 * Views for SQL clients: each a clean form of one read model's table, without internal columns and without rows that
 * are there twice. `docs/sql.md` lists the same names, types and descriptions. Pure.
 */
import { revisesMeaning } from '../../contracts/catalog.ts'
import {
  exportsCountries,
  indicatorCodes,
  indicatorDefinition,
  indicators,
  isPublic,
  neededFigures,
  servedIndicators,
} from '../../contracts/indicators.ts'
import { SIMULATOR } from '../../contracts/instruments.ts'
import { sourceOrder } from '../../contracts/serving.ts'

type ViewColumn = readonly [name: string, type: string, sql: string, description: string]

export type SqlView = {
  readonly name: string
  /** Read model whose table the view reads. */
  readonly table: string
  readonly description: string
  readonly columns: readonly ViewColumn[]
  /** SQL behind the columns: FROM and what follows. */
  readonly from: string
}

/** Digits behind the point of the views' decimals: enough for every figure, and products of two still fit. */
const SCALE = 18

const text = 'LowCardinality(String)'
const maybeText = 'LowCardinality(Nullable(String))'
const decimal = `Nullable(Decimal(76, ${SCALE}))`

/** SQL for the exact value of a decimal text; NULL if it does not fit, which would cut digits. */
const exact = (column: string): string =>
  `if(length(splitByChar('.', toString(${column}))[2]) <= ${SCALE}, toDecimal256OrNull(toString(${column}), ${SCALE}), NULL)`

/** SQL for a day; NULL outside the years that ClickHouse's dates have. */
const day = (column: string): string =>
  `if(toString(${column}) BETWEEN '1900' AND '2299-12-31', toDate32OrNull(toString(${column})), NULL)`

const month = `multiIf(position(toString(period), 'Q') > 0, leftPad(toString((toUInt8OrZero(substring(toString(period), 7, 1)) - 1) * 3 + 1), 2, '0'), length(toString(period)) = 7, substring(toString(period), 6, 2), '01')`
const firstDay = `toDate32OrNull(concat(substring(toString(period), 1, 4), '-', ${month}, '-01'))`

/** Indicators that are not public for every country, as SQL literals: `isPublic` is the one rule. */
const restricted = indicatorCodes.filter((indicator) => !isPublic(indicator, ''))
const list = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ')
const publicOnly = `(indicator NOT IN (${list(restricted)}) OR country IN (${list(exportsCountries)}))`

const ofSeries: readonly ViewColumn[] = [
  ['series', text, 'series', 'Id of the series'],
  ['country', text, 'country', 'Country, ISO 3166-1 alpha-3'],
  ['indicator', text, 'indicator', 'Indicator as in the catalogue, e.g. gdp-growth'],
  ['frequency', text, 'frequency', 'A, Q or M: by year, quarter or month'],
]

const ofPeriod: readonly ViewColumn[] = [
  ['period', text, 'period', 'Period as text: 2025, 2025-Q3 or 2025-09'],
  [
    'period_start',
    'Nullable(Date32)',
    `if(period >= '1900' AND period < '23', ${firstDay}, NULL)`,
    'First day of the period',
  ],
]

/** `member` gives the SQL for a column of the release. */
const ofRelease = (member: (column: string) => string): readonly ViewColumn[] => [
  ['measure', text, 'figure.1', 'Which figure of the indicator, e.g. value or year_over_year'],
  ['value', decimal, exact('figure.2'), 'The figure, exact; NULL beyond 18 digits behind the point'],
  ['value_text', 'String', 'figure.2', 'The same as text, with the publisher’s zeros'],
  ['unit', text, member('unit'), 'Unit: percent, index or a currency'],
  ['seasonal_adjustment', text, member('seasonal_adjustment'), 'Seasonal adjustment'],
  ['annualization', text, member('annualization'), 'Whether a quarter is shown at its rate for a year'],
  ['base_period', text, member('base_period'), 'Period in which an index equals base_value; empty without one'],
  ['base_value', text, member('base_value'), 'Value of an index in base_period; empty without one'],
  ['released_on', 'Nullable(Date32)', day(member('released_on')), 'Day of the publication'],
  [
    'released_on_basis',
    text,
    member('released_on_basis'),
    'What released_on is based on: publisher, dataset, copy or first_seen',
  ],
  ['recorded_at', "DateTime64(3, 'UTC')", member('recorded_at'), 'When Almanac recorded the release'],
  ['release_id', 'String', member('release_id'), 'Id of the release, for GET /v1/releases/{release_id}'],
  ['revises', 'Nullable(String)', member('revises'), `Id of the release that this one revised. ${revisesMeaning}`],
  ['source', text, member('source'), 'Source that Almanac read'],
  ['dataset', text, member('dataset'), 'Dataset of the source'],
  ['derivation', text, member('derivation'), 'Rule that computed the figure; empty as published'],
  ['publisher', text, `ifNull(${member('publisher')}, '')`, 'Publisher; empty if the figure is derived'],
  ['licence', text, member('licence'), 'Licence of the publisher'],
  ['url', text, member('url'), 'Address of the document'],
  ['retrieved_at', "Nullable(DateTime64(3, 'UTC'))", member('retrieved_at'), 'When it was fetched; NULL if unknown'],
  ['sha256', text, member('sha256'), 'SHA-256 of the document; empty if it was not at hand'],
  ['location', 'String', member('location'), 'Place in the document, or in the file if there is one'],
  ['copy_holder', maybeText, member('copy_holder'), 'Who holds the copy that was read; NULL if none was'],
  ['copy_url', maybeText, member('copy_url'), 'Address of the copy'],
  ['copy_revision', maybeText, member('copy_revision'), 'Version of the copy, e.g. a commit'],
  ['copy_held_on', 'Nullable(Date32)', day(member('copy_held_on')), 'Day on which the copy held the figure'],
  ['copy_is_transcribed', 'Bool', member('copy_is_transcribed'), 'Whether the figure was typed from it by hand'],
  ['file_name', maybeText, member('file_name'), 'File in Almanac’s own format that states the figure; NULL if none'],
  ['file_sha256', text, member('file_sha256'), 'SHA-256 of that file'],
  [
    'approval_held_for',
    maybeText,
    member('approval_held_for'),
    'Why the figure was held until a person approved it; NULL if it was not',
  ],
  ['approval_because', text, member('approval_because'), 'Why the figure is right, as that person said'],
]

/** Columns of a release that the newest row of a series and period decides. */
const newest = ofRelease((column) => column)
  .flatMap(([name]) => (['measure', 'value', 'value_text'].includes(name) ? [] : [name]))
  .concat('figures')

const figuresOf = (map: string): string => `arrayZip(mapKeys(${map}), mapValues(${map})) AS figure`

const ofNewest = (column: string): string => `newest.${newest.indexOf(column) + 1}`

/** SQL for whether the newest row has all figures that the body of its indicator needs. */
const isWhole = `multiIf(${indicatorCodes
  .filter((code) => indicatorDefinition(code)?.figuresStandAlone)
  .map((code) => `indicator = '${code}', hasAll(mapKeys(${ofNewest('figures')}), [${list(neededFigures(code))}])`)
  .join(', ')}, true)`

/** First what has all figures, then the order of `compareForServing`: the history has the period from the series that comes first. */
const servingOrder = [
  `NOT ${isWhole}`,
  `${ofNewest('derivation')} != ''`,
  `transform(${ofNewest('source')}, [${list(sourceOrder)}], range(${sourceOrder.length}), ${sourceOrder.length})`,
  `${ofNewest('seasonal_adjustment')} != transform(indicator, [${list(indicatorCodes)}], [${list(indicatorCodes.map((code) => indicators[code].adjustment))}], '')`,
  `${ofNewest('base_period')} DESC`,
  'series',
].join(', ')

const currentFigures: SqlView = {
  name: 'current_figures',
  table: 'vintages',
  description: 'The newest figures on record: one row a series, period and measure',
  columns: [
    ...ofSeries,
    ...ofPeriod,
    ...ofRelease(ofNewest),
    ['is_served', 'Bool', 'is_served', 'Whether the history has the period from this series'],
  ],
  // Filters on the columns of the partition reach the table: ClickHouse moves them below the window and the aggregation.
  from: `FROM (
  SELECT
    *, indicator IN (${list(servedIndicators)}) AND row_number() OVER (
      PARTITION BY country, indicator, frequency, period ORDER BY ${servingOrder}
    ) = 1 AS is_served
  FROM (
    SELECT series, country, indicator, frequency, period, argMax((${newest.join(', ')}), (_offset, _index)) AS newest
    FROM vintages WHERE NOT _marker AND NOT late AND ${publicOnly}
    GROUP BY series, country, indicator, frequency, period
    HAVING notEmpty(newest.${newest.length})
  )
) ARRAY JOIN ${figuresOf(`newest.${newest.length}`)}`,
}

/** Prints whose date another one corrects, which has the same figures, and those that are voided. */
const replaced =
  'SELECT assumeNotNull(coalesce(redates, voids)) FROM vintages WHERE redates IS NOT NULL OR voids IS NOT NULL'

const figureVintages: SqlView = {
  name: 'figure_vintages',
  table: 'vintages',
  description:
    'Every print of every figure: one row a release and measure, without those that were redated or voided. ORDER BY released_on, journal_offset is the order of publication',
  columns: [
    ...ofSeries,
    ...ofPeriod,
    ...ofRelease((column) => column),
    ['late', 'Bool', 'late', 'Whether a later print was on record already: it never was current'],
    ['redates', 'Nullable(String)', 'redates', 'Id of the release with the same figures whose date this one corrects'],
    ['journal_offset', 'UInt64', '_offset', 'Order in which releases were recorded: a later one has a greater offset'],
  ],
  from: `FROM vintages FINAL ARRAY JOIN ${figuresOf('figures')}
WHERE NOT _marker AND voids IS NULL AND release_id NOT IN (${replaced}) AND ${publicOnly}`,
}

const ofSymbol: readonly ViewColumn[] = [
  ['symbol', text, 'symbol', 'Symbol, e.g. EUR-USD'],
  ['source', text, 'source', 'Source of the price'],
  ['is_simulated', 'Bool', `source = '${SIMULATOR}'`, 'Whether the simulator made the price'],
]

const price = (name: string, description: string): ViewColumn => [name, decimal, exact(name), description]

const priceCandles: SqlView = {
  name: 'price_candles',
  table: 'candles',
  description: 'Prices by the minute: one row a symbol, source and minute, kept for ever',
  columns: [
    ...ofSymbol,
    ['minute', "DateTime64(3, 'UTC')", 'minute', 'Begin of the minute, in the source’s time'],
    price('open', 'First price, in the unit of the symbol'),
    price('high', 'Highest price'),
    price('low', 'Lowest price'),
    price('close', 'Last price'),
    ['ticks', 'UInt64', 'ticks', 'Number of prices'],
    ['first_at', "DateTime64(3, 'UTC')", 'first_at', 'Time of the first price'],
    ['last_at', "DateTime64(3, 'UTC')", 'last_at', 'Time of the last price'],
  ],
  from: `FROM candles FINAL WHERE symbol != ''`,
}

const priceTicks: SqlView = {
  name: 'price_ticks',
  table: 'ticks',
  description: 'Every price as its source gave it, for two to three months',
  columns: [
    ...ofSymbol,
    price('price', 'The price, exact; NULL beyond 18 digits behind the point'),
    ['price_text', 'String', 'price', 'The same as text'],
    ['observed_at', "DateTime64(3, 'UTC')", 'observed_at', 'Time of the price, as its source says'],
    ['recorded_at', "DateTime64(3, 'UTC')", 'appended_at', 'When Almanac recorded it'],
    ['url', text, 'url', 'Address of the source'],
  ],
  from: 'FROM ticks FINAL WHERE NOT _marker',
}

const publishedEvents: SqlView = {
  name: 'published_events',
  table: 'events',
  description: 'The public events, as the events stream sends them',
  columns: [
    ['sequence', 'UInt64', 'sequence', 'Number of the event'],
    ['id', 'String', 'id', 'Id of the event'],
    ['type', text, 'type', 'Type, e.g. economics.release.published'],
    ['source', text, 'source', 'CloudEvents source'],
    ['family', text, 'family', 'Family of the indicator'],
    ['country', 'LowCardinality(Nullable(String))', 'country', 'Country; NULL for events of none'],
    ['subject', 'String', 'subject', 'What the event is about'],
    ['time', "DateTime64(3, 'UTC')", 'time', 'Time of the event'],
    ['dataschema', text, 'dataschema', 'Address of the schema of data'],
    ['data', 'String', 'data', 'JSON: JSONExtractString(data, …) reads it'],
    ['recorded_at', "DateTime64(3, 'UTC')", 'recorded_at', 'When Almanac recorded it'],
  ],
  from: 'FROM events FINAL WHERE NOT _marker',
}

/** Every view for SQL clients. The role `reader` in `store/engine.xml` has a grant for each. */
export const sqlViews: readonly SqlView[] = [currentFigures, figureVintages, priceCandles, priceTicks, publishedEvents]

/** SQL of a view behind its name. Inner names differ from the view's, because a column may be computed from one of the same name. */
export function selectOf({ columns, from }: SqlView): string {
  const cells = columns.map(([name, type, sql]) => `CAST(${sql}, '${type.replaceAll("'", "''")}') AS view_${name}`)
  const renamed = columns.map(([name]) => `view_${name} AS ${name}`)
  return `SELECT ${renamed.join(', ')} FROM (SELECT ${cells.join(', ')} ${from})`
}
