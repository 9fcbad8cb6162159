import { expect, it } from 'vitest'
import { ReleaseDatesBoard } from '../../domain/release-dates.ts'
import { releaseDates } from '../support/release-dates.ts'

const boardOf = (...records: ReturnType<typeof releaseDates>[]): ReleaseDatesBoard => {
  const board = new ReleaseDatesBoard()
  for (const record of records) board.apply(record)
  return board
}
const on = (...days: readonly string[]) => days.map((day) => ({ on: day, at: null }))
const first = releaseDates(['2026-12-10', '2026-11-10'], { recorded_at: '2026-01-10T09:00:00.000Z' })
const moved = releaseDates(['2026-11-12'], { recorded_at: '2026-02-10T09:00:00.000Z' })
const other = releaseDates(['2026-03-01'], {
  release: 'Jobs',
  covers: ['USA/unemployment'],
  recorded_at: '2026-01-20T09:00:00.000Z',
})

it('the board of publishers’ calendars has the newest record of each, its days in order', () => {
  expect(boardOf(first).of('USA', 'cpi')).toEqual(on('2026-11-10', '2026-12-10'))
  const board = boardOf(first, other, moved)
  expect(board.of('USA', 'cpi')).toEqual(on('2026-11-12'))
  expect(board.of('USA', 'unemployment')).toEqual(on('2026-03-01'))
  expect(board.of('DEU', 'cpi')).toEqual([])
  expect(board.count).toBe(3)
})

it('the board says when the newest record of all, and of a figure, was recorded', () => {
  const board = boardOf(first, moved, other)
  expect(board.recordedAt).toBe(moved.recorded_at)
  expect(board.changedAt('USA', 'cpi')).toBe(moved.recorded_at)
  expect(board.changedAt('USA', 'unemployment')).toBe(other.recorded_at)
  expect(board.changedAt('DEU', 'cpi')).toBe('')
  expect(boardOf().recordedAt).toBe('')
})

it('a figure that a calendar no longer covers changes, too', () => {
  const board = boardOf(first, { ...moved, covers: ['USA/unemployment'] })
  expect(board.changedAt('USA', 'cpi')).toBe(moved.recorded_at)
  expect(board.of('USA', 'cpi')).toEqual([])
})

it('the board of an earlier day has the records until its end', () => {
  const board = boardOf(first, other, moved)
  const days = (day: string) => board.until(day).of('USA', 'cpi')
  expect(days('2026-01-09')).toEqual([])
  expect(days('2026-01-10')).toEqual(on('2026-11-10', '2026-12-10'))
  expect(days('2026-02-09')).toEqual(on('2026-11-10', '2026-12-10'))
  expect(days('2026-02-10')).toEqual(on('2026-11-12'))
  expect(board.until('2026-01-31').count).toBe(2)
})
