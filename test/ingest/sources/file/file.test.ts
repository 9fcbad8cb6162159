import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FEED, SIMULATOR } from '../../../../contracts/instruments.ts'
import type { Item } from '../../../../ingest/source.ts'
import { file } from '../../../../ingest/sources/file/index.ts'
import { memberNames } from '../../../../ingest/sources/file/members.ts'
import { parseFile } from '../../../../ingest/sources/file/parse.ts'
import { expectEveryCutRefused, expectToSurviveDamage } from '../../../support/damage.ts'
import { allDocuments, testDocument } from '../../../support/documents.ts'
import { temporaryDirectory } from '../../../support/journal.ts'
import { publisher } from '../../../support/publisher.ts'

const parse = (text: string): readonly Item[] => parseFile(testDocument(text))
const linesOf = (items: readonly Item[]): string[] =>
  items.map((item) => {
    if (item.kind === 'reject') return `${item.reason} at ${item.location}: ${item.detail}`
    if (item.kind === 'price') return `${item.symbol} ${item.printed} ${item.observedAt}`
    if (item.kind === 'missing') return `missing at ${item.location}`
    const { series, period, figures, released } = item
    const printed = Object.entries(figures).map(([name, { printed }]) => `${name}=${printed}`)
    return [series.id, period, ...printed, released ? `${released.on} (${released.basis})` : 'undated'].join(' ')
  })

const provenance = { publisher: 'Office of Examples', licence: 'CC0', url: 'https://example.org/cpi' }
const cpi = {
  ...provenance,
  source: 'EXAMPLE',
  dataset: 'CPI_1',
  indicator: 'cpi',
  country: 'AUS',
  unit: 'index',
  base_period: '2015',
  base_value: '100',
  seasonal_adjustment: 'not_seasonally_adjusted',
}
const csv = (kind: string, head: Readonly<Record<string, string>>, ...rows: string[]): string =>
  [`# almanac: ${kind}`, ...Object.entries(head).map(([name, value]) => `# ${name}: ${value}`), ...rows, ''].join('\n')
const without = (head: Readonly<Record<string, string>>, ...names: string[]) =>
  Object.fromEntries(Object.entries(head).filter(([name]) => !names.includes(name)))

