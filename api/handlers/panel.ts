import { namingOf } from '../../contracts/histories.ts'
import {
  indicators,
  isPublic,
  neededFigures,
  type ServedIndicator,
  servedIndicators,
} from '../../contracts/indicators.ts'
import type { CsvStyle } from '../../contracts/operation.ts'
import { MAX_PANEL_VALUES, type PanelForm, panelOperationId } from '../../contracts/panel.ts'
import { ProblemError } from '../../contracts/problems.ts'
import { type Frequency, type Series, servedBases } from '../../contracts/records.ts'
import { periodNames } from '../../contracts/serving.ts'
import { type AggregationMethod, transformedAs, type UnitCode } from '../../contracts/transformations.ts'
import { type HistoryRow, historyRow, type KnownSeries } from '../../domain/history-row.ts'
import { kindOfSeries } from '../../domain/kind-of-series.ts'
import { type PanelColumn, panelColumns, panelPeriods, seriesInTurn } from '../../domain/panel.ts'
import { periodsAYear } from '../../domain/period.ts'
import { type MonthRange, monthToReadFrom, periodsWithin } from '../../domain/period-range.ts'
import { periodsBack } from '../../domain/transform/transform.ts'
import { mediaTypes } from '../accept.ts'
import { type Answer, caching, etagOf, textAnswer } from '../answer.ts'
import { csvHeader, csvRow } from '../csv.ts'
import type { CurrentHistory } from '../current-history.ts'
import type { ApiDeps } from '../deps.ts'
import { type Handlers, handler, type OperationInput } from '../execute.ts'
import { refuseUnknownCountry, refuseUnknownIndicator } from '../filters.ts'
import { higherFrequencies } from '../history-computing.ts'
import { monthsAsked, refuseNoDay } from '../history-question.ts'
import type { KeptAnswers } from '../kept-answers.ts'
import { listed } from '../known-codes.ts'
import { noDatedEvidence } from '../missing-figure.ts'
import { type PrintsInForce, readPrintsInForce } from '../prints-in-force.ts'
import { invalidQuery } from '../refusals.ts'
import { inTurns, rowsATurn } from '../render.ts'

type Query = {
  readonly country: readonly string[]
  readonly indicator: readonly string[]
  readonly frequency: Frequency
  readonly start?: string
  readonly end?: string
  readonly as_of?: string
  readonly units?: UnitCode
  readonly aggregation_method?: AggregationMethod
  readonly about?: 'none' | 'rows'
  readonly format?: PanelForm
  readonly csv_style?: CsvStyle
}
type Question = Query & { readonly cells: readonly Cell[]; readonly range: MonthRange }
type Cell = { readonly country: string; readonly indicator: ServedIndicator }

type Column = PanelColumn & { readonly name: string; readonly about: Readonly<Record<string, string>> }

type Deps = Pick<ApiDeps, 'history' | 'clock'> & { readonly current: CurrentHistory }

/** Serves the histories of many countries and indicators as one table, from one snapshot. */
export const panelHandlers = (deps: Deps, kept: KeptAnswers): Handlers => ({
  [panelOperationId]: handler<OperationInput & { readonly query: Query }, Question>({
    needsSlot: true,
    ask: ({ query }) => questionOf(query, deps.clock()),
    ...kept.keeping(
      'panel',
      (question: Question) => panel(deps, question),
      ({ cells }) => cells,
    ),
  }),
})

function questionOf(query: Query, now: Date): Question {
  const { country, indicator } = query
  refuseUnknownCountry(country)
  refuseUnknownIndicator(indicator, servedIndicators)
  refuseNoDay(query.as_of ?? '', now)
  for (const name of ['about', 'csv_style'] as const) {
    if (query[name] !== undefined && query.format !== 'csv') {
      throw invalidQuery(`query parameter ${name}: it is for CSV, and the answer would be ${query.format}`)
    }
  }
  const range = monthsAsked(query.start, query.end)
  const cells = [...new Set(country)].flatMap((code) =>
    [...new Set(indicator)].flatMap((name) => {
      const served = servedIndicators.find((one) => one === name)
      return served ? [{ country: code, indicator: served }] : []
    }),
  )
  return { ...query, cells, range }
}

