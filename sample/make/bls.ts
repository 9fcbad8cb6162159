import { csvRows } from './dated-values.ts'
import type { Recorded } from './recorded.ts'
import { figuresOf, figuresPath, type SampleFile, type SeriesDescription } from './sample-file.ts'
import { takenFrom } from './taken-from.ts'

/** All items in U.S. city average, all urban consumers, not seasonally adjusted, 1982-84=100. */
const cpi: SeriesDescription = {
  indicator: 'cpi',
  country: 'USA',
  source: 'BLS',
  dataset: 'CUUR0000SA0',
  unit: 'index',
  seasonal_adjustment: 'not_seasonally_adjusted',
  base_period: '1982/1984',
  base_value: '100',
}
const PATH = 'nolan-cummins+is445_final/data/cu.data.1.AllItems.txt'
/** Not collected: October 2025, for want of appropriations. */
const MISSING = '-'

/** Flat files of the U.S. Bureau of Labor Statistics (LABSTAT): tab separated, cells padded, `M13` the year's average. */
export function blsFiles(recorded: Recorded): SampleFile[] {
  const columns = ['series_id', 'year', 'period', 'value']
  const months = csvRows(recorded.text(PATH), columns, '\t')
    .filter((row) => row.cell('series_id') === cpi.dataset && /^M(0[1-9]|1[0-2])$/.test(row.cell('period')))
    .filter((row) => row.cell('value') !== MISSING)
    .map((row) => ({ period: `${row.cell('year')}-${row.cell('period').slice(1)}`, printed: row.cell('value') }))
  const origin = {
    publisher: 'U.S. Bureau of Labor Statistics',
    licence: 'Public domain',
    url: 'https://download.bls.gov/pub/time.series/cu/cu.data.1.AllItems',
    ...takenFrom(recorded, PATH),
  }
  return [{ path: figuresPath(cpi), origin, figures: figuresOf(cpi, months) }]
}
