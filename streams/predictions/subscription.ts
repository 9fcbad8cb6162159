import { Compile } from 'typebox/compile'
import { SubscribePredictions } from '../../contracts/frames.ts'
import { CountryCode } from '../../contracts/scalars.ts'
import { isPredicted } from '../../domain/prediction-figures.ts'
import { shapeCheck } from '../shape.ts'
import type { Refusal } from '../stream.ts'

/** Which predictions a client wants; null: all. */
export type PredictionFilter = {
  readonly countries: ReadonlySet<string> | null
  readonly indicators: ReadonlySet<string> | null
}

const misshapen = shapeCheck(SubscribePredictions)
const country = Compile(CountryCode)

/** By member, whether a value is one that is served. Any well-formed country is: REST judges them alike. */
const isServed: { readonly [F in keyof PredictionFilter]: (value: string) => boolean } = {
  countries: (value) => country.Check(value),
  indicators: isPredicted,
}
const members = Object.keys(isServed) as (keyof PredictionFilter)[]

/** Reads a subscribe message: shape and limits, then what is served. An empty list of a filter matches nothing. */
export function readFilter(message: Readonly<Record<string, unknown>>): PredictionFilter | Refusal {
  const fault = misshapen(message)
  if (fault) return fault
  const asked = message as { readonly [F in keyof PredictionFilter]?: readonly string[] }
  for (const member of members) {
    if (new Set(asked[member]).size < (asked[member]?.length ?? 0)) {
      return { refused: 'invalid_frame', detail: `/${member} names a value twice.` }
    }
  }
  for (const member of members) {
    const value = asked[member]?.find((name) => !isServed[member](name))
    if (value === undefined) continue
    return { refused: 'filter_not_supported', detail: `/${member}: "${value.slice(0, 64)}" is not served.` }
  }
  const { countries, indicators } = asked
  return { countries: countries ? new Set(countries) : null, indicators: indicators ? new Set(indicators) : null }
}

export const matches = (
  { countries, indicators }: PredictionFilter,
  { country, indicator }: { readonly country: string; readonly indicator: string },
): boolean => (countries?.has(country) ?? true) && (indicators?.has(indicator) ?? true)
