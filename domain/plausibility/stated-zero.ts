import { firstOf, isLevel, type SeriesView, type Value, type Verdict } from './view.ts'

/**
 * Stated zero: a 0 often stands for a value that is not known. Of a level, a 0 that would replace another value on record is
 * held. So is one after the last value that is not 0, unless the series may be 0: another 0 stays on record, or is newly stated
 * with other values after it.
 *
 * Example: imports of 0 in the newest month, after months of 4 to 6 million.
 */
export function statedZero({ kind, news, record, revised }: SeriesView): Verdict | undefined {
  const isZero = ({ value }: Value) => value === 0
  const zeros = isLevel(kind) ? news.filter(isZero) : []
  const others = [...record, ...news].filter((one) => !isZero(one))
  if (zeros.length === 0 || others.length === 0) return undefined

  const replaced = new Map(revised.map(({ at, from }) => [at, from]))
  const isInPlace = ({ at }: Value) => replaced.has(at)
  const last = others.reduce((a, b) => (a.at > b.at ? a : b))
  const isAtEnd = ({ at }: Value) => at > last.at
  const isKept = (one: Value) => isZero(one) && !isInPlace(one)
  const mayBeZero = record.some(isKept) || zeros.some((zero) => !isInPlace(zero) && !isAtEnd(zero))
  const held = zeros.filter((zero) => isInPlace(zero) || (isAtEnd(zero) && !mayBeZero))
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
