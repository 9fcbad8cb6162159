import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { gemFileNames } from '../../../ingest/map/publishers/gem.ts'
import { worldBank } from '../../../ingest/sources/world-bank/index.ts'
import { type Cell, workbook } from '../../support/workbook.ts'
import { document, figuresOf, fixturePath, rejectsOf, summary } from './fixture.ts'

const { parse } = worldBank()
const sheets = ['annual', 'monthly', 'quarterly'] as const
const recorded = Object.fromEntries(
  sheets.map((sheet) => [sheet, readFileSync(fixturePath(`gem/${sheet}.tsv`), 'utf8').trimEnd()]),
)

/** A workbook of the recorded sheets, or of changed ones; an empty text leaves a sheet out. */
const made = (changed: Readonly<Record<string, string>> = {}) =>
  workbook(
    Object.fromEntries(
      Object.entries({ ...recorded, ...changed })
        .filter(([, text]) => text !== '')
        .map(([sheet, text]) => [sheet, text.split('\n').map((line) => line.split('\t').map(cellOf))]),
    ),
  )
const cellOf = (cell: string, column: number): Cell => {
  if (cell === '') return undefined
  return column > 0 && /^[\d.]+$/.test(cell) ? { number: cell } : cell
}

const DATASET = 'DXGSRMRCHNSCD'
const items = (bytes: Uint8Array, dataset = DATASET, url = 'file:test') => [...parse(document(bytes, { dataset, url }))]
const monthly = (from: string | RegExp, to: string): Uint8Array => {
  const text = recorded.monthly?.replace(from, to) ?? ''
  if (text === recorded.monthly) throw new Error(`There is no ${from}.`)
  return made({ monthly: text })
}
const id = (country: string) => `${country}.trade-exports.M.WB.${DATASET}.USD.NSA`

describe('a workbook of the Global Economic Monitor', () => {
  it('gives the months of the countries that are in dollars', () => {
    const read = items(made())
    expect(summary(read)).toEqual([
      [id('DEU'), '2025-05', { value: '146865000000' }],
      [id('DEU'), '2025-06', { value: '148443000000' }],
      [id('DEU'), '2025-07', { value: '157477000000' }],
      [id('JPN'), '2025-05', { value: '56147000000' }],
      [id('JPN'), '2025-06', { value: '63418000000' }],
      [id('JPN'), '2025-07', { value: '63583000000' }],
      [id('SGP'), '2025-05', { value: '44987950000' }],
      [id('SGP'), '2025-06', { value: '44747910000' }],
      [id('SGP'), '2025-07', { value: '50180540000' }],
    ])
    expect(read).toHaveLength(9)
    expect(figuresOf(read)[0]?.location).toBe('monthly, C3')
  })

  it.each([
    ['DXGSRMRCHSACD', 'trade-exports', 'SA', ['DEU', 'JPN', 'SGP']],
    ['DMGSRMRCHNSCD', 'trade-imports', 'NSA', ['DEU', 'JPN', 'SGP']],
    ['DMGSRMRCHSACD', 'trade-imports', 'SA', ['DEU', 'JPN', 'SGP']],
  ])('is what its user says that it is: %s', (dataset, indicator, adjustment, countries) => {
    const ids = new Set(summary(items(made(), dataset)).map(([id]) => id))
    expect([...ids]).toEqual(countries.map((c) => `${c}.${indicator}.M.WB.${dataset}.USD.${adjustment}`))
  })

  it.each(['', 'SL.UEM.TOTL.ZS'])('is refused without its name (“%s”)', (dataset) => {
    expect(() => items(made(), dataset)).toThrow(
      expect.objectContaining({
        reason: 'dataset_not_named',
        message: expect.stringMatching(
          /does not say which dataset it is\. Name it: --dataset and one of: DXGSRMRCHNSCD,/,
        ),
      }),
    )
  })

  it('is refused under the name of another dataset than its file has', () => {
    const url = (dataset: string) => `file:${encodeURIComponent(`${gemFileNames[dataset]}.xlsx`)}`
    expect(items(made(), DATASET, url(DATASET))).toHaveLength(9)
    for (const other of Object.keys(gemFileNames).filter((name) => name !== DATASET))
      expect(() => items(made(), DATASET, url(other)), other).toThrow(
        expect.objectContaining({
          reason: 'other_series',
          message: expect.stringContaining(`that of ${other}, not of`),
        }),
      )
  })

  it.each([
    'Exports Merchandise, Customs, constant 2010 US$, millions, not seas. adj..xlsx',
    'Exports Merchandise, Customs, Price, US$, seas. adj..xlsx',
    'GDP at market prices, current LCU, millions, seas. adj. (1).xlsx',
  ])('is refused with the name of a dataset that is not read: %s', (name) => {
    expect(() => items(made(), DATASET, `file:${encodeURIComponent(name)}`)).toThrow(
      expect.objectContaining({ reason: 'other_series' }),
    )
  })

  it('may have any other name', () => {
    for (const name of ['exports.xlsx', `${gemFileNames[DATASET]} (1).xlsx`])
      expect(items(made(), DATASET, `file:${encodeURIComponent(name)}`), name).toHaveLength(9)
  })

  it('rejects the figures of a name that is neither a country nor a group', () => {
    const read = items(monthly('Germany', 'Germany (revised)'))
    expect(rejectsOf(read).map(({ reason, location }) => `${reason} ${location}`)).toEqual([
      'unknown_country monthly, C3',
      'unknown_country monthly, C4',
      'unknown_country monthly, C5',
    ])
    expect(figuresOf(read)).toHaveLength(6)
  })

  it.each([
    ['a figure that is none', '157477', '..', 'not_a_decimal', 'monthly, C5'],
    ['a period that is no month', '2025M07', 'Jul 2025', 'bad_period', 'monthly, C5'],
    ['a quarter among months', '2025M07', '2025Q3', 'bad_period', 'monthly, C5'],
  ])('rejects %s', (_, from, to, reason, location) => {
    const read = items(monthly(from, to))
    expect(rejectsOf(read)[0]).toMatchObject({ reason, location })
    expect(figuresOf(read).map((figure) => figure.location)).not.toContain(location)
  })

  it.each([
    [
      'that lacks a month',
      monthly(/2025M06.*\n/, ''),
      'truncated',
      'The period after 2025-05 is 2025-07.',
      'monthly, A4',
    ],
    [
      'of one country twice',
      monthly('Japan', 'Germany'),
      'duplicate_column',
      'names Germany more than once',
      'monthly, row 1',
    ],
    [
      'with a column without a country',
      monthly('Japan', ''),
      'malformed_document',
      'no country above it',
      'monthly, G3',
    ],
    ['without its first row', monthly(/^.*\n/, ''), 'missing_row', 'does not name countries', 'monthly'],
    ['with a label above its periods', monthly(/^/, 'Month'), 'missing_row', 'does not name countries', 'monthly'],
    [
      'of an indicator without months',
      made({ monthly: '' }),
      'no_mapped_series',
      `in the mapping of ${DATASET}`,
      'annual, B3',
    ],
    [
      'with another sheet',
      made({ Notes: 'a\tb' }),
      'unknown_format',
      'its sheets: "annual", "monthly", "quarterly", "Notes"',
      '',
    ],
  ])('%s is refused', (_, bytes, reason, detail, location) => {
    expect(() => items(bytes)).toThrow(
      expect.objectContaining({ name: 'DocumentError', reason, location, message: expect.stringContaining(detail) }),
    )
  })
})
