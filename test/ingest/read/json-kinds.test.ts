import { describe, expect, it } from 'vitest'
import { textName } from '../../../ingest/read/body.ts'
import { readObservations } from '../../../ingest/read/formats/read-observations.ts'

const read = (text: string) => [...readObservations([Buffer.from(text)])]

const sdmxErrors = '"errors":[{"code":404,"title":"No results"}]'

describe('the answer to a request that failed', () => {
  it.each([
    ['one of Eurostat', '{"error":{"status":"400","label":"Bad filter"}}', 'Bad filter'],
    ['a list of Eurostat', '{"error":[{"status":400,"id":100,"label":"Bad filter"}]}', 'Bad filter'],
    ['a warning of Eurostat', '{"warning":{"status":"413","label":"ASYNCHRONOUS_RESPONSE"}}', 'ASYNCHRONOUS_RESPONSE'],
    ['SDMX-JSON 1', `{${sdmxErrors}}`, '404 No results'],
    ['SDMX-JSON 2', `{"meta":{"id":"a","sender":{"id":"ABS"}},${sdmxErrors}}`, '404 No results'],
    [
      'SDMX-JSON 2 with its schema',
      `{"meta":{"schema":"https://a/sdmx-json/data.json"},${sdmxErrors}}`,
      '404 No results',
    ],
    ['a gateway', '{"statusCode":401,"message":"Access denied"}', 'Access denied'],
  ])('is named and refused as the error that it is: %s', (_, text, error) => {
    expect(textName(text)).toBe(`a JSON error message: ${text}`)
    expect(() => read(text)).toThrow(
      expect.objectContaining({ reason: 'publisher_error', message: expect.stringContaining(error) }),
    )
  })

  it('says what to do if no format has read it', () => {
    const text = '{"error_code":400,"error_message":"Bad Request."}'
    expect(textName(text)).toBe(`an error message of FRED's API: ${text}`)
    expect(() => read(text)).toThrow(
      `The publisher answered: ${text}. The request failed: correct it, or ask again later.`,
    )
  })
})

it('a message about a request that succeeded is no error', () => {
  const text = '{"STATUS":200,"MESSAGE":"Successfully completed","RESULTSET":[]}'
  expect(textName(text)).toBe('JSON with the members STATUS, MESSAGE, RESULTSET')
  expect(() => read(text)).toThrow(expect.objectContaining({ reason: 'unknown_format' }))
})

describe('data with a member for errors', () => {
  const jsonStat =
    '"class":"dataset","id":["time"],"size":[1],"value":[1],"dimension":{"time":{"category":{"index":["2025"]}}}'

  it.each([
    ['JSON-stat', 'none', `{"error":null,${jsonStat}}`],
    ['JSON-stat', 'one about a part of it', `{"error":{"label":"Two cells are secret"},${jsonStat}}`],
    ['SDMX-JSON', 'an empty list', '{"errors":[],"meta":{"id":"a"},"data":{"dataSets":[]}}'],
    ['SDMX-JSON', 'null', '{"errors":null,"data":{"structures":[],"dataSets":[]}}'],
  ])('is named %s: %s', (name, _, text) => {
    expect(textName(text)).toBe(name)
  })

  it('is read', () => {
    expect(read(`{"error":{"label":"Two cells are secret"},${jsonStat}}`)).toMatchObject([
      { period: '2025', value: '1' },
    ])
  })
})

describe('JSON of an API', () => {
  const [bls, statCan, singStat] = [
    "JSON of the BLS's API",
    "JSON of Statistics Canada's API",
    "JSON of SingStat's API",
  ]

  it.each([
    [bls, '{"responseTime":10,"status":"REQUEST_SUCCEEDED","message":[],"Results":{"series":[]}}', 'empty'],
    [bls, '{"message":["limit reached"],"status":"REQUEST_NOT_PROCESSED"}', 'publisher_error'],
    [statCan, '[{"object":{"vectorDataPoint":[]},"status":"SUCCESS"}]', 'malformed_document'],
    [statCan, '{"status":"SUCCESS","object":"https://statcan.example/14100287-eng.zip"}', 'malformed_document'],
    [statCan, '{"status":"FAILED","object":"Product id is invalid"}', 'publisher_error'],
    [singStat, '{"DataCount":0,"Data":{"id":"M213751","dataLastUpdated":"24/08/2026","row":[]}}', 'empty'],
    [singStat, '{"Data":{"records":[{"id":"M213751","tableType":"TS"}]},"DataCount":1}', 'no_data_message'],
    [singStat, '{"Data":null,"DataCount":0,"StatusCode":404,"Message":"No data"}', 'publisher_error'],
    ['JSON with the members Data, x', '{"Data":[{"x":1}]}', 'unknown_format'],
  ])('is recognised in any order of members, as %s: %s', (name, text, reason) => {
    expect(textName(text)).toBe(name)
    expect(() => read(text)).toThrow(expect.objectContaining({ reason }))
  })

  it('is read if another program has written its members in another order', () => {
    const data = '[{"footnotes":[],"period":"M01","value":"321.9","year":"2025"}]'
    const text = `{"Results":{"series":[{"data":${data},"seriesID":"CUUR0000SA0"}]},"message":[],"status":"REQUEST_SUCCEEDED"}`
    expect(textName(text)).toBe(bls)
    expect(read(text)).toMatchObject([{ value: '321.9' }])
  })
})
