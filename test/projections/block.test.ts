import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Rejected } from '../../contracts/records.ts'
import type { JournalRecord } from '../../journal/typed.ts'
import { type Block, BlockBuilder } from '../../projections/block.ts'
import { startBehind } from '../../projections/start.ts'
import type { Row } from '../../projections/view.ts'
import { events } from '../../projections/views/events/project.ts'
import { quarantine } from '../../projections/views/quarantine/project.ts'
import { ticks } from '../../projections/views/ticks/project.ts'
import { vintages } from '../../projections/views/vintages/project.ts'
import { rejectedNumber, releaseNumber } from '../support/journal-records.ts'
import { priceTick } from '../support/ticks.ts'

const rowsOf = ({ body }: Block): Row[] =>
  Buffer.concat(body)
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
const record = (offset: number, value: Rejected): JournalRecord<'quarantine'> => ({
  topic: 'quarantine',
  partition: 0,
  offset,
  key: null,
  value,
  timestamp: 0,
  headers: {},
})

describe('blocks', () => {
  test('hold records of one ClickHouse partition only', () => {
    const tick = (offset: number, at: string): JournalRecord<'ticks'> => ({
      topic: 'ticks',
      partition: 0,
      offset,
      key: null,
      value: priceTick('1'),
      timestamp: Date.parse(at),
      headers: {},
    })
    const builder = new BlockBuilder(ticks, 0, -1, true, Date.parse('2026-06-01T00:00:00Z'))
    const [last, first] = [tick(1, '2026-01-31T23:59:59.999Z'), tick(2, '2026-02-01T00:00:00.000Z')]
    expect([builder.admits(last), builder.admits(first)]).toEqual([true, true])
    builder.add({ records: [tick(0, '2026-01-31T10:00:00.000Z')], next: 1 })
    expect([builder.admits(last), builder.admits(first)]).toEqual([true, false])
    builder.take()
    expect(builder.admits(first)).toBe(true)
  })

  test('cover a partition without gap or overlap, each with its greatest offset in a row', () => {
    // Steps between offsets, whether a record gives a row, and after which batch a block is taken.
    const history = fc.array(
      fc.record({
        records: fc.array(fc.record({ hole: fc.nat(2), part: fc.integer({ min: 1, max: 2 }) }), { maxLength: 4 }),
        holes: fc.nat(2),
        take: fc.boolean(),
      }),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(history, fc.integer({ min: -1, max: 5 }), (batches, watermark) => {
        const builder = new BlockBuilder(quarantine, 0, watermark, true, Date.now())
        const expected: number[] = []
        const found: number[] = []
        let next = watermark + 1
        let covered = watermark
        const take = () => {
          if (builder.isEmpty) return expect(covered).toBe(next - 1)
          const block = builder.take()
          const rows = rowsOf(block)
          expect(block.after).toBe(covered)
          expect(rows).toHaveLength(block.rows)
          expect(Math.max(...rows.map((row) => Number(row[1])))).toBe(block.through)
          expect(rows.every((row) => Number(row[1]) > block.after)).toBe(true)
          expect(rows.filter((row) => row[3] === true).length).toBeLessThanOrEqual(1)
          found.push(...rows.filter((row) => row[3] === false).map((row) => Number(row[1])))
          covered = block.through
          expect(builder.isEmpty).toBe(true)
        }
        for (const { records, holes, take: cut } of batches) {
          const batch = records.map(({ hole, part }) => {
            const offset = next + hole
            next = offset + 1
            if (part === 1) expected.push(offset)
            return record(offset, { ...rejectedNumber(offset), part })
          })
          next += holes
          builder.add({ records: batch, next })
          if (cut) take()
        }
        take()
        expect(found).toEqual(expected)
        expect(covered).toBe(next - 1)
      }),
    )
  })

  test('have no marker for a hole where the journal keeps everything', () => {
    const builder = new BlockBuilder(vintages, 0, -1, false, Date.now())
    const value = releaseNumber(0)
    builder.add({
      records: [{ topic: 'releases', partition: 0, offset: 0, key: null, value, timestamp: 0, headers: {} }],
      next: 2,
    })
    expect(builder.take()).toMatchObject({ after: -1, through: 0, rows: 1 })
    builder.add({ records: [], next: 5 })
    expect(builder.isEmpty).toBe(true)
  })

  test('a view that skips a record without saying its marker is a fault', () => {
    const builder = new BlockBuilder({ ...vintages, project: () => [] }, 0, -1, false, Date.now())
    const value = releaseNumber(0)
    builder.add({
      records: [{ topic: 'releases', partition: 0, offset: 0, key: null, value, timestamp: 0, headers: {} }],
      next: 1,
    })
    expect(() => builder.take()).toThrow('view vintages gave no row for offset 0 and defines no marker')
  })
})

describe('the place to go on from', () => {
  const DAY = 86_400_000

  test('is behind the watermark', () => {
    expect(startBehind(events, 0, -1, { start: 0, end: 0 }, null)).toBe(0)
    expect(startBehind(events, 0, 41, { start: 0, end: 42 }, null)).toBe(42)
    expect(startBehind(quarantine, 0, 41, { start: 42, end: 50 }, DAY)).toBe(42)
  })

  test('of an empty table is where a journal that forgets begins', () => {
    expect(startBehind(events, 0, -1, { start: 42, end: 50 }, DAY)).toBe(42)
    expect(() => startBehind(events, 0, -1, { start: 1, end: 50 }, null)).toThrow('journal_gap')
  })

  test.each([null, DAY])('must be in the journal, with a retention of %s too', (retentionMs) => {
    const start = (bounds: { start: number; end: number }) => startBehind(events, 0, 41, bounds, retentionMs)
    expect(() => start({ start: 43, end: 50 })).toThrow('journal_gap: events/0 holds 43 to 49')
    expect(() => start({ start: 0, end: 41 })).toThrow('journal_behind')
  })
})