async function panel({ history, current }: Deps, question: Question): Promise<Answer> {
  const { cells, country, indicator, frequency, as_of: asOf = '', units = 'lin', range } = question
  const known = (await current.series(cells, asOf)) ?? (await history.seriesOfMany(country, indicator))
  const byCell = Map.groupBy(known, nameOfCell)
  const rows = cells.map((cell) => rowOf(cell, byCell.get(nameOfCell(cell)) ?? [], question))
  const answered = rows.flatMap((row) => row ?? [])
  if (!answered.some(({ series }) => series.length > 0)) throw nothing(question, answered, known)

  const back = (periodsBack(units, frequency) * 12) / periodsAYear[frequency]
  const months = { start: monthToReadFrom(range.start, back), end: range.end }
  const snapshot = Math.max(...known.map(({ newest }) => newest))
  const prints = await readPrintsInForce(history, answered, { snapshot, asOf, months })
  const bounds = periodsWithin(frequency, range)
  // A cell of decades takes a millisecond, so others are answered between two.
  const ofCells = await inTurns(
    [...cells.entries()],
    ([i, cell]) => columnsOf(cell, rows[i], prints, { ...question, bounds }),
    1,
  )
  const columns = ofCells.flat()
  const periods = panelPeriods(columns)
  const size = periods.length * columns.length
  if (size > MAX_PANEL_VALUES) throw tooLarge(size, periods, columns.length)
  return question.format === 'parquet' || question.format === 'arrow'
    ? fileOf(columns, periods, question.format)
    : tableOf(columns, periods, question)
}

const nameOfCell = ({ country, indicator }: Pick<KnownSeries, 'country' | 'indicator'>): string =>
  `${country} ${indicator}`

/** The series of a cell, those of a higher frequency if they are to be aggregated; undefined if it has none. */
function rowOf(
  { country, indicator }: Cell,
  own: readonly KnownSeries[],
  { frequency, as_of: asOf = '', aggregation_method }: Question,
): HistoryRow | undefined {
  if (!isPublic(indicator, country)) return undefined
  const higher = aggregation_method === undefined ? [] : higherFrequencies(indicator, frequency)
  const ofHigher = own.filter((series) => higher.includes(series.frequency))
  const aggregated = historyRow(ofHigher, { frequency: '', asOf })
  return aggregated && aggregated.series.length > 0 ? aggregated : historyRow(own, { frequency, asOf })
}

function columnsOf(
  { country, indicator }: Cell,
  row: HistoryRow | undefined,
  prints: ReadonlyMap<string, PrintsInForce>,
  { frequency, units = 'lin', aggregation_method, bounds }: Question & { readonly bounds: MonthRange },
): Column[] {
  const figures: readonly string[] = indicators[indicator].figures
  const series = row?.series ?? []
  const all = series.flatMap(({ id }, i) => (prints.get(id) ?? []).map((print) => ({ ...print, place: i + 1 })))
  const isAggregated = series[0] !== undefined && series[0].frequency !== frequency
  const aggregation = isAggregated ? aggregation_method : undefined
  const rule = { figures, needed: neededFigures(indicator), frequency, units, aggregation, bounds }
  const kinds = series.map((one) => kindOf(one, units))
  const byFigure = panelColumns(all, rule, (place) => (kinds[place - 1] ?? []).join(' '))
  return byFigure.flatMap((columns, i) => {
    const figure = figures[i] ?? ''
    const name = [country, indicator, ...(figures.length > 1 ? [figure] : [])].join('.')
    const { transformation } = namingOf(indicator, figure)
    const firstKind = kindOfColumn(columns[0], kinds)
    return columns.map((column, n) => {
      const places = new Set(column.places.values())
      const used = series.filter((_, at) => places.has(at + 1))
      const own = kindOfColumn(column, kinds).filter((text, at) => text !== '' && text !== firstKind[at])
      const as = used.map(({ unit }) => transformedAs(units, { unit, transformation }))
      return {
        ...column,
        name: n === 0 ? name : `${name} (${own.join(' ')})`,
        about: {
          unit: distinct(as.map((one) => one.unit)),
          transformation: distinct(as.map((one) => one.transformation)),
          aggregation_method: aggregation ?? '',
          base: distinct(used.map(baseOf)),
          seasonal_adjustment: distinct(used.map(({ seasonal_adjustment }) => seasonal_adjustment)),
          annualization: distinct(used.map(({ annualization }) => annualization)),
          source: distinct(used.map(({ source }) => source)),
          series: distinct(used.map(({ id }) => id)),
          released_on_basis: distinct(servedBases.filter((basis) => column.bases.has(basis))),
          series_since: seriesInTurn(column)
            .map(({ since, place }) => `${since} ${series[place - 1]?.id}`)
            .join(' | '),
        },
      }
    })
  })
}

