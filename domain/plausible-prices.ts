import { listText } from './list-text.ts'

/** A price as a number, which is exact enough to tell whether it is plausible, and its time (UTC, ISO 8601 with milliseconds). */
export type PricePoint = { readonly at: string; readonly value: number }

/** What is known of a symbol and source apart from the prices that are judged. */
export type PriceRecord = {
  /** Prices on record, in order of time. Another price of one of these times restates it. */
  readonly history: readonly PricePoint[]
  /** The newest price on record, if the source restates none. */
  readonly newest?: PricePoint | undefined
  /** The last price that the document states before those that are judged, plausible or not. */
  readonly lastStated?: PricePoint | undefined
}

/** Why prices are held for review, and their places among those that are judged. */
export type PriceSuspicion = {
  readonly reason: 'held_jump' | 'held_restatement' | 'held_range'
  readonly detail: string
  readonly places: readonly number[]
}

/**
 * Largest factor between neighbours, and between two prices of one time. The largest real steps are 4.2 in a day (natural
 * gas at Henry Hub on 12 January 2024), 2.1 in a month (natural gas) and 1.7 for a currency (Turkey on 22 February 2001).
 * A tenfold price lies above it, even if the true one has halved.
 */
const LARGEST_STEP = 5
/**
 * Neighbours further apart than a year may differ by this factor for each year between them. Real prices rose up to 20 times
 * within five years, 43 times within eight (sugar, to 1974) and 85 times within 37 (natural gas, to 2005).
 */
const STEP_A_YEAR = 5
const YEAR_MS = 365.25 * 86_400_000
/**
 * A price within this factor of a doubted one just before it, or nearer to that one than to the believed one, is doubted, too. So
 * a history that is multiplied is not believed from where it happens to cross the true level. A true price after a wrong one is
 * further away from it.
 */
const CONTINUES = 2
/**
 * Range of a price that has nothing to be compared with: a hundred times beyond the strongest currency in the weakest (a
 * Kuwaiti dinar is some 85,000 dong), and the reverse. Recorded commodities cost 0.03 to 52,000 dollars.
 */
const RANGE = { from: 1e-7, to: 1e7 }
/** Most first prices whose median stands for a neighbour if nothing is on record. */
const FIRST_PRICES = 5
/** Prices that a detail names. */
const NAMED = 3

/**
 * Fewest prices on record that show another unit, currency or column if a document changes each of them by more than the
 * factor.
 */
const FEWEST_RESTATED = 12
const RESTATED_BY = 1.1

/**
 * Judges prices that a document states of one symbol, in order of time. Those that differ from the record without taking its
 * place must be left out.
 *
 * A new price is plausible if it is near its neighbour before or after it. Neighbours are on record, or stated by the document and
 * plausible themselves. A neighbour that is near only because years lie between does not count against the other one. Another price of a time on record is plausible if it is near that one, or near both neighbours, so that
 * a wrong price on record can be corrected. One neighbour is not enough there: at the edge of a history that a publisher has
 * shifted, one more price would pass with each reading.
 */
export function priceSuspicions(stated: readonly PricePoint[], record: PriceRecord): PriceSuspicion[] {
  const { history, newest, lastStated } = record
  const restated = restatementOf(stated, history)
  if (restated) return [restated]
  const first = newest ?? (history.length === 0 ? typicalFirst(stated) : undefined)
  const before = neighbours(stated, history, (a, b) => a < b, first, lastStated)
  const isDoubtful = ({ known, isNear, isNearByYears, isNearKnown }: Neighbour) =>
    known ? !isNearKnown : !isNear || isNearByYears
  if (!before.some(isDoubtful)) return []
  const after = neighbours(stated.toReversed(), history.toReversed(), (a, b) => a > b).reverse()
  const found = new Map<PriceSuspicion['reason'], { places: number[]; details: string[] }>()
  for (const [i, price] of stated.entries()) {
    const [earlier, later] = [before[i], after[i]]
    if (!earlier || !later || !isDoubtful(earlier)) continue
    const { known } = earlier
    if (known ? earlier.isNear && later.isNear : isBacked(earlier, later) || isBacked(later, earlier)) continue
    const reason = isInRange(price) ? (known ? 'held_restatement' : 'held_jump') : 'held_range'
    const { places, details } = found.get(reason) ?? { places: [], details: [] }
    found.set(reason, { places, details })
    places.push(i)
    if (details.length < NAMED)
      details.push(`${price.at} is ${price.value}${comparison(earlier, later, newest ? undefined : first)}`)
  }
  return [...found].map(([reason, { places, details }]) => {
    return { reason, detail: `${listText(details, places.length, '; ')}. ${explanations[reason]}`, places }
  })
}

/** Judges how many prices on record a document changes. If too many, it states another price, and none of it is believed. */
function restatementOf(stated: readonly PricePoint[], history: readonly PricePoint[]): PriceSuspicion | undefined {
  if (history.length < FEWEST_RESTATED || stated.length < FEWEST_RESTATED) return undefined
  const recorded = new Map(history.map(({ at, value }) => [at, value]))
  const changed = stated.filter(({ at, value }) => {
    const known = recorded.get(at)
    return known !== undefined && factorOf({ at, value: known }, { at, value }) > RESTATED_BY
  })
  if (changed.length < FEWEST_RESTATED) return undefined
  const named = changed.slice(0, NAMED).map(({ at, value }) => `${at} is ${value}, and ${recorded.get(at)} on record`)
  return {
    reason: 'held_restatement',
    detail: `${listText(named, changed.length, '; ')}. ${changed.length} prices on record would change by more than 10 %.`,
    places: stated.flatMap(({ at, value }, place) => (recorded.get(at) === value ? [] : [place])),
  }
}

