import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeEventCursor, encodeCursor, encodeEventCursor, judgeEventCursor } from '../../domain/cursor.ts'
import { decodeHistoryCursor, encodeHistoryCursor } from '../../domain/history-cursor.ts'
import { Lineage } from '../../domain/lineage.ts'
import { issueTime, snapshotCursorAge } from '../../domain/snapshot-lifetime.ts'

const text = fc.string({ maxLength: 30 })
const month = fc.constantFrom('', '2025-01', '1999-12')
const count = fc.maxSafeNat()

it('cursors come back as they went out', () => {
  fc.assert(
    fc.property(fc.record({ journal: text, sequence: count, hint: count }), (cursor) => {
      expect(decodeEventCursor(encodeEventCursor(cursor))).toEqual(cursor)
      expect(decodeHistoryCursor(encodeEventCursor(cursor))).toBeUndefined()
    }),
  )
  const history = fc.record({
    journal: text,
    operation: text,
    country: text,
    start: month,
    end: month,
    frequency: fc.constantFrom('', 'M' as const),
    asOf: fc.constantFrom('', '2025-12-31'),
    units: fc.constantFrom('', 'pc1' as const),
    aggregation: fc.constant('' as const),
    sort: fc.constantFrom('', 'desc' as const),
    print: fc.constant(''),
    row: count,
    snapshot: count,
    after: fc.record({ period: fc.constantFrom('2025-01', '1999-12'), figure: count, offset: count }),
    issuedAt: count,
  })
  fc.assert(
    fc.property(history, (cursor) => {
      expect(decodeHistoryCursor(encodeHistoryCursor(cursor))).toEqual(cursor)
      const ofPrint = { ...cursor, units: '', sort: '', print: '3' } as const
      expect(decodeHistoryCursor(encodeHistoryCursor(ofPrint))).toEqual(ofPrint)
    }),
  )
})
it('a forged cursor with a right checksum is refused, not thrown at', () => {
  for (const body of ['e{{', '{}', '[', 'null', '["e"]', '["e",1,2,3]']) {
    const bytes = Buffer.from(body)
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(bytes))
    const forged = `v1.${Buffer.concat([sum, bytes]).toString('base64url')}`
    expect(decodeEventCursor(forged)).toBeUndefined()
    expect(decodeHistoryCursor(forged)).toBeUndefined()
  }
})
it('a history cursor without a transformation is that of earlier releases, which stays valid', () => {
  const members = ['j', 'o', 'USA', '2025-01', '', 'M', '', '2025-02', 1, 0, 7, 8, 9]
  const former = encodeCursor('h', members)
  const cursor = decodeHistoryCursor(former) ?? expect.fail()
  expect(cursor).toMatchObject({ units: '', aggregation: '', sort: '' })
  expect(encodeHistoryCursor(cursor)).toBe(former)
})
it('a history cursor with a member that no cursor can have is refused', () => {
  const texts = ['j', 'o', 'USA', '2025-01', '', 'M', '', '2025-02']
  const counts = [1, 0, 7, 8, 9]
  expect(decodeHistoryCursor(encodeCursor('h', [...texts, ...counts]))).toBeDefined()
  const faults: readonly (readonly [number, string | number])[] = [
    ...[3, 4].flatMap((at) => ['2025', '2025-Q1', '2025-13', 'x'].map((bound) => [at, bound] as const)),
    ...['A', 'X', 'MM'].map((frequency) => [5, frequency] as const),
    ...['2025', '2025-1-1'].map((day) => [6, day] as const),
    ...['', '2025-13', 'x'].map((period) => [7, period] as const),
    ...[8, 9, 10, 11, 12].flatMap((at) => [-1, 0.5, '1'].map((count) => [at, count] as const)),
    ...[0, 1, 2].map((at) => [at, 1] as const),
  ]
  for (const [at, member] of faults) {
    const text = encodeCursor('h', [...texts, ...counts].with(at, member))
    expect(decodeHistoryCursor(text), `${at} ${member}`).toBeUndefined()
  }
  expect(decodeHistoryCursor(encodeCursor('h', [...texts, ...counts, 1]))).toBeUndefined()
  const computed = (...more: readonly (string | number)[]) =>
    decodeHistoryCursor(encodeCursor('h', [...texts.with(5, 'Q').with(7, '2025-Q2'), ...counts, ...more]))
  expect(computed('pc1', 'avg', 'desc')).toMatchObject({ units: 'pc1', aggregation: 'avg', sort: 'desc' })
  expect(computed('', '', '', '12')).toMatchObject({ print: '12' })
  const forged = [
    ['lin', '', ''],
    ['', 'max', ''],
    ['', '', 'asc'],
    ['pc1', 'avg'],
    ['pc1', 'avg', ''].concat(''),
  ].concat(
    ...[
      ['pc1', '', '', '1'],
      ['', '', 'desc', '1'],
      ['', '', '', '0'],
      ['', '', '', '100'],
    ].map((more) => [more]),
  )
  for (const more of forged) expect(computed(...more), more.join()).toBeUndefined()
  // Months are aggregated to nothing lower than themselves.
  expect(decodeHistoryCursor(encodeCursor('h', [...texts, ...counts, '', 'avg', '']))).toBeUndefined()
  expect(decodeHistoryCursor(encodeCursor('h', [...texts, ...counts.slice(1)]))).toBeUndefined()
})
it('a cursor with any one character changed, added or dropped is refused', () => {
  const cursor = encodeEventCursor({ journal: 'journal-1', sequence: 42, hint: 7 })
  fc.assert(
    fc.property(fc.nat(cursor.length - 1), fc.constantFrom('A', 'b', '0', '-', '', '=', ' '), (at, character) => {
      const forged = cursor.slice(0, at) + character + cursor.slice(at + 1)
      if (forged !== cursor) expect(decodeEventCursor(forged)).toBeUndefined()
    }),
    { numRuns: 500 },
  )
  fc.assert(fc.property(fc.string(), (garbage) => decodeEventCursor(`v1.${garbage}`) === undefined))
})
it('a time of issue is rounded up, by less than an hour', () => {
  const instant = fc.integer({ min: 0, max: Date.parse('2100-01-01T00:00:00Z') })
  fc.assert(
    fc.property(instant, (now) => {
      const rounded = issueTime(now) - now
      expect(rounded).toBeGreaterThanOrEqual(0)
      expect(rounded).toBeLessThan(3_600_000)
      expect(issueTime(issueTime(now))).toBe(issueTime(now))
    }),
  )
})

