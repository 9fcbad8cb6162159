import type { Series } from '../../../contracts/records.ts'

const newer = 'The document of the second source is older, and the office revises its seasonal adjustment every year.'
const benchmark =
  'The document of the second source is of May 2024, before the benchmark revision of 2024 changed the levels.'
const basis =
  'The OECD counts goods as the customs record them, and the release of the United States on a balance of payments basis.'

const years =
  'The second source rounds to millions. Beyond that, 2000 and 2013 differ, which neither document explains.'

/** Why the figures of two sources differ, by country, indicator and both sources. */
const explanations: Readonly<Record<string, string>> = {
  'AUS unemployment ABS OECD': newer,
  'CAN unemployment STATCAN OECD': newer,
  'DEU unemployment EUROSTAT OECD': `Months are rounded to one decimal. ${newer}`,
  'DEU gdp FRED EUROSTAT': benchmark,
  'FRA gdp FRED EUROSTAT': benchmark,
  'FRA trade-exports UNCTAD WB': years,
  'FRA trade-imports UNCTAD WB': years,
  'FRA unemployment EUROSTAT OECD': `The years 2000 to 2002 differ by more than 0.1 points, which neither document explains. Months are rounded to one decimal. ${newer}`,
  'GBR unemployment ONS OECD':
    'A British month is the mean of three months itself, so three of them are no quarter; and the office reweighted its survey in 2024.',
  'JPN unemployment FRED OECD': `Months are rounded to one decimal. ${newer}`,
  'NLD gdp FRED EUROSTAT': benchmark,
  'SGP labour-force-participation SINGSTAT WB':
    'The office prints one decimal, and the second source up to three. Beyond that, 2007 and 2024 differ, which neither document explains.',
  'USA trade-exports CENSUS FRED': basis,
  'USA trade-imports CENSUS FRED': basis,
  'USA unemployment FRED OECD': `Months are rounded to one decimal. ${newer}`,
}

/** Throws if a difference has no explanation, so that the page can't show one unexplained. */
export function explanationOf(served: Series, second: Series): string {
  const key = `${served.country} ${served.indicator} ${served.source} ${second.source}`
  const explanation = explanations[key]
  if (explanation === undefined)
    throw new Error(`test/sample/make/explained.ts doesn't say why figures of ${key} differ.`)
  return explanation
}
