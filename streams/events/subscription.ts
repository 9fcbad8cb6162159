import { countryByAlpha3 } from '../../contracts/countries.ts'
import { eventFamilies, eventTypes } from '../../contracts/events.ts'
import { SubscribeEvents } from '../../contracts/frames.ts'
import type { Plan } from '../../contracts/resources.ts'
import type { StreamErrorCode } from '../../contracts/streams.ts'
import { decodeEventCursor } from '../../domain/cursor.ts'
import type { EventFilter } from '../../domain/event-filter.ts'
import { type Filters, readFilters } from '../filters.ts'
import { shapeCheck } from '../shape.ts'
import { isRefusal, type Refusal } from '../stream.ts'
import { cursorOf, type Place } from './entry.ts'

/** What a client wants, and from where. A start beyond the tip is to be confirmed by the journal before it is honoured. */
export type EventSubscription = { readonly start: Place; readonly filter: EventFilter }

/** What the key’s plan has. */
export type Granted = { readonly plan: Plan; readonly families: readonly string[] }

/** The ends of the journal as this process knows it. */
export type Ends = { readonly journal: string; readonly earliest: Place; readonly tip: Place }

const misshapen = shapeCheck(SubscribeEvents)

const isServed: { readonly [F in keyof EventFilter]: (value: string) => boolean } = {
  countries: (value) => countryByAlpha3.has(value),
  families: (value) => (eventFamilies as readonly string[]).includes(value),
  types: (value) => (eventTypes as readonly string[]).includes(value),
}

/**
 * Reads a subscribe message: shape and limits, then what is served, then what the plan has, then the cursor. An empty
 * list of a filter matches nothing. Where two things are wrong the first in this order is named.
 */
export function readSubscription(
  message: Readonly<Record<string, unknown>>,
  granted: Granted,
  ends: Ends,
): EventSubscription | Refusal {
  const fault = misshapen(message)
  if (fault) return fault
  const asked = readFilters(message, isServed)
  if (isRefusal(asked)) return asked
  const refusal = barred(asked, granted)
  if (refusal) return refusal
  const start = startOf(message.cursor as string | undefined, ends)
  if (isRefusal(start)) return start
  return { start, filter: { ...asked, families: asked.families ?? new Set(granted.families) } }
}

/** A barred family by name is refused, not left out. */
function barred(asked: Filters<'families'>, { plan, families }: Granted): Refusal | undefined {
  const family = [...(asked.families ?? [])].find((name) => !families.includes(name))
  return family === undefined
    ? undefined
    : { refused: 'plan_upgrade_required', detail: `The plan ${plan} does not have ${family} events.` }
}

/**
 * Where to start. A cursor is honoured or refused, never moved; the codes and their order are those of GET /v1/events.
 * One that is ahead of the tip is let through here: another process may have read further than this one.
 */
function startOf(text: string | undefined, { journal, earliest, tip }: Ends): Place | Refusal {
  if (text === undefined || text === 'latest') return tip
  if (text === 'earliest') return earliest
  const refuse = (refused: StreamErrorCode, detail: string): Refusal => ({
    refused,
    detail,
    resumeCursor: cursorOf(journal, earliest),
  })
  const cursor = decodeEventCursor(text)
  if (!cursor || cursor.sequence < 1) {
    return refuse('cursor_invalid', 'The cursor is not one that the events API hands out.')
  }
  if (cursor.journal !== journal) {
    return refuse('cursor_foreign', 'The cursor was made by a service over another journal.')
  }
  if (cursor.sequence < earliest.sequence) {
    return refuse('cursor_expired', 'The event that the cursor points at is no longer kept.')
  }
  return { sequence: cursor.sequence, hint: cursor.hint }
}
