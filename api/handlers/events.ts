import { ProblemError } from '../../contracts/problems.ts'
import { releaseLink } from '../../contracts/release-detail.ts'
import { BEFORE_ANYTHING } from '../../contracts/scalars.ts'
import { type cursorFaults, judgeEventCursor } from '../../domain/cursor.ts'
import { faultOfSequence, type SequenceStart } from '../../domain/event-start.ts'
import { cursorAt, servedEvent } from '../../domain/served-event.ts'
import { type Answer, caching, type Render } from '../answer.ts'
import type { ApiDeps } from '../deps.ts'
import { cursorRefusal, type EventQuery, familiesFor, startIn, startRefusal } from '../event-question.ts'
import { type Handlers, handler, type OperationInput } from '../execute.ts'
import { refuseUnknownCountry } from '../filters.ts'
import { isOfRelease, releaseBehind } from '../release-behind.ts'

type PageInput = OperationInput & { readonly query: EventQuery & { readonly limit: number } }
type PageQuestion = {
  readonly start: { readonly sequence: number } | { readonly recordedFrom: number }
  readonly families: readonly string[]
  readonly query: PageInput['query']
}
type EventInput = OperationInput & { readonly params: { readonly event_id: string } }

const PATH = '/v1/events'

type Deps = Pick<ApiDeps, 'events' | 'newestEvent' | 'lineage' | 'vintages'>

/** Serves the public events page by page, as far as the read model has them. */
export const eventHandlers = (deps: Deps, render: Render): Handlers => ({
  events_list: handler<PageInput, PageQuestion>({
    needsSlot: true,
    ask: async ({ query }, caller) => {
      refuseUnknownCountry(query.country)
      return {
        start: await firstOf(query, deps),
        families: familiesFor(caller, query.family),
        query,
      }
    },
    answer: (question) => page(deps, render, question),
  }),
  events_get: handler<EventInput, { id: string; families: readonly string[] }>({
    needsSlot: true,
    ask: ({ params }, caller) => ({ id: params.event_id, families: familiesFor(caller) }),
    answer: async ({ id, families }) => {
      const record = await deps.events.byId(id)
      if (!record || !families.includes(record.family)) {
        throw new ProblemError('event_not_found', `Event ${id} does not exist, or is not in this key's plan.`)
      }
      const event = servedEvent(record, deps.lineage)
      if (!isOfRelease(record)) return render('events_get', event, caching.immutable)
      const release = await releaseBehind(deps, record)
      // The table of releases may be behind that of events, and then the link is missing for a moment.
      if (!release) return render('events_get', event, caching.latest)
      return render('events_get', event, caching.immutable, { link: releaseLink(release) })
    },
  }),
})

async function page(
  { events, lineage }: Deps,
  render: Render,
  { start, families, query }: PageQuestion,
): Promise<Answer> {
  const from = 'sequence' in start ? start.sequence : await events.recordedFrom(start.recordedFrom)
  const { country: countries, type: types, limit } = query
  // Reads one more than is shown, to learn whether there is more.
  const slice = await events.page({ from, families, countries, types, limit: limit + 1 })
  // Checked again: the read model may have been unreachable when `ask` checked the cursor, or have dropped events since.
  const first = slice.bounds?.first.sequence ?? from
  if (from < first && isCursor(query.cursor)) {
    throw refusal('cursor_expired', query, cursorAt(lineage, first))
  }
  const shown = slice.events.slice(0, limit)
  const last = shown.length < slice.events.length ? shown.at(-1) : undefined
  // Everything up to `scannedTo` has been examined, matching or not, so the next page starts after it.
  const reached = last ? last.sequence + 1 : Math.max(from, slice.scannedTo + 1)
  const newest = slice.bounds?.last.sequence ?? 0
  const rest = {
    next_cursor: cursorAt(lineage, reached),
    has_more: reached <= newest,
    as_of: slice.bounds?.last.recordedAt ?? BEFORE_ANYTHING,
  }
  return render.list('events_list', shown, (record) => servedEvent(record, lineage), rest, caching.revalidate)
}

/**
 * Where to read from. A cursor is honoured or refused, never moved. The Link header of a refusal has the address to
 * continue from, with a cursor. If the read model is unreachable, the word `earliest` or `latest` stands in its place.
 */
async function firstOf(query: PageInput['query'], deps: Deps): Promise<PageQuestion['start']> {
  const { events, newestEvent, lineage } = deps
  const start = startIn(query)
  if (start) {
    if ('sequence' in start) await refuseAhead(start, query, deps)
    return start
  }
  const { cursor: given } = query
  if (given === undefined || given === 'earliest') return { sequence: 1 }
  // An unreachable read model is reported later, when the page is read.
  const bounds = await events.bounds().catch(away)
  const first = bounds === 'away' ? undefined : (bounds?.first.sequence ?? 1)
  const end = bounds === 'away' ? undefined : (bounds?.last.sequence ?? 0) + 1
  if (given === 'latest') return { sequence: end ?? (await newestEvent()) + 1 }

  const judge = (end: number | undefined) => judgeEventCursor(given, { lineage, first, end })
  let cursor = judge(end)
  // The streams read the journal directly, so their cursors may be ahead of the read model, though not of the journal.
  if ('refused' in cursor && cursor.refused === 'cursor_ahead') cursor = judge((await newestEvent()) + 1)
  if (!('refused' in cursor)) return { sequence: cursor.sequence }
  const { refused, goOnAt } = cursor
  const at = goOnAt === 'latest' ? end : goOnAt === 'earliest' ? first : goOnAt
  throw refusal(refused, query, at === undefined ? String(goOnAt) : cursorAt(lineage, at))
}

/** Refuses a sequence beyond the next event, as a cursor there is refused. */
async function refuseAhead(
  start: SequenceStart,
  query: PageInput['query'],
  { events, newestEvent, lineage }: Deps,
): Promise<void> {
  const bounds = await events.bounds().catch(away)
  if (bounds === 'away') return
  const end = (bounds?.last.sequence ?? 0) + 1
  if (start.sequence <= end) return
  // The read model may be behind the journal.
  const fault = faultOfSequence(start, Math.max(end, (await newestEvent()) + 1))
  if (fault) throw startRefusal(fault, PATH, shortened(query), cursorAt(lineage, end))
}

const isCursor = (given: string | undefined): boolean =>
  given !== undefined && given !== 'earliest' && given !== 'latest'

const refusal = (code: keyof typeof cursorFaults, query: PageInput['query'], cursor: string) =>
  cursorRefusal(code, PATH, shortened(query), cursor)

/** A query that names the limit only if it is not the usual one. */
const shortened = ({ limit, ...query }: PageInput['query']) => ({ ...query, ...(limit === 100 ? {} : { limit }) })

function away(error: unknown): 'away' {
  if (error instanceof ProblemError) return 'away'
  throw error
}
