import type { MappedPublisher } from '../mapping.ts'
import { readMappingRows } from '../read-rows.ts'

/**
 * Tables of the Statistics Bureau of Japan by their numbers in e-Stat. The API needs a key, so its answers are read from
 * files. A new base of the index is a new table. Unemployment of the labour force survey is not read: e-Stat has no table of
 * the seasonally adjusted rate, which is the headline, and the unadjusted one would be served in its place. `00200` is the
 * Ministry of Internal Affairs, which the bureau is part of.
 */
export const sbjMapping: MappedPublisher = {
  name: 'SBJ',
  publisher: 'Statistics Bureau of Japan',
  licence: 'CC BY 4.0',
  agency: '00200',
  host: 'api.e-stat.go.jp',
  countryOf: () => undefined,
  datasets: {
    '0004052037': {
      title: 'Consumer price index, 2025 base, Japan, monthly (files)',
      checked: 'none',
    },
    '0003427113': {
      title: 'Consumer price index, 2020 base, Japan, monthly (files)',
      checked: 'none',
    },
    '0003005865': {
      title: 'Labour force participation rate, Japan, monthly (files)',
      checked: 'none',
    },
  },
  rows: readMappingRows('sbj'),
}
