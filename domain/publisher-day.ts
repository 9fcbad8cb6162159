import { dayInZone, instantOfLocalTime } from './time-zone.ts'

/**
 * The day at a publisher. Days of release are days there, so a release is late once its day is over there, which may be half
 * a day before or after the end of the day in UTC.
 */

/** Time zones of the national offices, by country. */
const zones: Readonly<Record<string, string>> = {
  AUS: 'Australia/Sydney',
  CAN: 'America/Toronto',
  DEU: 'Europe/Berlin',
  FRA: 'Europe/Paris',
  GBR: 'Europe/London',
  JPN: 'Asia/Tokyo',
  MYS: 'Asia/Kuala_Lumpur',
  NLD: 'Europe/Amsterdam',
  NZL: 'Pacific/Auckland',
  SGP: 'Asia/Singapore',
  USA: 'America/New_York',
}
const UNKNOWN = 'UTC'
const DAY_MS = 86_400_000

/**
 * Time zones of sources, as in `Series.source`. International bodies have none, because their members are in all zones, and
 * neither has the source of somebody's own file.
 */
const zonesOfSources: Readonly<Record<string, string | undefined>> = {
  ABS: zones.AUS,
  BEA: zones.USA,
  BLS: zones.USA,
  CBS: zones.NLD,
  CENSUS: zones.USA,
  DESTATIS: zones.DEU,
  DOSM: zones.MYS,
  ESRI: zones.JPN,
  FRED: 'America/Chicago',
  INSEE: zones.FRA,
  ONS: zones.GBR,
  SBJ: zones.JPN,
  SINGSTAT: zones.SGP,
  STATCAN: zones.CAN,
  STATSNZ: zones.NZL,
}

/** Day at the place of a source at an instant (UTC ms), `YYYY-MM-DD`; the day in UTC if it has none. */
export const sourceDay = (source: string, at: number): string => dayInZone(at, zonesOfSources[source] ?? UNKNOWN)

/** Day at the publishers of a country at an instant (UTC ms), `YYYY-MM-DD`; the day in UTC if their zone is not known. */
export const publisherDay = (country: string, at: number): string => dayInZone(at, zones[country] ?? UNKNOWN)

/** The days of all publishers at an instant, as one text: while it stays the same, no day has begun anywhere. */
export const publisherDays = (at: number): string =>
  [UNKNOWN, ...Object.values(zones)].map((zone) => dayInZone(at, zone)).join(' ')

/** The instant at which a day is over at the publishers of a country, ISO 8601 UTC. */
export const endOfPublisherDay = (country: string, day: string): string =>
  new Date(endIn(zones[country] ?? UNKNOWN, day)).toISOString()

/** The instants (UTC ms) at which a day is over at the publishers of the countries whose zone is known. */
export const endsOfPublisherDay = (day: string): ReadonlyMap<string, number> =>
  new Map(Object.entries(zones).map(([country, zone]) => [country, endIn(zone, day)]))

const endIn = (zone: string, day: string): number => instantOfLocalTime(Date.parse(`${day}T00:00:00Z`) + DAY_MS, zone)
