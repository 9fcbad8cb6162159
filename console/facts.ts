import { endedUndatedDays } from '../contracts/catalog.ts'
import { countries } from '../contracts/countries.ts'
import { eventFamilies, eventTypes } from '../contracts/events.ts'
import { indicators, servedIndicators, servingOf } from '../contracts/indicators.ts'
import { commodities, commodityGroups, currencies, currencyGroups } from '../contracts/instruments.ts'
import { KEY_VARIABLE } from '../contracts/key-variable.ts'
import { streamErrors, streamLimits } from '../contracts/streams.ts'
import { transformations } from '../contracts/transformations.ts'

/** What the console knows without asking: the codes and names of the contracts. The page carries it as JSON. */
export type Facts = {
  readonly commodities: readonly { readonly code: string; readonly name: string; readonly unit: string }[]
  readonly currencies: readonly string[]
  /** Groups of commodities, and of currencies, each with the codes in it. */
  readonly commodityGroups: readonly InstrumentGroup[]
  readonly currencyGroups: readonly InstrumentGroup[]
  readonly indicators: readonly IndicatorFacts[]
  readonly countries: Readonly<Record<string, string>>
  /** What each transformation of figures computes, by its code. */
  readonly transformations: Readonly<Record<string, string>>
  readonly eventFamilies: readonly string[]
  readonly eventTypes: readonly string[]
  /** Each error that ends a stream, and what to do about it. */
  readonly streamErrors: Readonly<Record<string, { readonly title: string; readonly advice: string }>>
  readonly commodityPairs: number
  /** Days after the end of the next period from which a series without an expected day has probably ended, by frequency. */
  readonly endedUndatedDays: Readonly<Record<string, number>>
  readonly keyVariable: string
}
export type InstrumentGroup = { readonly code: string; readonly name: string; readonly members: readonly string[] }
export type IndicatorFacts = {
  readonly code: string
  /** Path below /v1/economics/{country}/. */
  readonly path: string
  readonly name: string
  readonly family: string
  readonly figures: readonly string[]
  /** Whether the figures are percentages, so that a revision is a difference and not a ratio. */
  readonly isRate: boolean
}

export const facts: Facts = {
  commodities: Object.entries(commodities).map(([code, { name, unit }]) => ({
    code,
    name,
    unit: unit.replaceAll('_', ' '),
  })),
  currencies,
  commodityGroups: Object.entries(commodityGroups).map(([code, name]) => ({
    code,
    name,
    members: Object.keys(commodities).filter((member) => commodities[member]?.group === code),
  })),
  currencyGroups: Object.entries(currencyGroups).map(([code, group]) => ({
    code,
    name: group.name,
    members: group.currencies,
  })),
  indicators: servedIndicators.map((code) => {
    const { family, summary, figures } = indicators[code]
    const { path, predicted } = servingOf(code)
    const isRate = predicted.kind === 'rate' || predicted.kind === 'share'
    return { code, path, name: summary, family, figures, isRate }
  }),
  countries: Object.fromEntries(countries.map(({ alpha3, name }) => [alpha3, name])),
  transformations,
  eventFamilies,
  eventTypes,
  streamErrors: Object.fromEntries(
    Object.entries(streamErrors).map(([code, { title, advice }]) => [code, { title, advice }]),
  ),
  commodityPairs: streamLimits.commodityPairs,
  endedUndatedDays,
  keyVariable: KEY_VARIABLE,
}
