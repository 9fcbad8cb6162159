import { isDate } from '../../domain/day.ts'

const instant = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/

/**
 * Reads an ISO 8601 instant with an offset from UTC. Returns it in UTC with milliseconds (finer digits are cut), and
 * undefined for anything else, such as a local time.
 */
export function readInstant(text: string): string | undefined {
  if (!isDate(instant.exec(text)?.[1] ?? '')) return undefined
  const read = new Date(text)
  return Number.isNaN(read.getTime()) ? undefined : read.toISOString()
}