describe('figures', () => {
  it('reads a CSV: what stands in the head counts for every row', () => {
    const items = parse(
      csv('figures 1', { ...cpi, last_updated: '2026-09-30' }, 'period,value', '2026-07,131.20', '2026-08,131.5'),
    )
    expect(items[0]).toEqual({
      kind: 'figure',
      series: {
        id: 'AUS.cpi.M.EXAMPLE.CPI_1.index.NSA.2015=100',
        indicator: 'cpi',
        country: 'AUS',
        frequency: 'M',
        source: 'EXAMPLE',
        dataset: 'CPI_1',
        unit: 'index',
        seasonal_adjustment: 'not_seasonally_adjusted',
        annualization: 'not_annualized',
        base_period: '2015',
        base_value: '100',
        derivation: '',
      },
      period: '2026-07',
      figures: { value: { printed: '131.20' } },
      released: { on: '2026-09-30', basis: 'dataset' },
      location: 'line 15',
      origin: { retrievedAt: null, sha256: null, copy: null },
    })
    expect(items).toHaveLength(2)
  })

  it('reads the same from NDJSON, numbers by their source text', () => {
    const lines = [
      { almanac: 'figures 1', ...without(cpi, 'country') },
      { country: 'AUS', period: '2026-07' },
    ]
    const head = JSON.stringify(lines[0])
    const items = parse(
      `${head}\n{"country":"AUS","period":"2026-07","value":131.20}\n\n{"country":"NZL","period":"2026-07","value":"9","released_on":null}\n`,
    )
    expect(linesOf(items)).toEqual([
      'AUS.cpi.M.EXAMPLE.CPI_1.index.NSA.2015=100 2026-07 value=131.20 undated',
      'NZL.cpi.M.EXAMPLE.CPI_1.index.NSA.2015=100 2026-07 value=9 undated',
    ])
    expect(items[1]).toHaveProperty('location', 'line 4')
  })

  it('reads several series, quoted cells, Windows line ends and a byte order mark', () => {
    const head = without(cpi, 'indicator', 'unit', 'base_period', 'base_value', 'dataset')
    const text = csv(
      'figures 1',
      { ...head, multiplier: '1000000', decimals: '0' },
      'dataset,indicator,unit,period,value,rate,base_period,base_value',
      'A,gdp,AUD,2026-Q1,"667,1",,,',
      'B,gdp,AUD,2026-Q1,667.1,,,',
      'B,gdp-volume,index,2026-Q1,101.1,,2015,100',
      'C,unemployment,percent,2025,,4.1,,',
    )
    expect(linesOf(parse(`\ufeff${text.replaceAll('\n', '\r\n')}`))).toEqual([
      'not_a_decimal at line 11: AUS gdp 2026-Q1: value is "667,1".',
      'AUS.unemployment.A.EXAMPLE.C.percent.NSA 2025 rate=4.1 undated',
      'AUS.gdp.Q.EXAMPLE.B.AUD.NSA 2026-Q1 value=667.1 undated',
      'AUS.gdp-volume.Q.EXAMPLE.B.index.NSA.2015=100 2026-Q1 value=101.1 undated',
    ])
  })

  it('reads where the figures of a row were taken from', () => {
    const taken = { copy_holder: 'github.com/a/b', copy_date: '2026-09-01', retrieved_at: '2026-08-31T10:00:00+02:00' }
    const text = csv(
      'figures 1',
      { ...cpi, ...taken },
      'period,value,released_on,copy_transcribed,sha256',
      `2026-06,1,,,${'b'.repeat(64)}`,
      '2026-07,2,2026-08-26,yes,',
    )
    const copy = { holder: 'github.com/a/b', url: null, revision: null, held_on: '2026-09-01' }
    const retrievedAt = '2026-08-31T08:00:00.000Z'
    expect(parse(text)).toMatchObject([
      {
        released: { on: '2026-08-26', basis: 'publisher' },
        origin: { retrievedAt, sha256: null, copy: { ...copy, is_transcribed: true } },
      },
      {
        released: { on: '2026-09-01', basis: 'copy' },
        origin: { retrievedAt, sha256: 'b'.repeat(64), copy: { ...copy, is_transcribed: false } },
      },
    ])
  })

  it.each([
    [{ copy_date: '2026-09-01' }, 'missing_member at line 15, copy_holder: copy_date needs copy_holder'],
    [{ retrieved_at: '2026-08-31' }, 'bad_date at line 15, retrieved_at: retrieved_at is "2026-08-31"'],
  ])('rejects rows whose origin is %s', (taken, reject) => {
    const items = parse(csv('figures 1', { ...cpi, ...taken }, 'period,value', '2026-07,1'))
    expect(linesOf(items)[0]).toContain(reject)
  })

  it.each([
    ['sha256', 'ABC'],
    ['copy_url', 'javascript:alert(1)'],
    ['copy_transcribed', 'maybe'],
    ['copy_date', '2026'],
  ])('refuses a file whose %s is %s', (member, value) => {
    const head = { ...cpi, copy_holder: 'github.com/a/b', [member]: value }
    expect(() => parse(csv('figures 1', head, 'period,value', '2026-07,1'))).toThrow(
      expect.objectContaining({ reason: 'bad_member', location: `line 14, ${member}` }),
    )
  })

  it('gives vintages of a period by date of release, whatever their order', () => {
    const rows = ['2026-07,132,', '2026-07,131.9,2026-10-28', '2026-07,131.2,2026-08-26', '2026-08,131.5,2026-09-30']
    expect(
      linesOf(parse(csv('figures 1', cpi, 'period,value,released_on', ...rows))).map((line) => line.slice(43)),
    ).toEqual([
      '2026-07 value=131.2 2026-08-26 (publisher)',
      '2026-08 value=131.5 2026-09-30 (publisher)',
      '2026-07 value=131.9 2026-10-28 (publisher)',
      '2026-07 value=132 undated',
    ])
  })

  it.each([
    [
      '2026-13,1',
      'bad_period at line 14, period: period "2026-13" is not a year, month or quarter (2025, 2026-09, 2026-Q3).',
    ],
    ['2026-07,n/a', 'not_a_decimal at line 14: AUS cpi 2026-07: value is "n/a".'],
    ['2026-07,', 'missing_member at line 14, value: The row has no figure.'],
    [',1', 'missing_member at line 14, period: period is missing.'],
    ['2026-07', 'wrong_cell_count at line 14: The row has 1 cells, the header 2.'],
  ])('rejects the row %s and goes on', (row, reject) => {
    const items = parse(csv('figures 1', cpi, 'period,value', row, '2026-08,2'))
    expect(linesOf(items)).toEqual([reject, 'AUS.cpi.M.EXAMPLE.CPI_1.index.NSA.2015=100 2026-08 value=2 undated'])
    expect(items[0]).toHaveProperty('text', row)
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', 'vbscript:x', 'blob:x', 'JavaScript:x', 'https:', 'https:///x'])(
    'refuses a file whose address is %s',
    (url) => {
      expect(() => parse(csv('figures 1', { ...cpi, url }, 'period,value', '2026-08,2'))).toThrow(
        expect.objectContaining({ reason: 'bad_member', location: 'line 4, url' }),
      )
    },
  )

  it.each([
    ['country', 'XYZ', 'unknown_country at line 13, country: country is "XYZ", which ISO 3166-1 does not have.'],
    [
      'country',
      'Fr',
      'unknown_country at line 13, country: country is "Fr"; it must be: ISO 3166-1 alpha-3 country code.',
    ],
    ['indicator', 'gnp', 'bad_member at line 13, indicator: indicator is "gnp"; it must be: One of cpi, inflation, '],
    [
      'unit',
      'percent',
      'bad_member at line 13, base_period: base_period and base_value belong to the unit index, base_period alone to a gdp-volume, and to no other.',
    ],
    [
      'base_period',
      '',
      'bad_member at line 13, base_period: base_period and base_value belong to the unit index, base_period alone to a gdp-volume, and to no other.',
    ],
    ['source', 'abs', 'bad_member at line 13, source: source is "abs"; it must be: Agency code, e.g. ABS.'],
    ['dataset', 'C P I', 'bad_member at line 13, dataset: dataset is "C P I"; it must be: Dataset code'],
  ])('rejects a row whose %s is %j', (name, value, reject) => {
    expect(linesOf(parse(csv('figures 1', without(cpi, name), `${name},period,value`, `${value},2026-08,2`)))).toEqual([
      expect.stringContaining(reject),
    ])
  })

  it('reads the year whose prices a volume has, which makes it a series of its own', () => {
    const volume = { ...without(cpi, 'base_period', 'base_value'), indicator: 'gdp-volume', unit: 'EUR' }
    const rows = ['base_period,period,value', '2020,2026-Q1,1', ',2026-Q1,1']
    expect(linesOf(parse(csv('figures 1', volume, ...rows)))).toEqual([
      'AUS.gdp-volume.Q.EXAMPLE.CPI_1.EUR.NSA.2020 2026-Q1 value=1 undated',
      'AUS.gdp-volume.Q.EXAMPLE.CPI_1.EUR.NSA 2026-Q1 value=1 undated',
    ])
    expect(
      linesOf(
        parse(csv('figures 1', { ...volume, base_value: '100' }, 'base_period,period,value', '2020,2026-Q1,1')),
      )[0],
    ).toMatch(/^bad_member at line 13, base_period/)
  })

  it('rejects an NDJSON line that is cut, that says a member of the head again, or that has one unknown', () => {
    const head = JSON.stringify({ almanac: 'figures 1', ...cpi })
    const lines = [
      '{"period":"2026-0',
      '{"period":"2026-07","country":"NZL"}',
      '{"period":"2026-07","toString":"1"}',
      '[]',
      '{"period":[],"value":1}',
    ]
    expect(linesOf(parse(`${head}\n${lines.join('\n')}\n`)).map((line) => line.split(': ')[0])).toEqual([
      'malformed_json at line 2',
      'duplicate_member at line 3, country',
      'unknown_member at line 4, toString',
      'malformed_json at line 5',
      'bad_member at line 6, period',
    ])
  })
})

it('the page on the format has an example that can be read, and names every member', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../../docs/series-file.md'), 'utf8')
  const example = /```\n([^`]*)```/.exec(page)?.[1] ?? ''
  expect(parse(example).map(({ kind }) => kind)).toEqual(['figure', 'figure'])
  for (const name of new Set([...memberNames('figures 1'), ...memberNames('prices 1')]))
    expect(page).toContain(`\`${name}\``)
})

