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
import { firstIndex } from '../../domain/first-index.ts'
import { issueTime } from '../../domain/snapshot-lifetime.ts'
import { type Answer, caching, type Render, textAnswer } from '../answer.ts'
import { eventOf } from '../calendar-event.ts'
import { withFigures } from '../calendar-figures.ts'
import { linked, nextLink } from '../csv.ts'
import type { ApiDeps } from '../deps.ts'
import { type Handlers, handler, type OperationInput, requireReady } from '../execute.ts'
import { refuseUnknownCountry, refuseUnknownIndicator } from '../filters.ts'
import { calendarText } from '../icalendar.ts'
import { KeptPrints } from '../kept-prints.ts'
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
  | 'figures'
  | 'releaseIndex'
  | 'statements'
  | 'releaseDates'
  | 'history'
  | 'newestRelease'
  | 'recentReleases'
  | 'apiBase'
  | 'lineage'
  | 'clock'
  | 'answering'
>

/** Most events of a feed. */
const MAX_EVENTS = 5_000
/** Days before today at which a feed begins, if nothing else is asked for. */
const FEED_DAYS = 92

/** Serves the release calendar from memory, page by page with the figures of prints, or as a feed for calendar programs. */
export function calendarHandlers(deps: Deps, render: Render): Handlers {
  const { entries } = calendarOf(deps)
  const prints = new KeptPrints(deps)
  return {
    calendar_list: handler<ListInput, Page>({
      ask: ({ query, csv }) => pageOf(query, csv, deps),
      answer: async (page) => list(deps, render, await entries(), prints, page),
    }),
    calendar_ics: handler<FeedInput, Filters>({
      ask: ({ query }) => {
        checkFilters(query)
        return query
      },
      answer: async (filters) => {
        requireReady(deps.answering())
        const start = filters.start ?? addDays(deps.clock().toISOString().slice(0, 10), -FEED_DAYS)
        const found = within(await entries(), { ...filters, start }).filter(matching(filters))
        return feed(found, deps.apiBase)
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

/** The entries after one of them, by its sort key, and between the days of the filters: entries are in the order of days. */
function within(all: readonly DatedEntry[], { start = '', end }: Filters, after = ''): readonly DatedEntry[] {
  const from = firstIndex(all.length, (i) => {
    const sortKey = all[i]?.sortKey ?? ''
    return sortKey <= after || sortKey < start
  })
  // An entry without a day is neither after a start nor before an end.
  const isBounded = start !== '' || end !== undefined
  const to = isBounded ? firstIndex(all.length, (i) => (all[i]?.day ?? '9999') <= (end ?? '9998'), from) : all.length
  return all.slice(from, to)
}

const matching =
  ({ country, indicator, status }: Filters) =>
  (entry: DatedEntry): boolean =>
    (country?.includes(entry.country) ?? true) &&
    (indicator?.includes(entry.indicator) ?? true) &&
    (status?.includes(entry.status) ?? true)

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
  { releaseIndex, statements, releaseDates, figures, lineage }: Deps,
  render: Render,
  entries: readonly DatedEntry[],
  prints: KeptPrints,
  { filters, after, issuedAt, limit, csv }: Page,
): Promise<Answer> {
  const between = within(entries, filters, after)
  const found = firstOf(between, matching(filters), limit + 1)
  const shown = found.slice(0, limit)
  const last = shown.length < found.length ? shown.at(-1) : undefined
  if (csv?.isWhole && last) {
    throw new ProblemError(
      'invalid_query',
      `${between.filter(matching(filters)).length} entries match. Name a start and an end for at most ${MAX_CSV_ROWS}.`,
    )
  }
  const next_cursor =
    last === undefined
      ? null
      : encodeCalendarCursor({ journal: lineage.journal, filters, after: last.sortKey, issuedAt })
  const withAll = await withFigures(shown, releaseIndex.series(), prints, figures)
  if (csv) {
    const link = linked(nextLink('/v1/calendar', limit, next_cursor, csv))
    return render.csv(csv, 'calendar_list', withAll, (entry) => entry, caching.latest, link)
  }
  const recorded = releaseIndex.series().map(({ recordedAt }) => recordedAt)
  const as_of = [BEFORE_ANYTHING, statements.recordedAt, releaseDates.recordedAt, ...recorded].sort().at(-1)
  return render.list('calendar_list', withAll, (entry) => entry, { next_cursor, as_of }, caching.latest)
}

function firstOf<T>(all: readonly T[], isWanted: (one: T) => boolean, count: number): T[] {
  const found: T[] = []
  for (const one of all) {
    if (found.length === count) break
    if (isWanted(one)) found.push(one)
  }
  return found
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
