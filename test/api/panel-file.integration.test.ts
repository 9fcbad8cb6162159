import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasNoPython, python } from '../support/python.ts'
import { testSeries } from '../support/releases.ts'
import { ask, bearer, type World, world } from './support.ts'

/** A panel as Parquet and as Arrow, read by libraries that share no code with the service. */

type Read = {
  readonly types: Readonly<Record<string, string>>
  readonly about: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly values: Readonly<Record<string, readonly (string | null)[]>>
}
type Found = {
  readonly parquet: Read
  readonly arrow: Read
  readonly columns: Read['about']
  readonly duckdb?: readonly (readonly (string | null)[])[]
  readonly pandas?: Readonly<Record<string, readonly (number | null)[]>>
}

const engines = join(import.meta.dirname, '../archive/iceberg/engines/.venv/bin/python')
const readers = [...(hasNoPython ? [] : [python]), ...(existsSync(engines) ? [engines] : [])]
const query = '/v1/panel?country=DEU&country=USA&country=NLD&indicator=cpi&indicator=gdp&frequency=M'
const long = `${'9'.repeat(37)}.25`

let served: World
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'panel-'))
  served = await world()
  const values: readonly (readonly [country: string, period: string, value: string])[] = [
    ['DEU', '2025-01', '120.3'],
    ['DEU', '2025-03', '121.25'],
    ['DEU', '2025-04', '0.000000123456789012'],
    ['DEU', '2025-05', `${'9'.repeat(20)}`],
    ['NLD', '2025-01', '1'],
    ['NLD', '2025-02', long],
  ]
  for (const [country, period, value] of values) served.releases.accept(testSeries({ country }), period, { value })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const get = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await served.app.inject({ url, headers: { ...bearer(), ...headers } })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer
}

/** The value of a decimal, however many zeros it ends with. */
const plain = (text: string | null): string | null =>
  text?.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text

describe('a panel as a file', () => {
  it.each(readers)('has each figure of the CSV, exactly (%s)', async (program) => {
    const rows: Record<string, string>[] = parse((await get(query)).body, { columns: true })
    const files = [join(folder, 'panel.parquet'), join(folder, 'panel.arrows')]
    for (const [i, format] of ['parquet', 'arrow'].entries())
      await writeFile(files[i] ?? '', (await get(`${query}&format=${format}`)).rawPayload)
    const run = await promisify(execFile)(program, [join(import.meta.dirname, 'read_panel.py'), ...files])
    const found = JSON.parse(run.stdout) as Found
    const names = Object.keys(rows[0] ?? {})
    const expected = Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name] || null)]))
    const plainly = (values: Read['values']) =>
      Object.fromEntries(Object.entries(values).map(([name, own]) => [name, own.map(plain)]))
    for (const one of [found.parquet, found.arrow]) {
      expect(Object.keys(one.types)).toEqual(names)
      expect(plainly(one.values)).toEqual(plainly(expected))
      expect(one.types).toMatchObject({
        period: 'string',
        'DEU.cpi': 'decimal128(38, 18)',
        'USA.cpi': 'decimal128(38, 1)',
        'NLD.cpi': 'string',
      })
      expect(one.about['DEU.cpi']).toMatchObject({
        unit: 'index',
        base: '2015=100',
        seasonal_adjustment: 'not_seasonally_adjusted',
        source: 'TEST',
        series: 'DEU.cpi.M.TEST.T1.index.NSA.2015=100',
        series_since: '2025-01 DEU.cpi.M.TEST.T1.index.NSA.2015=100',
      })
    }
    expect(found.columns).toEqual(Object.fromEntries(names.slice(1).map((name) => [name, found.arrow.about[name]])))
    expect(found.duckdb ?? found.pandas).toBeDefined()
    if (found.duckdb) {
      expect(found.duckdb.map((row) => row.map(plain))).toEqual(
        rows.map((row) => names.map((name) => plain(row[name] || null))),
      )
    }
    for (const [name, own] of Object.entries(found.pandas ?? {}))
      expect(own).toEqual(rows.map((row) => (row[name] ? Number(row[name]) : null)))
  })
  it('is what the Accept header prefers, revalidated and not compressed', async () => {
    const small = '/v1/panel?country=USA&indicator=cpi&frequency=M'
    for (const [type, mark] of [
      ['application/vnd.apache.parquet', 'PAR1'],
      ['application/vnd.apache.arrow.stream', '\xff\xff\xff\xff'],
    ] as const) {
      const { headers, rawPayload } = await get(small, { accept: type, 'accept-encoding': 'br, gzip' })
      expect(headers['content-type']).toBe(type)
      expect(headers['content-encoding']).toBeUndefined()
      expect(headers.vary).toContain('accept')
      expect(rawPayload.subarray(0, 4).toString('latin1')).toBe(mark)
      const again = { ...bearer(), accept: type, 'if-none-match': String(headers.etag) }
      expect((await ask(served.app, { url: small, headers: again })).statusCode).toBe(304)
      expect((await get(`/asof/2026-02-01${small}`, { accept: type })).rawPayload).toEqual(rawPayload)
    }
    expect((await get(small)).headers['content-type']).toContain('text/csv')
    const refused = await ask(served.app, { url: small, headers: { ...bearer(), accept: 'application/json' } })
    expect(refused.problem.code).toBe('not_acceptable')
  })
  it.each([
    ['format=xml', 'is not one of csv, parquet, arrow'],
    ['format=parquet&about=rows', 'query parameter about: it is for CSV'],
    ['format=arrow&csv_style=comma', 'query parameter csv_style: it is for CSV'],
  ])('is refused with %s', async (more, detail) => {
    const { problem } = await ask(served.app, `${query}&${more}`)
    expect(problem.code).toBe('invalid_query')
    expect(problem.detail).toContain(detail)
  })
})