it.each([FEED, SIMULATOR])('refuses prices of the source %s, which is written by a feed alone', (source) => {
  const text = csv('prices 1', { ...provenance, source }, 'symbol,price,observed_at', 'XAU-USD,4012.50,2026-09-30')
  expect(() => parse(text)).toThrow(`source is "${source}"; it must be: Agency code, e.g. ABS.`)
})

describe('prices', () => {
  const head = { ...provenance, source: 'EXAMPLE' }
  const prices = (...rows: string[]) => linesOf(parse(csv('prices 1', head, 'symbol,price,observed_at', ...rows)))

  it('reads them oldest first; a date is the end of its day, an instant is itself', () => {
    expect(
      prices(
        'XAU-USD,4012.50,2026-09-30',
        'EUR-USD,1.1,2026-09-30T14:15:00+02:00',
        'XAU-USD,4000,2026-09-29T23:59:60Z'.replace(':60', ':59.5'),
      ),
    ).toEqual([
      'XAU-USD 4000 2026-09-29T23:59:59.500Z',
      'EUR-USD 1.1 2026-09-30T12:15:00.000Z',
      'XAU-USD 4012.50 2026-09-30T23:59:59.999Z',
    ])
  })

  it.each([
    ['XAU-USD,1,2026-02-30', 'bad_date at line 7, observed_at'],
    ['XAU-USD,1,2026-02-03T25:00:00Z', 'bad_date at line 7, observed_at'],
    ['XAU-USD,1,2026-02-03T12:00:00', 'bad_date at line 7, observed_at'],
    ['XAUUSD,1,2026-02-03', 'bad_member at line 7, symbol'],
    ['XAU-USD,-1,2026-02-03', 'not_positive at line 7'],
    ['XAU-USD,1.2.3,2026-02-03', 'not_a_decimal at line 7'],
  ])('rejects %s', (row, reject) => {
    expect(prices(row)).toEqual([expect.stringContaining(`${reject}: `)])
  })

  it('applies a multiplier', () => {
    const items = parse(
      csv('prices 1', { ...head, multiplier: '1000' }, 'symbol,price,observed_at', 'TIN-USD,35,2026-09-30'),
    )
    expect(items).toMatchObject([{ printed: '35', multiplier: '1000' }])
  })
})

