import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { flows } from '../../api/sdmx/flows.ts'
import { countries } from '../../contracts/countries.ts'
import { namingOf } from '../../contracts/histories.ts'
import { indicators, servingOf } from '../../contracts/indicators.ts'
import { startSample } from '../support/demo.ts'
import { snippetWith } from '../support/documents-text.ts'
import { hasNoPython, python } from '../support/python.ts'
import type { Service } from '../support/service.ts'

/** The SDMX surface of the sample as sdmx1 and pysdmx read it, compared with what /v1 answers. */

const DAY = '2020-05-01'
const plain = flows.filter(({ hasVintages }) => !hasVintages)

type Row = Readonly<Record<string, string>>
type Answers = {
  readonly flows: Readonly<Record<string, Readonly<Record<'generic' | 'csv' | 'vintages', readonly Row[]>>>>
  readonly specific: readonly Row[]
  readonly as_of: readonly Row[]
  readonly faults: Readonly<Record<string, readonly string[]>>
  readonly history: readonly (readonly (string | null)[])[]
  readonly read_by_pysdmx: readonly (readonly (readonly string[])[])[]
}

type Structures = {
  readonly sdmx1: Readonly<
    Record<'flows' | 'flows_of_3_0' | 'concepts' | 'structures' | 'preview', readonly string[]> &
      Record<'dimensions' | 'attributes', Row> &
      Record<'codelists' | 'available', Readonly<Record<string, readonly string[]>>> &
      Record<'note' | 'missing' | 'unserved', string>
  > & { readonly countries: number }
  readonly pysdmx: Readonly<Record<'observations' | 'series' | 'rows', number>> & {
    readonly flows: readonly string[]
    readonly codes: Readonly<Record<string, readonly string[]>>
    readonly missing: string
  }
  readonly faults: Readonly<Record<string, readonly string[]>>
}

let dataDir: string
let service: Service
let key: string
let answers: Answers
let structures: Structures

beforeAll(async () => {
  if (hasNoPython) return
  dataDir = await mkdtemp(join(tmpdir(), 'almanac-sdmx-'))
  service = await startSample(dataDir, { ALMANAC_DEMO: '0', ALMANAC_SCHEDULE: '0' })
  key = (await service.keys()).pro
  const run = async (program: string, ...given: readonly string[]) => {
    const { stdout } = await promisify(execFile)(
      python,
      [join(import.meta.dirname, 'sdmx', program), service.base, ...given],
      { env: { ...process.env, ALMANAC_KEY: key }, maxBuffer: 64 * 1_048_576 },
    )
    return JSON.parse(stdout)
  }
  ;[answers, structures] = await Promise.all([
    run('ask_sdmx.py', DAY, ...plain.map(({ id }) => id)),
    run('ask_structures.py'),
  ])
})
afterAll(async () => {
  await service?.destroy()
  if (dataDir) await rm(dataDir, { recursive: true, force: true })
})

/** The rows of an answer in CSV; none if nothing is on record. */
async function csvRows(path: string): Promise<Row[]> {
  const answer = await fetch(service.base + path, { headers: { authorization: `Bearer ${key}` } })
  if (answer.status === 404) return []
  expect(answer.status, path).toBe(200)
  const [header = '', ...lines] = (await answer.text()).trimEnd().split('\r\n')
  const names = header.split(',')
  return lines.map((line) => Object.fromEntries(line.split(',').map((field, i) => [names[i] ?? '', field])))
}

/** The texts of rows, in an order of their own. */
const texts = (rows: readonly Row[], names: readonly string[]): string[] =>
  rows.map((row) => names.map((name) => row[name] ?? '').join(' ')).sort()

