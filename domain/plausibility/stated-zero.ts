import { firstOf, isLevel, type SeriesView, type Value, type Verdict } from './view.ts'

/**
 * Stated zero: a 0 of a level is held in the place of another value on record, and at the end of a series that has never been 0
 * before. Such a 0 mostly stands for a value that is not known. An amount may be 0 in some periods and come back, so other zeros are
 * accepted.
 *
 * Example: imports of 0 in the newest month, after months of 4 to 6 million.
 */
export function statedZero({ kind, news, record, revised }: SeriesView): Verdict | undefined {
  const zeros = isLevel(kind) ? news.filter(({ value }) => value === 0) : []
  if (zeros.length === 0) return undefined
  const replaced = new Map(revised.map(({ at, from }) => [at, from]))
  const others = [...record, ...news].filter(({ value }) => value !== 0)
  if (others.length === 0) return undefined
  const last = others.reduce((a, b) => (a.at > b.at ? a : b))
  const isAtEnd = ({ at }: Value) => at > last.at
  // Zeros on record, and stated ones that others follow.
  const wasZero =
    record.some(({ at, value }) => value === 0 && !replaced.has(at)) ||
    zeros.some((zero) => !replaced.has(zero.at) && !isAtEnd(zero))
  const held = zeros.filter((zero) => replaced.has(zero.at) || (!wasZero && isAtEnd(zero)))
  if (held.length === 0) return undefined
  const texts = held.map(({ at }) => {
    const known = replaced.get(at)
    return `${at} is 0, ${known === undefined ? `after ${last.value} (${last.at})` : `and ${known} on record`}`
  })
  return {
    reason: 'held_jump',
    detail: `${firstOf(texts, '; ')}. A 0 often stands for a value that is not known.`,
    periods: held.map(({ at }) => at),
  }
}
