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

/** Five turns around `middle`, log-normal with a standard deviation of `spread`. */
const turnsOf = (random: () => number, middle: number, spread: number): number[] =>
  Array.from({ length: 5 }, () => {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    return middle * Math.exp(spread * normal)
  })

/** Standard deviation of a ratio from turn to turn on a machine with other work, as measured: 2 to 7 %. */
const SPREAD = 0.07
const DRAWS = 2_000

function share(verdict: string, middle: number): number {
  const random = randomFrom(1)
  const verdicts = Array.from({ length: DRAWS }, () =>
    judge(turnsOf(random, 0.8, SPREAD), turnsOf(random, 0.8 * middle, SPREAD), true),
  )
  return verdicts.filter((each) => each === verdict).length / DRAWS
}

describe('the verdict on five turns of each side', () => {
  it('sees no difference in equal sides', () => expect(share('no difference seen', 1)).toBeGreaterThan(0.98))
  it('sees the loss of a quarter', () => expect(share('slower', 0.75)).toBeGreaterThan(0.95))
  it('sees the gain of a third', () => expect(share('faster', 4 / 3)).toBeGreaterThan(0.95))

  it('does not count a difference below 3 %, however sure it is', () => {
    expect(judge([1, 1.001, 1.002, 1.003, 1.004], [1.02, 1.021, 1.022, 1.023, 1.024], true)).toBe('no difference seen')
    expect(judge([1, 1.001, 1.002, 1.003, 1.004], [1.04, 1.041, 1.042, 1.043, 1.044], true)).toBe('faster')
  })

  it('needs all turns of one side beyond all of the other', () => {
    expect(judge([1, 2, 3, 4, 6], [5, 7, 8, 9, 10], true)).toBe('no difference seen')
    expect(judge([1, 2, 3, 4, 5], [6, 7, 8, 9, 10], true)).toBe('faster')
    expect(judge([1, 2, 3, 4, 5], [6, 7, 8, 9, 10], false)).toBe('slower')
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
