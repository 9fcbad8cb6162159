import { ProblemError } from '../../contracts/problems.ts'
import { BEFORE_ANYTHING } from '../../contracts/scalars.ts'
import { cursorFaults, judgeEventCursor } from '../../domain/cursor.ts'
import { type EventStart, eventStartOf } from '../../domain/event-start.ts'
import { cursorAt, servedEvent } from '../../domain/served-event.ts'
import { type Answer, caching, type Render } from '../answer.ts'
import type { ApiDeps, Caller } from '../deps.ts'
import { type Handlers, handler, type OperationInput } from '../execute.ts'
import { refuseUnknownCountry } from '../filters.ts'

type PageInput = OperationInput & {
  readonly query: {
    readonly country?: readonly string[]
    readonly family?: readonly string[]
    readonly type?: readonly string[]
    readonly cursor?: string
    readonly start?: string
    readonly limit: number
  }
}
type PageQuestion = {
  readonly start: EventStart
  readonly families: readonly string[]
  readonly query: PageInput['query']
}
type EventInput = OperationInput & { readonly params: { readonly event_id: string } }

type Deps = Pick<ApiDeps, 'events' | 'newestEvent' | 'journalId'>

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
      return render('events_get', servedEvent(record, deps.journalId), caching.immutable)
    },
  }),
})

async function page(
  { events, newestEvent, journalId }: Deps,
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
    throw refusal('cursor_expired', linkTo(query, cursorAt(journalId, first)), 'earliest')
  }
  const shown = slice.events.slice(0, limit)
  const last = shown.length < slice.events.length ? shown.at(-1) : undefined
  // Everything up to `scannedTo` has been examined, matching or not, so the next page starts after it.
  const reached = last ? last.sequence + 1 : Math.max(from, slice.scannedTo + 1)
  const newest = slice.bounds?.last.sequence ?? 0
  // A start beyond the end gives the cursor of the next event, because no cursor may point further.
  const next =
    query.start !== undefined && reached > newest + 1 ? Math.min(reached, (await newestEvent()) + 1) : reached
  const rest = {
    next_cursor: cursorAt(journalId, next),
    has_more: next <= newest,
    as_of: slice.bounds?.last.recordedAt ?? BEFORE_ANYTHING,
  }
  return render.list('events_list', shown, (record) => servedEvent(record, journalId), rest, caching.revalidate)
}

/** The families to read: the requested ones, or all of the plan. A requested family outside the plan is refused. */
function familiesFor(caller: Caller | null, asked?: readonly string[]): readonly string[] {
  if (!caller) throw new Error('events are asked without a caller')
  const { families } = caller.limits
  const barred = asked?.find((family) => !families.includes(family))
  if (barred) throw new ProblemError('plan_upgrade_required', `The plan ${caller.plan} does not have ${barred} events.`)
  return asked ?? families
}

/**
 * Where to read from. A cursor is honoured or refused, never moved. The Link header of a refusal has the address to
 * continue from, with a cursor. If the read model is unreachable, the word `earliest` or `latest` stands in its place.
 */
async function firstOf(query: PageInput['query'], { events, newestEvent, journalId }: Deps): Promise<EventStart> {
  const { cursor: given, start } = query
  if (start !== undefined) {
    if (given === undefined) return readStart(start)
    throw new ProblemError('invalid_query', 'Send either start or cursor: a cursor already says where the page begins.')
  }
  if (given === undefined || given === 'earliest') return { sequence: 1 }
  // An unreachable read model is reported later, when the page is read.
  const bounds = await events.bounds().catch(away)
  const first = bounds === 'away' ? undefined : (bounds?.first.sequence ?? 1)
  const end = bounds === 'away' ? undefined : (bounds?.last.sequence ?? 0) + 1
  if (given === 'latest') return { sequence: end ?? (await newestEvent()) + 1 }

  const judge = (end: number | undefined) => judgeEventCursor(given, { journal: journalId, first, end })
  let cursor = judge(end)
  // The streams read the journal directly, so their cursors may be ahead of the read model, though not of the journal.
  if (cursor === 'cursor_ahead') cursor = judge((await newestEvent()) + 1)
  if (typeof cursor !== 'string') return { sequence: cursor.sequence }
  const rel = cursor === 'cursor_ahead' ? 'latest' : 'earliest'
  const at = rel === 'latest' ? end : first
  throw refusal(cursor, linkTo(query, at === undefined ? rel : cursorAt(journalId, at)), rel)
}

/** Reads the parameter `start`. Throws `invalid_query` if it names a day or time that does not exist. */
function readStart(text: string): EventStart {
  const start = eventStartOf(text)
  if (!start) throw new ProblemError('invalid_query', `query parameter start: ${text} does not exist in the calendar`)
  return start
}

const isCursor = (given: string | undefined): boolean =>
  given !== undefined && given !== 'earliest' && given !== 'latest'

const refusal = (code: keyof typeof cursorFaults, link: string, rel: 'earliest' | 'latest') =>
  new ProblemError(code, cursorFaults[code], { headers: { link: `<${link}>; rel="${rel}"` } })

function linkTo({ country, family, type, limit }: PageInput['query'], cursor: string): string {
  const query = new URLSearchParams()
  for (const [name, values] of Object.entries({ country, family, type })) {
    for (const value of values ?? []) query.append(name, value)
  }
  if (limit !== 100) query.set('limit', String(limit))
  query.set('cursor', cursor)
  return `/v1/events?${query}`
}

function away(error: unknown): 'away' {
  if (error instanceof ProblemError) return 'away'
  throw error
}
