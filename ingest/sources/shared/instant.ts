import { isDate } from './figure.ts'

const instant = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/

/**
 * An ISO 8601 instant with its offset from UTC, as UTC with milliseconds (finer digits are cut); undefined for anything
 * else, a local time included.
 */
export function readInstant(text: string): string | undefined {
  if (!isDate(instant.exec(text)?.[1] ?? '')) return undefined
  const read = new Date(text)
  return Number.isNaN(read.getTime()) ? undefined : read.toISOString()
}
