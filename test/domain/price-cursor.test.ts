import { describe, expect, it } from 'vitest'
import { encodeCursor } from '../../domain/cursor.ts'
import {
  type CandleCursor,
  decodeCandleCursor,
  decodeTickCursor,
  encodeCandleCursor,
  encodeTickCursor,
  type TickCursor,
} from '../../domain/price-cursor.ts'

const shared = { journal: 'j', symbol: 'XAU-USD', issuedAt: 1_000 }
const candles: CandleCursor = { ...shared, first: null, last: 5, interval: '1m', newest: -7, after: -2 }
const ticks: TickCursor = { ...shared, first: 0, last: null, snapshot: 0, recordedAt: 9, after: [-1, 0, 3] }

describe('a cursor of prices', () => {
  it('says what it was made of, with open ends and times before 1970', () => {
    expect(decodeCandleCursor(encodeCandleCursor(candles))).toEqual(candles)
    expect(decodeTickCursor(encodeTickCursor(ticks))).toEqual(ticks)
    expect(decodeTickCursor(encodeCandleCursor(candles))).toBeUndefined()
    expect(decodeCandleCursor(encodeTickCursor(ticks))).toBeUndefined()
  })

  // A client can compute the checksum of any members, so that each may be anything.
  const LATEST = 8.64e15
  const ofCandles = ['j', 'XAU-USD', '', 5, 1_000, '1m', -7, -2] as const
  const ofTicks = ['j', 'XAU-USD', 0, '', 1_000, 0, 9, -1, 0, 3] as const
  const no = [1.5, null, 'x', [], true] as const
  const notBound = [1.5, null, 'x', LATEST + 1, -LATEST - 1]
  const wrong: readonly (readonly [string, readonly (string | number)[], number, readonly unknown[]])[] = [
    ['c', ofCandles, 0, [1, null]],
    ['c', ofCandles, 1, [1, null]],
    ['c', ofCandles, 2, notBound],
    ['c', ofCandles, 3, notBound],
    ['c', ofCandles, 4, [...no, -1]],
    ['c', ofCandles, 5, ['2m', '', null]],
    ['c', ofCandles, 6, [...no, '', LATEST + 1]],
    ['c', ofCandles, 7, [...no, '', 2 ** 53]],
    ['t', ofTicks, 0, [1, null]],
    ['t', ofTicks, 2, notBound],
    ['t', ofTicks, 5, [...no, -1]],
    ['t', ofTicks, 6, [...no, '', LATEST + 1]],
    ['t', ofTicks, 7, [...no, '', LATEST + 1]],
    ['t', ofTicks, 8, [...no, -1]],
    ['t', ofTicks, 9, [...no, -1]],
  ]
  const decode = (kind: string, members: readonly unknown[]) =>
    // Cast: what a client forges.
    (kind === 'c' ? decodeCandleCursor : decodeTickCursor)(encodeCursor(kind as 'c', members as readonly number[]))

  it.each(wrong)('of kind %s with members %j is refused if member %i is another', (kind, members, at, values) => {
    expect(decode(kind, members)).toBeDefined()
    for (const value of values) expect(decode(kind, members.with(at, value as number)), String(value)).toBeUndefined()
    expect(decode(kind, members.slice(0, at))).toBeUndefined()
  })

  it('takes the first and the last time that there is', () => {
    const bounds = { first: -LATEST, last: LATEST }
    expect(decodeCandleCursor(encodeCandleCursor({ ...candles, ...bounds }))).toEqual({ ...candles, ...bounds })
  })
})
