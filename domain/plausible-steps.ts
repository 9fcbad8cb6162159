import { type FigureRange, figureBounds } from '../contracts/indicators.ts'
import { frequencyOf, shiftPeriod } from './period.ts'

/** A stated figure as a number. Binary fractions are exact enough to tell whether a figure is plausible. */
export type Point = { readonly period: string; readonly value: number }
/** The figure on record of a period; undefined if there is none. */
export type OnRecord = (period: string) => number | undefined
type Jump = { readonly period: string; readonly detail: string }

type JudgedRange = Exclude<FigureRange, 'any'>

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

/** A step is implausible only if it is this many times as long as the longest one that the series has ever made. */
const TIMES_LONGEST = 5
/** Number of steps from which on a series tells how far it moves. With fewer, it may also move by `presumed`. */
const TELLING_STEPS = 8
const presumed: Readonly<Record<JudgedRange, number>> = {
  positive: Math.log(1.5),
  not_negative: Math.log(1.5),
  share: 2,
  rate: 15,
}
/**
 * Longest first step of a level, because some series begin in a hyperinflation: Serbia's consumer prices of January 1994
 * are 2.4 million times those of the month before.
 */
const FIRST_STEP = Math.log(1e7)
/** Most periods between two neighbours: figures may be missing between them. */
const LARGEST_GAP = 4
/** Most periods of the record that are searched for the longest step. */
const LONGEST_HISTORY = 1_200

/**
 * Whether a step is worth a look at the series' history. The bounds lie above what happened in 2020, when unemployment in the
 * United States rose by 10.4 points in a month and growth in India fell by 24 points in a quarter.
 */
const isLong: Readonly<Record<JudgedRange, (from: number, to: number) => boolean>> = {
  positive: (from, to) => distance('positive', from, to) > Math.log(3),
  not_negative: (from, to) => distance('not_negative', from, to) > Math.log(3),
  share: (from, to) => {
    const points = Math.abs(to - from)
    return points > 20 || (points > 3 && Math.max(from, to) >= 5 * Math.min(from, to))
  },
  rate: (from, to) => Math.abs(to - from) > 50,
}

/**
 * Finds the figures of one publication that lie beyond all that the series has ever done. `points` are in the order of
 * their periods. Each is compared with the figure before it that is believed, so a shift that lasts is found whole, and a
 * figure after a wrong one is not blamed for it. The history is searched only for the few steps that are long.
 */
export function jumpsIn(range: FigureRange, points: readonly Point[], recorded: OnRecord): Jump[] {
  if (range === 'any') return []
  const jumps: Jump[] = []
  const walk = new Walk(range, recorded)
  for (const point of points) {
    const jump = walk.judge(point)
    if (jump) jumps.push(jump)
  }
  return jumps
}

class Walk {
  readonly #range: JudgedRange
  readonly #recorded: OnRecord
  /** The last period of the walk, with the last value that is believed. */
  #last: Point | undefined
  /** The last period on record before the walk. */
  #opening = ''
  #longest = 0
  #steps = 0

  constructor(range: JudgedRange, recorded: OnRecord) {
    this.#range = range
    this.#recorded = recorded
  }

  judge(point: Point): Jump | undefined {
    const { period, value } = point
    const last = this.#last
    this.#last = point
    const from = last ?? this.#neighbour(period, -1)
    if (!last) this.#opening = from?.period ?? period
    if (!from || !isLong[this.#range](from.value, value)) {
      if (from) this.#note(from.value, value)
      return undefined
    }
    // A jump that is on record already is not this document's.
    const before = this.#recorded(period)
    if (before !== undefined && !isLong[this.#range](before, value)) {
      this.#note(from.value, value)
      return undefined
    }
    const near = this.#near(last, period) ?? this.#neighbour(period, -1) ?? this.#neighbour(period, 1)
    if (!near || !isLong[this.#range](near.value, value)) return undefined
    const bound = this.#bound(near.period)
    const step = distance(this.#range, near.value, value)
    if (step <= bound) {
      this.#note(near.value, value)
      return undefined
    }
    this.#last = { period, value: near.value }
    return { period, detail: `${period} is ${value}, ${period < near.period ? 'before' : 'after'} ${near.value}` }
  }

  #near(last: Point | undefined, period: string): Point | undefined {
    return last && last.period < period && frequencyOf(last.period) && shiftPeriod(last.period, LARGEST_GAP) >= period
      ? last
      : undefined
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

  /** How far the series may move from a period on, from its longest step up to it, in the walk and on record. */
  #bound(upTo: string): number {
    let [longest, steps] = [this.#longest, this.#steps]
    let period = this.#recorded(upTo) === undefined ? this.#opening : upTo
    let value = this.#recorded(period)
    for (let i = 0; i < LONGEST_HISTORY && value !== undefined; i++) {
      period = shiftPeriod(period, -1)
      const earlier = this.#recorded(period)
      if (earlier === undefined) break
      longest = Math.max(longest, distance(this.#range, earlier, value))
      steps++
      value = earlier
    }
    if (steps === 0 && isLevel(this.#range)) return FIRST_STEP
    return TIMES_LONGEST * (steps >= TELLING_STEPS ? longest : Math.max(longest, presumed[this.#range]))
  }
}
