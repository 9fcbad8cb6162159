import { type FigureRange, figureBounds } from '../contracts/indicators.ts'
import { frequencyOf, shiftPeriod } from './period.ts'

/** A stated figure as a number. Binary fractions are exact enough to tell whether a figure is plausible. */
export type Point = { readonly period: string; readonly value: number }
/** The figure on record of a period; undefined if there is none. */
export type OnRecord = (period: string) => number | undefined
type Jump = { readonly period: string; readonly detail: string }

/** What decides how far a figure may move: its range, and whether it is an index. */
type Kind = Exclude<FigureRange, 'any'> | 'index'

/** Whether a figure is compared by its ratio to another one. Others are compared by their difference. */
export const isLevel = (range: FigureRange): boolean => range === 'positive' || range === 'not_negative'

/** Whether a figure can have this value at all. One that cannot is rejected, and says nothing about others. */
export function isPossible(range: FigureRange, value: number): boolean {
  const { above = Number.NEGATIVE_INFINITY, from = Number.NEGATIVE_INFINITY, to = Infinity } = figureBounds(range)
  return Number.isFinite(value) && value > above && value >= from && value <= to
}

/** How far two figures are apart: the logarithm of their ratio for a level, else percentage points. */
export const distance = (range: FigureRange, from: number, to: number): number =>
  from === to ? 0 : Math.abs(isLevel(range) ? Math.log(to / from) : to - from)

/**
 * A step is implausible only if it is this many times as long as the longest one that the series has ever made. A share
 * that makes a long step at all has moved by five times its value, or by a fifth of the whole.
 */
const timesLongest: Readonly<Record<Kind, number>> = { positive: 5, not_negative: 5, index: 5, share: 2, rate: 5 }
/** Number of steps from which on a series tells how far it moves. With fewer, it may also move by `presumed`. */
const TELLING_STEPS = 8
const presumed: Readonly<Record<Kind, number>> = {
  positive: Math.log(1.5),
  index: Math.log(1.5),
  not_negative: Math.log(1.5),
  share: 2,
  rate: 15,
}
/**
 * Longest first step of an index, because some series begin in a hyperinflation: Serbia's consumer prices of January 1994
 * are 2.4 million times those of the month before.
 */
const FIRST_STEP = Math.log(1e7)
/** Most periods without a figure that the history goes on after. */
const LARGEST_HOLE = 4
/** Most periods between two neighbours: ten years of months. */
const LARGEST_GAP = 120
/** Most periods of the record that are searched for the longest step. */
const LONGEST_HISTORY = 1_200

const longLevel = (factor: number) => (from: number, to: number) => distance('positive', from, to) > Math.log(factor)

/**
 * Whether a step is worth a look at the series' history. The bounds lie above what happened in 2020, when unemployment in the
 * United States rose by 10.4 points in a month and growth in India fell by 24 points in a quarter. Amounts may triple.
 * Consumer prices have risen by 2.19 times in a month after years of calm, in Bulgaria in 1991, but an index that falls by a
 * quarter has another base.
 */
const isLong: Readonly<Record<Kind, (from: number, to: number) => boolean>> = {
  positive: longLevel(3),
  not_negative: longLevel(3),
  index: (from, to) => to > 2.5 * from || to < from / 1.3,
  share: (from, to) => {
    const [points, times] = [Math.abs(to - from), Math.max(from, to) / Math.min(from, to)]
    return points > 20 || (points > 3 && times >= 5) || (points > 1 && times >= 8)
  },
  rate: (from, to) => Math.abs(to - from) > 50,
}

/**
 * Finds the figures of one publication that lie beyond all that the series has ever done. `points` are in the order of
 * their periods. Each is compared with the figure before it that is believed, so a shift that lasts is found whole, and a
 * figure after a wrong one is not blamed for it. The history is searched only for the few steps that are long.
 */
