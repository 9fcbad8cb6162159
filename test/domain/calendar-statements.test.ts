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
