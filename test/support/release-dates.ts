import type { ReleaseDates } from '../../contracts/release-dates.ts'

/** A record of a publisher’s calendar, as it is read from one of a made-up office. */
export const releaseDates = (dates: readonly string[], over: Partial<ReleaseDates> = {}): ReleaseDates => ({
  calendar: 'office',
  release: 'Consumer prices',
  covers: ['USA/cpi'],
  dates: [...dates],
  times: [],
  url: null,
  sha256: 'a'.repeat(64),
  retrieved_at: null,
  recorded_at: '2026-01-01T00:00:00.000Z',
  ...over,
})