export function jumpsIn(range: FigureRange, isIndex: boolean, points: readonly Point[], recorded: OnRecord): Jump[] {
  if (range === 'any') return []
  const jumps: Jump[] = []
  const walk = new Walk(range, isIndex ? 'index' : range, recorded)
  for (const point of points) {
    const jump = walk.judge(point)
    if (jump) jumps.push(jump)
  }
  return jumps
}

class Walk {
  readonly #range: FigureRange
  readonly #kind: Kind
  readonly #recorded: OnRecord
  /** The last period of the walk, with the last value that is believed. */
  #last: Point | undefined
  /** The last period on record before the walk. */
  #opening = ''
  #longest = 0
  #steps = 0

  constructor(range: FigureRange, kind: Kind, recorded: OnRecord) {
    this.#range = range
    this.#kind = kind
    this.#recorded = recorded
  }

  judge(point: Point): Jump | undefined {
    const { period, value } = point
    const last = this.#last
    this.#last = point
    const from = last ?? this.#neighbour(period, -1)
    if (!last) this.#opening = from?.period ?? period
    if (!from || !isLong[this.#kind](from.value, value)) {
      if (from) this.#note(from.value, value)
      return undefined
    }
    // A jump that is on record already is not this document's.
    const before = this.#recorded(period)
    if (before !== undefined && !isLong[this.#kind](before, value)) {
      this.#note(from.value, value)
      return undefined
    }
    const near = laterOf(last, this.#neighbour(period, -1)) ?? this.#neighbour(period, 1)
    if (!near || !isLong[this.#kind](near.value, value)) return undefined
    const step = distance(this.#range, near.value, value)
    if (step <= this.#bound(near.period, periodsBetween(near.period, period))) {
      this.#note(near.value, value)
      return undefined
    }
    this.#last = { period, value: near.value }
    return { period, detail: `${period} is ${value}, ${period < near.period ? 'before' : 'after'} ${near.value}` }
  }

  /** The nearest figure on record before a period (-1) or after it (1). */
  #neighbour(period: string, direction: -1 | 1): Point | undefined {
    // Text that is no period is rejected later.
    if (!frequencyOf(period)) return undefined
    for (let gap = 1; gap <= LARGEST_GAP; gap++) {
      const near = shiftPeriod(period, direction * gap)
      const value = this.#recorded(near)
      if (value !== undefined) return { period: near, value }
    }
    return undefined
  }

  #note(from: number, to: number): void {
    this.#steps++
    this.#longest = Math.max(this.#longest, distance(this.#range, from, to))
  }

  /**
   * How far the series may move in a number of periods from one on, from its longest step up to it, in the walk and on
   * record.
   */
  #bound(upTo: string, periods: number): number {
    let [longest, steps] = [this.#longest, this.#steps]
    let period = this.#recorded(upTo) === undefined ? this.#opening : upTo
    let value = this.#recorded(period)
    for (let i = 0, hole = 0; i < LONGEST_HISTORY && value !== undefined && hole < LARGEST_HOLE; i++) {
      period = shiftPeriod(period, -1)
      const earlier = this.#recorded(period)
      hole = earlier === undefined ? hole + 1 : 0
      if (earlier === undefined) continue
      longest = Math.max(longest, distance(this.#range, earlier, value))
      steps++
      value = earlier
    }
    if (steps === 0 && this.#kind === 'index') return FIRST_STEP
    const usual = steps >= TELLING_STEPS ? longest : Math.max(longest, presumed[this.#kind])
    return usual * Math.max(timesLongest[this.#kind], periods)
  }
}

const laterOf = (a: Point | undefined, b: Point | undefined): Point | undefined =>
  a && b ? (a.period < b.period ? b : a) : (a ?? b)

/** The number of steps between two periods of one frequency, at most `LARGEST_GAP`. */
function periodsBetween(a: string, b: string): number {
  const [from, to] = a < b ? [a, b] : [b, a]
  let steps = 1
  while (steps < LARGEST_GAP && shiftPeriod(from, steps) < to) steps++
  return steps
}