it('a cursor is honoured from the oldest event kept to the next one to come, and refused beyond, never moved', () => {
  const lineage = new Lineage({ id: 'J', generations: [] })
  const judged = (sequence: number, ends: { first?: number; end?: number } = { first: 5, end: 9 }) =>
    judgeEventCursor(encodeEventCursor({ journal: 'J', sequence, hint: 3 }), {
      lineage,
      first: ends.first,
      end: ends.end,
    })
  const honoured = (sequence: number) => ({ journal: 'J', sequence, hint: 3 })
  for (const sequence of [5, 6, 9]) expect(judged(sequence)).toEqual(honoured(sequence))
  expect(judged(4)).toEqual({ refused: 'cursor_expired', goOnAt: 'earliest' })
  expect(judged(10)).toEqual({ refused: 'cursor_ahead', goOnAt: 'latest' })
  expect(judged(0)).toMatchObject({ refused: 'cursor_invalid' })
  for (const sequence of [1, 10]) expect(judged(sequence, {})).toEqual(honoured(sequence))
})

it('a cursor of a snapshot is honoured for a day, and none that no clock can have issued', () => {
  const HOUR = 3_600_000
  const now = 1_000 * HOUR + 1
  const ages = [
    ['expired', now - 24 * HOUR - 1],
    ['honoured', now - 24 * HOUR],
    ['honoured', now],
    // The end of this hour, by a clock that is an hour ahead.
    ['honoured', 1_002 * HOUR],
    ['forged', 1_002 * HOUR + 1],
  ] as const
  for (const [age, issuedAt] of ages) expect(snapshotCursorAge(issuedAt, now), String(issuedAt - now)).toBe(age)
})
