import { expect, it } from 'vitest'
import { bis } from '../../../ingest/sources/bis/index.ts'
import { comtrade } from '../../../ingest/sources/comtrade/index.ts'
import { fred } from '../../../ingest/sources/fred/index.ts'
import { document, fixture } from './fixture.ts'

it.each([
  ['FRED', fred(), 'fred/XTIMVA01USM667S.csv'],
  ['BIS', bis(), 'bis/WS_LONG_CPI_csv_col.csv'],
  ['UN Comtrade', comtrade(), 'comtrade/2017.csv'],
])('a download of %s that ends after its header is refused', (_, source, path) => {
  const [header = ''] = new TextDecoder().decode(fixture(path).bytes).split('\n')
  expect(() => [...source.parse(document(`${header}\n`))]).toThrow(expect.objectContaining({ reason: 'empty' }))
})
