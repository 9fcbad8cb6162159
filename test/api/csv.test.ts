import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvHeader, csvRow } from '../../api/csv.ts'
import { ask, bearer, world } from './support.ts'

const HISTORY = '/v1/economics/USA/trade/exports/observations'

describe('CSV', () => {
  it('is read back by a CSV parser as it was, whatever the texts contain', () => {
    const columns = ['a', 'b,c', 'd"e']
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', ',', '"', '\r\n', '\n', 'é;"",'))
    fc.assert(
      fc.property(fc.array(fc.array(text, { minLength: 3, maxLength: 3 }), { maxLength: 20 }), (rows) => {
        const entries = rows.map((row) => Object.fromEntries(row.map((field, i) => [columns[i], field])))
        const document = [csvHeader(columns), ...entries.map((entry) => csvRow(columns, entry))].join('')
        expect(parse(document, { record_delimiter: '\r\n' })).toEqual([columns, ...rows])
      }),
    )
  })

  it('leaves null and absent members empty, and joins lists', () => {
    expect(csvRow(['a', 'b', 'c', 'd'], { a: null, c: ['x', 'y'], d: false })).toBe(',,x;y,false\r\n')
  })
})

describe('an operation with CSV', () => {
  const get = async (url: string, accept?: string) => {
    const { app } = await world()
    return ask(app, { url, headers: { ...bearer(), ...(accept === undefined ? {} : { accept }) } })
  }

  it.each([
    ['the parameter', `${HISTORY}?format=csv`, undefined],
    ['the Accept header', HISTORY, 'text/csv'],
    ['the greater quality in it', HISTORY, 'application/json;q=0.5, text/csv'],
    ['the parameter, against the header', `${HISTORY}?format=csv`, 'application/json'],
  ])('answers CSV as %s says', async (_, url, accept) => {
    const response = await get(url, accept)
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    expect(response.headers.vary).toContain('accept')
    const [header, first] = response.body.split('\r\n')
    expect(header).toBe('country,measure,value,unit,transformation,period')
    expect(first).toBe('USA,merchandise_exports,301000000000,USD,,2025-01')
  })

  it.each([
    ['*/*', HISTORY],
    ['text/html, */*;q=0.8', HISTORY],
    ['text/csv', `${HISTORY}?format=json`],
  ])('answers JSON to Accept: %s at %s', async (accept, url) => {
    const response = await get(url, accept)
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(response.json().observations).toHaveLength(12)
  })

  it('names the next page in a header, up to the last', async () => {
    const { app } = await world()
    const rows: string[] = []
    let url: string | undefined = `${HISTORY}?format=csv&limit=5`
    while (url) {
      const { body, headers } = await ask(app, url)
      rows.push(...body.trim().split('\r\n').slice(1))
      const next: string | undefined = /<([^>]+)>; rel="next"/.exec(String(headers.link ?? ''))?.[1]
      url = next && `${next}&limit=5`
    }
    expect(rows).toHaveLength(12)
    expect(new Set(rows).size).toBe(12)
  })

  it('has another ETag for each form', async () => {
    const [json, csv] = [await get(HISTORY), await get(`${HISTORY}?format=csv`)]
    expect(csv.headers.etag).not.toBe(json.headers.etag)
    const { app } = await world()
    const headers = { ...bearer(), 'if-none-match': String(csv.headers.etag) }
    const again = await ask(app, { url: `${HISTORY}?format=csv`, headers })
    expect(again.statusCode).toBe(304)
  })

  it('refuses other forms, and CSV where there is no list', async () => {
    expect((await get(`${HISTORY}?format=xlsx`)).json().code).toBe('invalid_query')
    expect((await get(HISTORY, 'text/tab-separated-values')).json().code).toBe('not_acceptable')
    expect((await get('/v1/economics/USA/cpi', 'text/csv')).json().code).toBe('not_acceptable')
  })
})
