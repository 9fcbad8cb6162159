import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { DocumentError } from '../../../../ingest/source.ts'
import { fixturePath } from '../../sources/fixture.ts'
import { observationsOf, refusalOf } from './observations.ts'
import { samples } from './samples.ts'

const file = (path: string) => readFileSync(fixturePath(path), 'utf8')

function changed(text: string, from: RegExp, to: string): string {
  if (!from.test(text)) throw new Error(`no ${from}`)
  return text.replace(from, () => to)
}

type Row = readonly [reader: string, named: string, documentOf: (day: string) => string, readable: string, day: string]

const readers: readonly Row[] = [
  [
    'ONS JSON',
    'releaseDate',
    (d) => changed(file('ons/MGSX.json'), /"releaseDate"\s*:\s*"[^"]*"/, `"releaseDate":"${d}"`),
    '15 July 2021',
    '2021-07-15',
  ],
  [
    'ONS CSV',
    'release date',
    (d) => changed(file('ons/IHYQ.csv'), /"Release Date","[^"]*"/i, `"Release Date","${d}"`),
    '15 July 2021',
    '2021-07-15',
  ],
  [
    'INSEE CSV',
    'Dernière mise à jour',
    (d) => changed(file('insee/001769682.csv'), /\d{2}\/\d{2}\/\d{4} \d{2}:\d{2}/, d),
    '16/05/2025 07:30',
    '2025-05-16',
  ],
  [
    'Table Builder CSV',
    'Data last updated',
    (d) => changed(file('singstat/gdp-chained-2015-quarterly-sa.csv'), /(?<=Data last updated: )[\d/]+/, d),
    '10/02/2026',
    '2026-02-10',
  ],
  [
    'Table Builder JSON',
    'dataLastUpdated',
    (d) => changed(file('singstat/M015651.json'), /"dataLastUpdated"\s*:\s*"[^"]*"/, `"dataLastUpdated":"${d}"`),
    '10/02/2026',
    '2026-02-10',
  ],
  [
    'SDMX-CSV',
    'LAST UPDATE',
    (d) => changed(samples['SDMX-CSV 1'] ?? '', /04\/03\/24 11:00:00/g, d),
    '2023-12-01T23:00:00+0100',
    '2023-12-01',
  ],
  [
    'JSON-stat',
    'updated',
    (d) => changed(samples['JSON-stat 2'] ?? '', /"updated"\s*:\s*"[^"]*"/, `"updated":"${d}"`),
    '2023-12-01T23:00:00+0100',
    '2023-12-01',
  ],
  [
    'StatCan displayed',
    'Release date',
    (d) => changed(file('statcan/1410028701-eng.csv'), /(?<="Release date: )[^"]*/, d),
    'July 10, 2024',
    '2024-07-10',
  ],
  [
    'StatCan vectors',
    'releaseTime',
    (d) => changed(file('statcan/vectors.json'), /(?<="releaseTime":")[^"]*/, d),
    '2024-07-10T08:30',
    '2024-07-10',
  ],
]

describe.each(readers)('the day of release in a document of %s', (_, named, documentOf, readable, day) => {
  it('is read', () => {
    const [first] = observationsOf(documentOf(readable))
    expect(first?.released ?? first?.dataset.updated).toBe(day)
  })
  it.each(['lately', '2024-02-30', '07.10.2024', '31 Juli 2021'])('refuses %s', (text) => {
    const refusal = refusalOf(documentOf(text)) as DocumentError
    expect(refusal).toMatchObject({ reason: 'bad_date' })
    expect(refusal.message).toContain(named)
    expect(refusal.message).toContain(JSON.stringify(text))
  })
  it('may be empty', () => {
    const [first] = observationsOf(documentOf(''))
    expect(first).toBeDefined()
    expect(first?.released ?? first?.dataset.updated).toBeUndefined()
  })
})
