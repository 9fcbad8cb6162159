import type { Named } from '../base/nearest.ts'
import { candlesOperation } from '../contracts/candles.ts'
import { isPublic } from '../contracts/indicators.ts'
import type { Figures } from './deps.ts'
import type { JsonSchema } from './json-schema.ts'
import { commodityCodes, countryCodes, countryText, currencyCodes, listed } from './known-codes.ts'
import { limitOf } from './mcp-pages.ts'
import type { Tool } from './mcp-tools.ts'

/** The figures on record, to describe arguments by the countries that have some. */
export type KnownFigures = Pick<Figures, 'countries'>

/**
 * Adds the possible values to an argument's schema, which for REST only has their form. Served codes become an enum with
 * their names. The description of a country lists the countries that have figures now.
 */
export function withValues(tool: Tool, name: string, schema: JsonSchema, figures: KnownFigures): JsonSchema {
  switch (name) {
    case 'commodity':
      return oneOf(schema, commodityCodes, true)
    case 'currency':
    case 'base':
      return oneOf(schema, currencyCodes, false)
    case 'symbol':
      // All codes are long, so they stand in one tool.
      if (tool.name !== candlesOperation.id) {
        return { ...schema, description: `${schema.description}. Codes: as of ${candlesOperation.id}` }
      }
      return {
        ...schema,
        description: `${schema.description}. Commodities: ${named(commodityCodes)}. Currencies: ${listed(currencyCodes.map(({ code }) => code))}`,
      }
    case 'country':
      return withCountries(tool, schema, figures)
    case 'limit':
      return limitOf(tool.name, schema)
    default:
      return schema
  }
}

function withCountries({ indicators }: Tool, schema: JsonSchema, figures: KnownFigures): JsonSchema {
  if (indicators.length === 0) return schema
  const open = countryCodes.filter(({ code }) => indicators.some((indicator) => isPublic(indicator, code)))
  if (open.length < countryCodes.length) return oneOf(schema, open, true)
  const withFigures = [...new Set(indicators.flatMap((indicator) => figures.countries(indicator)))].sort()
  const published = withFigures.length === 0 ? 'No country has figures yet' : `Published for: ${listed(withFigures)}`
  return { ...schema, description: `${schema.description}, e.g. ${countryText('USA')}. ${published}` }
}

function oneOf(schema: JsonSchema, codes: readonly Named[], isNamed: boolean): JsonSchema {
  const names = isNamed ? `: ${named(codes)}` : ''
  return { ...schema, description: `${schema.description}${names}`, enum: codes.map(({ code }) => code) }
}

const named = (codes: readonly Named[]): string => codes.map(({ code, name }) => `${code} (${name})`).join(', ')
