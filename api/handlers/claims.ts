import { type CheckedClaim, type ClaimVerdict, verifyOperationId } from '../../contracts/claims.ts'
import { namingOf } from '../../contracts/histories.ts'
import {
  indicators,
  isPublic,
  neededFigures,
  type ServedIndicator,
  servedIndicators,
} from '../../contracts/indicators.ts'
import type { Series } from '../../contracts/records.ts'
import { releasePath } from '../../contracts/release-detail.ts'
import { readClaim, type StatedClaim } from '../../domain/claim.ts'
import { claimedPrints, type MeetingPrint } from '../../domain/claimed-prints.ts'
import { historyRow } from '../../domain/history-row.ts'
import { frequencyOf } from '../../domain/period.ts'
import { caching, type Render } from '../answer.ts'
import type { ApiDeps } from '../deps.ts'
import { type Handlers, handler, type OperationInput } from '../execute.ts'
import { refuseUnknownCountry, unknownIndicator } from '../filters.ts'
import { problemOfUnread } from '../held-figures.ts'
import { invalidQuery, shown } from '../refusals.ts'

type Query = { readonly country: string; readonly indicator: string; readonly period: string; readonly value: string }
type Question = Omit<Query, 'indicator'> & { readonly indicator: ServedIndicator; readonly claim: StatedClaim }
type Deps = Pick<ApiDeps, 'figures' | 'statements' | 'held' | 'history'>
type Prints = Awaited<ReturnType<Deps['history']['prints']>>

/** Compares what somebody states with every print on record of a period. */
export const claimHandlers = (deps: Deps, render: Render): Handlers => ({
  [verifyOperationId]: handler<OperationInput & { readonly query: Query }, Question>({
    needsSlot: true,
    ask: ({ query }) => questionOf(query),
    answer: async (question) => render(verifyOperationId, await checked(deps, question), caching.latest),
  }),
})

function questionOf({ country, indicator, period, value }: Query): Question {
  refuseUnknownCountry([country])
  const served = servedIndicators.find((one) => one === indicator)
  if (!served) throw unknownIndicator(indicator, servedIndicators)
  const claim = readClaim(value)
  if (!claim) {
    const forms =
      'Write a number such as 330.213, 3.2 %, 32.5 trillion or USD 32,475 bn, with a point before its decimals.'
    throw invalidQuery(`query parameter value: ${shown(value)} is no figure. ${forms}`)
  }
  return { country, indicator: served, period, value, claim }
}

async function checked(deps: Deps, question: Question): Promise<CheckedClaim> {
  const { country, indicator, period, value, claim } = question
  const frequency = frequencyOf(period) ?? ''
  const known = isPublic(indicator, country)
    ? await deps.history.series(country, indicator, Number.MAX_SAFE_INTEGER)
    : []
  const row = historyRow(known, { asOf: '', frequency })
  const prints = row
    ? await deps.history.prints({ series: row.series.map(({ id }) => id), snapshot: row.snapshot, periods: [period] })
    : []
  if (!row || prints.length === 0) throw await problemOfUnread(deps, indicator, country, period)

  const figures: readonly string[] = indicators[indicator].figures
  const rule = { figures, needed: neededFigures(indicator) }
  const { claimed, served } = claimedPrints(claim, prints, rule, (place) => row.series[place - 1]?.unit ?? '')
  const stated = ({ print, number, value: found }: { print: Prints[number]; number: number; value: string }) => {
    // The print has its place from these series.
    const { id: series, unit, ...identity } = row.series[print.place - 1] as Series
    const { source, base_period, base_value, seasonal_adjustment, annualization } = identity
    const { release_id, released_on, released_on_basis } = print
    return {
      ...namingOf(indicator, figures[number - 1] ?? ''),
      value: found,
      unit,
      series,
      source,
      base_period,
      base_value,
      seasonal_adjustment,
      annualization,
      released_on,
      released_on_basis,
      release_id,
      link: releasePath(release_id),
    }
  }
  return {
    country,
    indicator,
    period,
    claim: { text: value, value: claim.value, tolerance: claim.tolerance, unit: claim.currency || claim.kind },
    verdict: verdictOn(claimed),
    prints: claimed.map((one) => ({
      ...stated(one),
      is_current: one.next === undefined,
      is_served: one.isServed,
      replaced_on: one.next?.released_on ?? null,
      replaced_by: one.next?.release_id ?? null,
      replacing_value: one.next?.figures[figures[one.number - 1] ?? ''] ?? null,
    })),
    served: served.map(stated),
    as_of: row.recordedAt,
  }
}

function verdictOn(claimed: readonly MeetingPrint<Prints[number]>[]): ClaimVerdict {
  if (claimed.some(({ isServed }) => isServed)) return 'current'
  if (claimed.some(({ next }) => next === undefined)) return 'current_elsewhere'
  return claimed.length > 0 ? 'former' : 'not_on_record'
}
