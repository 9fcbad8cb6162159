import { countryByAlpha3, countryByName } from '../../contracts/countries.ts'

/**
 * English names of countries in the World Bank's Global Economic Monitor and in ILOSTAT, where they are not those of
 * `contracts/countries.ts`. No other publisher is read by the names of countries.
 */
const otherNames: ReadonlyMap<string, string> = new Map(
  `
BIH Bosnia and Herzegovina
CZE Czech Republic
EGY Egypt, Arab Rep.
GMB Gambia, The
HKG Hong Kong SAR, China
IRN Iran, Islamic Rep.
IRN Iran, Islamic Republic of
KGZ Kyrgyz Republic
KOR Korea, Rep.
KOR Korea, Republic of
LCA Saint Lucia
MAC Macau, China
MDA Moldova, Rep.
MDA Moldova, Republic of
PSE Occupied Palestinian Territory
RUS Russian Federation
SYR Syrian Arab Republic
TTO Trinidad and Tobago
TUR Turkey
TWN Taiwan, China
TZA Tanzania, United Rep.
VEN Venezuela, Bolivarian Republic of
VEN Venezuela, RB
VNM Viet Nam
`
    .trim()
    .split('\n')
    .map((line): [string, string] => [line.slice(4), line.slice(0, 3)]),
)

/** ISO 3166-1 alpha-3 code of a country by its English name; undefined for a name that is not known. */
export const countryNamed = (name: string): string | undefined =>
  (countryByName.get(name) ?? countryByAlpha3.get(otherNames.get(name) ?? ''))?.alpha3
