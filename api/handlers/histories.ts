import { namingOf, servedFrequencies } from '../../contracts/histories.ts'
import { observationsOperationId, vintagesOperationId } from '../../contracts/history-operations.ts'
import { indicators, isPublic, servedIndicators } from '../../contracts/indicators.ts'
import { ProblemError } from '../../contracts/problems.ts'
import type { Frequency } from '../../contracts/records.ts'
import { frequencyOrder } from '../../contracts/serving.ts'
import { ofTransformation, transformedAs } from '../../contracts/transformations.ts'
import { encodeHistoryCursor, type HistoryCursor } from '../../domain/history-cursor.ts'
import { type HistoryRow, historyRow, type KnownSeries } from '../../domain/history-row.ts'
import { frequencyOf } from '../../domain/period.ts'
import { periodsWithin } from '../../domain/period-range.ts'
import type { VintageEntry } from '../../domain/vintage-layout.ts'
import { type Answer, caching, type Render, textAnswer } from '../answer.ts'
import { nextLink } from '../csv.ts'
import type { ApiDeps } from '../deps.ts'
import { type Handlers, handler } from '../execute.ts'
import { figureIdOf } from '../fred/series-id.ts'
import { problemOfMissing, problemOfUnread } from '../held-figures.ts'
import { computedObservations, higherFrequencies, nothingToAggregate } from '../history-computing.ts'
import { LinksOfPages, type PageToLink, pathOfHistory } from '../history-links.ts'
import { type HistoryInput, type HistoryOperation, type HistoryQuestion, historyQuestion } from '../history-question.ts'
import { historyRange } from '../history-range.ts'
import type { KeptAnswers } from '../kept-answers.ts'
import { missingFrequency, noDatedEvidence } from '../missing-figure.ts'
import { invalidQuery } from '../refusals.ts'
import { CSV_WITH_HEADER } from '../render.ts'
import type { SeriesOfCell } from '../series-of-cell.ts'
import { behindSnapshot, notIssued, placeOfHistory } from '../snapshot-cursor.ts'
import { vintageTable } from '../vintage-table.ts'

type Deps = Pick<
  ApiDeps,
  'figures' | 'releaseIndex' | 'statements' | 'held' | 'history' | 'lineage' | 'journalReaches' | 'clock'
> & { readonly cells: SeriesOfCell }
type History = Deps['history']

type Kind = HistoryOperation & {
  /** Undefined if the list has no entry at `after`. Without `computing` the figures stay as they are. */
  read(history: History, range: Range, computing?: Computing): Promise<readonly HistoryPoint[] | undefined>
}
type Range = Parameters<History['observations']>[0]
type Computing = Parameters<typeof computedObservations>[2]
/** A figure of a period, null if it was withdrawn; `offset` if a figure has several entries. */
type HistoryPoint = {
  readonly period: string
  readonly number: number
  readonly value: string | null
  /** Place of its series in the row, from 1. */
  readonly place: number
  readonly offset?: number
  /** The day from which it was the answer, of vintages. */
  readonly valid_from?: string
}

/**
 * Pages through the histories of the indicators and the vintages behind them. All pages show the snapshot of the first one,
 * whatever is revised meanwhile.
 */
export const historyHandlers = (deps: Deps, render: Render, kept: KeptAnswers): Handlers =>
  Object.fromEntries(
    servedIndicators.flatMap((indicator) => {
      const observations: Kind = {
        id: observationsOperationId(indicator),
        indicator,
        read: (history, range, computing) => {
          if (!computing) return history.observations(range)
          const { print } = computing.filters
          return print === ''
            ? computedObservations(history, range, computing)
            : history.vintages({ ...range, print: Number(print) })
        },
      }
      const vintages: Kind = {
        id: vintagesOperationId(indicator),
        indicator,
        read: (history, range) => history.vintages(range),
      }
      return [
        [observations.id, historyHandler(observations, deps, render, kept)],
        [vintages.id, historyHandler(vintages, deps, render, kept)],
      ]
    }),
  )

type Page = Answer & PageToLink

