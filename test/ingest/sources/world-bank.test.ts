import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { worldBank } from '../../../ingest/sources/world-bank/index.ts'
import { altered, document, figuresOf, fixture, rejectsOf, summary } from './fixture.ts'

const { parse } = worldBank()
const name = 'world-bank/exports.json'
const id = (country: string) => `${country}.trade-exports.A.WB.TX.VAL.MRCH.CD.WT.USD.NSA`

describe('World Bank exports', () => {
  it('are annual figures of countries, in whole dollars', () => {
    const items = [...parse(fixture(name))]
    expect(summary(items)).toEqual([
      [id('FRA'), '2020', { value: '500000000000' }],
      [id('FRA'), '2021', { value: '585000000000' }],
      [id('SGP'), '2020', { value: '362000000000' }],
    ])
    expect(rejectsOf(items)).toEqual([])
    expect(figuresOf(items)[1]).toMatchObject({
      figures: { value: { printed: '585000000000.00012' } },
      released: { on: '2024-03-28', basis: 'dataset' },
      location: 'rows[2]',
    })
  })

  it('that have become null are stated as missing on the day of the update', () => {
    const items = [...parse(altered(name, '"value":500000000000', '"value":null'))]
    expect(items.filter(({ kind }) => kind === 'missing')).toContainEqual({
      kind: 'missing',
      series: expect.objectContaining({ id: id('FRA') }),
      period: '2020',
      released: { on: '2024-03-28', basis: 'dataset' },
      location: 'rows[3]',
    })
  })

  it.each([
    ['countries', { id: 'ABW', iso2Code: 'AW', name: 'Aruba' }, 'id, iso2Code, name'],
    ['indicators', { id: '1.0', name: 'Poverty', unit: '' }, 'id, name, unit'],
  ])('are not in a list of %s, and the refusal says so', (_, row, members) => {
    const list = document(JSON.stringify([{ page: 1, pages: 1, per_page: '50', total: 1 }, [row]]))
    const detail = `a list of the World Bank's API, whose rows have ${members}, and no figures. Those are at https://`
    expect(() => [...parse(list)]).toThrow(
      expect.objectContaining({ reason: 'no_data_message', message: expect.stringContaining(detail) }),
    )
  })

  it('are refused if the indicator has no rows', () => {
    const none = document('[{"page":0,"pages":0,"per_page":0,"total":0,"lastupdated":"2024-03-28"},null]')
    expect(() => [...parse(none)]).toThrow(expect.objectContaining({ reason: 'empty' }))
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
      'another unit in its title',
      '(current US$)"},"country":{"id":"SG","value":"Singapore"},"countryiso3code":"SGP","date":"2020"',
      '(constant LCU)"},"country":{"id":"SG","value":"Singapore"},"countryiso3code":"SGP","date":"2020"',
      'unknown_unit',
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

describe('the status of a World Bank row', () => {
  const row = '"SGP","date":"2020","value":3.62E+11,"unit":"","obs_status":"'
  const withStatus = (status: string) => [...parse(altered(name, `${row}"`, `${row}${status}"`))]

  it.each([
    ['F', 'forecast'],
    ['M', 'marked_missing'],
    ['L', 'marked_missing'],
  ])('%s is no published figure, which was served as one', (status, reason) => {
    const items = withStatus(status)
    expect(rejectsOf(items)).toMatchObject([
      { reason, detail: expect.stringContaining(`obs_status of the value 3.62E+11 is "${status}"`) },
    ])
    expect(figuresOf(items)).toHaveLength(2)
  })

  it.each(['A', 'E', 'P', 'B'])('%s is that of a figure', (status) => {
    expect(withStatus(status)).toEqual([...parse(fixture(name))])
  })

  it('matters only with a value and for a country', () => {
    const text = new TextDecoder().decode(fixture(name).bytes)
    const marked = text
      .replace(/("value":null,.*?"obs_status":")"/g, '$1M"')
      .replace(/("id":"1W".*?"obs_status":")"/g, '$1F"')
    expect(marked).not.toBe(text)
    expect([...parse(document(marked))]).toEqual([...parse(fixture(name))])
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
    ['with an update on no day', altered(name, '2024-03-28', '2024-03-32'), 'bad_date'],
    ['of another shape', document('{"page":1}'), 'malformed_document'],
    ['without counts', altered(name, '"total":7', '"total":"all"'), 'malformed_document'],
    ['that is a page of HTML', document('<!DOCTYPE html><html></html>'), 'malformed_json'],
  ])('%s', (_, refused, reason) => {
    expect(() => [...parse(refused)]).toThrow(expect.objectContaining({ name: 'DocumentError', reason }))
  })
})

describe('a World Bank answer about all areas', () => {
  const inflation = 'world-bank/inflation.json'

  it('is refused if the indicator is not read, and what is read is named', () => {
    expect(() => [...parse(fixture(inflation))]).toThrow(
      /is not read; these are: SL\.UEM\.TOTL\.ZS, .*TM\.VAL\.MRCH\.CD\.WT\./,
    )
  })

  it('names only countries and known aggregates', () => {
    const text = new TextDecoder().decode(fixture(inflation).bytes)
    const items = [...parse(document(text.replaceAll('FP.CPI.TOTL.ZG', 'SL.UEM.TOTL.ZS')))]
    expect(rejectsOf(items)).toEqual([])
    expect(figuresOf(items)).toHaveLength(92)
    expect(summary(items)).toContainEqual([
      'AUS.unemployment.A.WB.SL.UEM.TOTL.ZS.percent.NSA',
      '2022',
      { rate: '6.59409671341846' },
    ])
  })
})

describe('a CSV download of the World Bank', () => {
  const download = 'world-bank/API_JPN_DS2_en_csv_v2.csv'
  const PARTICIPATION = 'SL.TLF.CACT.NE.ZS'
  const EXPORTS = 'TX.VAL.MRCH.CD.WT'
  const participation = `JPN.labour-force-participation.A.WB.${PARTICIPATION}.percent.NSA`

  it('gives the years of the indicators that are read, dated by its last update', () => {
    const items = [...parse(fixture(download))]
    expect(items).toHaveLength(130)
    expect(summary(items)).toContainEqual([participation, '1960', { rate: '69.2' }])
    expect(summary(items)).toContainEqual([participation, '2024', { rate: '63.3' }])
    expect(summary(items)).toContainEqual([id('JPN'), '2024', { value: '707028000000' }])
    expect(figuresOf(items)[0]).toMatchObject({
      released: { on: '2025-10-07', basis: 'dataset' },
      location: 'line 7, 1960',
    })
  })

  it('gives of several indicators the one that is asked for', () => {
    const items = [...parse(fixture(download, { dataset: PARTICIPATION }))]
    expect(new Set(summary(items).map(([id]) => id))).toEqual(new Set([participation]))
  })

  it('skips groups of countries, and rejects what it does not know', () => {
    const of = (area: string) => [
      ...parse(altered(download, '"JPN","Labor', `"${area}","Labor`, { dataset: PARTICIPATION })),
    ]
    expect(of('EUU')).toEqual([])
    expect(rejectsOf(of('JAP'))).toMatchObject([{ reason: 'unknown_country', location: 'line 7' }])
    const value = altered(download, '"62.053"', '"62,053"', { dataset: PARTICIPATION })
    expect(rejectsOf(parse(value))).toMatchObject([{ reason: 'not_a_decimal', location: 'line 7, 2021' }])
  })

  it('rejects another unit in the name of an indicator', () => {
    const items = parse(altered(download, '(current US$)","TX.', '(constant LCU)","TX.', { dataset: EXPORTS }))
    expect(rejectsOf([...items])[0]).toMatchObject({
      reason: 'unknown_unit',
      location: expect.stringContaining('line '),
    })
  })

  it('takes no figure that it states twice and differently', () => {
    const text = Buffer.from(fixture(download).bytes).toString()
    const row = text.split('\n').find((line) => line.includes(`"${PARTICIPATION}"`)) ?? ''
    const items = [...parse(document(`${text}${row.replace('"69.2"', '"68.2"')}\n`, { dataset: PARTICIPATION }))]
    expect(rejectsOf(items)[0]).toMatchObject({ reason: 'stated_twice' })
    expect(summary(items).map(([, period]) => period)).not.toContain('1960')
  })

  it('is read in the archive in which it comes', () => {
    const files = { 'API_JPN_DS2_en_csv_v2.csv': fixture(download).bytes, 'Metadata_Country.csv': Buffer.from('"a"\n') }
    expect([...parse(document(zipSync(files)))]).toEqual([...parse(fixture(download))])
    const two = zipSync({ ...files, 'API_FRA_DS2_en_csv_v2.csv': fixture(download).bytes })
    expect(() => [...parse(document(two))]).toThrow(expect.objectContaining({ reason: 'not_one_csv' }))
  })

  it.each([
    ['of another database', '"World Development Indicators"', '"Gender Statistics"', 'dataset_not_supported', 'Gender'],
    ['without the day of its update', '"2025-10-07"', '"October 2025"', 'bad_date', 'October 2025'],
    ['without its indicators’ codes', '"Indicator Code"', '"Code"', 'missing_column', 'Indicator Code'],
    ['without its header', '"Country Name","Country Code"', '"Name","Country Code"', 'missing_column', 'Country Name'],
    ['with one year twice', '"2024",', '"2023",', 'duplicate_column', '2023'],
    [
      'of no indicator that is read',
      `"${PARTICIPATION}"`,
      '"SL.TLF.CACT.MA.NE.ZS"',
      'dataset_not_supported',
      PARTICIPATION,
    ],
  ])('%s is refused', (_, from, to, reason, detail) => {
    expect(() => [...parse(altered(download, from, to, { dataset: PARTICIPATION }))]).toThrow(
      expect.objectContaining({ name: 'DocumentError', reason, message: expect.stringContaining(detail) }),
    )
  })
})
