import { expect, it } from 'vitest'
import type { CalendarChange } from '../../contracts/records.ts'
import { noChanges, StatementBoard, takeChange } from '../../domain/calendar-statements.ts'

const change = (of: Partial<CalendarChange>): CalendarChange => ({
  change: 'late',
  country: 'DEU',
  indicator: 'cpi',
  period: '2026-01',
  series: 'DEU.cpi.M',
  expected_on: null,
  expected_on_basis: null,
  expected_at: null,
  reason: null,
  recorded_at: '2026-02-20T00:00:00.000Z',
  ...of,
})

it('a release is announced as late once for each expected day, however often the day moves there and back', () => {
  const changes = noChanges()
  const late = (expected_on: string) => takeChange(changes, change({ expected_on, expected_on_basis: 'publisher' }))
  expect(['2026-02-10', '2026-02-12', '2026-02-10', '2026-02-12', '2026-02-15'].map(late)).toEqual([
    true,
    true,
    false,
    false,
    true,
  ])
})

it('the time of the newest change of a release does not fall when a clock is set back', () => {
  const board = new StatementBoard()
  const said = (what: CalendarChange['change'], recorded_at: string) => {
    board.apply(change({ change: what, reason: 'no survey', recorded_at }))
    return board.find('DEU', 'cpi', '2026-01')
  }
  expect(said('cancelled', '2026-03-02T00:00:00.000Z')?.changedAt).toBe('2026-03-02T00:00:00.000Z')
  expect(said('restored', '2026-03-01T00:00:00.000Z')?.changedAt).toBe('2026-03-02T00:00:00.000Z')
  expect(said('cancelled', '2026-03-03T00:00:00.000Z')).toMatchObject({
    changedAt: '2026-03-03T00:00:00.000Z',
    changes: 3,
  })
})

it('statements stand until they are taken back, in the order of country, indicator and period', () => {
  const board = new StatementBoard()
  const say = (what: CalendarChange['change'], country: string, period: string, day: string) =>
    board.apply(change({ change: what, country, period, reason: 'no survey', recorded_at: `${day}T10:00:00.000Z` }))
  const standing = (of: StatementBoard) => of.standing().map(({ country, period, status }) => [country, period, status])
  say('cancelled', 'USA', '2026-02', '2026-03-01')
  say('never_published', 'DEU', '2026-03', '2026-03-02')
  say('cancelled', 'DEU', '2026-01', '2026-03-03')
  say('late', 'FRA', '2026-01', '2026-03-04')
  const all = [
    ['DEU', '2026-01', 'cancelled'],
    ['DEU', '2026-03', 'never_published'],
    ['USA', '2026-02', 'cancelled'],
  ]
  expect(standing(board)).toEqual(all)
  expect([board.count, board.recordedAt]).toEqual([4, '2026-03-03T10:00:00.000Z'])
  // A repeated one is no news, nor is one of a kind that a newer release writes.
  say('cancelled', 'DEU', '2026-01', '2026-03-05')
  board.apply({ ...change({ country: 'USA' }), change: 'moved' as CalendarChange['change'] })
  expect([board.count, standing(board)]).toEqual([4, all])

  say('restored', 'USA', '2026-02', '2026-03-06')
  expect(standing(board)).toEqual(all.slice(0, 2))
  expect(board.recordedAt).toBe('2026-03-06T10:00:00.000Z')
  expect(board.of('DEU', 'cpi').map(({ period }) => period)).toEqual(['2026-03', '2026-01'])
  expect(board.of('GBR', 'cpi')).toEqual([])

  // As the board was at the end of a day.
  expect(standing(board.until('2026-03-02'))).toEqual([all[1], all[2]])
  expect(standing(board.until('2026-03-05'))).toEqual(all)
  expect(board.until('2026-02-28').count).toBe(0)
})

it('a release was expected on the day that its publisher announced, else on the estimated one', () => {
  const board = new StatementBoard()
  const of = (period: string) => board.wasExpected('DEU', 'cpi', period, '2026-02-14')
  board.apply(change({ change: 'expected', expected_on: '2026-02-10', expected_on_basis: 'publisher' }))
  board.apply(change({ change: 'expected', period: '2026-02', expected_on: '2026-02-11', expected_on_basis: 'lag' }))
  expect(of('2026-01')).toMatchObject({ expected_on: '2026-02-10', expected_on_basis: 'publisher' })
  expect(of('2026-02')).toMatchObject({ expected_on: '2026-02-14', expected_on_basis: 'lag' })
  expect(of('2026-03')).toMatchObject({ expected_on: '2026-02-14', expected_on_basis: 'lag' })
})
