import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { canonicalDecimal } from '../../../domain/decimal.ts'
import { isPeriodOf } from '../../../domain/period.ts'
import { oecdMapping } from '../../../ingest/map/publishers/oecd.ts'
import { DocumentError, type Item, type Source } from '../../../ingest/source.ts'
import { bis } from '../../../ingest/sources/bis/index.ts'
import { comtrade } from '../../../ingest/sources/comtrade/index.ts'
import { fred } from '../../../ingest/sources/fred/index.ts'
import { mappedSource } from '../../../ingest/sources/mapped-source.ts'
import { worldBank } from '../../../ingest/sources/world-bank/index.ts'
import { document, fixturePath } from './fixture.ts'

const table = readFileSync(fixturePath('bis/WS_LONG_CPI_csv_col.csv'))
const documents: [string, Source, string, Uint8Array][] = [
  ...(
    [
      ['fred/GDP-vintages.json', fred(), 'GDP'],
      ['fred/UNRATE-snapshot.json', fred(), 'UNRATE'],
      ['fred/XTIMVA01USM667S.csv', fred(), ''],
      ['bis/WS_LONG_CPI_csv_col.csv', bis(), ''],
      ['oecd/QGDP.csv', mappedSource(oecdMapping), ''],
      ['oecd/HUR.csv', mappedSource(oecdMapping), ''],
      ['oecd/QNA.csv', mappedSource(oecdMapping), ''],
      ['world-bank/exports.json', worldBank(), ''],
      ['world-bank/API_JPN_DS2_en_csv_v2.csv', worldBank(), ''],
      ['comtrade/2017.csv', comtrade(), ''],
      ['comtrade/totals.json', comtrade(), ''],
    ] as const
  ).map(([name, source, dataset]): [string, Source, string, Uint8Array] => [
    name,
    source,
    dataset,
    readFileSync(fixturePath(name)),
  ]),
  ['bis, zipped', bis(), '', zipSync({ 'WS_LONG_CPI_csv_col.csv': table })],
]

/** What a parser makes of bytes: its items, or undefined if it refuses the document. Any other error is a failure. */
function itemsOf(source: Source, dataset: string, bytes: Uint8Array): Item[] | undefined {
  try {
    return [...source.parse(document(bytes, { dataset }))]
  } catch (error) {
    if (error instanceof DocumentError) return undefined
    throw error
  }
}

const check = (items: readonly Item[] | undefined): void => {
  for (const item of items ?? []) {
    if (item.kind === 'reject') expect(item.text, item.location).not.toBe('')
    if (item.kind !== 'figure') continue
    expect(isPeriodOf(item.series.frequency, item.period)).toBe(true)
    expect(item.series.country).toMatch(/^[A-Z]{3}$/)
    for (const { printed, ...reading } of Object.values(item.figures))
      expect(canonicalDecimal(printed, reading)).toMatch(/^-?\d/)
  }
}

/** What each member of a figure is. A cut may part the rates of a quarter, which may stand alone. */
const membersOf = (item: Item): string[] =>
  item.kind === 'figure'
    ? Object.entries(item.figures).map((member) => JSON.stringify([item.series, item.period, item.released, member]))
    : []

describe.each(documents)('a damaged document: %s', (_, source, dataset, bytes) => {
  it('cut anywhere is refused, and gives no figure that the whole one hasn’t', () => {
    const whole = new Set(itemsOf(source, dataset, bytes)?.flatMap(membersOf))
    expect(whole.size).toBeGreaterThan(0)
    for (let length = 0; length < bytes.length; length++) {
      const items = itemsOf(source, dataset, bytes.subarray(0, length))
      // A table cut between two rows is a table; nothing else is left of a cut document.
      const betweenRows = bytes[length - 1] === 0x0a && bytes[0] !== 0x7b && bytes[0] !== 0x5b
      if (items && !betweenRows) expect(bytes.subarray(length).toString().trim(), `cut at ${length}`).toBe('')
      for (const member of items?.flatMap(membersOf) ?? []) expect(whole).toContain(member)
    }
  })

  it('with bytes changed gives figures that are decimals, rejects, or a refusal', () => {
    const change = fc.record({ at: fc.nat(bytes.length - 1), to: fc.integer({ min: 0, max: 255 }) })
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
        const damaged = Uint8Array.from(bytes)
        for (const { at, to } of changes) damaged[at] = to
        check(itemsOf(source, dataset, damaged))
      }),
      { numRuns: 300 },
    )
  })
})

it.each(['FRED', 'BIS', 'OECD', 'WB', 'UNSD'])('%s refuses what is no document of its publisher', (name) => {
  const source = [fred(), bis(), mappedSource(oecdMapping), worldBank(), comtrade()].find((s) => s.name === name)
  if (!source) throw new Error(`no source ${name}`)
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), fc.json(), fc.string()), (content) => {
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
      expect(itemsOf(source, Object.keys(source.datasets)[0] ?? '', bytes)).toBeUndefined()
    }),
    { numRuns: 300 },
  )
})
