import { countryByAlpha3 } from '../../contracts/countries.ts'
import { eventFamilies, eventTypes } from '../../contracts/events.ts'
import { SubscribeEvents } from '../../contracts/frames.ts'
import type { Plan } from '../../contracts/resources.ts'
import { cursorFaults, judgeEventCursor } from '../../domain/cursor.ts'
import type { EventFilter } from '../../domain/event-filter.ts'
import { type EventStart, eventStartOf } from '../../domain/event-start.ts'
import type { Lineage } from '../../domain/lineage.ts'
import { type Filters, readFilters } from '../filters.ts'
import { shapeCheck } from '../shape.ts'
import { isRefusal, type Refusal } from '../stream.ts'
import { cursorOf, type LogPosition } from './encoded-event.ts'

/**
 * A client's filter and start. A start that is no position yet must be looked up in the journal. The journal must also confirm a
 * position beyond the tip before it is honoured.
 */
export type EventSubscription = { readonly start: LogPosition | EventStart; readonly filter: EventFilter }

/** Whether a start must be looked up. */
export const isToBeFound = (start: LogPosition | EventStart): start is EventStart => !('hint' in start)

/** The event families of the key's plan. */
export type Granted = { readonly plan: Plan; readonly families: readonly string[] }

/** The ends of the journal, as far as this process has read it. */
export type Ends = { readonly lineage: Lineage; readonly earliest: LogPosition; readonly tip: LogPosition }

const checkShape = shapeCheck(SubscribeEvents)

/** Whether a filter's value is served. The casts let `includes` take any text. */
const isServed: { readonly [F in keyof EventFilter]: (value: string) => boolean } = {
  countries: (value) => countryByAlpha3.has(value),
  families: (value) => (eventFamilies as readonly string[]).includes(value),
  types: (value) => (eventTypes as readonly string[]).includes(value),
}

/**
 * Reads a subscribe message. Checks shape and limits, then served values, then the plan, then the cursor; the first fault in
 * this order is reported. An empty list of a filter matches nothing.
 */
export function readSubscription(
  message: Readonly<Record<string, unknown>>,
  granted: Granted,
  ends: Ends,
): EventSubscription | Refusal {
  const fault = checkShape(message)
  if (fault) return fault
  const filters = readFilters(message, isServed)
  if (isRefusal(filters)) return filters
  const refusal = planRefusal(filters, granted)
  if (refusal) return refusal
  // The shape check made both texts, or absent.
  const { cursor, start: asked } = message as { readonly cursor?: string; readonly start?: string }
  const start = asked === undefined ? positionOf(cursor, ends) : startOf(asked, cursor)
  if (isRefusal(start)) return start
  return { start, filter: { ...filters, families: filters.families ?? new Set(granted.families) } }
}

/** Refuses a family that is named but not in the plan. It is not left out silently. */
function planRefusal(asked: Filters<'families'>, { plan, families }: Granted): Refusal | undefined {
  const family = [...(asked.families ?? [])].find((name) => !families.includes(name))
  return family === undefined
    ? undefined
    : { refused: 'plan_upgrade_required', detail: `The plan ${plan} does not have ${family} events.` }
}

/** Says where to read instead: the pages keep events that the journal has deleted. Short enough for a close reason. */
const EXPIRED = 'The stream no longer has this event. GET /v1/events may still have it: send it the same cursor.'

/**
 * Position to start from.
 * A cursor ahead of the tip passes here, because another process may have read further than this one.
 */
function positionOf(text: string | undefined, { lineage, earliest, tip }: Ends): LogPosition | Refusal {
  if (text === undefined || text === 'latest') return tip
  if (text === 'earliest') return earliest
  const cursor = judgeEventCursor(text, { lineage, first: earliest.sequence, end: undefined })
  if (!('refused' in cursor)) return { sequence: cursor.sequence, hint: cursor.hint }
  const { refused, goOnAt } = cursor
  return {
    refused,
    detail: refused === 'cursor_expired' ? EXPIRED : cursorFaults[refused],
    resumeCursor: cursorOf(lineage, typeof goOnAt === 'number' ? { sequence: goOnAt, hint: goOnAt } : earliest),
  }
}

function startOf(text: string, cursor: string | undefined): EventStart | Refusal {
  if (cursor !== undefined) {
    return { refused: 'invalid_frame', detail: 'Send either /start or /cursor: a cursor already says where to begin.' }
  }
  const form = 'a sequence such as 42, an instant such as 2026-09-01T08:00:00Z, or a date such as 2026-09-01'
  return eventStartOf(text) ?? { refused: 'invalid_frame', detail: `/start: ${JSON.stringify(text)} is not ${form}.` }
}
