import { Type } from '#typebox'
import { IsoDate, nullable, strict, Timestamp } from './scalars.ts'

/**
 * The days on which a release comes out, as its publisher’s own calendar states them. A newer record of the same
 * calendar and release replaces it.
 */
export const ReleaseDates = strict(
  {
    calendar: Type.String({ description: 'Name of the publisher’s calendar, e.g. bls' }),
    release: Type.String({ description: 'Name or number of the release in that calendar, e.g. Consumer Price Index' }),
    covers: Type.Array(Type.String(), {
      description: 'The figures that come out with it, as COUNTRY/indicator, without those derived from them',
    }),
    dates: Type.Array(IsoDate, {
      description: 'Days in the publisher’s time zone, in order, past ones included as far as the calendar has them',
    }),
    times: Type.Array(Timestamp, {
      description: 'The instants of the same dates, in UTC; empty if the calendar states days only',
    }),
    url: nullable(Type.String({ description: 'Address of the calendar; null for a local file' })),
    sha256: Type.String({ description: 'SHA-256 of the calendar’s bytes, hexadecimal' }),
    retrieved_at: nullable({ ...Timestamp, description: 'When it was fetched, UTC; null for a local file' }),
    recorded_at: Timestamp,
  },
  { $id: 'ReleaseDates' },
)
export type ReleaseDates = Type.Static<typeof ReleaseDates>
