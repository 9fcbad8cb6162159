import { expect, it } from 'vitest'
import { endOfPublisherDay, publisherDay, publisherDays } from '../../domain/publisher-day.ts'

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
