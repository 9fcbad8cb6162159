import { dataSchema } from '../contracts/event-data.ts'
import { indicators, isPublic, servedIndicators, servingOf } from '../contracts/indicators.ts'
import type { EventRecord, Release } from '../contracts/records.ts'
import type { FigureBoard } from './figure-board.ts'
import { derivedId } from './ids.ts'
import { isWithdrawn, sameFigures } from './prints.ts'
import { toResource } from './resource.ts'

/** The id of the event of a release, if it makes one. */
export const eventIdOf = (releaseId: string): string => derivedId('evt', releaseId)

/**
 * Applies a release to the board and returns its public event; undefined if it makes none. These make none:
 * - releases that change no current figure: late ones, and those with the same figures as before, which correct a date;
 * - releases of an indicator that is only an input;
 * - releases that lack a figure of the body;
 * - releases of a series that is not served, and withdrawals of figures that were not;
 * - releases of an indicator that is not public for its country.
 */
export function eventOfRelease(board: FigureBoard, release: Release, sequence: number): EventRecord | undefined {
  const { series, period, late } = release
  const previous = board.current(series.id, period)
  const wasServed = previous !== undefined && board.isAnswer(previous)
  board.apply(release)
  if (late || indicators[series.indicator].served === null) return undefined
  if (previous && sameFigures(previous.figures, release.figures)) return undefined
  const isServed = isWithdrawn(release) ? wasServed : board.isAnswer(release)
  if (!isServed || !isPublic(series.indicator, series.country)) return undefined
  return eventOf(release, previous, board.at(series.country, series.indicator, period), sequence)
}

/**
 * `previous` has the figures that the release replaces or withdraws; undefined if there are none. `answer` is the release that
 * the period is answered with from now on: after a withdrawal that of another series, if one has the period.
 */
function eventOf(
  release: Release,
  previous: Release | undefined,
  answer: Release | undefined,
  sequence: number,
): EventRecord {
  const { series, period, released_on } = release
  const { family } = indicators[series.indicator]
  const kind = !answer ? 'withdrawn' : previous ? 'revised' : 'published'
  const body = answer ? toResource(answer) : { country: series.country, period, released_on }
  return {
    sequence,
    id: eventIdOf(release.release_id),
    type: `economics.release.${kind}`,
    source: `/almanac/${family}`,
    family,
    country: series.country,
    subject: `${series.country}/${series.indicator}/${period}`,
    time: release.recorded_at,
    dataschema: dataSchema(`${schemaNames[series.indicator]}${suffixes[kind]}`),
    data: JSON.stringify({ ...body, ...(previous ? { previous: toResource(previous) } : {}) }),
  }
}

const suffixes = { published: '', revised: 'Revision', withdrawn: 'Withdrawal' } as const
const schemaNames: Readonly<Record<string, string>> = Object.fromEntries(
  servedIndicators.map((code) => [code, servingOf(code).resource.$id]),
)