const historyHandler = (kind: Kind, deps: Deps, render: Render, kept: KeptAnswers) => {
  const pages = kept.keeping(
    kind.id,
    async (question: HistoryQuestion): Promise<Page> => {
      const { cursor } = question
      return cursor
        ? page(kind, deps, render, question, await rowOfCursor(kind, deps, cursor), caching.snapshot)
        : page(kind, deps, render, question, await newestRow(kind, deps, question), caching.latest)
    },
    ({ country }) => [{ country, indicator: kind.indicator }],
  )
  const links = new LinksOfPages(deps, kind)
  const linkedPage = (question: HistoryQuestion, own: Page): Answer => ({ ...own, headers: links.of(question, own) })
  return handler<HistoryInput, HistoryQuestion>({
    needsSlot: true,
    ask: (input) => historyQuestion(kind, input, deps),
    kept: (question) => {
      const own = pages.kept(question)
      return own && linkedPage(question, own)
    },
    answer: async (question) => linkedPage(question, await pages.answer(question)),
  })
}

/** The row of a first page. */
async function newestRow(kind: Kind, deps: Deps, { country, period, filters }: HistoryQuestion): Promise<HistoryRow> {
  const { figures, history } = deps
  const { indicator } = kind
  const { asOf, frequency, aggregation } = filters
  if (aggregation !== '' && frequency !== '') return aggregatedRow(kind, deps, country, { asOf, frequency })
  const latest = figures.latest(country, indicator)
  // A history is also that of figures which were all withdrawn, or which lack a figure of the body.
  const possible = frequency === '' ? servedFrequencies(indicator) : [frequency]
  const isKnown =
    isPublic(indicator, country) &&
    possible.some((each) => figures.servedSeries(country, indicator, each) !== undefined)
  if (!isKnown) {
    throw period === undefined && frequency !== ''
      ? missingFrequency(figures, indicator, country, frequency)
      : await problemOfMissing(deps, indicator, country, period)
  }
  const known = await deps.cells.now(country, indicator, asOf)
  const row = historyRow(known, {
    asOf,
    // With a day: the best frequency that had a release by then.
    frequency: frequency || (asOf === '' && latest ? latest.series.frequency : ''),
  })
  if (!row) throw behindSnapshot()
  if (row.series.length === 0) throw noDatedEvidence(indicator, country, asOf, row.firstReleasedOn)
  const isChosen = frequency !== '' || asOf === ''
  return isChosen ? row : ((await rowWithFigures(kind, history, known, asOf)) ?? row)
}

/**
 * The row of the best frequency that had figures on a day. All figures of a frequency may have been withdrawn by then.
 * Undefined if only one frequency had releases, or none had figures.
 */
async function rowWithFigures(
  kind: Kind,
  history: History,
  known: readonly KnownSeries[],
  asOf: string,
): Promise<HistoryRow | undefined> {
  const rows = frequencyOrder.flatMap((frequency) => {
    const row = historyRow(known, { asOf, frequency })
    return row && row.series.length > 0 ? row : []
  })
  if (rows.length < 2) return undefined
  for (const row of rows) {
    const range = { ...historyRange(kind.indicator, row), start: '', end: '', after: null, limit: 1, asOf }
    if ((await kind.read(history, range))?.length) return row
  }
  return undefined
}

/** The row from which a lower frequency is made: of the series of higher ones, the best that had a release by the day. */
async function aggregatedRow(
  { indicator }: Kind,
  deps: Deps,
  country: string,
  { asOf, frequency }: { readonly asOf: string; readonly frequency: Frequency },
): Promise<HistoryRow> {
  const { figures } = deps
  const higher = higherFrequencies(indicator, frequency)
  const isKnown = higher.some((each) => figures.servedSeries(country, indicator, each) !== undefined)
  if (!isPublic(indicator, country) || !isKnown) throw nothingToAggregate(figures, indicator, country, frequency)
  const known = await deps.cells.now(country, indicator, asOf)
  const row = historyRow(ofFrequencies(known, higher), { asOf, frequency: '' })
  if (!row) throw behindSnapshot()
  if (row.series.length === 0) throw noDatedEvidence(indicator, country, asOf, row.firstReleasedOn)
  return row
}

const ofFrequencies = (known: readonly KnownSeries[], frequencies: readonly Frequency[]): readonly KnownSeries[] =>
  known.filter(({ frequency }) => frequencies.includes(frequency))

/** The row of a later page, which is that of the first one: it follows from the series up to the snapshot. */
async function rowOfCursor(
  { indicator }: HistoryOperation,
  { cells }: Deps,
  cursor: HistoryCursor,
): Promise<HistoryRow> {
  const known = await cells.at(cursor.country, indicator, cursor)
  const own = frequencyOf(cursor.after.period) ?? ''
  const row =
    cursor.aggregation !== '' && own !== ''
      ? historyRow(ofFrequencies(known, higherFrequencies(indicator, own)), { ...cursor, frequency: '' })
      : historyRow(known, { ...cursor, frequency: own })
  if (row?.snapshot !== cursor.snapshot) throw notIssued()
  if (row.row !== cursor.row) {
    throw new ProblemError('cursor_expired', 'Other series are served since the first page of this history was read.')
  }
  return row
}

