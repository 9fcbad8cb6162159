import { servedFrequencies } from '../contracts/histories.ts'
import { type ServedIndicator, servingOf } from '../contracts/indicators.ts'
import type { Frequency } from '../contracts/records.ts'
import { latest } from '../domain/instant.ts'
import { endOfPeriod } from '../domain/period.ts'
import type { Figures } from './deps.ts'

/** Address of a history, from a period on or whole. */
export function historyAddress(country: string, indicator: ServedIndicator, frequency: Frequency, start = ''): string {
  const query = new URLSearchParams({ frequency, ...(start && { start }) })
  return `/v1/economics/${country}/${servingOf(indicator).path}/observations?${query}`
}

/** The newest period of a frequency that its history has; empty if there is none. */
export const newestIn = (
  figures: Pick<Figures, 'newest' | 'partial'>,
  country: string,
  indicator: ServedIndicator,
  frequency: Frequency,
): string =>
  latest(
    figures.newest(country, indicator, frequency),
    figures.partial(country, indicator, frequency).at(-1)?.period ?? '',
  )

/**
 * Links (RFC 8288) to figures that are newer than the latest answer, of `period`, which it can't give: those of a
 * frequency that comes after its own, and those that lack a figure of its body.
 */
export function newerLinks(
  figures: Pick<Figures, 'newest' | 'partial'>,
  country: string,
  indicator: ServedIndicator,
  period: string,
): string[] {
  return servedFrequencies(indicator).flatMap((frequency) => {
    const newest = newestIn(figures, country, indicator, frequency)
    if (newest === '' || endOfPeriod(newest) <= endOfPeriod(period)) return []
    return [`<${historyAddress(country, indicator, frequency, newest)}>; rel="related"; title="${newest}"`]
  })
}

const newer = /<([^>]*)>; rel="related"; title="([^"]*)"/g

/** The periods and addresses that `newerLinks` has put into a Link header. */
export const newerIn = (link = ''): { readonly address: string; readonly period: string }[] =>
  [...link.matchAll(newer)].map(([, address = '', period = '']) => ({ address, period }))
