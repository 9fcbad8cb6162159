import { countries } from '../contracts/countries.ts'
import { type Indicator, indicators } from '../contracts/indicators.ts'
import { isCommodity, isCurrency } from '../contracts/instruments.ts'
import type { Frequency } from '../contracts/records.ts'
import { type Concept, type Term, termOf, type Vocabulary, vocabularyOf } from '../domain/search-words.ts'
import { commodityCodes, countryCodes, currencyCodes, listOf } from './known-codes.ts'
import { adjectivesOfCountries } from './other-names.ts'
import { synonymsOfIndicators } from './synonyms.ts'

/** The codes, names and synonyms that search knows. */

const synonymsOfCommodities: Readonly<Record<string, string>> = {
  BRENT: 'Brent, Oil, Crude oil, Petroleum',
  WTI: 'West Texas Intermediate, Oil, Crude oil',
  NATGAS: 'Natural gas, Gas, Henry Hub',
  GASOLINE: 'Petrol',
  CORN: 'Maize',
  ALUMINIUM: 'Aluminum',
}

const synonymsOfCurrencies: Readonly<Record<string, string>> = {
  CHF: 'Franc',
  CNY: 'Yuan',
  CZK: 'Koruna',
  HUF: 'Forint',
  IDR: 'Rupiah',
  ILS: 'Shekel',
  INR: 'Rupee',
  JPY: 'Yen',
  KRW: 'Won',
  MYR: 'Ringgit',
  PLN: 'Zloty',
  SEK: 'Krona',
  THB: 'Baht',
  TRY: 'Lira',
  UAH: 'Hryvnia',
  ZAR: 'Rand',
}

const wordsOfFrequencies: Readonly<Record<Frequency, string>> = {
  M: 'Month, Monthly',
  Q: 'Quarter, Quarterly',
  A: 'Year, Yearly, Annual, Annually',
}

/** A statistic that people look for and this service does not have. */
type Topic = { readonly name: string; readonly others?: string; readonly nearest?: Indicator }

export const unservedTopics: Readonly<Record<string, Topic>> = {
  'balance-of-payments': { name: 'Balance of payments', others: 'Current account', nearest: 'trade' },
  'core-inflation': { name: 'Core inflation', others: 'Core CPI, Core consumer prices', nearest: 'inflation' },
  'consumer-confidence': { name: 'Consumer confidence', others: 'Consumer sentiment, Business confidence, PMI' },
  'exports-of-services': { name: 'Trade in services', others: 'Service exports, Services trade', nearest: 'trade' },
  employment: { name: 'Employment', others: 'Nonfarm payrolls, Payrolls, Jobs, Vacancies', nearest: 'unemployment' },
  'gdp-deflator': { name: 'GDP deflator', others: 'PCE, PCE deflator', nearest: 'inflation' },
  'gdp-per-capita': { name: 'GDP per capita', others: 'GDP per head, GDP capita, GDP head', nearest: 'gdp' },
  'government-debt': { name: 'Government debt', others: 'Public debt, Deficit, Budget deficit' },
  hicp: {
    name: 'Harmonised index of consumer prices (HICP)',
    others: 'HICP, Harmonised prices, Harmonized prices, Harmonised inflation, Harmonised CPI',
    nearest: 'cpi',
  },
  'house-prices': { name: 'House prices', others: 'Housing prices, Property prices, Rents, Housing starts' },
  'industrial-production': { name: 'Industrial production', others: 'Manufacturing output', nearest: 'gdp' },
  'interest-rates': { name: 'Interest rates', others: 'Policy rate, Bond yield, Federal funds rate, Treasury yield' },
  'money-supply': { name: 'Money supply', others: 'M1, M2, M3' },
  'national-income': { name: 'National income', others: 'GNI, GNP, Gross national income', nearest: 'gdp' },
  population: { name: 'Population' },
  'producer-prices': { name: 'Producer price index', others: 'PPI, Producer prices, Wholesale prices', nearest: 'cpi' },
  'retail-prices': { name: 'Retail price index', others: 'RPI', nearest: 'cpi' },
  'retail-sales': { name: 'Retail sales', others: 'Consumption, Consumer spending' },
  'share-prices': { name: 'Share prices', others: 'Stock prices, Stocks, Equities, Bitcoin' },
  wages: { name: 'Wages', others: 'Earnings, Labour costs, Labor costs, Pay' },
  'youth-unemployment': { name: 'Youth unemployment', nearest: 'unemployment' },
}

