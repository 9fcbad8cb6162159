import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { ecb } from '../../../../ingest/sources/ecb/index.ts'
import { allDocuments } from '../../../support/documents.ts'
import { publisher } from '../../../support/publisher.ts'

const path = (name: string): string => resolve(import.meta.dirname, '../../../fixtures/ecb', name)
const xml = readFileSync(path('eurofxref-hist-90d.xml'))

it('asks for the newest day unless datasets are named, and says who asks', async () => {
  const { address, asked } = await publisher({ '/stats/eurofxref/eurofxref-daily.xml': xml })
  const source = ecb({ address })
  const documents = await allDocuments(source, {})
  expect(documents).toMatchObject([
    {
      source: 'ECB',
      dataset: 'eurofxref-daily',
      publisher: 'European Central Bank',
      url: `${address}/stats/eurofxref/eurofxref-daily.xml`,
      retrievedAt: '2026-11-01T12:00:00.000Z',
    },
  ])
  expect(documents.flatMap((document) => [...source.parse(document)])).toHaveLength(62)
  expect(asked).toEqual([
    { path: '/stats/eurofxref/eurofxref-daily.xml', userAgent: expect.stringMatching(/^Almanac \(/) },
  ])
})

it('asks for each dataset at its own address', async () => {
  const { address, asked } = await publisher({
    '/stats/eurofxref/eurofxref-hist-90d.xml': xml,
    '/stats/eurofxref/eurofxref-hist.zip': 'zip',
    '/service/data/EXR/D..EUR.SP00.A?format=csvdata&detail=dataonly': 'csv',
  })
  const documents = await allDocuments(ecb({ address }), { datasets: ['eurofxref-hist-90d', 'eurofxref-hist', 'EXR'] })
  expect(documents.map(({ dataset }) => dataset)).toEqual(['eurofxref-hist-90d', 'eurofxref-hist', 'EXR'])
  expect(asked).toHaveLength(3)
})

it('keeps to a size, and refuses what the publisher refuses', async () => {
  const { address } = await publisher({ '/stats/eurofxref/eurofxref-daily.xml': xml })
  await expect(allDocuments(ecb({ address, maxBytes: 1000 }), {})).rejects.toMatchObject({ reason: 'too_large' })
  await expect(allDocuments(ecb({ address }), { datasets: ['EXR'] })).rejects.toMatchObject({ reason: 'http_404' })
  await expect(allDocuments(ecb({ address }), { datasets: ['x'] })).rejects.toMatchObject({
    reason: 'dataset_not_supported',
  })
})

it('reads local files', async () => {
  const documents = await allDocuments(ecb(), { files: [path('eurofxref.csv'), path('EXR.xml')] })
  expect(documents.map(({ url }) => url)).toEqual(['file:eurofxref.csv', 'file:EXR.xml'])
  expect(documents.flatMap((document) => [...ecb().parse(document)])).toHaveLength(31)
})
