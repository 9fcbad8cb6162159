import { describe, expect, it } from 'vitest'
import { blsMapping } from '../../../ingest/map/publishers/bls.ts'
import { mappedSource } from '../../../ingest/sources/mapped-source.ts'
import { altered, document, figuresOf, fixture, rejectsOf, summary } from './fixture.ts'

const { parse } = mappedSource(blsMapping)
const original = 'USA.cpi.M.BLS.CUUR0000SA0.index.NSA.1982/1984=100'
const adjusted = 'USA.cpi.M.BLS.CUSR0000SA0.index.SA.1982/1984=100'

describe('consumer prices of the BLS', () => {
  it('are the months of the two headline series of a flat file, named as their series', () => {
    const items = [...parse(fixture('bls/cu.data.1.AllItems'))]
    expect(summary(items)).toEqual([
      [original, '1913-01', { value: '9.8' }],
      [adjusted, '1947-01', { value: '21.48' }],
      [adjusted, '2025-08', { value: '323.291' }],
      [original, '2025-08', { value: '323.976' }],
      [adjusted, '2025-09', { value: '324.245' }],
      [original, '2025-09', { value: '324.800' }],
      [original, '2025-11', { value: '324.122' }],
      [original, '2025-12', { value: '324.054' }],
      [original, '2026-03', { value: '330.213' }],
    ])
    expect(items).toHaveLength(9)
  })

  it('are the same in an answer of the API', () => {
    const items = [...parse(fixture('bls/CU.json'))]
    expect(summary(items)).toEqual([
      [original, '2025-09', { value: '324.800' }],
      [original, '2025-11', { value: '324.122' }],
      [original, '2025-12', { value: '324.054' }],
    ])
    expect(items).toHaveLength(3)
  })

  it.each([
    ['bls/cu.data.1.AllItems', 'a cell too few', '\t     324.122\t', '\t324.122', 'wrong_cell_count', 'line 10'],
    ['bls/cu.data.1.AllItems', 'a month beyond December', 'M12', 'M14', 'bad_period', 'line 11'],
    ['bls/cu.data.1.AllItems', 'a value that is no decimal', '324.054', '3z4.054', 'not_a_decimal', 'line 11'],
    ['bls/cu.data.1.AllItems', 'a series of another survey', 'CUUSS49GSA0', 'LNS14000000', 'wrong_dataset', 'line 14'],
    [
      'bls/CU.json',
      'no value',
      '"value":"324.122"',
      '"amount":"324.122"',
      'missing_member',
      'series CUUR0000SA0, observation 3',
    ],
  ])('%s: %s is rejected', (name, _, from, to, reason, location) => {
    expect(rejectsOf(parse(altered(name, from, to)))).toMatchObject([{ reason, location }])
  })

  it('in an answer in part are read, and what the BLS says of the rest is rejected', () => {
    const reduced = 'Year range has been reduced to the system-allowed limit of 10 years.'
    const items = [...parse(altered('bls/CU.json', '"message":[]', `"message":["${reduced}"]`))]
    expect(rejectsOf(items)).toMatchObject([
      { reason: 'publisher_message', detail: `The BLS answered: ${reduced}`, location: 'message 1' },
    ])
    expect(figuresOf(items)).toHaveLength(3)
  })

  it('of a series that does not exist are rejected by its name', () => {
    const items = parse(
      document(
        '{"status":"REQUEST_SUCCEEDED","message":["Series does not exist for Series CUUR0000SA9"],"Results":{"series":[{"seriesID":"CUUR0000SA9","data":[]}]}}',
      ),
    )
    expect(rejectsOf(items)).toMatchObject([
      { reason: 'publisher_message', detail: expect.stringContaining('CUUR0000SA9') },
      { reason: 'no_observations', location: 'series CUUR0000SA9' },
    ])
  })

  it.each([
    ['another survey', fixture('bls/AP.json'), 'dataset_not_supported', 'dataflow BLS:AP'],
    ['another survey than asked for', fixture('bls/CU.json', { dataset: 'LN' }), 'wrong_dataset', 'not of LN'],
    ['a region', altered('bls/CU.json', 'CUUR0000SA0', 'CUUR0100SA0'), 'no_mapped_series', 'SERIES_ID=CUUR0100SA0'],
    [
      'a refusal by the publisher',
      document('{"status":"REQUEST_NOT_PROCESSED","message":["daily threshold reached"],"Results":{}}'),
      'publisher_error',
      'REQUEST_NOT_PROCESSED: ["daily threshold reached"]',
    ],
    ['no series', document('{"status":"REQUEST_SUCCEEDED","Results":{"series":[]}}'), 'empty', 'no observations'],
    ['no results', document('{"status":"REQUEST_SUCCEEDED"}'), 'malformed_document', 'no Results.series'],
    ['other columns', altered('bls/cu.data.1.AllItems', '\tfootnote_codes', '\tnotes'), 'missing_column', 'series_id'],
  ])('a document of %s is refused', (_, refused, reason, detail) => {
    expect(() => [...parse(refused)]).toThrow(
      expect.objectContaining({ name: 'DocumentError', reason, message: expect.stringContaining(detail) }),
    )
  })
})
