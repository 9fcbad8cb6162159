import { beforeAll, describe, expect, it } from 'vitest'
import { sdmxError } from '../../api/sdmx/error-body.ts'
import { ProblemError, problems } from '../../contracts/problems.ts'
import { testSeries } from '../support/releases.ts'
import { worldWithVintages } from './fred-support.ts'
import { bearer, type World } from './support.ts'

let served: World
beforeAll(async () => {
  served = await worldWithVintages()
})

const XML = 'application/vnd.sdmx.structure+xml;version=2.1'
const JSON_2 = 'application/vnd.sdmx.structure+json;version=2.0.0'

const get = (path: string, accept = '*/*', headers: Readonly<Record<string, string>> = bearer()) =>
  served.app.inject({ url: `/sdmx${path}`, headers: { ...headers, accept } })

async function xml(path: string): Promise<string> {
  const { statusCode, headers, body } = await get(path)
  expect([statusCode, headers['content-type']], body).toEqual([200, XML])
  return body
}

type Artefact = { readonly id: string; readonly codes?: readonly object[] } & Readonly<Record<string, unknown>>
type Lists = Readonly<Record<'dataflows' | 'dataStructures' | 'conceptSchemes' | 'codelists', readonly Artefact[]>> & {
  readonly dataConstraints: readonly [Readonly<Record<string, unknown>>]
}
async function json(path: string): Promise<Partial<Lists>> {
  const { statusCode, body } = await get(path, JSON_2)
  expect(statusCode, body).toBe(200)
  return (JSON.parse(body) as { readonly data: Partial<Lists> }).data
}

/** Ids by list, of a message in JSON. */
async function idsOf(path: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const lists = await json(path)
  return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.map((one) => String(one.id))]))
}

/** Elements of a kind in a message in XML, with their ids. */
const idsIn = (message: string, element: string): string[] =>
  [...message.matchAll(new RegExp(`<str:${element} id="([^"]+)"`, 'g'))].map(([, id = '']) => id)

const codelistsOfCpi = [
  'CL_FREQ',
  'CL_REF_AREA',
  'CL_ADJUSTMENT',
  'CL_OBS_STATUS',
  'CL_RELEASED_ON_BASIS',
  'CL_UNIT_MEASURE',
]

