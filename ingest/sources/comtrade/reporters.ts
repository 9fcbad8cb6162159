import { countryByAlpha3, countryByNumeric } from '../../../contracts/countries.ts'

/**
 * Comtrade's codes of reporters that are no country of ISO 3166-1 today: groups (the European Union, ASEAN, Other Asia)
 * and former states. Source: https://comtradeapi.un.org/files/v1/app/reference/Reporters.json
 */
export const formerOrGroup: ReadonlySet<string> = new Set(
  'ANT CSK DDR EUR PCI PCZ R4 S19 SCG SUN VDR YMD YUG ZA1 _PM _RN _SH _TK _ZP'.split(' '),
)

/** Comtrade's numbers that differ from ISO 3166-1, because they stand for a country with its territories. */
const ownNumbers: Readonly<Record<string, string>> = { CHE: '757', FRA: '251', IND: '699', NOR: '579', USA: '842' }

/** Comtrade's number of a country, without leading zeros. */
export const reporterCode = (alpha3: string): string =>
  ownNumbers[alpha3] ?? String(Number(countryByAlpha3.get(alpha3)?.numeric))

const countryOfOwnNumber: ReadonlyMap<string, string> = new Map(
  Object.entries(ownNumbers).map(([alpha3, number]) => [number, alpha3]),
)

/** Alpha-3 code of the country that a number stands for; undefined for groups, former states and no number. */
export const countryOfNumber = (number: string): string | undefined =>
  countryOfOwnNumber.get(number) ?? countryByNumeric.get(number.padStart(3, '0'))?.alpha3