describe('a file that is not usable is refused whole, with line and member', () => {
  const rows = ['period,value', '2026-07,1']
  const json = (head: object) => `${JSON.stringify(head)}\n{"period":"2026-07","value":1}\n`
  it.each([
    ['no head', 'period,value\n2026-07,1\n', 'unknown_format', 'line 1'],
    ['a later version', csv('figures 2', cpi, ...rows), 'unknown_format', 'line 1'],
    ['no such thing', csv('toString', cpi, ...rows), 'unknown_format', 'line 1'],
    [
      'a kind that is not first',
      csv('figures 1', cpi, ...rows).replace(/(.*)\n(.*)\n/, '$2\n$1\n'),
      'unknown_format',
      'line 1',
    ],
    ['a line that says nothing', csv('figures 1', cpi, '# hello', ...rows), 'bad_head', 'line 13'],
    ['an unknown member', csv('figures 1', { ...cpi, colour: 'red' }, ...rows), 'unknown_member', 'line 13, colour'],
    ['__proto__', csv('figures 1', cpi, '# __proto__: x', ...rows), 'unknown_member', 'line 13, __proto__'],
    ['a member twice', csv('figures 1', cpi, '# unit: percent', ...rows), 'duplicate_member', 'line 13, unit'],
    ['a bad member', csv('figures 1', { ...cpi, country: 'Australia' }, ...rows), 'unknown_country', 'line 8, country'],
    ['no publisher', csv('figures 1', without(cpi, 'publisher'), ...rows), 'missing_member', 'line 11, publisher'],
    ['no unit anywhere', csv('figures 1', without(cpi, 'unit'), ...rows), 'missing_member', 'line 12, unit'],
    ['an unknown column', csv('figures 1', cpi, 'period,value,note', '2026-07,1,'), 'unknown_member', 'line 13, note'],
    [
      'a column twice',
      csv('figures 1', cpi, 'period,value,value', '2026-07,1,1'),
      'duplicate_member',
      'line 13, value',
    ],
    [
      'a column of the head',
      csv('figures 1', cpi, 'period,value,unit', '2026-07,1,x'),
      'duplicate_member',
      'line 13, unit',
    ],
    [
      'a licence a row',
      csv('figures 1', without(cpi, 'licence'), 'period,value,licence', '2026-07,1,x'),
      'missing_member',
      'line 11, licence',
    ],
    ['rows as a column', csv('figures 1', cpi, 'period,value,rows', '2026-07,1,1'), 'bad_member', 'line 13, rows'],
    ['no header row', csv('figures 1', cpi), 'missing_member', 'line 13, period'],
    ['no rows', csv('figures 1', cpi, 'period,value'), 'empty', ''],
    ['fewer rows than it says', csv('figures 1', { ...cpi, rows: '2' }, ...rows), 'truncated', 'rows'],
    ['no line end', csv('figures 1', cpi, ...rows).trimEnd(), 'truncated', ''],
    ['a quote that stays open', csv('figures 1', cpi, 'period,value', '2026-07,"1'), 'malformed_csv', 'line 14'],
    ['a broken JSON head', '{"almanac":"figures 1",\n', 'malformed_json', 'line 1'],
    [
      'a bad member in a JSON head',
      json({ almanac: 'figures 1', ...cpi, decimals: -1 }),
      'bad_member',
      'line 1, decimals',
    ],
    ['a list in a JSON head', json({ almanac: 'figures 1', ...cpi, unit: [] }), 'bad_member', 'line 1, unit'],
  ])('%s', (_, text, reason, location) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ reason, location }))
  })

  it('more rows than are read, without the header row', () => {
    const tooMany = csv('figures 1', cpi, 'period,value') + '2026-07,1\n'.repeat(1_000_001)
    expect(() => parse(tooMany)).toThrow('The file has 1000001 rows; at most 1000000 are read.')
  })
})

