import { countryByAlpha3 } from '../../../contracts/countries.ts'
import { readCsv, refuseRepeatedColumn, tableBelow } from '../../read/csv.ts'
import { rejectOf } from '../../read/items.ts'
import { requiredDay } from '../../read/printed-days.ts'
import { DocumentError, type Item, type Reject } from '../../source.ts'
import { figureOf, worldBankIndicators } from './figure.ts'

const DATABASE = 'World Development Indicators'
const columns = ['Country Name', 'Country Code', 'Indicator Name', 'Indicator Code'] as const

/**
 * Parses a CSV download of data.worldbank.org: lines with the database and the day of its last update, then a row for each
 * indicator of a country, or for each country of an indicator, with a column a year. Each row names its indicator. An
 * empty cell states that there is no figure. Skips indicators that are not read, and areas that are no country. If `wanted`
 * is an indicator, only that one is read.
 * Throws `DocumentError`: `dataset_not_supported`, `bad_date`, or what reading CSV throws.
 */
export function readDownload(text: string, wanted: string): Item[] {
  const rows = readCsv(text, { endsWithNewline: true })
  const stated = (label: string): string => rows.find(({ cells }) => cells[0] === label)?.cells[1] ?? ''
  if (stated('Data Source') !== DATABASE)
    throw new DocumentError(
      'dataset_not_supported',
      `The data source is ${JSON.stringify(stated('Data Source'))}, not ${DATABASE}.`,
    )
  const updated = requiredDay(stated('Last Updated Date'), { name: 'Last Updated Date' })
  const at = rows.findIndex(({ cells }) => cells[0] === columns[0])
  const { header, rowOf } = tableBelow(rows[at] ?? { cells: [], line: 1 }, columns)
  refuseRepeatedColumn(header, `line ${rows[at]?.line}`)
  const years = header.filter((column) => /^\d{4}$/.test(column))
  const codes = Object.hasOwn(worldBankIndicators, wanted) ? [wanted] : Object.keys(worldBankIndicators)
  const below = rows.slice(at + 1).map(rowOf)
  const named = below.filter((row) => row.kind === 'reject' || codes.includes(row.cell('Indicator Code')))
  if (!named.some(({ kind }) => kind === 'row'))
    throw new DocumentError('dataset_not_supported', `The document has no indicator that is read: ${codes.join(', ')}.`)
  return named.flatMap((row): (Item | Reject)[] => {
    if (row.kind === 'reject') return [row]
    const location = `line ${row.line}`
    const area = row.cell('Country Code')
    if (downloadAggregates.has(area)) return []
    const country = countryByAlpha3.get(area)
    if (!country) return [rejectOf('unknown_country', `Area is ${JSON.stringify(area)}.`, location, row.text)]
    return years.map((year) =>
      figureOf(row.cell('Indicator Code'), {
        title: row.cell('Indicator Name'),
        country: country.alpha3,
        period: year,
        printed: row.cell(year) || null,
        updated,
        location: `${location}, ${year}`,
        text: row.text,
      }),
    )
  })
}

/**
 * The World Bank's three-letter codes of its regions, income groups and unions, the Channel Islands and Kosovo.
 * Source: https://api.worldbank.org/v2/country?format=json (CC BY 4.0).
 */
const downloadAggregates: ReadonlySet<string> = new Set(
  `
AFE AFW ARB CEB CHI CSS EAP EAR EAS ECA ECS EMU EUU FCS HIC HPC IBD IBT IDA IDB IDX INX LAC LCN LDC LIC LMC LMY LTE MEA
MIC MNA NAC OED OSS PRE PSS PST SAS SSA SSF SST TEA TEC TLA TMN TSA TSS UMC WLD XKX
`
    .trim()
    .split(/\s+/),
)
