import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { DocumentError, type Item, type Price } from '../../../../ingest/source.ts'
import { parseEcb } from '../../../../ingest/sources/ecb/parse.ts'
import { expectEveryCutRefused, expectToSurviveDamage } from '../../../support/damage.ts'
import { lineOf, testDocument } from '../../../support/documents.ts'

const fixture = (name: string): Uint8Array => readFileSync(resolve(import.meta.dirname, '../../../fixtures/ecb', name))
const parse = (bytes: Uint8Array | string): readonly Item[] => parseEcb(testDocument(bytes))
const prices = (items: readonly Item[]): Price[] => items.filter((item) => item.kind === 'price')
const envelope = (sender: string, rates: string) =>
  `<E:Envelope xmlns:E="x"><E:Sender><E:name>${sender}</E:name></E:Sender><Cube><Cube time="2026-01-02">${rates}</Cube></Cube></E:Envelope>`
const head = 'FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE'
/** A row of the wide CSV: rates of the dollar and of a made-up currency, and none of the others. */
const lasting = 'JPY,DKK,GBP,SEK,CHF,NOK,AUD,CAD,HKD,KRW,NZD,SGD,ZAR'
const wideHeader = `Date,USD,XYZ,${lasting}\n`
const wideRow = (row: string) => `${row}${',N/A'.repeat(13)}`
const of = (symbol: string, items: readonly Item[]): string[] =>
  prices(items)
    .filter((price) => price.symbol === symbol)
    .map(lineOf)