type Names = { readonly codes?: readonly string[]; readonly names: readonly string[] }
const termsOf = (concept: Concept, { codes = [], names }: Names): Term[] => [
  ...codes.map((code) => termOf(concept, code, true)),
  ...names.map((name) => termOf(concept, name)),
]

/** The name of a country in the language that most people there speak: Deutschland, Türkiye. */
function ownName(alpha2: string): string {
  const { language } = new Intl.Locale(`und-${alpha2}`).maximize()
  return new Intl.DisplayNames([language], { type: 'region' }).of(alpha2) ?? ''
}

const isCode = (name: string): boolean => /^[A-Z]{2,4}$/.test(name)
const alpha3 = new Set(countries.map((country) => country.alpha3))
const alpha2Of = new Map(countries.map((country) => [country.alpha3, country.alpha2]))

function allTerms(): readonly Term[] {
  const ofCountries = countryCodes.flatMap(({ code, name, others = [] }) =>
    termsOf(
      { kind: 'country', code },
      {
        codes: [code, ...others.filter(isCode)],
        names: [
          name,
          ...others.filter((other) => !isCode(other)),
          ...listOf(adjectivesOfCountries[code]),
          ownName(alpha2Of.get(code) ?? ''),
        ],
      },
    ),
  )
  const ofIndicators = Object.entries(indicators).flatMap(([code, { summary }]) =>
    termsOf(
      { kind: 'indicator', code },
      { codes: [code], names: [summary, code, ...listOf(synonymsOfIndicators[code as Indicator])] },
    ),
  )
  const ofCommodities = commodityCodes.flatMap(({ code, name }) => {
    const names = [name, code, ...listOf(synonymsOfCommodities[code])]
    return termsOf(
      { kind: 'commodity', code },
      { codes: [code], names: [...names, ...names.map((one) => `${one} price`)] },
    )
  })
  const ofCurrencies = currencyCodes.flatMap(({ code, name, others = [] }) => {
    const names = [name, ...others.filter((other) => !isCode(other)), ...listOf(synonymsOfCurrencies[code])]
    return termsOf(
      { kind: 'currency', code },
      {
        codes: [code, ...others.filter((other) => isCode(other) && !alpha3.has(other))],
        names: [...names, ...[...names, code].map((one) => `${one} exchange rate`)],
      },
    )
  })
  const ofTopics = Object.entries(unservedTopics).flatMap(([code, { name, others }]) =>
    termsOf({ kind: 'topic', code }, { names: [name, ...listOf(others)] }),
  )
  const ofFrequencies = Object.entries(wordsOfFrequencies).flatMap(([code, names]) =>
    termsOf({ kind: 'frequency', code }, { names: listOf(names) }),
  )
  return [ofCountries, ofIndicators, ofCommodities, ofCurrencies, ofTopics, ofFrequencies].flat()
}

let made: Vocabulary | undefined
/** Made when it is first asked for, because the names of all countries in their languages take some time. */
export function searchVocabulary(): Vocabulary {
  made ??= vocabularyOf(allTerms())
  return made
}

const isInstrument = (code: string): boolean => isCommodity(code) || isCurrency(code)

/** The text with pairs apart: "EUR USD" for EURUSD. */
export const withPairsApart = (text: string): string =>
  text.replace(/(?<![A-Za-z0-9])([A-Za-z]{3})([A-Za-z]{3})(?![A-Za-z0-9])/g, (written, base: string, quote: string) =>
    isInstrument(base.toUpperCase()) && isCurrency(quote.toUpperCase()) ? `${base} ${quote}` : written,
  )
