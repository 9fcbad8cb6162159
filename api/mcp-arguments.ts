import type { Named } from '../base/nearest.ts'
import { observationsOperationId, vintagesOperationId } from '../contracts/history-operations.ts'
import { type Indicator, isPublic, servedIndicators, servingOf } from '../contracts/indicators.ts'
import type { Operation } from '../contracts/operation.ts'
import type { Figures } from './deps.ts'
import type { JsonSchema } from './json-schema.ts'
import { commodityCodes, countryCodes, countryText, currencyCodes, listed } from './known-codes.ts'

/** The figures on record, to describe arguments by the countries that have some. */
export type KnownFigures = Pick<Figures, 'countries'>

/**
 * Adds the possible values to an argument's schema, which for REST only has their form. Served codes become an enum with
 * their names. The description of a country lists the countries that have figures now.
 */
export function withValues(operation: Operation, name: string, schema: JsonSchema, figures: KnownFigures): JsonSchema {
  switch (name) {
    case 'commodity':
      return oneOf(schema, commodityCodes, true)
    case 'currency':
    case 'base':
      return oneOf(schema, currencyCodes, false)
    case 'symbol':
      return {
        ...schema,
        description: `${schema.description}. Commodities: ${named(commodityCodes)}. Currencies: ${listed(currencyCodes.map(({ code }) => code))}`,
      }
    case 'country':
      return withCountries(operation, schema, figures)
    default:
      return schema
  }
}

function withCountries(operation: Operation, schema: JsonSchema, figures: KnownFigures): JsonSchema {
  const indicator = indicatorOf(operation)
  if (!indicator) return schema
  const open = countryCodes.filter(({ code }) => isPublic(indicator, code))
  if (open.length < countryCodes.length) return oneOf(schema, open, true)
  const withFigures = figures.countries(indicator)
  const published = withFigures.length === 0 ? 'No country has figures yet' : `Published for: ${listed(withFigures)}`
  return { ...schema, description: `${schema.description}, e.g. ${countryText('USA')}. ${published}` }
}

const indicatorOf = ({ id }: Operation): Indicator | undefined =>
  servedIndicators.find((indicator) =>
    [servingOf(indicator).operationId, observationsOperationId(indicator), vintagesOperationId(indicator)].includes(id),
  )

function oneOf(schema: JsonSchema, codes: readonly Named[], isNamed: boolean): JsonSchema {
  const names = isNamed ? `: ${named(codes)}` : ''
  return { ...schema, description: `${schema.description}${names}`, enum: codes.map(({ code }) => code) }
}

const named = (codes: readonly Named[]): string => codes.map(({ code, name }) => `${code} (${name})`).join(', ')
