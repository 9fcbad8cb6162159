import { expect, it } from 'vitest'
import { sourceOrder } from '../../contracts/serving.ts'
import { endOfPublisherDay, publisherDay, publisherDays, sourceDay } from '../../domain/publisher-day.ts'

it.each([
  ['USA', '2026-11-27', '2026-11-28T05:00:00.000Z'],
  // Summer time.
  ['USA', '2026-07-01', '2026-07-02T04:00:00.000Z'],
  ['JPN', '2026-11-27', '2026-11-27T15:00:00.000Z'],
  ['NZL', '2026-11-27', '2026-11-27T11:00:00.000Z'],
  // No zone is known.
  ['ISL', '2026-11-27', '2026-11-28T00:00:00.000Z'],
])('a day is over at the publishers of %s when it is over there: %s at %s', (country, day, end) => {
  expect(endOfPublisherDay(country, day)).toBe(end)
  expect(publisherDay(country, Date.parse(end) - 1)).toBe(day)
  expect(publisherDay(country, Date.parse(end)) > day).toBe(true)
  expect(publisherDays(Date.parse(end) - 1)).not.toBe(publisherDays(Date.parse(end)))
})

it.each([
  ['SBJ', '2026-11-26T23:40:00Z', '2026-11-27'],
  ['ABS', '2026-11-26T13:30:00Z', '2026-11-27'],
  ['BLS', '2026-11-27T04:30:00Z', '2026-11-26'],
  ['FRED', '2026-11-27T05:30:00Z', '2026-11-26'],
  // An international body, and the source of somebody's own file.
  ['OECD', '2026-11-26T23:40:00Z', '2026-11-26'],
  ['TEST', '2026-11-26T23:40:00Z', '2026-11-26'],
])('the day at %s at %s is %s', (source, at, day) => {
  expect(sourceDay(source, Date.parse(at))).toBe(day)
})

it('only international bodies are without a place', () => {
  const instants = ['2026-11-26T02:00:00Z', '2026-11-26T12:00:00Z', '2026-11-26T23:40:00Z'].map((at) => Date.parse(at))
  const inUtc = (source: string) => instants.every((at) => sourceDay(source, at) === '2026-11-26')
  // London has the day of UTC in winter.
  expect(sourceOrder.filter(inUtc)).toEqual(['ONS', 'OECD', 'EUROSTAT', 'BIS', 'IMF', 'ILO', 'UNCTAD', 'WB', 'UNSD'])
  expect(sourceDay('ONS', Date.parse('2026-07-01T23:40:00Z'))).toBe('2026-07-02')
})
