import { describe, expect, it } from 'vitest'
import type { Measure } from './measure.ts'
import { chanceOf, judge, ratiosOf, verdictOf } from './verdict.ts'

/** Numbers from 0 to 1 that look random, the same for one seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** `turns` ratios around `middle`, log-normal with a standard deviation of `spread`. */
const turnsOf = (random: () => number, turns: number, middle: number, spread: number): number[] =>
  Array.from({ length: turns }, () => {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    return middle * Math.exp(spread * normal)
  })

/** Standard deviations of a CPU ratio from turn to turn, as measured: of `accept` at any load, of `journal` at a load of 14. */
const [QUIET, BUSY] = [0.08, 0.12]

/** How often two sides get a verdict, of which the second has `change` times the ratio of the first. */
function share(verdict: string, change: number, { turns = 5, spread = QUIET } = {}): number {
  const random = randomFrom(1)
  const draws = Array.from({ length: 2_000 }, () =>
    judge(turnsOf(random, turns, 0.8, spread), turnsOf(random, turns, 0.8 * change, spread), true),
  )
  return draws.filter((each) => each === verdict).length / draws.length
}

describe('the verdict on the turns of both sides', () => {
  it.each([{ turns: 5 }, { turns: 10 }, { turns: 5, spread: BUSY }, { turns: 5, spread: 0.5 }])(
    'sees no difference in equal sides, %j',
    (options) => expect(share('no difference seen', 1, options)).toBeGreaterThan(0.97),
  )
  it.each([{ turns: 5 }, { turns: 10, spread: BUSY }])('sees the loss of a quarter, %j', (options) =>
    expect(share('slower', 0.75, options)).toBeGreaterThan(0.95),
  )
  it('sees the gain of a third', () => expect(share('faster', 4 / 3)).toBeGreaterThan(0.95))

  it('does not count a difference below 3 %, however sure it is', () => {
    expect(judge([1, 1.001, 1.002, 1.003, 1.004], [1.02, 1.021, 1.022, 1.023, 1.024], true)).toBe('no difference seen')
    expect(judge([1, 1.001, 1.002, 1.003, 1.004], [1.04, 1.041, 1.042, 1.043, 1.044], true)).toBe('faster')
  })

  it('lets one pair of five turns each be out of order, and not two', () => {
    expect(judge([1, 2, 3, 4, 6], [5, 7, 8, 9, 10], true)).toBe('faster')
    expect(judge([1, 2, 3, 4, 6], [5, 7, 8, 9, 10], false)).toBe('slower')
    expect(judge([1, 2, 3, 4, 7], [5, 6, 8, 9, 10], true)).toBe('no difference seen')
  })
})

describe('the Mann–Whitney test', () => {
  it.each([
    [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], 2 / 252],
    [[1, 2, 3, 4, 6], [5, 7, 8, 9, 10], 4 / 252],
    [[6, 7, 8, 9, 10], [1, 2, 3, 4, 5], 2 / 252],
    [[1, 2, 3], [4, 5, 6, 7], 2 / 35],
    [[1, 4], [2, 3], 1],
    [[1, 1, 1], [1, 1, 1], 1],
  ])('of %j and %j', (a, b, chance) => expect(chanceOf(a, b)).toBeCloseTo(chance, 12))

  it('is exact for many turns too', () => {
    const [low, high] = [0, 20].map((from) => Array.from({ length: 20 }, (_, i) => from + i))
    expect(chanceOf(low ?? [], high ?? [])).toBeCloseTo(2 / 137_846_528_820, 18)
  })
})

describe('a row', () => {
  const row = (over: Partial<Measure>): Measure => ({ name: 'row', ours: 80, ceiling: 100, unit: 'records/s', ...over })
  const turns = (ours: number, cpu: number) =>
    [0, 1, 2, 3, 4].map((i) => row({ ours: ours + i / 10, cpu: { ours: cpu + i / 100, ceiling: 2 } }))

  it('has a ratio by each clock that was taken', () => {
    expect(ratiosOf(row({}))).toEqual({ clock: 0.8 })
    expect(ratiosOf(row({ cpu: { ours: 4, ceiling: 2 } }))).toEqual({ clock: 0.8, cpu: 0.5 })
    expect(ratiosOf(row({ unit: 'ms', cpu: { ours: 4, ceiling: 2 } }))).toEqual({ clock: 0.8, cpu: 2 })
    expect(ratiosOf(row({ unit: 'records/CPU s' })).clock).toBeUndefined()
    expect(ratiosOf(row({ unit: 'records/CPU s' })).cpu).toBeCloseTo(0.8)
  })

  it('is judged by both clocks', () => {
    expect(verdictOf(turns(80, 4), turns(80, 4))).toBe('no difference seen')
    expect(verdictOf(turns(80, 4), turns(60, 5))).toBe('slower')
    expect(verdictOf(turns(80, 4), turns(80, 5))).toBe('slower by CPU')
    expect(verdictOf(turns(80, 4), turns(60, 3))).toBe('slower by the clock, faster by CPU')
  })

  it('is judged by what both sides took', () => {
    const old = turns(80, 4).map(({ cpu: _, ...rest }) => rest)
    expect(verdictOf(old, turns(80, 5))).toBe('no difference seen')
    expect(verdictOf(old, turns(60, 5))).toBe('slower')
  })

  it('of a cost is slower when it is greater', () => {
    const costs = (ms: number) => turns(ms, 1).map(({ cpu: _, ...rest }) => ({ ...rest, unit: 'ms' }))
    expect(verdictOf(costs(80), costs(100))).toBe('slower')
    expect(verdictOf(costs(100), costs(80))).toBe('faster')
  })
})