const distinct = (texts: readonly string[]): string => [...new Set(texts)].join(' | ')

const baseOf = ({ base_period, base_value }: Pick<Series, 'base_period' | 'base_value'>): string =>
  base_period ? `${base_period}=${base_value}` : ''

/** What has to agree for two values to stand in one column. A rate does not depend on the base or the unit of its levels. */
function kindOf(series: Series, units: UnitCode): string[] {
  const { unit, seasonal_adjustment, annualization } = series
  const isRate = transformedAs(units, { unit, transformation: '' }).unit === 'percent' && unit !== 'percent'
  return isRate ? [seasonal_adjustment] : [seasonal_adjustment, annualization, unit, baseOf(kindOfSeries(series))]
}

const kindOfColumn = (column: PanelColumn | undefined, kinds: readonly (readonly string[])[]): readonly string[] =>
  kinds[Math.min(...(column?.places.values() ?? [])) - 1] ?? []

async function tableOf(
  columns: readonly Column[],
  periods: readonly string[],
  { about, csv_style }: Question,
): Promise<Answer> {
  const names = ['period', ...columns.map(({ name }) => name)]
  const form = { style: csv_style ?? 'comma', decimals: new Set(columns.map(({ name }) => name)) } as const
  const texts = { style: form.style, decimals: new Set<string>() }
  const rowWith = (first: string, cellOf: (column: Column) => string | undefined, as = form) =>
    csvRow(names, Object.fromEntries([['period', first], ...columns.map((one) => [one.name, cellOf(one)])]), as)
  // All columns have the same members.
  const members = about === 'rows' ? Object.keys(columns[0]?.about ?? {}) : []
  const preface = members.map((name) => rowWith(`# ${name}`, (one) => one.about[name], texts))
  const line = (period: string) => rowWith(period, ({ values }) => values.get(period))
  const lines = await inTurns(periods, line, rowsATurn(names.length))
  const body = [...preface, csvHeader(names, form), ...lines].join('')
  return textAnswer(body, `${mediaTypes.csv}; charset=utf-8`)
}

async function fileOf(
  columns: readonly Column[],
  periods: readonly string[],
  format: 'parquet' | 'arrow',
): Promise<Answer> {
  // Loaded when it is first needed: the libraries of these formats take longer to load than others.
  const write =
    format === 'parquet'
      ? (await import('../panel-file.ts')).parquetFile
      : (await import('../panel-file.ts')).arrowStream
  const table = columns.map(({ name, about, values }) => {
    const members = Object.entries(about).filter(([, text]) => text !== '')
    return { name, texts: periods.map((period) => values.get(period) ?? null), about: Object.fromEntries(members) }
  })
  const bytes = write(periods, table)
  return { body: '', bytes, etag: etagOf(bytes), cacheControl: caching.latest, contentType: mediaTypes[format] }
}

/** The problem of a panel without a series. */
function nothing(
  { country, indicator, frequency, as_of }: Question,
  rows: readonly HistoryRow[],
  known: readonly KnownSeries[],
): ProblemError {
  const [codes, names] = [listed([...new Set(country)]), [...new Set(indicator)].join(', ')]
  const since = rows.map(({ firstReleasedOn }) => firstReleasedOn).sort()[0]
  if (as_of !== undefined && since !== undefined) return noDatedEvidence(names, codes, as_of, since)
  const canAggregate = servedIndicators.some((name) =>
    known.some((series) => series.indicator === name && higherFrequencies(name, frequency).includes(series.frequency)),
  )
  const hint = canAggregate ? ' They are for shorter periods: aggregation_method makes these of them.' : ''
  const detail = `Nothing of ${names} is published for ${codes} in ${periodNames[frequency]}.${hint}`
  return new ProblemError('no_complete_publication', detail)
}

function tooLarge(size: number, periods: readonly string[], columns: number): ProblemError {
  const rows = Math.max(1, Math.floor(MAX_PANEL_VALUES / columns))
  const range = `start=${periods[0]}&end=${periods[Math.min(rows, periods.length) - 1]}`
  return invalidQuery(
    `the panel would have ${size} values, and at most ${MAX_PANEL_VALUES} come in one call: ask for fewer countries or indicators, or for a range such as ${range}`,
  )
}
