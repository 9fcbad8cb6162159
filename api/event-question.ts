import { ProblemError } from '../contracts/problems.ts'
import { cursorFaults } from '../domain/cursor.ts'
import { type EventStart, eventStartOf, type StartFault } from '../domain/event-start.ts'
import type { Caller } from './deps.ts'
import { notInCalendar } from './filters.ts'

/** What pages and exports of events have in common. */

export type EventQuery = {
  readonly country?: readonly string[]
  readonly family?: readonly string[]
  readonly type?: readonly string[]
  readonly cursor?: string
  readonly start?: string
}

/** The families to read: the requested ones, or all of the plan. A requested family outside the plan is refused. */
export function familiesFor(caller: Caller | null, asked?: readonly string[]): readonly string[] {
  if (!caller) throw new Error('events are asked without a caller')
  const { families } = caller.limits
  const barred = asked?.find((family) => !families.includes(family))
  if (barred) throw new ProblemError('plan_upgrade_required', `The plan ${caller.plan} does not have ${barred} events.`)
  return asked ?? families
}

/** The parameter `start`, if it is given. Throws `invalid_query` if a cursor is given, too. */
export function startIn({ cursor, start }: EventQuery): EventStart | undefined {
  if (start === undefined) return undefined
  if (cursor === undefined) return readEventStart('start', start)
  throw new ProblemError('invalid_query', 'Send either start or cursor: a cursor already says where to begin.')
}

/** Reads a sequence or an instant. Throws `invalid_query` if it names a day or time that does not exist. */
export function readEventStart(parameter: 'start' | 'end', text: string): EventStart {
  const start = eventStartOf(text)
  if (start) return start
  throw notInCalendar(parameter, text)
}

/** The problem of a start or an end that is a time in another unit. */
export const otherUnitProblem = (parameter: 'start' | 'end', detail: string) =>
  new ProblemError('invalid_query', `query parameter ${parameter}: ${detail}`)

/** Refusal of a start that is ahead, as that of a cursor is, or that is a time in another unit. */
export const startRefusal = (
  { isTime, detail }: StartFault,
  path: string,
  query: Readonly<Record<string, unknown>>,
  latest: string,
): ProblemError =>
  isTime ? otherUnitProblem('start', detail) : cursorRefusal('cursor_ahead', path, query, latest, `start: ${detail}`)

/** What the place is to which a refusal leads. */
const placeNames = {
  cursor_invalid: 'earliest',
  cursor_foreign: 'earliest',
  cursor_superseded: 'branch',
  cursor_expired: 'earliest',
  cursor_ahead: 'latest',
} as const satisfies Record<keyof typeof cursorFaults, string>

/**
 * Refusal of a cursor, or of a start that is ahead as a cursor can be, which has a detail of its own. The Link header has the
 * address to continue from: the same query with another cursor.
 */
export function cursorRefusal(
  code: keyof typeof cursorFaults,
  path: string,
  query: Readonly<Record<string, unknown>>,
  cursor: string,
  detail: string = cursorFaults[code],
): ProblemError {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (name === 'cursor' || name === 'start' || value === undefined) continue
    for (const one of [value].flat()) parameters.append(name, String(one))
  }
  parameters.set('cursor', cursor)
  return new ProblemError(code, detail, { headers: { link: `<${path}?${parameters}>; rel="${placeNames[code]}"` } })
}
