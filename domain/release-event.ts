import { dataSchema } from '../contracts/event-data.ts'
import { indicators, isPublic, servedIndicators, servingOf } from '../contracts/indicators.ts'
import type { EventRecord, Release } from '../contracts/records.ts'
import type { FigureBoard } from './figure-board.ts'
import { derivedId } from './ids.ts'
import { toResource } from './resource.ts'

/** The id of the event of a release, if it makes one. */
export const eventIdOf = (releaseId: string): string => derivedId('evt', releaseId)

/** The public event of a release. For a revision, `previous` is the release that it replaces. */
export function eventOfRelease(release: Release, previous: Release | undefined, sequence: number): EventRecord {
  const { series, period } = release
  const { family } = indicators[series.indicator]
  const data = { ...toResource(release), ...(previous ? { previous: toResource(previous) } : {}) }
  return {
    sequence,
    id: eventIdOf(release.release_id),
    type: previous ? 'economics.release.revised' : 'economics.release.published',
    source: `/almanac/${family}`,
    family,
    country: series.country,
    subject: `${series.country}/${series.indicator}/${period}`,
    time: release.recorded_at,
    dataschema: dataSchema(`${schemaNames[series.indicator]}${previous ? 'Revision' : ''}`),
    data: JSON.stringify(data),
  }
}

const schemaNames: Readonly<Record<string, string>> = Object.fromEntries(
  servedIndicators.map((code) => [code, servingOf(code).resource.$id]),
)

/**
 * Whether a release that `board` already includes makes an event. Three kinds make none:
 * - releases of an indicator that is only an input;
 * - releases of a series that is not served;
 * - releases of an indicator that is not public for its country.
 */
export function makesEvent(board: FigureBoard, release: Release): boolean {
  const { indicator, country } = release.series
  if (indicators[indicator].served === null || !board.isServed(release)) return false
  return isPublic(indicator, country)
}