describe('structures', () => {
  it.each([
    // sdmx1, rsdmx, RJSDMX and sdmx-dl, sdmx1 and pysdmx of version 3.0
    '/2.1/dataflow/ALMANAC/all/latest',
    '/2.1/dataflow/all/all/latest/',
    '/2.1/dataflow/all/all/latest',
    '/2.1/dataflow',
    '/3.0/structure/dataflow/ALMANAC/*/+',
    '/3.0/structure/dataflow?detail=allcompletestubs',
    '/3.0/structure/dataflow/%2A/%2A/%2B',
  ])('are listed at %s: flows only, each with a note about its clock', async (path) => {
    const message = await xml(path)
    const flows = idsIn(message, 'Dataflow')
    expect(flows).toEqual(expect.arrayContaining(['CPI', 'CPI_VINTAGES', 'GDP_GROWTH', 'TRADE_EXPORTS']))
    expect(message.match(/<com:Annotation id="CLOCK">/g)).toHaveLength(flows.length)
    expect(message).toMatch(/^<\?xml[^\n]+\n<mes:Structure [^>]+>\n<mes:Header>/)
    expect(message).toMatch(/<mes:Structures>\n<str:Dataflows>/)
    expect(message).not.toContain('<str:Codelist')
  })

  it.each([
    ['rsdmx', '/2.1/dataflow/all/all/latest/', { accept: 'application/xml', 'content-type': 'application/xml' }, XML],
    ['RJSDMX', '/2.1/datastructure/ALMANAC/DSD_CPI/1.0?references=descendants', { accept: XML }, XML],
    ['RJSDMX', '/2.1/codelist/ALMANAC/CL_FREQ/1.0', { accept: XML }, XML],
    ['sdmx-dl', '/2.1/datastructure/ALMANAC/DSD_CPI/1.0?references=children', { accept: XML }, XML],
    ['sdmx1', '/2.1/dataflow/ALMANAC/CPI/latest?references=all', { accept: '*/*' }, XML],
    ['pysdmx', '/3.0/availability/dataflow/ALMANAC/CPI/1.0?references=all', { accept: JSON_2 }, JSON_2],
    ['a browser', '/2.1/dataflow', { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }, XML],
    ['curl', '/2.1/dataflow', { accept: 'application/json' }, 'application/json'],
  ])('come in the form that %s asks for, at %s', async (_, path, headers, form) => {
    const { statusCode, headers: sent } = await get(path, headers.accept, { ...bearer(), ...headers })
    expect(statusCode).toBe(200)
    expect(sent['content-type']).toBe(form)
  })

  it('of a flow lead to its structure by Ref, and come with all that belongs to it', async () => {
    const alone = await xml('/2.1/dataflow/ALMANAC/CPI/1.0')
    expect(alone).toContain(
      '<str:Structure><Ref id="DSD_CPI" version="1.0" agencyID="ALMANAC" package="datastructure" class="DataStructure"/></str:Structure>',
    )
    expect(alone).not.toContain('isExternalReference')
    expect(await idsOf('/2.1/dataflow/ALMANAC/CPI/latest?references=all')).toEqual({
      dataflows: ['CPI'],
      dataStructures: ['DSD_CPI'],
      conceptSchemes: ['CS_ALMANAC'],
      codelists: codelistsOfCpi,
    })
  })

  it.each([
    ['dataflow/ALMANAC/CPI', 'children', { dataflows: ['CPI'], dataStructures: ['DSD_CPI'] }],
    [
      'datastructure/all/DSD_CPI/latest/',
      'children',
      { dataStructures: ['DSD_CPI'], conceptSchemes: ['CS_ALMANAC'], codelists: codelistsOfCpi },
    ],
    [
      'datastructure/ALMANAC/DSD_CPI/1.0',
      'descendants',
      { dataStructures: ['DSD_CPI'], conceptSchemes: ['CS_ALMANAC'], codelists: codelistsOfCpi },
    ],
    ['datastructure/ALMANAC/DSD_CPI', 'parents', { dataflows: ['CPI'], dataStructures: ['DSD_CPI'] }],
    [
      'codelist/ALMANAC/CL_MEASURE_INFLATION',
      'ancestors',
      {
        dataflows: ['INFLATION', 'INFLATION_VINTAGES'],
        dataStructures: ['DSD_INFLATION', 'DSD_INFLATION_VINTAGES'],
        codelists: ['CL_MEASURE_INFLATION'],
      },
    ],
    ['dataflow/ALMANAC/CPI', 'codelist', { dataflows: ['CPI'], codelists: codelistsOfCpi }],
    ['codelist/ALMANAC/CL_FREQ+CL_ADJUSTMENT', 'none', { codelists: ['CL_FREQ', 'CL_ADJUSTMENT'] }],
  ])('%s with references=%s are those that the standard means', async (path, references, expected) => {
    expect(await idsOf(`/2.1/${path}?references=${references}`)).toEqual(expected)
  })

  it('have a code list for each dimension but time, and attributes at their places', async () => {
    const message = await xml('/2.1/datastructure/ALMANAC/DSD_INFLATION_VINTAGES')
    const dimensions = ['FREQ', 'REF_AREA', 'MEASURE', 'ADJUSTMENT', 'UNIT_MEASURE', 'VALID_FROM']
    expect(idsIn(message, 'Dimension')).toEqual(dimensions)
    expect(idsIn(message, 'TimeDimension')).toEqual(['TIME_PERIOD'])
    const codelists = ['FREQ', 'REF_AREA', 'MEASURE_INFLATION', 'ADJUSTMENT', 'UNIT_MEASURE', 'VALID_FROM']
    const [dimensionList = ''] = /<str:DimensionList[\s\S]*<\/str:DimensionList>/.exec(message) ?? []
    expect([...dimensionList.matchAll(/<str:Enumeration><Ref id="CL_(\w+)"/g)].map(([, id]) => id)).toEqual(codelists)
    const { dataStructures } = await json('/2.1/datastructure/ALMANAC/DSD_INFLATION_VINTAGES')
    expect(dataStructures?.[0]).toMatchObject({
      dataStructureComponents: {
        dimensionList: { dimensions: dimensions.map((id, position) => ({ id, position })) },
        attributeList: {
          attributes: expect.arrayContaining([
            expect.objectContaining({ id: 'UNIT', attributeRelationship: { dimensions } }),
            expect.objectContaining({ id: 'OBS_STATUS', attributeRelationship: { observation: {} } }),
          ]),
        },
      },
    })
  })

  it('list units and days of what is on record and public, and figures by their own names', async () => {
    const hidden = testSeries({ country: 'CHN', indicator: 'trade-exports', unit: 'CNY' })
    served.releases.accept(hidden, '2025-09', { value: '1' }, '2025-10-12T09:00:00.000Z')
    const { codelists = [] } = await json('/2.1/codelist')
    const codesOf = (list: string) => codelists.find(({ id }) => id === list)?.codes
    expect(codesOf('CL_UNIT_MEASURE')).toContainEqual({ id: 'index_2015_100', name: 'Index 2015=100' })
    expect(codesOf('CL_UNIT_MEASURE')).not.toContainEqual(expect.objectContaining({ id: 'CNY' }))
    const days = (codesOf('CL_VALID_FROM') ?? []).map((code) => (code as { readonly id: string }).id)
    // Days of a first print, a revision and a withdrawal.
    expect(days).toEqual(expect.arrayContaining(['2025-10-10', '2025-11-10', '2025-12-05']))
    expect(days).toEqual(days.toSorted())
    expect(days).not.toContain('2025-10-12')
    expect(codesOf('CL_MEASURE_INFLATION')).toContainEqual({ id: 'year_over_year', name: 'year over year' })
  })

  it('are told as stubs that lead to the whole, with notes or without', async () => {
    const stubs = await xml('/2.1/dataflow/ALMANAC/CPI?detail=allstubs')
    const address = 'http://rest.test:8080/sdmx/2.1/dataflow/ALMANAC/CPI/1.0'
    expect(stubs).toContain(`isExternalReference="true" structureURL="${address}"`)
    expect(stubs).not.toMatch(/CLOCK|<str:Structure>/)
    const { dataflows } = await json('/3.0/structure/dataflow/ALMANAC/CPI?detail=allcompletestubs')
    expect(dataflows?.[0]).toMatchObject({
      isExternalReference: true,
      annotations: [{ id: 'CLOCK' }],
      links: [{ rel: 'external', href: address }],
    })
    const referenced = await json('/2.1/dataflow/ALMANAC/CPI?references=children&detail=referencestubs')
    expect(referenced.dataflows?.[0]).toHaveProperty('structure')
    expect(referenced.dataStructures?.[0]).not.toHaveProperty('dataStructureComponents')
  })

  it('are charged, revalidated, and compressed as other answers', async () => {
    const before = served.quota.used
    const { headers } = await get('/2.1/dataflow')
    expect(served.quota.used).toBe(before + 1)
    expect(headers.vary).toContain('accept')
    const again = await get('/2.1/dataflow', '*/*', { ...bearer(), 'if-none-match': String(headers.etag) })
    expect(again.statusCode).toBe(304)
    const packed = await get('/2.1/codelist', '*/*', { ...bearer(), 'accept-encoding': 'gzip' })
    expect(packed.headers['content-encoding']).toBe('gzip')
  })
})

