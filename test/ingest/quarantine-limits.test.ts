import { describe, expect, it } from 'vitest'
import { Acceptor } from '../../ingest/accept/accept.ts'
import { keptLimits } from '../../ingest/limits.ts'
import { DocumentError, documentOf, type Item } from '../../ingest/source.ts'
import { openTestJournal, valuesOf } from '../support/journal.ts'
import { testDocument, testSeries } from '../support/releases.ts'

const reject = (i: number, more: Partial<Item & { kind: 'reject' }> = {}): Item => ({
  kind: 'reject',
  reason: 'bad_period',
  detail: 'no such month',
  location: `line ${i}`,
  text: 'x',
  ...more,
})
const figure: Item = {
  kind: 'figure',
  series: testSeries(),
  period: '2025-01',
  figures: { value: { printed: '100' } },
  location: 'line 1',
}

describe('quarantine takes', () => {
  it('a row whose fault is told in more than a record holds, and the good rows beside it', async () => {
    const { journal } = await openTestJournal()
    const long = 'ä'.repeat(2_000_000)
    const items = [reject(1, { detail: long, location: long, text: long }), figure]
    expect(await new Acceptor(journal).accept(testDocument, items)).toMatchObject({ rejected: 1, new: 1 })
    const [row, ...others] = await valuesOf(journal, 'quarantine')
    expect(others).toEqual([])
    expect(row?.location).toMatch(/^ä+…\[cut\]$/)
    expect(row?.detail).toMatch(/^ä+…\[cut\] \(The first \d+ of 4000000 bytes are kept\.\)$/)
    expect(Buffer.byteLength(row?.detail ?? '')).toBeLessThanOrEqual(keptLimits.detail)
    expect(row?.bytes.length).toBe(keptLimits.rowBytes)
  })

  it('a document that can’t be read, whatever is said of it and of where it came from', async () => {
    const { journal } = await openTestJournal()
    const long = 'x'.repeat(3_000_000)
    const bytes = Buffer.alloc(keptLimits.documentBytes + 1_000_000, 'y')
    const document = {
      ...testDocument,
      ...documentOf(bytes, { ...testDocument, dataset: long, url: `https://a/${long}` }),
    }
    await new Acceptor(journal).reject(document, new DocumentError('bad_head', long, long))
    const parts = await valuesOf(journal, 'quarantine')
    expect(parts.reduce((sum, part) => sum + part.bytes.length, 0)).toBe(keptLimits.documentBytes)
    for (const part of parts) expect(part.parts).toBe(parts.length)
    expect(parts[0]).toMatchObject({ sha256: document.sha256, dataset: expect.stringMatching(/…\[cut\]$/) })
    expect(parts[0]?.detail).toContain(`(The first ${keptLimits.documentBytes} of ${bytes.length} bytes are kept.)`)
  })

  it('so many rows of one document, and counts the rest in one record', async () => {
    const { journal } = await openTestJournal()
    const rows = Array.from({ length: keptLimits.rows + 1_234 }, (_, i) =>
      reject(i, i % 2 ? {} : { reason: 'bad_date' }),
    )
    const locations: string[] = []
    const tally = await new Acceptor(journal).accept(testDocument, [...rows, figure], {
      onFault: ({ location }) => locations.push(location),
    })
    expect(tally).toMatchObject({ rejected: rows.length, new: 1 })
    expect(locations).toHaveLength(rows.length)
    const records = await valuesOf(journal, 'quarantine')
    expect(records).toHaveLength(keptLimits.rows + 1)
    expect(records.at(-1)).toMatchObject({
      reason: 'more_rejected',
      location: `line ${keptLimits.rows}`,
      detail: '1234 further rows were rejected or held, and are not kept one by one: 617 bad_date, 617 bad_period.',
    })
    // The same document again adds nothing.
    await new Acceptor(journal).accept(testDocument, rows)
    expect(await valuesOf(journal, 'quarantine')).toHaveLength(keptLimits.rows + 1)
  })
})
