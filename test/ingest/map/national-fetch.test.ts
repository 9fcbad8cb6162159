import { expect, it } from 'vitest'
import type { MappedPublisher } from '../../../ingest/map/mapping.ts'
import { cbsMapping } from '../../../ingest/map/publishers/cbs.ts'
import { dosmMapping } from '../../../ingest/map/publishers/dosm.ts'
import { onsMapping } from '../../../ingest/map/publishers/ons.ts'
import { mappedSource } from '../../../ingest/sources/mapped-source.ts'
import { serve } from '../../support/http-server.ts'
import { figuresOf, fixture } from '../sources/fixture.ts'

it.each([
  [dosmMapping, 'lfs_month', 'dosm/lfs_month.csv', '/labour/lfs_month.csv'],
  [dosmMapping, 'trade_headline', 'dosm/trade_headline.csv', '/trade/trade_headline.csv'],
  [
    onsMapping,
    'MGSX',
    'ons/MGSX.json',
    '/generator?format=csv&uri=/employmentandlabourmarket/peoplenotinwork/unemployment/timeseries/mgsx/lms',
  ],
  [
    cbsMapping,
    '86141NED',
    'cbs/86141NED.json',
    '/odata/v1/CBS/86141NED/Observations?$filter=Bestedingscategorieen%20eq%20%27T001112%27',
  ],
] as [MappedPublisher, string, string, string][])('$0.name is asked for $1, and its answer is read', async (...row) => {
  const [mapping, dataset, path, asked] = row
  const { address, requests } = await serve((_, response) => response.writeHead(200).end(fixture(path).bytes))
  const source = mappedSource(mapping, { address })
  const documents = await Array.fromAsync(source.fetch({ datasets: [dataset], now: () => new Date() }))
  expect(requests).toEqual([asked])
  expect(documents).toMatchObject([{ source: mapping.name, dataset, publisher: mapping.publisher }])
  for (const document of documents) expect(figuresOf(source.parse(document)).length).toBeGreaterThan(0)
})