describe('ECB reference rates', () => {
  it('reads the daily CSV, whose date is in words and whose rows end in a comma', () => {
    const items = parse(fixture('eurofxref.csv'))
    expect(items).toHaveLength(29)
    expect(items[0]).toEqual({
      kind: 'price',
      symbol: 'EUR-USD',
      printed: '1.1684',
      observedAt: '2026-04-13T12:15:00.000Z',
      released: { on: '2026-04-13', basis: 'dataset' },
      location: 'line 2, USD',
    })
    // Zeros that end a rate are the publisher's own.
    expect(of('EUR-HUF', items)).toEqual(['EUR-HUF 366.90 2026-04-13T12:15:00.000Z'])
    expect(of('EUR-ZAR', items)).toEqual(['EUR-ZAR 19.3849 2026-04-13T12:15:00.000Z'])
  })

  it('reads the wide CSV oldest first, leaves out N/A, and observes at 14:15 of Frankfurt in winter and in summer', () => {
    const items = parse(fixture('eurofxref-hist.csv'))
    expect(of('EUR-USD', items)).toEqual([
      'EUR-USD 1.1789 1999-01-04T13:15:00.000Z',
      'EUR-USD 1.009 2000-01-03T13:15:00.000Z',
      'EUR-USD 1.175 2025-12-31T13:15:00.000Z',
      'EUR-USD 1.1517 2026-03-27T13:15:00.000Z',
      'EUR-USD 1.1484 2026-03-30T12:15:00.000Z',
      'EUR-USD 1.1684 2026-04-13T12:15:00.000Z',
    ])
    expect(of('EUR-CYP', items)).toHaveLength(2)
    expect(of('EUR-TRL', items)[0]).toBe('EUR-TRL 372274 1999-01-04T13:15:00.000Z')
    // Bulgaria's last rate before it took the euro.
    expect(of('EUR-BGN', items)).toEqual(['EUR-BGN 1.9558 2025-12-31T13:15:00.000Z'])
    // Every cell beside the dates that is not N/A is a price. A row ends in a comma.
    const cells = new TextDecoder()
      .decode(fixture('eurofxref-hist.csv'))
      .trim()
      .split('\n')
      .slice(1)
      .flatMap((row) => row.split(',').slice(1, -1))
    expect(
      prices(items)
        .map(({ printed }) => printed)
        .toSorted(),
    ).toEqual(cells.filter((cell) => cell !== 'N/A').toSorted())
    expect(items).toHaveLength(prices(items).length)
  })

  it('reads the same from the zip of the wide CSV', () => {
    const csv = fixture('eurofxref-hist.csv')
    expect(parse(zipSync({ 'eurofxref-hist.csv': csv }))).toEqual(parse(csv))
  })

  it('reads the XML of one day, with indents and single quotes', () => {
    const items = parse(fixture('eurofxref-daily.xml'))
    expect(items).toHaveLength(32)
    expect(prices(items)).toHaveLength(32)
    expect(of('EUR-USD', items)).toEqual(['EUR-USD 1.1790 2018-06-11T12:15:00.000Z'])
    expect(of('EUR-ZAR', items)).toEqual(['EUR-ZAR 15.4991 2018-06-11T12:15:00.000Z'])
  })

  it('reads the XML of several days, oldest first', () => {
    const items = parse(fixture('eurofxref-hist-90d.xml'))
    expect(items).toHaveLength(62)
    expect(of('EUR-ZAR', items)).toEqual([
      'EUR-ZAR 15.2793 2016-08-23T12:15:00.000Z',
      'EUR-ZAR 15.938 2016-08-24T12:15:00.000Z',
    ])
    expect(items[61]).toHaveProperty('location', 'day 1 (2016-08-24), rate 31')
  })

  it('reads the data API as CSV and as SDMX-ML, where NaN is a holiday', () => {
    expect(prices(parse(fixture('EXR.csv'))).map(lineOf)).toEqual([
      'EUR-GBP 0.83118 2025-01-02T13:15:00.000Z',
      'EUR-JPY 162.04 2025-01-02T13:15:00.000Z',
      'EUR-GBP 0.83358 2025-03-28T13:15:00.000Z',
      'EUR-JPY 162.64 2025-03-28T13:15:00.000Z',
      'EUR-GBP 0.83536 2025-03-31T12:15:00.000Z',
      'EUR-JPY 161.6 2025-03-31T12:15:00.000Z',
    ])
    expect(prices(parse(fixture('EXR.xml'))).map(lineOf)).toEqual([
      'EUR-USD 1.0046 1999-12-30T13:15:00.000Z',
      'EUR-USD 1.009 2000-01-03T13:15:00.000Z',
    ])
  })

  it('reads four columns of the data API only as its own answer, because they do not name the series', () => {
    const bytes = fixture('EXR-four-columns.csv')
    expect(() => parse(bytes)).toThrow(expect.objectContaining({ reason: 'unproven_dataset' }))
    const url = 'https://data-api.ecb.europa.eu/service/data/EXR/D..EUR.SP00.A?format=csvdata'
    const items = parseEcb({ ...testDocument(bytes), url })
    // The row without anything in it is the recording's last.
    expect(items[0]).toMatchObject({ kind: 'reject', reason: 'missing_currency', location: 'line 9', text: ',,,' })
    expect(prices(items).map(lineOf)).toEqual([
      'EUR-AUD 1.6618 2025-01-02T13:15:00.000Z',
      'EUR-AUD 1.6556 2025-01-03T13:15:00.000Z',
      'EUR-AUD 1.6555 2025-01-06T13:15:00.000Z',
      'EUR-BGN 1.9558 2025-12-30T13:15:00.000Z',
      'EUR-BGN 1.9558 2025-12-31T13:15:00.000Z',
      'EUR-SGD 1.4723 2026-03-17T13:15:00.000Z',
      'EUR-SGD 1.4734 2026-03-18T13:15:00.000Z',
    ])
  })

  it('reads rates of Good Friday and Easter Monday, as there were in 1999', () => {
    const row = (date: string) => `D,USD,EUR,SP00,A,${date},1.08\n`
    const items = parse(`${head}\n${row('1999-04-02')}${row('1999-04-05')}`)
    expect(prices(items).map(lineOf)).toEqual([
      'EUR-USD 1.08 1999-04-02T12:15:00.000Z',
      'EUR-USD 1.08 1999-04-05T12:15:00.000Z',
    ])
  })

  it('applies the unit multiplier of the data API', () => {
    const [item] = parse(`${head},UNIT_MULT\nD,ITL,EUR,SP00,A,1999-01-04,1.93627,3\n`)
    expect(item).toMatchObject({ symbol: 'EUR-ITL', printed: '1.93627', multiplier: '1000' })
  })
})

