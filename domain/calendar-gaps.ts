import type { CalendarStatus } from '../contracts/calendar.ts'
import type { Indicator } from '../contracts/indicators.ts'
import type { Series } from '../contracts/records.ts'
import type { GapStatus, ReleaseStatement, StatementBoard } from './calendar-statements.ts'
import { needsOf } from './derive/derivations.ts'
import type { FigureBoard } from './figure-board.ts'
import { periodsOfYear, shiftPeriod, yearOf } from './period.ts'

/**
 * Periods without a figure that is to come: it was cancelled or never published, or it would be computed from one that
 * was. What is derived needs no statement of its own, so it also ends when the statement does.
 */

/** A statement that stands, and is the reason why a figure does not exist. */
export type Gap = ReleaseStatement & { readonly status: GapStatus }

type Published = Pick<Series, 'country' | 'indicator' | 'derivation'>
type Find = (country: string, indicator: Indicator, period: string) => ReleaseStatement | undefined
/** Operators' statements, and the figures that are on record all the same. */
export type GapFacts = {
  readonly statements: Pick<StatementBoard, 'find' | 'of'>
  readonly figures: Pick<FigureBoard, 'at'>
}

/** Statements about a release and all that it is computed from, those that were taken back included. */
export function statementsBehind(find: Find, series: Published, period: string): ReleaseStatement[] {
  const { country, indicator } = series
  const all = [{ indicator, period }, ...needsOf(series, period)]
  const found = all.map((each) => find(country, each.indicator, each.period))
  return [...new Set(found)].filter((statement) => statement !== undefined)
}

export const stands = (statement: ReleaseStatement): statement is Gap => statement.status !== null

/** Why a series has no figure for a period; undefined if nothing was said, or it is on record all the same. */
export function gapOf({ statements, figures }: GapFacts, series: Published, period: string): Gap | undefined {
  const find: Find = (country, indicator, each) =>
    figures.at(country, indicator, each) ? undefined : statements.find(country, indicator, each)
  if (figures.at(series.country, series.indicator, period)) return undefined
  return statementsBehind(find, series, period).find(stands)
}

/** The periods of a series, in order, that were the subject of a statement or are computed from one that was. */
export function statedPeriods(
  { statements }: Pick<GapFacts, 'statements'>,
  series: Published & Pick<Series, 'frequency'>,
) {
  const { country, indicator, frequency } = series
  // Any period of the frequency has the same kinds of inputs.
  const [example = ''] = periodsOfYear(frequency, '2000')
  const kinds = new Set([indicator, ...needsOf(series, example).map((need) => need.indicator)])
  const years = [...kinds].flatMap((kind) => statements.of(country, kind).map(({ period }) => yearOf(period)))
  // No figure is computed from one of an earlier year than the last.
  const candidates = [...new Set(years)].flatMap((year) => [
    ...periodsOfYear(frequency, year),
    ...periodsOfYear(frequency, yearOf(shiftPeriod(year, 1))),
  ])
  const isStated = (period: string) => statementsBehind(statements.find.bind(statements), series, period).length > 0
  return [...new Set(candidates)].filter(isStated).sort()
}

/** Why a figure does not exist, as a clause. A derived one names what it needs. */
export function gapReason(
  { status, indicator, period, reason }: Gap,
  of: { indicator: string; period: string },
): string {
  if (indicator === of.indicator && period === of.period) return reason
  return `needs ${indicator} of ${period}, which was ${statusName(status)}: ${reason}`
}

/** A status as a person reads it. */
export const statusName = (status: CalendarStatus): string => status.replace('_', ' ')
