import { readFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { censusMapping } from '../../../ingest/map/publishers/census.ts'
import { LFS, oecdMapping, QNA } from '../../../ingest/map/publishers/oecd.ts'
import type { Document, Source } from '../../../ingest/source.ts'
import { bis } from '../../../ingest/sources/bis/index.ts'
import { comtrade } from '../../../ingest/sources/comtrade/index.ts'
import { fred } from '../../../ingest/sources/fred/index.ts'
import { mappedSource } from '../../../ingest/sources/mapped-source.ts'
import { worldBank } from '../../../ingest/sources/world-bank/index.ts'
import { serve } from '../../support/http-server.ts'
import { temporaryDirectory } from '../../support/journal.ts'
import { figuresOf, fixturePath } from './fixture.ts'

const now = () => new Date('2026-11-21T08:00:00.000Z')
const bytesOf = (name: string) => readFileSync(fixturePath(name))
const fetched = (source: Source, request: Omit<Parameters<Source['fetch']>[0], 'now'>): Promise<Document[]> =>
  Array.fromAsync(source.fetch({ ...request, now }))
/** A server that replays one document, whatever it is asked for. */
const replaying = (content: Uint8Array | string, headers: Record<string, string> = {}) =>
  serve((_, response) => response.writeHead(200, headers).end(content))
const query = (path: string | undefined) => Object.fromEntries(new URLSearchParams(path?.split('?')[1]))

describe('FRED', () => {
  it('without a key gives its CSV download', async () => {
    const { address, requests } = await replaying(bytesOf('fred/UNRATE.csv'), {
      'Last-Modified': 'Fri, 20 Nov 2026 00:00:00 GMT',
    })
    const source = fred({ address })
    const [document, ...others] = await fetched(source, { datasets: ['UNRATE'] })
    expect(requests).toEqual(['/graph/fredgraph.csv?id=UNRATE'])
    expect(others).toEqual([])
    expect(document).toEqual({
      source: 'FRED',
      dataset: 'UNRATE',
      publisher: 'Federal Reserve Bank of St. Louis',
      licence: expect.any(String),
      url: `${address}/graph/fredgraph.csv?id=UNRATE`,
      retrievedAt: '2026-11-21T08:00:00.000Z',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      bytes: bytesOf('fred/UNRATE.csv'),
      marks: {
        address: `${address}/graph/fredgraph.csv?id=UNRATE`,
        lastModified: 'Fri, 20 Nov 2026 00:00:00 GMT',
      },
    })
    expect(document && figuresOf(source.parse(document))).toHaveLength(5)
  })

  it('with a key gives today’s observations, or all vintages; the key stays secret', async () => {
    const { address, requests } = await replaying(bytesOf('fred/GDP-vintages.json'))
    const [snapshot] = await fetched(fred({ address, apiKey: 'sesame' }), { datasets: ['GDP'] })
    expect(requests[0]).toContain('/fred/series/observations?')
    expect(query(requests[0])).toEqual({
      series_id: 'GDP',
      file_type: 'json',
      limit: '100000',
      offset: '0',
      api_key: 'sesame',
    })
    expect(snapshot?.url).toContain('series_id=GDP')
    expect(snapshot?.url).not.toContain('sesame')
    await fetched(fred({ address, apiKey: 'sesame', vintages: true }), { datasets: ['GDP'] })
    expect(query(requests[1])).toMatchObject({ realtime_start: '1776-07-04', realtime_end: '9999-12-31' })
  })

  it('with more observations than an answer holds is asked for the rest', async () => {
    const offsets: unknown[] = []
    const { address } = await serve(({ url = '' }, response) => {
      const { offset } = query(url)
      offsets.push(offset)
      response.end(`{"count":250000,"offset":${offset}}`)
    })
    expect(await fetched(fred({ address, apiKey: 'k' }), { datasets: ['CPIAUCSL'] })).toHaveLength(3)
    expect(offsets).toEqual(['0', '100000', '200000'])
  })

  it('refuses a dataset that it has not, before it asks', async () => {
    const { address, requests } = await replaying('')
    await expect(fetched(fred({ address }), { datasets: ['SP500'] })).rejects.toMatchObject({
      reason: 'dataset_not_supported',
    })
    expect(requests).toEqual([])
  })

  it('gives what its publisher says of an error', async () => {
    const { address } = await serve((_, response) =>
      response
        .writeHead(400)
        .end('{"error_code":400,"error_message":"Bad Request.  The value for variable api_key is not registered."}'),
    )
    await expect(fetched(fred({ address, apiKey: 'sesame' }), { datasets: ['GDP'] })).rejects.toMatchObject({
      reason: 'http_400',
      message: expect.stringContaining('api_key is not registered'),
    })
  })
})

it('BIS gives its bulk download, with the day of its update', async () => {
  const zip = zipSync({ 'WS_LONG_CPI_csv_col.csv': bytesOf('bis/WS_LONG_CPI_csv_col.csv') })
  const { address, requests } = await replaying(zip, { 'Last-Modified': 'Thu, 19 Nov 2026 10:00:00 GMT' })
  const source = bis({ address })
  const [document] = await fetched(source, {})
  expect(requests).toEqual(['/static/bulk/WS_LONG_CPI_csv_col.zip'])
  expect(document?.lastUpdated).toBe('2026-11-19')
  expect(document && figuresOf(source.parse(document))).toHaveLength(60)
})

describe('OECD', () => {
  it('gives SDMX-CSV of each dataflow that is asked for', async () => {
    const { address, requests } = await serve(({ url }, response) =>
      response.end(bytesOf(url?.includes('QNA') ? 'oecd/QNA.csv' : 'oecd/LFS.csv')),
    )
    const source = mappedSource(oecdMapping, { address })
    const documents = await fetched(source, { datasets: [QNA, LFS] })
    expect(requests).toEqual([
      '/public/rest/data/OECD.SDD.NAD,DSD_NAMAIN1@DF_QNA_EXPENDITURE_GROWTH_OECD,1.1/Q.Y..S1.S1.B1GQ._Z._Z._Z.PC.L.G1+GY.T0102?dimensionAtObservation=AllDimensions&format=csvfile',
      '/public/rest/data/OECD.SDD.TPS,DSD_LFS@DF_IALFS_UNE_M,1.0/.UNE_LF_M.PT_LF_SUB._Z.Y._T.Y_GE15._Z.M?dimensionAtObservation=AllDimensions&format=csvfile',
    ])
    expect(documents.map((document) => figuresOf(source.parse(document)).length)).toEqual([2, 2])
  })

  it('serves the former portal’s datasets from files only', async () => {
    await expect(fetched(mappedSource(oecdMapping), { datasets: ['QGDP'] })).rejects.toMatchObject({
      reason: 'file_only',
      message: 'Read from files only: QGDP. Save a document from the publisher, and name the file.',
    })
    const [document] = await fetched(mappedSource(oecdMapping), { files: [fixturePath('oecd/QGDP.csv')] })
    expect(document && figuresOf(mappedSource(oecdMapping).parse(document))).toHaveLength(10)
  })
})

it('A source of which nothing can be downloaded asks for files', async () => {
  await expect(fetched(mappedSource(censusMapping), {})).rejects.toMatchObject({
    reason: 'file_only',
    message: 'Read from files only: FTD. Save a document from the publisher, and name the file.',
  })
})

describe('World Bank', () => {
  it('gives each page of an indicator', async () => {
    const { address, requests } = await serve(({ url }, response) => {
      const page = Number(query(url).page)
      const row = {
        indicator: { id: 'SL.UEM.TOTL.ZS' },
        country: { id: 'DE' },
        countryiso3code: 'DEU',
        date: `202${page}`,
        value: page,
      }
      response.end(JSON.stringify([{ page, pages: 2, per_page: 1, total: 2, lastupdated: '2026-07-01' }, [row]]))
    })
    const source = worldBank({ address })
    const documents = await fetched(source, { datasets: ['SL.UEM.TOTL.ZS'] })
    expect(requests).toEqual(
      [1, 2].map((page) => `/v2/country/all/indicator/SL.UEM.TOTL.ZS?format=json&per_page=20000&page=${page}`),
    )
    expect(documents.flatMap((document) => figuresOf(source.parse(document)).map((f) => f.period))).toEqual([
      '2021',
      '2022',
    ])
  })

  it('gives an error that comes under status 200 to its parser', async () => {
    const { address } = await replaying('[{"message":[{"id":"120","key":"Invalid value","value":"not valid"}]}]')
    const source = worldBank({ address })
    const [document, ...others] = await fetched(source, { datasets: ['SL.UEM.TOTL.ZS'] })
    expect(others).toEqual([])
    expect(() => [...source.parse(document as Document)]).toThrow(
      expect.objectContaining({ reason: 'publisher_error' }),
    )
  })
})

describe('Comtrade', () => {
  it('with a key is asked for a year of months at a time, in a header', async () => {
    const keys: unknown[] = []
    const { address, requests } = await serve(({ headers }, response) => {
      keys.push(headers['ocp-apim-subscription-key'])
      response.end(bytesOf('comtrade/totals.json'))
    })
    const documents = await fetched(comtrade({ address, apiKey: 'sesame' }), { datasets: ['C/M/HS'] })
    expect(documents).toHaveLength(2)
    expect(keys).toEqual(['sesame', 'sesame'])
    expect(requests[0]).toMatch(/^\/data\/v1\/get\/C\/M\/HS\?/)
    expect(requests.map((path) => query(path).period)).toEqual([
      '202411,202412,202501,202502,202503,202504,202505,202506,202507,202508,202509,202510',
      '202511,202512,202601,202602,202603,202604,202605,202606,202607,202608,202609,202610',
    ])
    expect(query(requests[0])).toMatchObject({
      reporterCode: '36,124,276,251,826,392,458,528,702,842',
      partnerCode: '0',
      partner2Code: '0',
      cmdCode: 'TOTAL',
      flowCode: 'M,X',
      customsCode: 'C00',
      motCode: '0',
    })
    expect(requests.join()).not.toContain('sesame')
  })

  it('without a key is asked for its preview, a period at a time', async () => {
    const { address, requests } = await replaying(bytesOf('comtrade/totals.json'))
    const source = comtrade({ address })
    const documents = await fetched(source, { datasets: ['C/A/HS'] })
    const years = ['2016', '2017', '2018', '2019', '2020', '2021', '2022', '2023', '2024', '2025']
    expect(requests.map((path) => [path.split('?')[0], query(path).period])).toEqual(
      years.map((year) => ['/public/v1/preview/C/A/HS', year]),
    )
    expect(documents.map((document) => figuresOf(source.parse(document)).length)).toEqual(years.map(() => 1))
  })
})

const oecd = mappedSource(oecdMapping)

describe('a local file', () => {
  it('is a document of the dataset that the request names, and its folder stays private', async () => {
    const files = [fixturePath('fred/GDP-vintages.json')]
    const [requested] = await fetched(fred(), { files, datasets: ['GDPC1'] })
    expect(requested).toMatchObject({ dataset: 'GDPC1', url: 'file:GDP-vintages.json' })
    // A file of FRED must say itself of which series it is, or the user must.
    const [unnamed] = await fetched(fred(), { files })
    expect(unnamed?.dataset).toBe('')
  })

  it('that proves its dataset is read under any name, and has that of its name where nothing else tells', async () => {
    const renamed = join(await temporaryDirectory(), 'HUR.csv')
    await copyFile(fixturePath('oecd/QGDP.csv'), renamed)
    const [proven] = await fetched(oecd, { files: [renamed] })
    expect(proven && figuresOf(oecd.parse(proven))).toHaveLength(10)
    const [document] = await fetched(oecd, { files: [renamed], datasets: ['HUR'] })
    expect(() => document && [...oecd.parse(document)]).toThrow(expect.objectContaining({ reason: 'wrong_dataset' }))
    const [named] = await fetched(bis(), { files: [fixturePath('bis/WS_LONG_CPI_csv_col.csv')] })
    expect(named?.dataset).toBe('WS_LONG_CPI')
  })

  it.each([
    ['oecd', oecd, 'oecd/QGDP.csv'],
    ['fred', fred(), 'fred/UNRATE.csv'],
  ])('of a dataset that %s does not have is refused, instead of read as another', async (_, source, path) => {
    await expect(fetched(source, { files: [fixturePath(path)], datasets: ['QGPD'] })).rejects.toMatchObject({
      reason: 'dataset_not_supported',
      message: expect.stringContaining('"QGPD"'),
    })
  })

  it('that isn’t there is an error that names it', async () => {
    await expect(fetched(fred(), { files: ['/no/such/file.csv'] })).rejects.toMatchObject({
      reason: 'unreadable_file',
      message: expect.stringContaining('/no/such/file.csv'),
    })
  })
})
