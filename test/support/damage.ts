import fc from 'fast-check'
import { expect } from 'vitest'
import { canonicalDecimal } from '../../domain/decimal.ts'
import { type Document, DocumentError, type Item } from '../../ingest/source.ts'
import { testDocument } from './documents.ts'

/** Items, or the fault of the document as a whole; anything else that is thrown is a fault of ours. */
export function outcomeOf(
  parse: (document: Document) => Iterable<Item>,
  bytes: Uint8Array,
): readonly Item[] | DocumentError {
  try {
    return [...parse(testDocument(bytes))]
  } catch (error) {
    if (error instanceof DocumentError) return error
    throw error
  }
}

/** Cuts and changes bytes at random; whatever is still accepted must be decimals. */
export function expectToSurviveDamage(
  parse: (document: Document) => Iterable<Item>,
  whole: Uint8Array,
  runs: number,
): void {
  const at = fc.nat(whole.length - 1)
  const damaged = fc.oneof(
    at.map((length) => whole.slice(0, length)),
    fc.array(fc.tuple(at, fc.nat(255)), { minLength: 1, maxLength: 4 }).map((flips) => {
      const bytes = whole.slice()
      for (const [index, byte] of flips) bytes[index] = byte
      return bytes
    }),
  )
  fc.assert(
    fc.property(damaged, (bytes) => {
      const outcome = outcomeOf(parse, bytes)
      if (outcome instanceof DocumentError) expect(outcome.reason).toMatch(/^[a-z][a-z_]+$/)
      else for (const item of outcome) expectDecimals(item)
    }),
    { numRuns: runs },
  )
}

function expectDecimals(item: Item): void {
  if (item.kind === 'price') canonicalDecimal(item.printed, item.multiplier ? { multiplier: item.multiplier } : {})
  if (item.kind === 'figure')
    for (const { printed, ...reading } of Object.values(item.figures)) canonicalDecimal(printed, reading)
}

/** A document that has been cut anywhere must be refused whole. */
export function expectEveryCutRefused(parse: (document: Document) => Iterable<Item>, whole: Uint8Array): void {
  // Every length near both ends, and some between.
  const step = Math.ceil(whole.length / 200)
  for (let length = 0; length < whole.length; length += length > whole.length - 40 || length < 40 ? 1 : step) {
    expect(outcomeOf(parse, whole.slice(0, length)), `cut after ${length} bytes`).toBeInstanceOf(DocumentError)
  }
}
