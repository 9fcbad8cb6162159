import { median } from '../median.ts'
import {
  distance,
  firstOf,
  indexFrom,
  isLevel,
  type SeriesView,
  type Value,
  type ValueKind,
  type Verdict,
  yearsBetween,
} from './view.ts'

/**
 * The shortest steps that are held: factors up and down for levels, else percentage points. They lie above the longest ones of
 * calm times in the recorded files:
 * - index: consumer prices rose 2.19 times in a month (Bulgaria, February 1991), and the volume of GDP fell by a quarter
 *   (India, 2020-Q2).
 * - price: natural gas rose 4.19 times in a day (Henry Hub, 12 January 2024).
 * - amount: GDP and trade, in 7,700 steps, never moved by more than 1.46 times (exports of Germany, April 2020). But few small
 *   countries are among them, whose trade moves with the price of one good, so the bound is that of prices.
 * - share: unemployment rose by 18.9 points between two figures, a year apart (Belize, 2020-Q3), by 11.9 in a quarter
 *   (Palestine, 2000-Q4), and by 10.4 in a month (United States, April 2020).
 * - rate: growth on the year before fell by 27.0 points (Ireland, 2016-Q1), and growth on the quarter before rose by 45.7
 *   (India, 2020-Q3).
 */
const LONG: Readonly<Record<ValueKind, { readonly up: number; readonly down: number }>> = {
  index: { up: 2.5, down: 1.5 },
  amount: { up: 5, down: 5 },
  price: { up: 5, down: 5 },
  share: { up: 20, down: 20 },
  rate: { up: 50, down: 50 },
}
/**
 * A step is held only if it is also this many times as long as the median of the steps around it. Not measured: it decides only in
 * crises.
 */
const TIMES_SPREAD = 10
/**
 * Number of steps before it, and after it, whose medians are taken: twelve months have all seasons. The larger median counts, so
 * that a crisis may begin or end.
 */
const STEPS = 12
/**
 * How near a factor is to 10, 100, 1000 …, if it shows another unit and not a hyperinflation: the usual change comes on top of it.
 */
const POWER_TOLERANCE = 0.25
/**
 * First values whose median is compared with the first one, if nothing is on record. Not measured: with five, two wrong ones do not
 * decide. Of an even number, the last is left out.
 */
const FIRST_VALUES = 5

type TimelineValue = Value & { readonly isNews: boolean; readonly known: number | undefined }

/**
 * Long step: values are judged one after the other, from the first one on record to the newest, and then from the first one on record to the oldest.
 * If nothing is on record, they are judged from the oldest on, which is compared with the median of the first ones; a series
 * without a long step between neighbours is not judged then. A value is accepted if one of these is true, and held if none is:
 * 1. It is on record.
 * 2. It corrects a value on record, and is no long step from that.
 * 3. It is no long step from the value that was accepted last. This does not count if the value judged just before is held and
 *    is nearer to it: so all values at a wrong level are held, not only the first one.
 * 4. It is new, or the oldest of all, and the next later one is on record and no long step from it.
 *
 * A step is long if it is longer than `LONG` and than `TIMES_SPREAD` times the steps around it (across a gap of n usual steps 2 × n
 * times, if that is more). Two steps are not:
 * - The first step of an index may rise by any factor, because an index may begin in a hyperinflation. In January 1994, the
 *   second month of Serbia's index, prices rose 2.4 million times. It is judged all the same if the factor is about 10, 100,
 *   1000 …, or if a later value is less than two thirds of the value after the step.
 * - No step of a level from or to 0 is judged, because an amount may be 0 in some periods and come back: values are compared as
 *   if zeros were not there. A 0 is held only in the place of another value on record, or at the end of a series that has never been 0
 *   before.
 *
 * Example: exports of 5,100, after months of 4 to 6 million.
 */
export function longStep({ kind, news, record, revised }: SeriesView): Verdict | undefined {
  if (!hasLongStep(kind, news, record)) return undefined
  const timeline = timelineOf({ news, record, revised })
  const entries = isLevel(kind) ? timeline.filter(({ value }) => value !== 0) : timeline
  const first = record.find(({ value }) => value !== 0 || !isLevel(kind))
  const held = first ? longStepsFromRecord(kind, entries, first) : longStepsWithoutRecord(kind, entries)
  if (isLevel(kind)) held.push(...heldZeros(timeline))
  if (held.length === 0) return undefined
  held.sort((a, b) => (a.entry.at < b.entry.at ? -1 : 1))
  const texts = held.map(({ entry, from }) => {
    if (entry.known !== undefined) return `${entry.at} is ${entry.value}, and ${entry.known} on record`
    return `${entry.at} is ${entry.value}, ${entry.at < from.at ? 'before' : 'after'} ${from.value} (${from.at})`
  })
  return {
    reason: 'held_jump',
    detail: `${firstOf(texts, '; ')}. The usual change from one value to the next is much smaller.`,
    periods: held.map(({ entry }) => entry.at),
  }
}

/** Whether a stated value is a long step from the one before it, or from one on record beside it. Hardly any document has one. */
function hasLongStep(kind: ValueKind, news: readonly Value[], record: readonly Value[]): boolean {
  let next = Math.max(0, indexFrom(record, news[0]?.at ?? '') - 1)
  let previous: Value | undefined
  for (const one of news) {
    for (let known = record[next]; known && known.at <= one.at; known = record[++next]) {
      if (known.at < one.at) previous = known
      else if (isLong(kind, known.value, one.value)) return true
    }
    const following = record[next]
    if (previous && isLong(kind, previous.value, one.value)) return true
    if (following && isLong(kind, one.value, following.value)) return true
    previous = one
  }
  return false
}

