import { describe, expect, it } from 'vitest'
import { worldBank } from '../../../ingest/sources/world-bank/index.ts'
import { describeShared, sharedData } from '../../support/shared-data.ts'
import { altered, document, figuresOf, fixture, rejectsOf, summary } from './fixture.ts'

const { parse } = worldBank()
const name = 'world-bank/exports.json'
const id = (country: string) => `${country}.trade-exports.A.WB.TX.VAL.MRCH.CD.WT.USD.NSA`

describe('World Bank exports', () => {
  it('are annual figures of countries, in whole dollars', () => {
    const items = [...parse(fixture(name))]
    expect(summary(items)).toEqual([
      [id('FRA'), '2020', { value: '500000000000' }],
      [id('SGP'), '2020', { value: '362000000000' }],
      [id('FRA'), '2021', { value: '585000000000' }],
    ])
    expect(items).toHaveLength(3)
    expect(figuresOf(items)[2]).toMatchObject({
      figures: { value: { printed: '585000000000.00012' } },
      released: { on: '2024-03-28', basis: 'dataset' },
      location: 'rows[2]',
    })
  })

  it('are none if the indicator has no rows', () => {
    expect([
      ...parse(document('[{"page":0,"pages":0,"per_page":0,"total":0,"lastupdated":"2024-03-28"},null]')),
    ]).toEqual([])
  })
})

it('the World Bank’s unemployment and participation are rates in percent', () => {
  const items = [
    ...parse(
      document(
        JSON.stringify([
          { page: 1, pages: 1, per_page: '50', total: 1, lastupdated: '2024-03-28' },
          [
            {
              indicator: { id: 'SL.TLF.CACT.ZS' },
              country: { id: 'DE' },
              countryiso3code: 'DEU',
              date: '2023',
              value: 61.25,
            },
          ],
        ]),
      ),
    ),
  ]
  expect(summary(items)).toEqual([
    ['DEU.labour-force-participation.A.WB.SL.TLF.CACT.ZS.percent.NSA', '2023', { rate: '61.25' }],
  ])
})

describe('a World Bank row is rejected', () => {
  it.each([
    ['a value that is no decimal', '3.62E+11', '"n/a"', 'not_a_decimal'],
    ['a month', '"date":"2020","value":3.62', '"date":"2020M01","value":3.62', 'bad_period'],
    [
      'an area that is neither country nor known aggregate',
      '{"id":"SG","value":"Singapore"},"countryiso3code":"SGP","date":"2020"',
      '{"id":"SQ","value":"Singapore"},"countryiso3code":"SGP","date":"2020"',
      'unknown_country',
    ],
    ['codes of two countries', '"SGP","date":"2020"', '"SGQ","date":"2020"', 'unknown_country'],
    [
      'another indicator',
      '{"indicator":{"id":"TX.VAL.MRCH.CD.WT","value":"Merchandise exports (current US$)"},"country":{"id":"SG","value":"Singapore"},"countryiso3code":"SGP","date":"2020"',
      '{"indicator":{"id":"TM.VAL.MRCH.CD.WT"},"country":{"id":"SG"},"countryiso3code":"SGP","date":"2020"',
      'wrong_dataset',
    ],
    [
      'no country',
      '"country":{"id":"SG","value":"Singapore"},"countryiso3code":"SGP","date":"2020"',
      '"date":"2020"',
      'missing_member',
    ],
  ])('%s', (_, from, to, reason) => {
    const items = [...parse(altered(name, from, to))]
    expect(rejectsOf(items)).toMatchObject([{ reason, location: 'rows[6]' }])
    expect(figuresOf(items)).toHaveLength(2)
  })
})

describe('a World Bank document is refused', () => {
  it.each([
    [
      'that is an error under status 200',
      document(
        '[{"message":[{"id":"120","key":"Invalid value","value":"The provided parameter value is not valid"}]}]',
      ),
      'publisher_error',
    ],
    ['with fewer rows than it counts', altered(name, '"total":7', '"total":8'), 'truncated'],
    ['without a date of its update', altered(name, '2024-03-28', '2024-03-32'), 'malformed_document'],
    ['of another shape', document('{"page":1}'), 'malformed_document'],
    ['without counts', altered(name, '"total":7', '"total":"all"'), 'malformed_document'],
    ['that is a page of HTML', document('<!DOCTYPE html><html></html>'), 'malformed_json'],
  ])('%s', (_, refused, reason) => {
    expect(() => [...parse(refused)]).toThrow(expect.objectContaining({ name: 'DocumentError', reason }))
  })
})

describeShared('World Bank as recorded', () => {
  it.each(['FP.CPI.TOTL.ZG.json', 'FRA/NY.GDP.MKTP.CD.json'])('%s is refused, and what is read is named', (file) => {
    const recorded = document(sharedData(`oliverqueen14+WORLDBANK-APP/data/${file}`))
    expect(() => [...parse(recorded)]).toThrow(/is not read; these are: SL\.UEM\.TOTL\.ZS, .*TM\.VAL\.MRCH\.CD\.WT\./)
  })

  it('every area of a full answer is a country or a known aggregate', () => {
    const text = Buffer.from(sharedData('oliverqueen14+WORLDBANK-APP/data/FP.CPI.TOTL.ZG.json')).toString()
    const items = [...parse(document(text.replaceAll('FP.CPI.TOTL.ZG', 'SL.UEM.TOTL.ZS')))]
    expect(rejectsOf(items)).toEqual([])
    expect(items).toHaveLength(4340)
    expect(summary(items)).toContainEqual([
      'AUS.unemployment.A.WB.SL.UEM.TOTL.ZS.percent.NSA',
      '2022',
      { rate: '6.59409671341846' },
    ])
  })
})
