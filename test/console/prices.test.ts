import { describe, expect, it } from 'vitest'
import { ageName } from '../../console/browser/periods.js'
import { boardAge, quoteRow } from '../../console/browser/quote-board.js'
import { reconnectDelay } from '../../console/browser/reconnect-delay.js'
import { sparkPath } from '../../console/browser/spark-line.js'
import { streamErrors } from '../../contracts/streams.ts'

const spot = (price: string, stale = false) => ({
  type: 'commodity' as const,
  spot: { symbol: 'XAU-USD', price, currency: 'USD', unit: 'troy_ounce', timestamp: '2026-11-23T00:00:00.000Z', stale },
})

describe('the price board', () => {
  it('keeps the first price, the last one and the way of the change', () => {
    const rows: ReturnType<typeof quoteRow>[] = []
    for (const price of ['4100', '4101.5', '4099']) rows.push(quoteRow(rows.at(-1), spot(price, price === '4099')))
    expect(rows.map(({ price, first, move, stale }) => ({ price, first: first.price, move, stale }))).toEqual([
      { price: '4100', first: '4100', move: 0, stale: false },
      { price: '4101.5', first: '4100', move: 1, stale: false },
      { price: '4099', first: '4100', move: -1, stale: true },
    ])
    const at = Date.parse('2026-11-23T00:00:00.000Z')
    expect(rows.at(-1)?.seen).toEqual([4100, 4101.5, 4099].map((price) => [at, price]))
  })

  it('calls a rate by its pair', () => {
    const rate = { currency: 'JPY', rate: '180.1', timestamp: '2026-11-23T00:00:00.000Z', stale: false }
    const row = quoteRow(undefined, { type: 'fx', base: 'EUR', market_session: 'closed', rate })
    expect(row).toMatchObject({ symbol: 'EUR-JPY', price: '180.1' })
  })

  it('does not keep prices without end', () => {
    let row = quoteRow(undefined, spot('1'))
    for (let i = 2; i < 1000; i++) row = quoteRow(row, spot(String(i)))
    expect(row.seen.length).toBeLessThanOrEqual(100)
    expect(row.seen.at(-1)?.[1]).toBe(999)
  })
})

describe('the age of a board', () => {
  const row = quoteRow(undefined, spot('4100'))
  const at = (minutes: number) => Date.parse(row.timestamp) + minutes * 60_000
  const older = { ...row, timestamp: '2026-11-20T00:00:00.000Z' }
  it.each([
    [[], 0, false, ''],
    [[row], 1, true, ''],
    [[row, older], 1, true, 'prices 60 s to 3 d old'],
    [[row], 3, false, 'prices 3 min old'],
  ])('of %j after %i min: live is %s, %j', (rows, minutes, isLive, text) =>
    expect(boardAge(rows, at(minutes))).toEqual({ isLive, text }),
  )
})

describe('a stream that ended', () => {
  it('is opened again, later each time and never all at once', () => {
    expect([0, 1, 2, 10].map((attempt) => reconnectDelay('unavailable', attempt, 0))).toEqual([
      1000, 2000, 4000, 30_000,
    ])
    expect(reconnectDelay('unavailable', 0, 0.5)).toBe(1500)
    expect(reconnectDelay('quota_unavailable', 0, 0)).toBe(60_000)
  })
  it('is not opened again after what only a person can correct', () => {
    const never = Object.keys(streamErrors).filter((code) => reconnectDelay(code, 0, 0) === undefined)
    expect(never).toEqual(expect.arrayContaining(['unauthorized', 'plan_upgrade_required', 'invalid_frame']))
    expect(never).not.toContain('slow_consumer')
  })
})

describe('a spark line', () => {
  const points = (...values: readonly number[]) => values.map((value, i) => [i * 1000, value] as const)
  it('fills its box if the price moves', () => {
    expect(sparkPath(points(1, 3, 2), 84, 18)).toBe('M0.0 18.0L42.0 0.0L84.0 9.0')
  })
  it('has each price at its time', () => {
    expect(sparkPath([...points(1, 3), [4000, 2]], 84, 18)).toBe('M0.0 18.0L21.0 0.0L84.0 9.0')
  })
  it('is flat if the price hardly moves: a hundredth of a percent is a tenth of the height', () => {
    expect(sparkPath(points(10_000, 10_001), 84, 20)).toBe('M0.0 11.0L84.0 9.0')
    expect(sparkPath(points(5, 5), 84, 18)).toBe('M0.0 9.0L84.0 9.0')
    expect(sparkPath(points(0, 0), 84, 18)).toBe('M0.0 9.0L84.0 9.0')
  })
  it('needs two prices', () => expect(sparkPath(points(5), 84, 18)).toBe(''))
})

it('an age is said in its largest unit', () => {
  expect([900, 89_000, 120_000, 7_200_000, 259_200_000].map(ageName)).toEqual(['1 s', '89 s', '2 min', '2 h', '3 d'])
})
