import { expect, it } from 'vitest'
import { candleShapes } from '../../console/browser/candle-shapes.js'

const x = (i: number) => i * 10
const y = (value: number) => 100 - value
const rose = { open: 20, high: 50, low: 10, close: 40, isUnfinished: false }

it('a candle has a wick from the highest to the lowest price, and a body from the first to the last', () => {
  const [up, down, ...none] = candleShapes([rose, undefined, { ...rose, open: 40, close: 20 }], x, y, 10)
  expect(up?.path).toBe('M0.0 50.0V60.0M0.0 80.0V90.0M-3.5 60.0H3.5V80.0H-3.5Z')
  expect(down?.path).toBe('M20.0 50.0V60.0M20.0 80.0V90.0M16.5 60.0H23.5V80.0H16.5Z')
  expect([up?.isHollow, down?.isHollow, none]).toEqual([true, false, []])
})

it('a candle without wicks has no line of no length, which a browser could not dash', () => {
  const [bare] = candleShapes([{ ...rose, high: 40, low: 20 }], x, y, 10)
  expect(bare?.path).toBe('M-3.5 60.0H3.5V80.0H-3.5Z')
})

it('an unfinished candle is hollow, whichever way it goes', () =>
  expect(candleShapes([{ ...rose, close: 15, isUnfinished: true }], x, y, 10)).toMatchObject([
    { rose: false, isHollow: true, isUnfinished: true },
  ]))

it('bodies keep a width that can be seen, and stay slim', () => {
  const width = (spacing: number) => /M(-[\d.]+) [\d.]+H/.exec(candleShapes([rose], x, y, spacing)[0]?.path ?? '')?.[1]
  expect([0.1, 10, 500].map(width)).toEqual(['-0.5', '-3.5', '-6.0'])
})
