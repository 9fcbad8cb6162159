import { Compile } from 'typebox/compile'
import { eventFamilies, eventTypes } from '../../contracts/events.ts'
import { SubscribeEvents } from '../../contracts/frames.ts'
import { plans } from '../../contracts/plans.ts'
import type { Plan } from '../../contracts/resources.ts'
import { CountryCode } from '../../contracts/scalars.ts'
import type { StreamErrorCode } from '../../contracts/streams.ts'
import { decodeEventCursor } from '../../domain/cursor.ts'
import type { EventFilter } from '../../domain/event-filter.ts'
import { shapeCheck } from '../shape.ts'
import { isRefusal, type Refusal } from '../stream.ts'
import { cursorOf, type Place } from './entry.ts'

/** What a client wants, and from where. A start beyond the tip is to be confirmed by the journal before it is honoured. */
export type EventSubscription = { readonly start: Place; readonly filter: EventFilter }

type Message = {
  readonly [F in keyof EventFilter]?: readonly string[]
} & { readonly cursor?: string }

/** The ends of the journal as this process knows it. */
export type Ends = { readonly journal: string; readonly earliest: Place; readonly tip: Place }

const misshapen = shapeCheck(SubscribeEvents)
const country = Compile(CountryCode)

/** By member, whether a value is one that is served. Any well-formed country is: REST judges them alike. */
const isServed: { readonly [F in keyof EventFilter]: (value: string) => boolean } = {
  countries: (value) => country.Check(value),
  families: (value) => (eventFamilies as readonly string[]).includes(value),
  types: (value) => (eventTypes as readonly string[]).includes(value),
}
const members = Object.keys(isServed) as (keyof EventFilter)[]

/**
 * Reads a subscribe message: shape and limits, then what is served, then what the plan has, then the cursor. An empty
 * list of a filter matches nothing. Where two things are wrong the first in this order is named.
 */
export function readSubscription(
  message: Readonly<Record<string, unknown>>,
  plan: Plan,
  ends: Ends,
): EventSubscription | Refusal {
  const asked = message as Message
  const fault = misshapen(message) ?? repeated(asked) ?? unserved(asked) ?? barred(asked, plan)
  if (fault) return fault
  const start = startOf(asked.cursor, ends)
  if (isRefusal(start)) return start
  const { countries, families = plans[plan].families, types } = asked
  const filter = {
    countries: countries ? new Set(countries) : null,
    families: new Set(families),
    types: types ? new Set(types) : null,
  }
  return { start, filter }
}

function repeated(asked: Message): Refusal | undefined {
  const member = members.find((name) => new Set(asked[name]).size < (asked[name]?.length ?? 0))
  return member && { refused: 'invalid_frame', detail: `/${member} names a value twice.` }
}

function unserved(asked: Message): Refusal | undefined {
  for (const member of members) {
    const value = asked[member]?.find((name) => !isServed[member](name))
    if (value === undefined) continue
    return { refused: 'filter_not_supported', detail: `/${member}: "${value.slice(0, 64)}" is not served.` }
  }
  return undefined
}

/** A barred family by name is refused, not left out. */
function barred(asked: Message, plan: Plan): Refusal | undefined {
  const family = asked.families?.find((name) => !plans[plan].families.includes(name))
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