const example = csv(
  'figures 1',
  { ...cpi, rows: '3' },
  'period,value',
  '2026-06,130.9',
  '2026-07,131.2',
  '2026-08,131.5',
)
const ndjson = `${JSON.stringify({ almanac: 'prices 1', rows: 2, ...provenance, source: 'EXAMPLE' })}
{"symbol":"XAU-USD","price":"4012.5","observed_at":"2026-09-30"}
{"symbol":"EUR-USD","price":1.10,"observed_at":"2026-09-30T12:15:00Z"}
`
it.each([
  ['CSV', example],
  ['NDJSON', ndjson],
])('%s survives damage; with its number of rows, it is refused when cut anywhere', (_, text) => {
  expectToSurviveDamage(parseFile, Buffer.from(text), 500)
  expectEveryCutRefused(parseFile, Buffer.from(text))
})

describe('fetching', () => {
  it('gives a document the provenance that its head states', async () => {
    const path = join(await temporaryDirectory(), 'prices.ndjson')
    await writeFile(path, ndjson)
    expect(await allDocuments(file(), { files: [path] })).toMatchObject([
      { ...provenance, source: 'EXAMPLE', dataset: 'prices', retrievedAt: null, fileName: 'prices.ndjson' },
    ])
  })

  it('gives a file that can’t be read all the same, so that it can be put into quarantine', async () => {
    const path = join(await temporaryDirectory(), 'broken.csv')
    await writeFile(path, '# almanac: figures 9\n')
    const [document] = await allDocuments(file(), { files: [path] })
    expect(document).toMatchObject({ source: 'FILE', dataset: 'broken', url: 'file:broken.csv' })
    expect(() => file().parse(document!)).toThrow(expect.objectContaining({ reason: 'unknown_format' }))
  })

  it('gets a file from an address', async () => {
    const { address } = await publisher({ '/data/cpi.csv?v=1': example })
    const documents = await allDocuments(file(), { files: [`${address}/data/cpi.csv?v=1`] })
    const retrievedAt = '2026-11-01T12:00:00.000Z'
    expect(documents).toMatchObject([
      { dataset: 'CPI_1', url: 'https://example.org/cpi', fileName: 'cpi.csv', retrievedAt },
    ])
    await expect(allDocuments(file(), { files: [`${address}/none.csv`] })).rejects.toMatchObject({ reason: 'http_404' })
  })

  it('needs files', async () => {
    await expect(allDocuments(file(), {})).rejects.toMatchObject({ reason: 'no_files' })
  })
})