describe('availability', () => {
  it('has the codes, times and numbers of what is on record', async () => {
    const { dataConstraints, ...others } = await json('/3.0/availability/dataflow/ALMANAC/CPI/1.0/*.DEU')
    expect(others).toEqual({})
    expect(dataConstraints?.[0]).toMatchObject({
      role: 'Actual',
      annotations: [
        { id: 'series_count', title: '1' },
        { id: 'obs_count', title: '3' },
      ],
      cubeRegions: [
        {
          keyValues: [
            { id: 'FREQ', values: [{ value: 'M' }] },
            { id: 'REF_AREA', values: [{ value: 'DEU' }] },
            { id: 'ADJUSTMENT', values: [{ value: 'NSA' }] },
            { id: 'UNIT_MEASURE', values: [{ value: 'index_2015_100' }] },
            {
              id: 'TIME_PERIOD',
              timeRange: { startPeriod: { period: '2025-09-01' }, endPeriod: { period: '2025-11-30' } },
            },
          ],
        },
      ],
    })
  })

  it('takes the structures along, with the codes that have data alone', async () => {
    const path = '/3.0/availability/dataflow/ALMANAC/CPI/1.0?references=all&c%5BREF_AREA%5D=DEU&mode=exact'
    expect(Object.keys(await json(path)).sort()).toEqual(
      ['dataflows', 'dataStructures', 'conceptSchemes', 'codelists', 'dataConstraints'].sort(),
    )
    const { codelists } = await json(path)
    expect(codelists?.find(({ id }) => id === 'CL_REF_AREA')).toMatchObject({
      isPartial: true,
      codes: [{ id: 'DEU', name: 'Germany' }],
    })
  })

  it('takes structures of one type along', async () => {
    const path = '/3.0/availability/dataflow/ALMANAC/CPI/1.0?references=datastructure'
    expect(Object.keys(await json(path))).toEqual(['dataStructures', 'dataConstraints'])
  })

  it('is told of single components, in 2.1 too', async () => {
    const message = await xml('/2.1/availableconstraint/CPI_VINTAGES/M.DEU/all/VALID_FROM/')
    expect([...message.matchAll(/<com:KeyValue id="(\w+)"/g)].map(([, id]) => id)).toEqual(['VALID_FROM'])
    expect([...message.matchAll(/<com:Value>([^<]+)</g)].map(([, value]) => value)).toContain('2025-12-05')
  })
})

