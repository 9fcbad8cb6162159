import { decodeCursor, encodeCursor, isCount } from './cursor.ts'

/** What a request for the calendar chooses. An absent member chooses everything. */
export type CalendarFilters = {
  readonly country?: readonly string[]
  readonly indicator?: readonly string[]
  readonly status?: readonly string[]
  /** First and last day, YYYY-MM-DD. */
  readonly start?: string
  readonly end?: string
}

/** The next page of the calendar, and the filters of its first page. */
type CalendarCursor = {
  readonly journal: string
  readonly filters: CalendarFilters
  /** Sort key of the last entry delivered. */
  readonly after: string
  /** Start of the cursor's lifetime, as in a history cursor. */
  readonly issuedAt: number
}

export const encodeCalendarCursor = ({ journal, filters, after, issuedAt }: CalendarCursor): string =>
  encodeCursor('d', [journal, filterText(filters), after, issuedAt])

/** The filters as one text, which is the same for the same filters. */
export const filterText = ({ country, indicator, status, start, end }: CalendarFilters): string =>
  JSON.stringify({ country, indicator, status, start, end })

/** Undefined if the text is no intact cursor, or has a member that no cursor can have: a client can compute the checksum too. */
export function decodeCalendarCursor(text: string): CalendarCursor | undefined {
  const [journal, filters, after, issuedAt] = decodeCursor('d', text) ?? []
  if (typeof journal !== 'string' || typeof filters !== 'string' || typeof after !== 'string') return undefined
  const read = filtersIn(filters)
  return read && isCount(issuedAt) ? { journal, filters: read, after, issuedAt } : undefined
}

function filtersIn(text: string): CalendarFilters | undefined {
  try {
    const filters: CalendarFilters = JSON.parse(text)
    const { country, indicator, status, start, end } = filters
    const areLists = [country, indicator, status].every((list) => list === undefined || Array.isArray(list))
    const areDays = [start, end].every((day) => day === undefined || typeof day === 'string')
    return areLists && areDays ? filters : undefined
  } catch {
    return undefined
  }
}
