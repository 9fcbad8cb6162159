import { readFileSync } from 'node:fs'
import { countryByAlpha3 } from '../../contracts/countries.ts'
import { indicatorCodes, indicators } from '../../contracts/indicators.ts'
import { frequencies } from '../../contracts/records.ts'
import { readTable, type TableRow } from '../read/csv.ts'
import { expectedText, type MappingRow, type Meaning, type SeriesRow } from './mapping.ts'

const columns = 'dataset country indicator figure key frequency adjustment annualized unit multiplier base'.split(' ')

/** As `readMappingRows`, by dataset, for a source of which each dataset is one series, of one country or of all. */
export const readSeriesRows = (name: string): Readonly<Record<string, SeriesRow>> =>
  Object.fromEntries(
    [...readMappingRows(name).values()]
      .flat()
      .flatMap(({ meaning, ...row }) => (meaning ? [[row.dataset, { ...row, meaning }]] : [])),
  )

const NOT_READ = '-'

/**
 * Reads `rows/<name>.csv`; the columns are described in `mapping.ts`. Throws `Error` with file, line and fault, because a
 * faulty row is a fault of ours and stops the program.
 */
export function readMappingRows(name: string): ReadonlyMap<string, readonly MappingRow[]> {
  const file = `rows/${name}.csv`
  const { rows } = readTable(readFileSync(new URL(file, import.meta.url), 'utf8'), columns, { endsWithNewline: true })
  const read = rows.map((row): MappingRow => {
    const fail = (detail: string): never => {
      throw new Error(`ingest/map/${file}, ${row.kind === 'row' ? `line ${row.line}` : row.location}: ${detail}`)
    }
    if (row.kind === 'reject') return fail(row.detail)
    const key = codesOf(row.cell('key'), fail)
    const states = statementsOf(row.cell('states'), fail)
    return {
      dataset: row.cell('dataset') || fail('The dataset is missing.'),
      title: row.cell('title'),
      countries: countriesOf(row.cell('country'), fail),
      key,
      states,
      names: new Set([...Object.keys(key), ...states.keys()]),
      meaning: row.cell('indicator') === NOT_READ ? undefined : meaningOf(row, fail),
    }
  })
  return Map.groupBy(read, ({ dataset }) => dataset)
}

type Fail = (detail: string) => never

function countriesOf(cell: string, fail: Fail): MappingRow['countries'] {
  if (cell === '*') return '*'
  const codes = cell.split(' ')
  const unknown = codes.find((code) => !countryByAlpha3.has(code))
  if (unknown !== undefined) return fail(`The country ${JSON.stringify(unknown)} is no ISO 3166-1 alpha-3 code.`)
  return new Set(codes)
}

function codesOf(cell: string, fail: Fail): MappingRow['key'] {
  if (cell === '') return {}
  const pairs = cell.split('; ').map((pair): [string, string] => {
    const [, dimension, code] = /^([^=]+)=(.+)$/.exec(pair) ?? []
    return dimension === undefined || code === undefined
      ? fail(`${JSON.stringify(pair)} is no DIMENSION=CODE.`)
      : [dimension, code]
  })
  return Object.fromEntries(pairs)
}

function statementsOf(cell: string, fail: Fail): MappingRow['states'] {
  const stated = codesOf(cell, fail)
  return new Map(
    Object.entries(stated).map(([name, text]) => {
      const isOptional = name.endsWith('?')
      return [isOptional ? name.slice(0, -1) : name, expectedText(text, isOptional)]
    }),
  )
}

function meaningOf(row: TableRow, fail: Fail): Meaning {
  const oneOf = <T extends string>(column: string, allowed: readonly T[]): T =>
    allowed.find((value) => value === row.cell(column)) ??
    fail(`${column} is ${JSON.stringify(row.cell(column))}, not one of: ${allowed.join(', ')}.`)
  const indicator = oneOf('indicator', indicatorCodes)
  const unit = row.cell('unit')
  const base = row.cell('base')
  if (!/^(?:percent|index|[A-Z]{3})$/.test(unit)) return fail(`The unit is ${JSON.stringify(unit)}.`)
  if (unit === 'index' ? base === '' : base !== '' && indicator !== 'gdp-volume')
    return fail('An index has a base, a volume may have one, and other figures have none.')
  const multiplier = row.cell('multiplier')
  if (!/^\d{1,2}$/.test(multiplier)) return fail('The multiplier is no power of ten.')
  const decimals = row.cell('decimals')
  if (!/^\d?$/.test(decimals)) return fail(`The number of decimals is ${JSON.stringify(decimals)}.`)
  return {
    indicator,
    figure: oneOf('figure', indicators[indicator].figures),
    frequency: oneOf('frequency', frequencies),
    seasonal_adjustment:
      oneOf('adjustment', ['SA', 'NSA']) === 'SA' ? 'seasonally_adjusted' : 'not_seasonally_adjusted',
    annualization: oneOf('annualized', ['yes', '']) === 'yes' ? 'annualized' : 'not_annualized',
    unit,
    multiplier,
    base,
    reading: {
      ...(multiplier === '0' ? {} : { multiplier: `1${'0'.repeat(Number(multiplier))}` }),
      ...(decimals === '' ? {} : { decimals: Number(decimals) }),
    },
  }
}