/** All values in order of time, the stated ones in the place of those on record. */
function timelineOf({ news, record, revised }: Pick<SeriesView, 'news' | 'record' | 'revised'>): TimelineValue[] {
  const known = new Map(revised.map(({ at, from }) => [at, from]))
  const kept = record.filter(({ at }) => !known.has(at)).map((one) => ({ ...one, isNews: false, known: undefined }))
  const added = news.map((one) => ({ ...one, isNews: true, known: known.get(one.at) }))
  return [...kept, ...added].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

type Held = { readonly entry: TimelineValue; readonly from: Value }

/** Stated zeros in the place of other values, and those at the end of a series that has not been 0 before. */
function heldZeros(timeline: readonly TimelineValue[]): Held[] {
  const end = timeline.findLastIndex(({ value, known }) => value !== 0 || (known ?? 0) !== 0)
  const last = timeline[end]
  if (!last) return []
  const wasZero = timeline.slice(0, end).some(({ value, known }) => value === 0 && known === undefined)
  return timeline.flatMap((entry, i) => {
    const isHeld = entry.known !== undefined || (!wasZero && i > end)
    return entry.isNews && entry.value === 0 && isHeld ? [{ entry, from: last }] : []
  })
}

/** Walks from the first value on record forwards, and then backwards. */
function longStepsFromRecord(kind: ValueKind, entries: readonly TimelineValue[], first: Value): Held[] {
  const found = entries.findIndex(({ at }) => at >= first.at)
  const start = found < 0 ? entries.length : found
  const forwards = Array.from({ length: entries.length - start }, (_, i) => start + i)
  const backwards = Array.from({ length: start }, (_, i) => start - 1 - i)
  return [...walk(kind, entries, forwards, first), ...walk(kind, entries, backwards, first)]
}

/** Walks from the first stated value on, which is compared with the first ones. Of two values the first one is accepted. */
function longStepsWithoutRecord(kind: ValueKind, entries: readonly TimelineValue[]): Held[] {
  const firsts = entries.slice(0, FIRST_VALUES).map(({ value }) => value)
  const odd = firsts.slice(0, firsts.length - ((firsts.length + 1) % 2))
  const typical = { at: entries[odd.length - 1]?.at ?? '', value: median(odd) }
  return walk(kind, entries, [...entries.keys()], typical)
}

function walk(kind: ValueKind, entries: readonly TimelineValue[], order: readonly number[], first: Value): Held[] {
  const held: Held[] = []
  let accepted = first
  let lastHeld: Value | undefined
  for (const i of order) {
    const entry = entries[i]
    if (!entry) continue
    const isFar = (other: Value): boolean => isLongStep(kind, entries, i, other, entry)
    // The numbers are those of the rules above.
    const isAccepted = (): boolean => {
      if (!entry.isNews) return true // 1
      if (entry.known !== undefined && !isFar({ at: entry.at, value: entry.known })) return true // 2
      const isNearerToHeld =
        lastHeld && distance(kind, lastHeld.value, entry.value) < distance(kind, accepted.value, entry.value)
      if (!isNearerToHeld && !isFar(accepted)) return true // 3
      const next = entries[i + 1]
      return (entry.known === undefined || i === 0) && next?.isNews === false && !isFar(next) // 4
    }
    if (isAccepted()) {
      accepted = entry
      lastHeld = undefined
    } else {
      held.push({ entry, from: accepted })
      lastHeld = entry
    }
  }
  return held
}

function isLong(kind: ValueKind, from: number, to: number): boolean {
  const { up, down } = LONG[kind]
  return isLevel(kind) ? to > up * from || from > down * to : to - from > up || from - to > down
}

function isLongStep(
  kind: ValueKind,
  entries: readonly TimelineValue[],
  i: number,
  other: Value,
  entry: TimelineValue,
): boolean {
  const [from, to] = other.at <= entry.at ? [other, entry] : [entry, other]
  if (!isLong(kind, from.value, to.value)) return false
  const isRise = to.value > from.value
  if (kind === 'index' && isRise && i <= 1 && entry.known === undefined && beginsInHyperinflation(entries)) return false
  const before = entries.slice(Math.max(0, i - STEPS - 1), i)
  const after = entries.slice(i + 1, i + STEPS + 2)
  const spread = Math.max(spreadOf(kind, before), spreadOf(kind, after))
  // Over a gap a value moves by as many usual steps as the gap has, in one direction at worst: twice that is allowed.
  return distance(kind, from.value, to.value) > spread * Math.max(TIMES_SPREAD, 2 * stepsBetween(before, from, to))
}

/** Whether the factor of the first step of an index is no power of ten, and later values do not fall back. */
function beginsInHyperinflation([first, second, ...later]: readonly TimelineValue[]): boolean {
  if (!first || !second) return false
  const factor = second.value / first.value
  const power = 10 ** Math.round(Math.log10(factor))
  if (Math.abs(factor / power - 1) < POWER_TOLERANCE) return false
  return later.every(({ value }) => LONG.index.down * value >= second.value)
}

/** The median step between consecutive values. */
const spreadOf = (kind: ValueKind, entries: readonly Value[]): number =>
  entries.length < 2
    ? 0
    : median(entries.slice(1).map(({ value }, j) => distance(kind, entries[j]?.value ?? value, value)))

/** How many usual steps lie between two values. */
function stepsBetween(usual: readonly Value[], from: Value, to: Value): number {
  const [first, last] = [usual[0], usual.at(-1)]
  if (!first || !last || first === last) return 1
  return yearsBetween(from.at, to.at) / (yearsBetween(first.at, last.at) / (usual.length - 1))
}