/** Whether a neighbour speaks for a price. If only years lie between, the other neighbour, if there is one, must agree. */
const isBacked = (neighbour: Neighbour, other: Neighbour): boolean =>
  neighbour.isNear && (!neighbour.isNearByYears || other.isNear || !other.price)

const explanations: Readonly<Record<PriceSuspicion['reason'], string>> = {
  held_jump: `That is more than ${LARGEST_STEP} times as much, or less than a fifth, or follows such a price.`,
  held_restatement: `That is more than ${LARGEST_STEP} times as much, or less than a fifth.`,
  held_range: `Prices lie between ${RANGE.from} and ${RANGE.to}.`,
}

function comparison({ known, price: earlier }: Neighbour, { price: later }: Neighbour, first?: PricePoint): string {
  if (known) return `, and ${known.value} on record`
  if (earlier && earlier === first) return `, and the first prices are about ${earlier.value}`
  if (earlier) return `, after ${earlier.value} (${earlier.at})`
  return later ? `, before ${later.value} (${later.at})` : ''
}

/** What a stated price is compared with: its neighbour in one direction, and the price on record of its own time. */
type Neighbour = {
  readonly price: PricePoint | undefined
  readonly isNear: boolean
  /** Set if it is near only because years lie between, or follows prices that are. */
  readonly isNearByYears: boolean
  readonly known: PricePoint | undefined
  readonly isNearKnown: boolean
}

/**
 * Compares each stated price with the last believed one before it, in the order that `isBefore` tells. The time between two
 * neighbours counts from the last price that was stated, believed or not: otherwise a shift would be believed once it has lasted
 * for years.
 */
function neighbours(
  stated: readonly PricePoint[],
  history: readonly PricePoint[],
  isBefore: (a: string, b: string) => boolean,
  first?: PricePoint,
  lastStated?: PricePoint,
): Neighbour[] {
  let believed = first
  let isBelievedByYears = false
  /** The price before the last one on record, if that one alone lies far from it: the next may return there. */
  let former: PricePoint | undefined
  let doubted = lastStated && first && isBefore(first.at, lastStated.at) ? lastStated : undefined
  let until = first && (!lastStated || isBefore(lastStated.at, first.at)) ? first.at : lastStated?.at
  let next = 0
  return stated.map((price) => {
    for (let on = history[next]; on && isBefore(on.at, price.at); on = history[++next]) {
      // One that the document has restated counts as it states it.
      if (!believed || isBefore(believed.at, on.at)) {
        const goesOn = [believed, former].some((price) => price && factorOf(price, on) <= LARGEST_STEP)
        former = goesOn ? undefined : believed
        believed = on
        isBelievedByYears = false
      }
      if (until === undefined || isBefore(until, on.at)) until = on.at
      if (doubted && isBefore(doubted.at, on.at)) doubted = undefined
    }
    const known = history[next]?.at === price.at ? history[next] : undefined
    const continues =
      doubted !== undefined && factorOf(doubted, price) <= Math.max(CONTINUES, believed ? factorOf(believed, price) : 0)
    const isNearTo = (one: PricePoint | undefined) => one !== undefined && isNear(one, price, until ?? one.at)
    const isStepFrom = (one: PricePoint | undefined) => one !== undefined && factorOf(one, price) <= LARGEST_STEP
    const isNearOne = !continues && (isNearTo(believed) || isNearTo(former))
    const neighbour = {
      price: believed,
      isNear: isNearOne,
      isNearByYears: isNearOne && !isStepFrom(former) && (!isStepFrom(believed) || isBelievedByYears),
      known,
      isNearKnown: known !== undefined && factorOf(known, price) <= LARGEST_STEP,
    }
    const isBelieved = neighbour.isNear || neighbour.isNearKnown
    doubted = isBelieved || (!believed && !known) ? undefined : price
    if (isBelieved) {
      isBelievedByYears = neighbour.isNearByYears && !neighbour.isNearKnown
      believed = price
      former = undefined
    }
    until = price.at
    return neighbour
  })
}

const factorOf = ({ value: a }: PricePoint, { value: b }: PricePoint): number => (a > b ? a / b : b / a)

function isNear(neighbour: PricePoint, price: PricePoint, since: string): boolean {
  const factor = factorOf(neighbour, price)
  if (factor <= LARGEST_STEP) return true
  return factor <= (STEP_A_YEAR * Math.abs(Date.parse(price.at) - Date.parse(since))) / YEAR_MS
}

const isInRange = ({ value }: PricePoint): boolean => value >= RANGE.from && value <= RANGE.to

/** The median of an odd number of first prices, so that one wrong price among them is found. Of two the first one counts. */
function typicalFirst(stated: readonly PricePoint[]): PricePoint | undefined {
  const possible = stated.filter(isInRange).slice(0, FIRST_PRICES)
  const odd = possible.slice(0, possible.length - ((possible.length + 1) % 2))
  const median = odd.toSorted((a, b) => a.value - b.value)[odd.length >> 1]
  const [first] = stated
  return median && first && { at: first.at, value: median.value }
}
