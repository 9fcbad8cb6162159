import { expect, it } from 'vitest'
import { calendarOf } from '../../api/release-calendar.ts'
import { testSeries } from '../support/releases.ts'
import { Releases } from './releases-in-memory.ts'

it('answers others between the cells of a calendar that is made for the first time', async () => {
  const releases = new Releases()
  const countries = ['USA', 'DEU', 'JPN']
  for (const country of countries) releases.accept(testSeries({ country }), '2025-12', { value: '100' })
  const { board: figures, releaseIndex, statements, dates: releaseDates } = releases
  const clock = () => new Date('2026-01-20T00:00:00Z')
  const { entries } = calendarOf({ figures, releaseIndex, statements, releaseDates, clock })
  let turns = 0
  const turn = () => {
    turns++
    next = setImmediate(turn)
  }
  let next = setImmediate(turn)
  expect((await entries()).map(({ country }) => country).sort()).toEqual([...countries, ...countries].sort())
  clearImmediate(next)
  expect(turns).toBeGreaterThanOrEqual(countries.length)
  // What is recorded while it is made is in it.
  releases.accept(testSeries({ country: 'DEU' }), '2025-12', { value: '101' })
  const made = entries()
  releases.accept(testSeries({ country: 'FRA' }), '2025-12', { value: '100' })
  expect((await made).some(({ country }) => country === 'FRA')).toBe(true)
})