describe('bad rows are rejected, and the rest goes on', () => {
  const wide = (...rows: string[]) => parse(`${wideHeader}${rows.map(wideRow).join('\n')}\n`)
  const reasons = (items: readonly Item[]) =>
    items.map((item) => (item.kind === 'reject' ? `${item.reason} at ${item.location}` : lineOf(item as Price)))

  it.each([
    ['what is no decimal', '2026-01-02,1.1x,7', 'not_a_decimal at line 2, USD'],
    ['an empty cell', '2026-01-02,,7', 'not_a_decimal at line 2, USD'],
    ['zero', '2026-01-02,0.00,7', 'not_positive at line 2, USD'],
    ['a negative rate', '2026-01-02,-1.1,7', 'not_positive at line 2, USD'],
  ])('%s', (_, row, reject) => {
    expect(reasons(wide(row))).toEqual([reject, 'EUR-XYZ 7 2026-01-02T13:15:00.000Z'])
  })

  it('a day that the calendar has not, and a row with a cell too many', () => {
    const items = wide('2026-02-29,1.1,7', '2026-01-02,1.1,7,8', '2026-01-05,1.1,N/A')
    expect(reasons(items)).toEqual([
      'bad_date at line 2',
      'wrong_cell_count at line 3',
      'EUR-USD 1.1 2026-01-05T13:15:00.000Z',
    ])
    expect(items[0]).toHaveProperty('text', wideRow('2026-02-29,1.1,7'))
  })

  it.each([
    ['a Saturday', '2026-01-03'],
    ['a Sunday', '4 January 2026'],
  ])('%s, on which the ECB publishes no rates, in every format', (_, day) => {
    const date = day.replace('4 January 2026', '2026-01-04')
    const detail = `${date} is a Saturday or Sunday, and the ECB publishes reference rates on TARGET days only.`
    const table = wide(`${day},1.1,7`, '2026-01-05,1.1,N/A')
    expect(reasons(table)).toEqual(['bad_date at line 2', 'EUR-USD 1.1 2026-01-05T13:15:00.000Z'])
    const xml = envelope('European Central Bank', '<Cube currency="USD" rate="1.1"/>').replace('2026-01-02', date)
    const series = new TextDecoder().decode(fixture('EXR.xml')).replace('1999-12-30', date)
    const rows = `D,USD,EUR,SP00,A,${date},1.1\n`
    const all = [table, parse(xml), parse(`${head}\n${rows}`), parse(series)]
    expect(all.map(([first]) => first)).toMatchObject(all.map(() => ({ kind: 'reject', reason: 'bad_date', detail })))
  })

  it('a rate that the message deletes, which was taken for one', () => {
    const rows = 'D,USD,EUR,SP00,A,2026-01-02,1.1,D\nD,USD,EUR,SP00,A,2026-01-05,1.2,R\n'
    expect(reasons(parse(`${head},ACTION\n${rows}`))).toEqual([
      'deletion_not_read at line 2',
      'EUR-USD 1.2 2026-01-05T13:15:00.000Z',
    ])
    const xml = new TextDecoder().decode(fixture('EXR.xml'))
    const ofHeader = xml
      .replace('</message:Header>', '<message:DataSetAction>Delete</message:DataSetAction></message:Header>')
      .replace(' action="Replace"', '')
    for (const deleting of [xml.replace('"Replace"', '"Delete"'), ofHeader])
      expect(reasons(parse(deleting))[0]).toBe('deletion_not_read at series 1, observation 1')
  })

  it('in XML, with the element as it came', () => {
    const items = parse(envelope('European Central Bank', '<Cube currency="USD" rate="?"/><Cube rate=\'2\'/>'))
    expect(items).toMatchObject([
      { reason: 'not_a_decimal', location: 'day 1 (2026-01-02), rate 1', text: '<Cube currency="USD" rate="?"/>' },
      { reason: 'missing_currency', location: 'day 1 (2026-01-02), rate 2', text: "<Cube rate='2'/>" },
    ])
  })

  it.each([
    ['F', 'forecast'],
    ['M', 'marked_missing'],
    ['H', 'marked_missing'],
  ])('a value of the data API with the status %s, which was taken for a rate', (status, reason) => {
    const rows = `D,USD,EUR,SP00,A,2026-01-02,1.1,${status}\nD,USD,EUR,SP00,A,2026-01-05,1.2,A\n`
    const items = parse(`${head},OBS_STATUS\n${rows}`)
    expect(reasons(items)).toEqual([`${reason} at line 2`, 'EUR-USD 1.2 2026-01-05T13:15:00.000Z'])
    expect(items[0]).toHaveProperty('detail', expect.stringContaining(`OBS_STATUS of the value 1.1 is "${status}"`))
    const xml = new TextDecoder().decode(fixture('EXR.xml'))
    expect(reasons(parse(xml.replace('id="OBS_STATUS" value="A"', `id="OBS_STATUS" value="${status}"`)))).toEqual([
      `${reason} at series 1, observation 1`,
      'EUR-USD 1.009 2000-01-03T13:15:00.000Z',
    ])
  })

  it('no value that is provisional, or of a holiday without a rate', () => {
    const rows = 'D,USD,EUR,SP00,A,2026-01-01,NaN,H\nD,USD,EUR,SP00,A,2026-01-02,1.1,P\n'
    expect(reasons(parse(`${head},OBS_STATUS\n${rows}`))).toEqual(['EUR-USD 1.1 2026-01-02T13:15:00.000Z'])
  })

  it('monthly averages, which are no reference rates', () => {
    expect(reasons(parse(fixture('EXR-monthly.xml')))).toEqual(
      [1, 2, 3].map((n) => `not_a_reference_rate at series 1, observation ${n}`),
    )
  })

  it('a series that is no reference rate', () => {
    const rows = ['M,USD,EUR,SP00,A,2026-01,1.1', 'D,E5,EUR,EN00,A,2026-01-02,98.1', 'D,USD,,SP00,A,2026-01-02,4.02']
    expect(reasons(parse(`${head}\n${rows.join('\n')}\n`))).toEqual([
      'not_a_reference_rate at line 2',
      'not_a_reference_rate at line 3',
      'not_a_reference_rate at line 4',
    ])
  })
})

