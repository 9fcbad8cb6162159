import { describe, expect, it } from 'vitest'
import { artefactText } from '../../../../ingest/read/formats/observation.ts'
import { formatReaders, readObservations } from '../../../../ingest/read/formats/read-observations.ts'
import { lineOf, observationsOf, readAll, refusalOf } from './observations.ts'
import { expected, samples } from './samples.ts'

const entries = Object.entries(samples)
const altered = (name: string, from: string, to: string): string => {
  const text = samples[name] ?? ''
  if (!text.includes(from)) throw new Error(`${name} has no ${from}`)
  return text.replace(from, to)
}

describe.each(entries)('%s', (name, text) => {
  it('gives its observations as they are printed', () => {
    const found = observationsOf(text).map((o) => lineOf(o, ['FREQ', 'REF_AREA']))
    // JSON-stat may leave a missing value out, and state only its status.
    expect(found.toSorted()).toEqual(expected)
  })

  it('says which dataset it is', () => {
    const { dataset } = observationsOf(text)[0] ?? {}
    expect(dataset?.format).toBe(name.replace(/, .*/, '').replace('JSON-stat 2', 'JSON-stat 2.0'))
    const { dataflow, structure } = dataset ?? {}
    const proven = dataflow ?? structure
    expect(proven && artefactText(proven)).toMatch(/^(?:TEST:)?FLOW(?:\(1\.0\))?$/)
  })

  it('is recognised by one reader only', () => {
    expect(formatReaders.filter(({ recognises }) => recognises(text))).toHaveLength(1)
  })

  it('is the same, in whatever pieces it comes', () => {
    const bytes = new TextEncoder().encode(text)
    for (const size of [1, 7, 64, 1000]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      )
      expect([...readObservations(pieces)]).toEqual(readAll(text))
    }
  })
})

describe('JSON-stat with a lastUpdateDate', () => {
  const updated = (milliseconds: string) =>
    altered('JSON-stat 2', '"class"', `"lastUpdateDate":${milliseconds},"class"`).replace(
      /"updated"\s*:\s*"[^"]*"\s*,/,
      '',
    )
  it('was updated on the day of those milliseconds', () => {
    expect(observationsOf(updated('1735689600000'))[0]?.dataset.updated).toBe('2025-01-01')
  })
  it.each(['9007199254740991', '8640000000000000', '-8640000000000001'])(
    'of no day, %s, is refused',
    (milliseconds) => {
      expect(refusalOf(updated(milliseconds))).toMatchObject({ reason: 'bad_date' })
    },
  )
})

describe('attributes', () => {
  it('of a series hold for its observations, those of a group for its series', () => {
    expect(observationsOf(samples['SDMX-ML 2.1 generic'] ?? '')[0]?.attributes).toEqual({ UNIT_MULT: '0' })
    const titles = observationsOf(samples['SDMX-ML 2.0 compact'] ?? '').map(({ attributes }) => attributes.TITLE)
    expect(titles).toEqual(['Germany', 'Germany', undefined, undefined])
  })

  it('with several values are joined', () => {
    const [, second] = observationsOf(samples['SDMX-ML 3.0 structure-specific'] ?? '')
    expect(second?.attributes).toEqual({ NOTE: 'a;b', UNIT_MULT: '0' })
  })

  it('hold the status of an observation', () => {
    const found = observationsOf(samples['JSON-stat 1'] ?? '')
    expect(new Map(found.map(({ value, attributes }) => [value, attributes.OBS_STATUS]))).toEqual(
      new Map([
        ['101.5', undefined],
        [null, ':'],
        ['99.40', undefined],
        ['100', 'p'],
      ]),
    )
  })

  it('name the day of the last update', () => {
    expect(observationsOf(samples['SDMX-CSV 1'] ?? '')[0]?.dataset.updated).toBe('2024-03-04')
    expect(observationsOf(samples['JSON-stat 2'] ?? '')[0]?.dataset.updated).toBe('2024-03-04')
  })
})

const csv2 = 'SDMX-CSV 2, labels=name'
const specific = 'SDMX-ML 2.1 structure-specific'
const withHeaderAction = (action: string) =>
  altered('SDMX-ML 2.1 generic', '<m:Structure ', `<m:DataSetAction>${action}</m:DataSetAction><m:Structure `)

describe('an observation without a value', () => {
  const left = (text: string) => observationsOf(text).map((o) => lineOf(o, ['FREQ', 'REF_AREA']))
  const stated = expected.filter((line) => !line.endsWith('null'))

  it.each([
    [
      'SDMX-CSV',
      (action: string) =>
        altered(csv2, ';I;M;Monthly;DEU;Germany;2024-02', `;${action[0]};M;Monthly;DEU;Germany;2024-02`),
    ],
    ['structure-specific SDMX-ML', (action: string) => altered(specific, 's:action="Replace"', `s:action="${action}"`)],
    ['SDMX-JSON', (action: string) => altered('SDMX-JSON 2', '"Information"', `"${action}"`)],
    [
      'generic SDMX-ML whose header names the action',
      (action: string) => withHeaderAction(action).replace('<g:ObsValue value="NaN"/>', ''),
    ],
  ])('of %s is missing if the action states all, and not stated if it only adds', (_, of) => {
    for (const action of ['Information', 'Replace']) expect(left(of(action))).toEqual(expected)
    for (const action of ['Merge', 'Append']) expect(left(of(action))).toEqual(stated)
  })

  it('is missing in every action if the message prints NaN', () => {
    for (const action of ['Merge', 'Append', 'Replace']) expect(left(withHeaderAction(action))).toEqual(expected)
    expect(left(altered('SDMX-JSON 1', '[null]', '["#N/A"]').replace('"Information"', '"Merge"'))).toEqual(expected)
  })

  it('of JSON-stat is missing if it has a status of its own, and not stated without one', () => {
    for (const [name, status] of [
      ['JSON-stat 1', '":"'],
      ['JSON-stat 2', '"1":":",'],
    ] as const) {
      expect(left(samples[name] ?? '').toSorted()).toEqual(expected)
      expect(left(altered(name, status, status === '":"' ? 'null' : ''))).toEqual(stated)
    }
    const ofAll = altered('JSON-stat 1', '[null,":",null,"p"]', '["p"]')
    expect(left(ofAll)).toEqual(stated)
    expect(observationsOf(ofAll).map(({ attributes }) => attributes.OBS_STATUS)).toEqual(['p', 'p', 'p'])
  })
})

