import { servedIndicators } from '../../contracts/indicators.ts'
import { MAX_CSV_ROWS } from '../../contracts/operation.ts'
import { ProblemError } from '../../contracts/problems.ts'
import { BEFORE_ANYTHING } from '../../contracts/scalars.ts'
import {
  decodeCalendarCursor,
  encodeCalendarCursor,
  type CalendarFilters as Filters,
  filterText,
} from '../../domain/calendar-cursor.ts'
import type { DatedEntry } from '../../domain/calendar-entries.ts'
import { addDays } from '../../domain/day.ts'
import { issueTime } from '../../domain/snapshot-lifetime.ts'
import { type Answer, caching, type Render, textAnswer } from '../answer.ts'
import { eventOf } from '../calendar-event.ts'
import { withFigures } from '../calendar-figures.ts'
import { linked, nextLink } from '../csv.ts'
import type { ApiDeps } from '../deps.ts'
import { type Handlers, handler, type OperationInput, requireReady } from '../execute.ts'
import { refuseUnknownCountry, refuseUnknownIndicator } from '../filters.ts'
import { calendarText } from '../icalendar.ts'
import { calendarOf } from '../release-calendar.ts'
import { requireHonoured } from '../snapshot-cursor.ts'

type ListInput = OperationInput & { readonly query: Filters & { readonly limit: number; readonly cursor?: string } }
type FeedInput = OperationInput & { readonly query: Filters }
type Page = {
  readonly filters: Filters
  readonly after: string
  readonly issuedAt: number
  readonly limit: number
  readonly csv: OperationInput['csv']
}
type Deps = Pick<
  ApiDeps,
  'figures' | 'releaseIndex' | 'statements' | 'releaseDates' | 'history' | 'apiBase' | 'lineage' | 'clock' | 'answering'
>

/** Most events of a feed. */
const MAX_EVENTS = 5_000
/** Days before today at which a feed begins, if nothing else is asked for. */
const FEED_DAYS = 92

/** Serves the release calendar from memory, page by page with the figures of prints, or as a feed for calendar programs. */
export function calendarHandlers(deps: Deps, render: Render): Handlers {
  const { entries } = calendarOf(deps)
  return {
    calendar_list: handler<ListInput, Page>({
      ask: ({ query, csv }) => pageOf(query, csv, deps),
      answer: async (page) => list(deps, render, await entries(), page),
    }),
    calendar_ics: handler<FeedInput, Filters>({
      ask: ({ query }) => {
        checkFilters(query)
        return query
      },
      answer: async (filters) => {
        requireReady(deps.answering())
        const start = filters.start ?? addDays(deps.clock().toISOString().slice(0, 10), -FEED_DAYS)
        return feed((await entries()).filter(matching({ ...filters, start })), deps.apiBase)
      },
    }),
  }
}

function checkFilters({ country, indicator, start, end }: Filters): void {
  refuseUnknownCountry(country)
  refuseUnknownIndicator(indicator, servedIndicators)
  if (start !== undefined && end !== undefined && start > end) {
    throw new ProblemError('invalid_query', `query parameter start: "${start}" is after end "${end}"`)
  }
}

const matching =
  ({ country, indicator, status, start, end }: Filters) =>
  (entry: DatedEntry): boolean =>
    (country?.includes(entry.country) ?? true) &&
    (indicator?.includes(entry.indicator) ?? true) &&
    (status?.includes(entry.status) ?? true) &&
    (start === undefined || (entry.day !== null && entry.day >= start)) &&
    (end === undefined || (entry.day !== null && entry.day <= end))

function pageOf(query: ListInput['query'], csv: OperationInput['csv'], deps: Deps): Page {
  const { cursor: text, limit, country, indicator, status, start, end } = query
  const filters = {
    ...(country && { country: distinct(country) }),
    ...(indicator && { indicator: distinct(indicator) }),
    ...(status && { status: distinct(status) }),
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
  }
  checkFilters(filters)
  const form = { limit: csv?.isWhole ? MAX_CSV_ROWS : limit, csv }
  if (text === undefined) return { ...form, filters, after: '', issuedAt: issueTime(deps.clock().getTime()) }
  const cursor = requireHonoured(decodeCalendarCursor(text), 'calendar', deps)
  if (Object.keys(filters).length > 0 && filterText(filters) !== filterText(cursor.filters)) {
    throw new ProblemError('cursor_mismatch', 'The cursor was made for other filters: send it with the same, or alone.')
  }
  return { ...form, filters: cursor.filters, after: cursor.after, issuedAt: cursor.issuedAt }
}

const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)]

async function list(
  { releaseIndex, statements, releaseDates, history, figures, lineage }: Deps,
  render: Render,
  entries: readonly DatedEntry[],
  { filters, after, issuedAt, limit, csv }: Page,
): Promise<Answer> {
  const found = entries.filter((entry) => entry.sortKey > after).filter(matching(filters))
  const shown = found.slice(0, limit)
  const last = shown.length < found.length ? shown.at(-1) : undefined
  if (csv?.isWhole && last) {
    throw new ProblemError(
      'invalid_query',
      `${found.length} entries match. Name a start and an end for at most ${MAX_CSV_ROWS}.`,
    )
  }
  const next_cursor =
    last === undefined
      ? null
      : encodeCalendarCursor({ journal: lineage.journal, filters, after: last.sortKey, issuedAt })
  const withAll = await withFigures(shown, releaseIndex.series(), { history, figures })
  if (csv) {
    const link = linked(nextLink('/v1/calendar', limit, next_cursor, csv))
    return render.csv(csv, 'calendar_list', withAll, (entry) => entry, caching.latest, link)
  }
  const recorded = releaseIndex.series().map(({ recordedAt }) => recordedAt)
  const as_of = [BEFORE_ANYTHING, statements.recordedAt, releaseDates.recordedAt, ...recorded].sort().at(-1)
  return render.list('calendar_list', withAll, (entry) => entry, { next_cursor, as_of }, caching.latest)
}

/** The entries that have a day as a feed. Its text changes only if an entry does. */
function feed(entries: readonly DatedEntry[], apiBase: string): Answer {
  if (entries.length > MAX_EVENTS) {
    const detail = `${entries.length} entries match, and a feed has at most ${MAX_EVENTS}. Name countries, indicators or days.`
    throw new ProblemError('invalid_query', detail)
  }
  const events = entries.flatMap((entry) => eventOf(entry, apiBase))
  const body = calendarText('Almanac: releases', events)
  return { ...textAnswer(body, 'text/calendar; charset=utf-8'), cacheControl: caching.feed }
}
