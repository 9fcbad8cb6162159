import type { CalendarStatus } from '../contracts/calendar.ts'
import type { Indicator } from '../contracts/indicators.ts'
import type { Series } from '../contracts/records.ts'
import type { GapStatus, ReleaseStatement, StatementBoard } from './calendar-statements.ts'
import { indicatorsBehind, needsOf } from './derive/derivations.ts'
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

type Statements = Pick<GapFacts, 'statements'>
type OfFrequency = Published & Pick<Series, 'frequency'>

/** The periods of a series, in order, that were the subject of a statement or are computed from one that was. */
export const statedPeriods = (facts: Statements, series: OfFrequency): string[] =>
  statedYears(facts, series)
    .sort()
    .flatMap((year) => statedPeriodsOf(facts, series, year))

/** The years of which a series can have such periods. No figure is computed from one of an earlier year than the last. */
export function statedYears({ statements }: Statements, series: OfFrequency): string[] {
  const stated = indicatorsBehind(series).flatMap((indicator) => statements.of(series.country, indicator))
  const years = stated.map(({ period }) => yearOf(period))
  return [...new Set(years.flatMap((year) => [year, shiftPeriod(year, 1)]))]
}

/** Those of one year. */
export function statedPeriodsOf({ statements }: Statements, series: OfFrequency, year: string): string[] {
  const find = statements.find.bind(statements)
  return periodsOfYear(series.frequency, year).filter((period) => statementsBehind(find, series, period).length > 0)
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