describe('a document that is not usable is refused whole', () => {
  it.each([
    ['another CSV', 'a,b\n1,2\n', 'missing_column'],
    [
      'CSV of another dataflow',
      'KEY,FREQ,REF_AREA,CURRENCY,TIME_PERIOD,OBS_VALUE\nFM.M.U2.EUR.4F.KR,M,U2,EUR,2026-01,2.15\n',
      'wrong_dataset',
    ],
    ['CSV without a currency', 'FREQ,REF_AREA,TIME_PERIOD,OBS_VALUE\nM,U2,2026-01,2.1\n', 'wrong_dataset'],
    ['another XML', '<html></html>', 'unknown_format'],
    ['no rates', wideHeader, 'empty'],
    ['a CSV that begins with Date', 'Date,Open,High,Low,Close\n2026-01-02,1,2,3,4\n', 'unproven_dataset'],
    ['rates of some currencies', 'Date,USD,GBP\n2026-01-02,4.02,5.1\n', 'unproven_dataset'],
    ['rates that have the euro', `Date,EUR,USD,${lasting}\n`, 'unproven_dataset'],
    [
      'daily data without a denominator',
      'FREQ,CURRENCY,TIME_PERIOD,OBS_VALUE\nD,USD,2026-01-02,4.02\n',
      'unproven_dataset',
    ],
    ['rates of another bank', envelope('Bank of Elsewhere', ''), 'unproven_dataset'],
    ['a column twice', 'Date,USD,USD\n2026-01-02,1,2\n', 'duplicate_column'],
    ['a document type', '<!DOCTYPE x [<!ENTITY a "b">]><Envelope/>', 'malformed_xml'],
    ['UTF-16', Buffer.from('\ufeffDate,USD\n2026-01-02,1\n', 'utf16le'), 'wrong_encoding'],
    ['Latin-1', Buffer.from('Date,USD\n2 M\xe4rz 2026,1\n', 'latin1'), 'wrong_encoding'],
    ['a zip of two tables', zipSync({ 'a.csv': strToU8('Date\n'), 'b.csv': strToU8('Date\n') }), 'not_one_csv'],
  ])('%s', (_, bytes, reason) => {
    expect(() => parse(bytes)).toThrow(expect.objectContaining({ reason }))
  })

  it('a message of a kind that is not read, with what to take instead', () => {
    const messages = 'http://www.SDMX.org/resources/SDMXML/schemas/v2_0/message'
    expect(() => parse(`<MessageGroup xmlns="${messages}"><DataSet/></MessageGroup>`)).toThrow(
      expect.objectContaining({
        reason: 'unknown_format',
        message: expect.stringMatching(
          /^The root element is MessageGroup, .* Take the same rates as generic data or CSV/,
        ),
      }),
    )
  })

  it.each([
    [
      'another dataflow',
      [
        ['FREQ', 'M'],
        ['REF_AREA', 'U2'],
        ['CURRENCY', 'EUR'],
        ['PROVIDER_FM', '4F'],
      ],
    ],
    [
      'rates of another bank',
      [
        ['FREQ', 'B'],
        ['BASE_CUR', 'USD'],
        ['QUOTE_CUR', 'NOK'],
        ['TENOR', 'SP'],
      ],
    ],
  ])('generic data of %s, once and by its key', (_, key) => {
    const values = key.map(([id, value]) => `<Value id="${id}" value="${value}"/>`).join('')
    const obs = '<Obs><ObsDimension value="2026-01"/><ObsValue value="1.5"/></Obs>'
    const bytes = `<GenericData><DataSet><Series><SeriesKey>${values}</SeriesKey>${obs.repeat(3)}</Series></DataSet></GenericData>`
    const stated = key.map((pair) => pair.join('=')).join(' ')
    expect(() => parse(bytes)).toThrow(
      expect.objectContaining({
        reason: 'wrong_dataset',
        message: expect.stringContaining(`The first series is ${stated}, no exchange rate of the ECB`),
      }),
    )
  })

  it('a zip that says it unpacks to more than 64 MiB, without unpacking it', () => {
    const bomb = Buffer.from(zipSync({ 'eurofxref-hist.csv': fixture('eurofxref-hist.csv') }))
    bomb.writeUInt32LE(64 * 1024 * 1024 + 1, bomb.indexOf('PK\x01\x02') + 24)
    expect(() => parse(bomb)).toThrow(expect.objectContaining({ reason: 'too_large' }))
  })

  it.each(['eurofxref-hist-90d.xml', 'EXR.xml'])('%s, cut anywhere', (name) => {
    const whole = Buffer.from(new TextDecoder().decode(fixture(name)).trimEnd())
    expectEveryCutRefused(parseEcb, whole)
  })

  it('a zip, cut anywhere', () => {
    expectEveryCutRefused(parseEcb, zipSync({ 'eurofxref-hist.csv': fixture('eurofxref-hist.csv') }))
  })

  it('a CSV that is cut within a row', () => {
    const whole = fixture('eurofxref-hist.csv')
    expectEveryCutRefused(parseEcb, whole.slice(0, whole.indexOf(10, 400)))
  })
})

it.each(['eurofxref.csv', 'eurofxref-hist.csv', 'eurofxref-hist-90d.xml', 'EXR.csv', 'EXR.xml'])(
  '%s survives damage',
  (name) => expectToSurviveDamage(parseEcb, fixture(name), 200),
)
it('the zip survives damage, and no changed figure passes its checksum', () => {
  const whole = zipSync({ 'eurofxref-hist.csv': fixture('eurofxref-hist.csv') })
  const expected = parse(whole)
  expectToSurviveDamage(
    (document) => {
      const items = parseEcb(document)
      expect(items).toEqual(expected)
      return items
    },
    whole,
    300,
  )
})

it('faults of a document are DocumentErrors, so that they can be put into quarantine', () => {
  expect(() => parse('')).toThrow(DocumentError)
})
