import type { MappedPublisher } from '../mapping.ts'
import { readMappingRows } from '../read-rows.ts'

/** Tables of the national accounts (NIPA). The API needs a key, so its answers are read from files. */
export const beaMapping: MappedPublisher = {
  name: 'BEA',
  publisher: 'U.S. Bureau of Economic Analysis',
  licence: 'Public domain',
  agency: 'BEA',
  host: 'apps.bea.gov',
  countryOf: () => undefined,
  datasets: {
    T10105: { title: 'GDP, United States, quarterly: table 1.1.5 (files)', checked: 'none' },
    T10106: { title: 'Real GDP, United States, quarterly: table 1.1.6 (files)', checked: 'none' },
  },
  rows: readMappingRows('bea'),
}