/** What /v1 has of an indicator since 2020 in all countries and frequencies: country, figure, period and value. */
async function panel({ indicator }: (typeof flows)[number], prefix = '', start = '2020'): Promise<string[]> {
  const countries = [...new Set(answers.flows.CPI?.generic.map(({ REF_AREA }) => REF_AREA))]
  const of = countries.map((country) => `country=${country}`).join('&')
  const found: string[] = []
  for (const frequency of ['M', 'Q', 'A']) {
    const path = `${prefix}/v1/panel?${of}&indicator=${indicator}&frequency=${frequency}&start=${start}`
    for (const { period, ...columns } of await csvRows(path)) {
      for (const [name, value] of Object.entries(columns)) {
        // Values of another base or unit have a column with a name behind it.
        const [country, , figure = ''] = name.replace(/ \(.*/, '').split('.')
        if (value !== '') found.push(`${country} ${figure} ${period} ${value}`)
      }
    }
  }
  return found.sort()
}

const isNamed = ({ measure, transformation }: ReturnType<typeof namingOf>, row: Row): boolean =>
  row.measure === measure && row.transformation === transformation

describe.skipIf(hasNoPython)('sdmx1', () => {
  it.each(plain)('reads in $id what the panels have', async (flow) => {
    const found = answers.flows[flow.id]?.generic ?? []
    const names = ['REF_AREA', 'MEASURE', 'TIME_PERIOD', 'OBS_VALUE']
    expect(texts(found, names)).toEqual(await panel(flow))
    expect(found.length).toBeGreaterThan(200)
    expect(new Set(found.map(({ REF_AREA }) => REF_AREA)).size).toBe(10)
  })

  it('reads the same in the structure-specific form', () => {
    const names = [
      'FREQ',
      'REF_AREA',
      'ADJUSTMENT',
      'UNIT_MEASURE',
      'TIME_PERIOD',
      'OBS_VALUE',
      'SERIES',
      'RELEASED_ON',
    ]
    expect(texts(answers.specific, names)).toEqual(texts(answers.flows.GDP?.generic ?? [], names))
  })

  it.each(plain)('reads in the vintages of $id what the vintages at /v1 have', async ({ id, indicator }) => {
    const { path } = servingOf(indicator)
    const figures: readonly string[] = indicators[indicator].figures
    const found = answers.flows[id]?.vintages ?? []
    const expected: string[] = []
    const withdrawn: string[] = []
    for (const frequency of new Set(found.map(({ FREQ }) => FREQ))) {
      const rows = await csvRows(`/v1/economics/USA/${path}/vintages?frequency=${frequency}&format=csv`)
      const entries = rows.map((row) => {
        const { period = '', valid_from = '', value = '', series = '' } = row
        const figure = figures.find((one) => isNamed(namingOf(indicator, one), row)) ?? ''
        return { entry: [figures.length > 1 ? figure : '', period, valid_from], value, series }
      })
      for (const [i, { entry, value, series }] of entries.entries()) {
        // The last value of a day counts.
        if (entries[i + 1]?.entry.join() === entry.join()) continue
        const text = [...entry, value, series].join(' ')
        if (value === '') withdrawn.push(text)
        else expected.push(text)
      }
    }
    const values = found.filter(({ OBS_STATUS }) => OBS_STATUS === 'A')
    const names = ['MEASURE', 'TIME_PERIOD', 'VALID_FROM', 'OBS_VALUE', 'SERIES']
    expect(texts(values, names)).toEqual(expected.sort())
    expect(values.length).toBeGreaterThan(100)
    const missing = texts(
      found.filter(({ OBS_STATUS }) => OBS_STATUS === 'M').map((row) => ({ ...row, OBS_VALUE: '' })),
      names,
    )
    expect(missing).toEqual(expect.arrayContaining(withdrawn))
  })

  it('reads what was known on a day', async () => {
    const gdp = plain.find(({ id }) => id === 'GDP')
    const known = gdp ? await panel(gdp, `/asof/${DAY}`, '1900') : []
    expect(texts(answers.as_of, ['REF_AREA', 'MEASURE', 'TIME_PERIOD', 'OBS_VALUE'])).toEqual(known)
    expect(known.length).toBeGreaterThan(50)
  })

  it('is told since when there is evidence, on a day before', async () => {
    const path = '/asof/1980-01-01/sdmx/2.1/data/GDP/Q.USA'
    const answer = await fetch(service.base + path, { headers: { authorization: `Bearer ${key}` } })
    expect(answer.status).toBe(404)
    expect(await answer.text()).toMatch(
      /code="100">.*No figure of gdp of USA.* is dated 1980-01-01 or before.*asked for is \d{4}-\d\d-\d\d/,
    )
  })
})

describe.skipIf(hasNoPython)('pysdmx', () => {
  it('reads in CSV what sdmx1 reads in XML', () => {
    const names = [
      'FREQ',
      'REF_AREA',
      'MEASURE',
      'ADJUSTMENT',
      'UNIT_MEASURE',
      'TIME_PERIOD',
      'OBS_VALUE',
      'BASE_PER',
      'SERIES',
    ]
    for (const { id } of plain) {
      const { csv = [], generic = [] } = answers.flows[id] ?? {}
      expect(texts(csv, names)).toEqual(texts(generic, names))
    }
  })

  it('reads both versions of CSV', () => {
    const [first, second] = answers.read_by_pysdmx
    expect(first).toEqual(second)
    expect(first?.length).toBeGreaterThan(200)
  })
})

describe.skipIf(hasNoPython)('messages', () => {
  it('are valid by the schemas of the standard', () => {
    expect(Object.values(answers.faults).flat()).toEqual([])
    expect(Object.keys(answers.faults)).toHaveLength(12)
  })

  it('have the days of every value of a history', async () => {
    const rows = await csvRows('/v1/economics/USA/gdp/vintages?frequency=Q&format=csv')
    const starts = answers.history.map(([from, , action, period, value]) => [from, action, period, value].join(' '))
    const expected = rows.map(({ valid_from, period, value }) => `${valid_from}T00:00:00 Replace ${period} ${value}`)
    expect(starts.sort()).toEqual(expected.sort())
    const open = answers.history.filter(([, to]) => to === '9999-12-31T23:59:59')
    expect(open.map(([, , , period]) => period).sort()).toEqual([...new Set(rows.map(({ period }) => period))].sort())
  })
})

describe.skipIf(hasNoPython)('structures', () => {
  const ids = flows.map(({ id }) => id)

  it('are read by sdmx1: flows, dimensions with code lists, attributes, concepts', () => {
    const { sdmx1: found } = structures
    expect(found.flows).toEqual(ids)
    expect(found.flows_of_3_0).toEqual(ids)
    expect(found.note).toContain('the day on which the publisher released a value')
    expect(found.dimensions).toEqual({
      FREQ: 'CL_FREQ',
      REF_AREA: 'CL_REF_AREA',
      MEASURE: 'CL_MEASURE_INFLATION',
      ADJUSTMENT: 'CL_ADJUSTMENT',
      UNIT_MEASURE: 'CL_UNIT_MEASURE',
    })
    expect(found.attributes).toMatchObject({ UNIT: 'DimensionRelationship', SERIES: 'PrimaryMeasureRelationship' })
    expect(found.codelists.CL_MEASURE_INFLATION).toEqual(indicators.inflation.figures)
    expect(found.codelists.CL_UNIT_MEASURE).toEqual(expect.arrayContaining(['percent', 'index_1982-1984_100']))
    expect(found.concepts).toEqual(expect.arrayContaining(['REF_AREA', 'OBS_VALUE', 'RELEASED_ON']))
    expect(found.countries).toBe(countries.length)
    expect(found.structures).toEqual(['DSD_CPI'])
  })

  it('are refused as sdmx1 expects it', () => {
    expect(structures.sdmx1.missing).toMatch(/^HTTPError 404/)
    expect(structures.sdmx1.unserved).toMatch(/^NotImplementedError/)
  })

  it('have the codes of the data in their availability', () => {
    const { sdmx1: found } = structures
    const data = (answers.flows.CPI?.generic ?? []).filter(({ REF_AREA }) => REF_AREA === 'USA')
    expect(found.available).toMatchObject({ FREQ: ['M'], REF_AREA: ['USA'], ADJUSTMENT: ['NSA'] })
    expect(found.available.UNIT_MEASURE).toEqual(found.preview.toSorted())
    expect(found.available.UNIT_MEASURE).toEqual(expect.arrayContaining(data.map(({ UNIT_MEASURE }) => UNIT_MEASURE)))
  })

  it('are read by pysdmx, with the codes that have data alone', () => {
    const { pysdmx: found } = structures
    expect(found.flows).toEqual(ids.toSorted())
    expect(found.codes).toMatchObject({ FREQ: ['M'], REF_AREA: ['DEU', 'USA'], UNIT_MEASURE: ['percent'] })
    expect([found.series, found.observations]).toEqual([6, found.rows])
    expect(found.rows).toBeGreaterThan(1000)
    expect(found.missing).toMatch(/^NotFound/)
  })

  it('and errors are valid by the schemas of the standard', () => {
    expect(Object.values(structures.faults).flat()).toEqual([])
    expect(Object.keys(structures.faults)).toHaveLength(15)
  })

  it('and data come at the addresses of the docs', async () => {
    const { text } = snippetWith('docs/sdmx.md', '/sdmx/2.1/dataflow"')
    const asked = [...text.matchAll(/http:\/\/127\.0\.0\.1:8080([^"]+)"(?: -H "(Accept): ([^"]+)")?/g)]
    const [list, cpi, vintages] = await Promise.all(
      asked.map(async ([, path = '', name, accept = '']) => {
        const headers = { authorization: `Bearer ${key}`, ...(name ? { accept } : {}) }
        return (await fetch(service.base + path, { headers })).text()
      }),
    )
    expect(list).toContain('<str:Dataflow id="CPI"')
    expect(cpi).toContain('<gen:ObsValue value="308.417"/>')
    expect(vintages).toMatch(/,2024-05-30,2024-Q1,28255928000000,/)
  })
})