async function page(
  kind: Kind,
  deps: Deps,
  render: Render,
  question: HistoryQuestion,
  found: HistoryRow,
  cacheControl: string,
): Promise<Page> {
  const { series, row, snapshot, recordedAt } = found
  const { history, lineage } = deps
  const { country, period, filters, cursor, limit, csv, isWhole, layout } = question
  const [served] = series
  const names: readonly string[] = indicators[kind.indicator].figures
  // Reads one more than is shown, to learn whether there is a next page.
  const range = served && {
    ...historyRange(kind.indicator, found),
    ...periodsWithin(served.frequency, filters),
    after: cursor?.after ?? null,
    limit: limit + 1,
    asOf: filters.asOf,
    isNewestFirst: filters.sort === 'desc',
  }
  const entries = range ? await kind.read(history, range, { filters, frequency: served.frequency }) : []
  if (!entries) {
    const detail =
      'The list has no entry at the place of the cursor: another release of this program may have issued it.'
    throw new ProblemError('cursor_expired', detail)
  }
  if (entries.length === 0 && period !== undefined && !cursor) {
    throw await problemOfUnread(deps, kind.indicator, country, period)
  }
  if (isWhole && entries.length > limit) throw tooMany(entries, limit, layout === undefined)
  const shown = entries.slice(0, limit)
  const last = shown.at(-1)
  const first = { journal: lineage.nameOf(placeOfHistory(snapshot)), operation: kind.id, country, row, snapshot }
  const next_cursor =
    last && entries.length > limit
      ? encodeHistoryCursor({
          ...(cursor ?? { ...filters, ...first, issuedAt: question.issuedAt }),
          after: { period: last.period, figure: last.number, offset: last.offset ?? 0 },
        })
      : null
  const namings = names.map((name) => namingOf(kind.indicator, name))
  const { units, aggregation } = filters
  const isComputed = units !== '' || aggregation !== ''
  const aggregated = aggregation === '' ? {} : { aggregation_method: aggregation }
  // Made once for each series and figure: a history may have 100,000 entries.
  const common = series.map(({ id, ...members }) =>
    namings.map((naming) => {
      const { unit } = members
      return { ...members, series: id, ...naming, ...aggregated, ...transformedAs(units || 'lin', { ...naming, unit }) }
    }),
  )
  const entry = (each: HistoryPoint) => ({ ...common[each.place - 1]?.[each.number - 1], ...each })
  const toLink = { served, next: csv ? nextLink(pathOfHistory(kind.id, country), limit, next_cursor, csv) : [] }
  if (!csv) {
    const made = await render.list(kind.id, shown, entry, { next_cursor, as_of: recordedAt }, cacheControl)
    return { ...made, ...toLink }
  }
  if (layout) {
    const figureOf = ({ place, number }: VintageEntry) =>
      figureIdOf({ id: series[place - 1]?.id ?? '' }, names[number - 1] ?? '', names.length)
    const dated = shown.map((each) => ({ ...each, valid_from: each.valid_from ?? '' }))
    const body = await vintageTable(dated, figureOf, { layout, style: csv.style })
    return { ...textAnswer(body, CSV_WITH_HEADER), cacheControl, ...toLink }
  }
  const more = isComputed ? Object.keys(ofTransformation) : []
  return { ...(await render.csv(csv, kind.id, shown, entry, cacheControl, {}, more)), ...toLink }
}

/** The problem of a whole history that is too long for one answer. It names the longest part that is not. */
function tooMany(entries: readonly HistoryPoint[], limit: number, hasPages: boolean): ProblemError {
  const [first, beyond] = [entries[0]?.period, entries[limit]?.period]
  const last = entries.findLast(({ period }) => period !== beyond)?.period
  const [start, end] = [first, last].sort()
  const range = last ? `ask for a range, such as start=${start}&end=${end}` : 'ask for fewer periods, by start and end'
  const pages = hasPages ? ', or ask page by page, with limit' : ''
  return invalidQuery(`the answer would have more than ${limit} rows: ${range}${pages}`)
}
