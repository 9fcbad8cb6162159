import { isPublic } from '../../contracts/indicators.ts'
import { historyOperationId, operationById } from '../../contracts/operations.ts'
import { ProblemError } from '../../contracts/problems.ts'
import type { Series } from '../../contracts/records.ts'
import {
  decodeHistoryCursor,
  encodeHistoryCursor,
  type HistoryCursor,
  historyCursorAge,
  issueTime,
} from '../../domain/cursor.ts'
import { type Answer, caching, type Render } from '../answer.ts'
import type { ApiDeps } from '../deps.ts'
import { type Handlers, handler, type OperationInput } from '../execute.ts'
import { missingFigure } from '../missing-figure.ts'
import { annualRange, type MonthRange, monthRange } from '../month-range.ts'

const OPERATION = historyOperationId
const INDICATOR = 'trade-exports'
/** Most rows of a CSV answer without limit. A series of this length is not known. */
const MAX_CSV_ROWS = 100_000

type HistoryInput = OperationInput & {
  readonly params: { readonly country: string }
  readonly query: {
    readonly start?: string
    readonly end?: string
    readonly limit: number
    readonly cursor?: string
  }
}
type Form = { readonly limit: number; readonly isCsv: boolean }
type FirstPage = Form & { readonly country: string; readonly range: MonthRange }
type NextPage = Form & { readonly cursor: HistoryCursor }

type Deps = Pick<ApiDeps, 'figures' | 'history' | 'journalId' | 'journalReaches' | 'clock'>

/** Pages through the exports of a country. All pages show the snapshot of the first one, whatever is revised meanwhile. */
export const exportsHistoryHandlers = (deps: Deps, render: Render): Handlers => ({
  [OPERATION]: handler<HistoryInput, FirstPage | NextPage>({
    needsSlot: true,
    ask: async ({ params: { country }, query, csv }) => {
      const form = { limit: csv?.isWhole ? MAX_CSV_ROWS : query.limit, isCsv: csv !== undefined }
      const range = monthRange(query.start, query.end)
      if (query.cursor === undefined) return { ...form, country, range }
      const cursor = await readCursor(query.cursor, deps)
      requireSameFilters(cursor, country, query, range)
      return { ...form, cursor }
    },
    answer: (page) => ('cursor' in page ? nextPage(deps, render, page) : firstPage(deps, render, page)),
  }),
})

/** Reads a cursor. Cursors are not signed, so one that no node can have issued is refused here. */
async function readCursor(text: string, { journalId, journalReaches, clock }: Deps): Promise<HistoryCursor> {
  const cursor = decodeHistoryCursor(text)
  if (!cursor?.series.startsWith(`${cursor.country}.${INDICATOR}.`) || !isPublic(INDICATOR, cursor.country))
    throw notIssued()
  if (cursor.journal !== journalId) {
    throw new ProblemError('cursor_foreign', 'The cursor belongs to another journal.')
  }
  const age = historyCursorAge(cursor.issuedAt, clock().getTime())
  if (age === 'expired') {
    throw new ProblemError('cursor_expired', 'The first page of this history was read more than 24 hours ago.')
  }
  if (age === 'forged' || !(await journalReaches(cursor.snapshot))) throw notIssued()
  return cursor
}

const notIssued = () => new ProblemError('cursor_invalid', 'The text is not a cursor of this operation.')

/** Throws `cursor_mismatch` unless the cursor is sent alone or with exactly the filters that it contains. */
function requireSameFilters(
  cursor: HistoryCursor,
  country: string,
  { start, end }: HistoryInput['query'],
  asked: MonthRange,
): void {
  if (country !== cursor.country) throw mismatch(`country ${cursor.country}.`)
  const isAlone = start === undefined && end === undefined
  if (isAlone || (asked.start === cursor.start && asked.end === cursor.end)) return
  const range = `start ${cursor.start || 'left out'} and end ${cursor.end || 'left out'}`
  throw mismatch(`${range}: send it with exactly these, or alone.`)
}

const mismatch = (madeFor: string) => new ProblemError('cursor_mismatch', `The cursor was made for ${madeFor}`)

async function firstPage(deps: Deps, render: Render, asked: FirstPage): Promise<Answer> {
  const { country, range } = asked
  const { figures, history, journalId, clock } = deps
  const series = isPublic(INDICATOR, country)
    ? (figures.servedSeries(country, INDICATOR, 'M') ?? figures.servedSeries(country, INDICATOR, 'A'))
    : undefined
  if (!series) throw missingFigure(figures, INDICATOR, country)
  const issuedAt = issueTime(clock().getTime())
  const snapshot = await history.snapshotOf(series.id)
  if (!snapshot) throw behind()
  const start: HistoryCursor = {
    journal: journalId,
    country,
    start: range.start,
    end: range.end,
    series: series.id,
    snapshot: snapshot.offset,
    after: '',
    issuedAt,
  }
  return page(deps, render, series, start, asked, snapshot.recordedAt, caching.latest)
}

async function nextPage(deps: Deps, render: Render, asked: NextPage): Promise<Answer> {
  const { cursor } = asked
  const { figures, history } = deps
  const watermark = await history.watermark()
  if (watermark === undefined || watermark < cursor.snapshot) throw behind()
  const series = figures.current(cursor.series, cursor.after)?.series
  const recordedAt = await history.recordedAt(cursor.series, cursor.snapshot)
  if (!series || !recordedAt) throw notIssued()
  return page(deps, render, series, cursor, asked, recordedAt, caching.snapshot)
}

async function page(
  { history }: Deps,
  render: Render,
  series: Series,
  at: HistoryCursor,
  { limit, isCsv }: Form,
  recordedAt: string,
  cacheControl: string,
): Promise<Answer> {
  const range = { start: at.start, end: at.end }
  const { start, end } = series.frequency === 'A' ? annualRange(range) : range
  // Reads one more than is shown, to learn whether there is a next page.
  const within = { snapshot: at.snapshot, after: at.after, start, end, limit: limit + 1 }
  const { rows } = await history.exportsHistory(series.id, within)
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next_cursor = last && rows.length > limit ? encodeHistoryCursor({ ...at, after: last.period }) : null
  const observation = ({ period, value }: (typeof rows)[number]) => ({
    country: series.country,
    measure: 'merchandise_exports',
    value,
    unit: series.unit,
    transformation: '',
    period,
  })
  if (!isCsv) return render.list(OPERATION, shown, observation, { next_cursor, as_of: recordedAt }, cacheControl)
  return render.csv(
    OPERATION,
    shown,
    observation,
    cacheControl,
    next_cursor ? nextLink(series.country, next_cursor) : {},
  )
}

/** CSV has no place for the cursor of the next page, so a header names it (RFC 8288). */
const nextLink = (country: string, cursor: string) => ({
  link: `<${operationById(OPERATION).path.replace('{country}', country)}?format=csv&cursor=${cursor}>; rel="next"`,
})

const behind = () => new ProblemError('unavailable', 'This node has not reached the snapshot of this page yet.')
