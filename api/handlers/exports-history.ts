import { isPublic } from '../../contracts/indicators.ts'
import { ProblemError } from '../../contracts/problems.ts'
import type { Series } from '../../contracts/records.ts'
import {
  decodeHistoryCursor,
  encodeHistoryCursor,
  HISTORY_CURSOR_LIFETIME_MS,
  type HistoryCursor,
  issueTime,
} from '../../domain/cursor.ts'
import { type Answer, caching, type Render } from '../answer.ts'
import type { ApiDeps } from '../deps.ts'
import { type Handlers, handler, type Input } from '../execute.ts'
import { annualRange, type MonthRange, monthRange } from '../month-range.ts'

const OPERATION = 'economics_get_trade_exports_history'
const INDICATOR = 'trade-exports'

type HistoryInput = Input & {
  readonly params: { readonly country: string }
  readonly query: {
    readonly start?: string
    readonly end?: string
    readonly limit: number
    readonly cursor?: string
  }
}
type FirstPage = { readonly country: string; readonly range: MonthRange; readonly limit: number }
type NextPage = { readonly cursor: HistoryCursor; readonly limit: number }

type Deps = Pick<ApiDeps, 'figures' | 'history' | 'journalId' | 'clock'>

/** Pages through the exports of a country as they stood when the first page was read, whatever is revised meanwhile. */
export const exportsHistoryHandlers = (deps: Deps, render: Render): Handlers => ({
  [OPERATION]: handler<HistoryInput, FirstPage | NextPage>({
    needsSlot: true,
    ask: ({ params: { country }, query }) => {
      const { limit } = query
      const range = monthRange(query.start, query.end)
      if (query.cursor === undefined) return { country, range, limit }
      const cursor = readCursor(query.cursor, deps)
      const mismatch = mismatchOf(cursor, country, query, range)
      if (mismatch) throw new ProblemError('cursor_mismatch', `The cursor was made for ${mismatch}.`)
      return { cursor, limit }
    },
    answer: (page) => ('cursor' in page ? nextPage(deps, render, page) : firstPage(deps, render, page)),
  }),
})

/** Whether a country's export totals are public. */

function readCursor(text: string, { journalId, clock }: Deps): HistoryCursor {
  const cursor = decodeHistoryCursor(text)
  // A cursor is not signed: one that names another series than its country's exports was not handed out by us.
  if (!cursor?.series.startsWith(`${cursor.country}.${INDICATOR}.`) || !isPublic(INDICATOR, cursor.country)) {
    throw new ProblemError('cursor_invalid', 'The cursor is not one that this operation hands out.')
  }
  if (cursor.journal !== journalId) {
    throw new ProblemError('cursor_foreign', 'The cursor was made by a service over another journal.')
  }
  const age = clock().getTime() - cursor.issuedAt
  if (age > HISTORY_CURSOR_LIFETIME_MS) {
    throw new ProblemError('cursor_expired', 'The first page of this history was read more than 24 hours ago.')
  }
  return cursor
}

/** What a cursor was made for, if a call that brings it asks for something else; a call may leave its filters out. */
function mismatchOf(
  cursor: HistoryCursor,
  country: string,
  query: HistoryInput['query'],
  asked: MonthRange,
): string | undefined {
  if (country !== cursor.country) return `country ${cursor.country}`
  if (query.start !== undefined && asked.start !== cursor.start) return `start ${cursor.start || 'left out'}`
  if (query.end !== undefined && asked.end !== cursor.end) return `end ${cursor.end || 'left out'}`
  return undefined
}

async function firstPage(deps: Deps, render: Render, { country, range, limit }: FirstPage): Promise<Answer> {
  const { figures, history, journalId, clock } = deps
  const series = isPublic(INDICATOR, country)
    ? (figures.servedSeries(country, INDICATOR, 'M') ?? figures.servedSeries(country, INDICATOR, 'A'))
    : undefined
  if (!series) {
    throw new ProblemError('no_complete_publication', `Nothing complete is published: ${INDICATOR}, ${country}.`)
  }
  const issuedAt = issueTime(clock().getTime())
  const snapshot = await history.snapshotOf(series.id)
  if (!snapshot) throw behind()
  const start: HistoryCursor = {
    ...{ journal: journalId, country, start: range.start, end: range.end },
    ...{ series: series.id, snapshot: snapshot.offset, after: '', issuedAt },
  }
  return page(deps, render, series, start, limit, snapshot.recordedAt, caching.latest)
}

async function nextPage(deps: Deps, render: Render, { cursor, limit }: NextPage): Promise<Answer> {
  const { figures, history } = deps
  const watermark = await history.watermark()
  if (watermark === undefined || watermark < cursor.snapshot) throw behind()
  const series = figures.current(cursor.series, cursor.after)?.series
  const recordedAt = await history.recordedAt(cursor.series, cursor.snapshot)
  if (!series || !recordedAt) {
    throw new ProblemError('cursor_invalid', 'The cursor is not one that this operation hands out.')
  }
  return page(deps, render, series, cursor, limit, recordedAt, caching.snapshot)
}

async function page(
  { history }: Deps,
  render: Render,
  series: Series,
  at: HistoryCursor,
  limit: number,
  recordedAt: string,
  cacheControl: string,
): Promise<Answer> {
  const range = { start: at.start, end: at.end }
  const { start, end } = series.frequency === 'A' ? annualRange(range) : range
  // One more than is shown says whether there is a next page.
  const within = { snapshot: at.snapshot, after: at.after, start, end, limit: limit + 1 }
  const { rows } = await history.exportsHistory(series.id, within)
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const body = {
    observations: shown.map(({ period, value }) => ({
      country: series.country,
      measure: 'merchandise_exports',
      value,
      unit: series.unit,
      transformation: '',
      period,
    })),
    next_cursor: last && rows.length > limit ? encodeHistoryCursor({ ...at, after: last.period }) : null,
    as_of: recordedAt,
  }
  return render(OPERATION, body, cacheControl)
}

const behind = () =>
  new ProblemError('unavailable', 'This node has not yet read as far as the snapshot that the page belongs to.')