describe('refusals', () => {
  it.each([
    ['/2.1/dataflow/ALMANAC/NONE', 404, 100, /No dataflow "NONE".*There are CPI,/],
    ['/2.1/dataflow/ECB/CPI', 404, 100, /of this agency and version/],
    ['/2.1/dataflow/ALMANAC/CPI/2.0', 404, 100, /of this agency and version/],
    ['/2.1/availableconstraint/CPI/M.FRA', 404, 100, /CPI has no data/],
    ['/2.1/nothing', 404, 100, /There is no "nothing".*Use data, dataflow,/],
    ['/2.1/dataflow?reference=all', 400, 140, /Unknown query parameter "reference"\. Did you mean references\?/],
    ['/2.1/dataflow?detail=all&detail=full', 400, 140, /detail is given twice/],
    ['/2.1/dataflow?references=some', 400, 140, /Use none, children/],
    ['/2.1/dataflow?references=%E0', 400, 140, /percent-encoding/],
    ['/3.0/structure/dataflows', 400, 140, /no type of structures "dataflows"/],
    ['/2.1/agencyscheme', 501, 501, /agencyscheme is not served/],
    ['/3.0/structure/agencyscheme', 501, 501, /agencyscheme are not served/],
    ['/2.1/codelist/ALMANAC/CL_FREQ/1.0/M', 501, 501, /whole scheme/],
    ['/2.1/dataflow?detail=referencepartial', 501, 501, /availability/],
    ['/2.1/availableconstraint/CPI?includeHistory=true', 400, 140, /Unknown query parameter "includeHistory"/],
    ['/2.1/availableconstraint/CPI?references=all&references=all', 400, 140, /references is given twice/],
    ['/2.1/availableconstraint/CPI?mode=available', 501, 501, /Use exact/],
  ])('of %s are messages of SDMX: %i, code %i', async (path, status, code, text) => {
    const { statusCode, headers, body } = await get(path)
    expect([statusCode, headers['content-type']]).toEqual([status, 'application/xml; charset=utf-8'])
    const [, given, said = ''] =
      /<mes:ErrorMessage code="(\d+)"><com:Text xml:lang="en">(.*)<\/com:Text>/.exec(body) ?? []
    expect(Number(given)).toBe(code)
    expect(said.replaceAll('&quot;', '"')).toMatch(text)
  })

  it('are JSON where JSON was asked for, and name the formats that are served', async () => {
    const { statusCode, headers, body } = await get(
      '/2.1/dataflow',
      'application/vnd.sdmx.structure+json;version=1.0.0',
    )
    expect([statusCode, headers['content-type']]).toEqual([406, 'application/json; charset=utf-8'])
    const [error] = (JSON.parse(body) as { readonly errors: readonly [object] }).errors
    expect(error).toMatchObject({ code: 1406, detail: expect.stringContaining(JSON_2) })
  })

  it('ask for Basic where the key is missing, and do not look at the address before', async () => {
    const { statusCode, headers, body } = await get('/2.1/nothing', '*/*', {})
    expect([statusCode, headers['www-authenticate']]).toEqual([401, expect.stringMatching(/^Basic .*Bearer$/)])
    expect(body).toContain('code="110"')
  })

  it('have a code of the standard or of their own for every problem', () => {
    for (const code of Object.keys(problems) as (keyof typeof problems)[]) {
      const { body } = sdmxError(new ProblemError(code, '<&>'), undefined)
      expect(body).toMatch(/<mes:ErrorMessage code="\d{3,4}"><com:Text xml:lang="en">&lt;&amp;&gt;<\/com:Text>/)
    }
  })
})
