import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DocumentError, type Item } from '../../../ingest/source.ts'
import { openSources } from '../../../ingest/sources/index.ts'
import { document, figuresOf, fixturePath } from './fixture.ts'

/** Documents of offices' own formats, with the text from which on a cut loses no figure; `''` for its last character. */
const documents = [
  ['bls', 'bls/cu.data.1.AllItems', ''],
  ['bls', 'bls/CU.json', ''],
  ['statcan', 'statcan/1410028701-eng.csv', '"How to cite: Statistics Canada. Table 14-10-0287-01'],
  ['statcan', 'statcan/3610010401-noSymbol.csv', '"How to cite: Statistics Canada. Table 36-10-0104-01'],
  ['statcan', 'statcan/vectors.json', ''],
] as const

const sources = await openSources()

function itemsOf(name: string, bytes: Uint8Array): readonly Item[] | undefined {
  try {
    return [...(sources[name]?.parse(document(bytes)) ?? [])]
  } catch (error) {
    if (error instanceof DocumentError) return undefined
    throw error
  }
}

describe.each(documents)('%s: a damaged document %s', (source, name, end) => {
  const bytes = readFileSync(fixturePath(name))
  const whole = new Set(itemsOf(source, bytes)?.map((item) => JSON.stringify(item)))
  const lastByte = end === '' ? bytes.toString().trimEnd().length : bytes.indexOf(end) + Buffer.byteLength(end)

  it('cut anywhere is refused, or is a table that was cut between two rows', () => {
    expect(whole.size).toBeGreaterThan(1)
    for (let length = 0; length < bytes.length; length++) {
      const items = itemsOf(source, bytes.subarray(0, length))
      if (!items) continue
      if (length < lastByte) expect(bytes[length - 1], `cut at ${length}`).toBe(0x0a)
      if (end !== '') expect(length).toBeGreaterThanOrEqual(lastByte)
      for (const item of items) expect(whole).toContain(JSON.stringify(item))
    }
  })

  it('with bytes changed gives no figure that is not in it', () => {
    const change = fc.record({ at: fc.nat(bytes.length - 1), to: fc.integer({ min: 0, max: 255 }) })
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
        const damaged = Uint8Array.from(bytes)
        for (const { at, to } of changes) damaged[at] = to
        const text = new TextDecoder().decode(damaged).replaceAll(',', '')
        for (const { period, figures } of figuresOf(itemsOf(source, damaged) ?? [])) {
          expect(text).toContain(period.slice(0, 4))
          for (const { printed } of Object.values(figures)) expect(text).toContain(printed)
        }
      }),
      { numRuns: 300 },
    )
  })
})