describe('a deletion', () => {
  it.each([
    [csv2, ';I;M;Monthly;DEU;Germany;2024-01', ';D;M;Monthly;DEU;Germany;2024-01', 1],
    [specific, 's:action="Replace"', 's:action="Delete"', 4],
    ['SDMX-ML 2.1 generic', '<m:Structure ', '<m:DataSetAction>Delete</m:DataSetAction><m:Structure ', 4],
    ['SDMX-JSON 1', '"Information"', '"Delete"', 4],
  ])('of %s is rejected and not read as a figure', (name, from, to, count) => {
    const rejects = readAll(altered(name, from, to)).filter(({ kind }) => kind === 'reject')
    expect(rejects).toHaveLength(count)
    expect(rejects[0]).toMatchObject({ reason: 'deletion_not_read', text: expect.stringContaining('101.5') })
  })

  it('of the header does not hold for a data set with an action of its own', () => {
    const text = altered(specific, '<m:Structure ', '<m:DataSetAction>Delete</m:DataSetAction><m:Structure ')
    expect(observationsOf(text)).toHaveLength(expected.length)
  })

  it('cannot hide in an action that SDMX does not have', () => {
    const [first] = readAll(altered('SDMX-JSON 1', '"Information"', '"Remove"'))
    expect(first).toMatchObject({ kind: 'reject', reason: 'unknown_action' })
  })
})

describe('a document is refused', () => {
  it.each([
    ['HTML', '<!DOCTYPE html><html></html>', 'unknown_format', 'is an HTML page, which is no format'],
    [
      'JSON of another interface',
      '{"realtime_start":"2024-01-01","observations":[]}',
      'unknown_format',
      "is JSON of FRED's API, which is no format",
    ],
    [
      'text',
      'Date,USD\n2024-01-02,1.1\n',
      'unknown_format',
      'is a table with the columns Date, USD, which is no format',
    ],
    ['nothing', ' \n', 'empty', 'no text'],
    ['a header without rows', 'DATAFLOW,TIME_PERIOD,OBS_VALUE\n', 'empty', 'no observations'],
    [
      'a fault of SOAP',
      '<S:Fault xmlns:S="s"><faultstring>Query is invalid</faultstring></S:Fault>',
      'publisher_error',
      'Query is invalid',
    ],
    ['errors of SDMX-JSON', '{"errors":[{"code":404,"title":"No results"}]}', 'publisher_error', '404 No results'],
    [
      'an error of SDMX-ML',
      '<m:Error xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message"><m:ErrorMessage code="100"><Text>No results</Text></m:ErrorMessage></m:Error>',
      'publisher_error',
      'No results',
    ],
    [
      'a document type',
      altered('SDMX-ML 2.1 generic', '<m:GenericData', '<!DOCTYPE a [<!ENTITY b "c">]><m:GenericData'),
      'malformed_xml',
      'Document type',
    ],
  ])('%s', (_, text, reason, detail) => {
    expect(refusalOf(text)).toMatchObject({ reason, message: expect.stringContaining(detail) })
  })

  it.each([
    ['an XML attribute', altered('SDMX-ML 2.1 structure-specific', 'FREQ="M"', 'FREQ="M" FREQ="Q"'), 'malformed_xml'],
    [
      'a component of a key',
      altered(
        'SDMX-ML 2.1 generic',
        '<g:Value id="FREQ" value="M"/>',
        '<g:Value id="FREQ" value="M"/><g:Value id="FREQ" value="Q"/>',
      ),
      'malformed_document',
    ],
    ['a column', altered('SDMX-CSV 1', 'UNIT_MULT', 'FREQ'), 'duplicate_column'],
    ['an observation of SDMX-JSON', altered('SDMX-JSON 1', '"1":[null]', '"0":[null]'), 'malformed_json'],
    ['a value of JSON-stat', altered('JSON-stat 2', '"2":"99.40"', '"0":"99.40"'), 'malformed_json'],
    ['a position of JSON-stat', altered('JSON-stat 2', '"FRA":1', '"FRA":0'), 'malformed_document'],
  ])('that states %s twice', (_, text, reason) => {
    expect(refusalOf(text)?.reason).toBe(reason)
  })

  it.each([
    ['an index beyond the codes', altered('SDMX-JSON 1', '"1":{"attributes"', '"2":{"attributes"'), 'series 2'],
    ['fewer values than its size', altered('JSON-stat 1', ',100]', ']'), 'dataset FLOW'],
    ['a structure that is not declared', altered('SDMX-ML 2.1 generic', 'structureRef="S"', 'structureRef="T"'), ''],
  ])('that has %s', (_, text, location) => {
    expect(refusalOf(text)?.reason).toMatch(/^(?:malformed_document|truncated)$/)
    expect(refusalOf(text)?.location).toBe(location)
  })
})
