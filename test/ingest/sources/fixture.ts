import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { canonicalDecimal } from '../../../domain/decimal.ts'
import { type Document, documentOf, type Figure, type Item, type Reject } from '../../../ingest/source.ts'

export const fixturePath = (name: string): string => resolve(import.meta.dirname, '../../fixtures', name)

/** A document as a source hands it to its parser. */
export const document = (content: Uint8Array | string, more: Partial<Document> = {}): Document => ({
  ...documentOf(typeof content === 'string' ? new TextEncoder().encode(content) : content, {
    source: 'TEST',
    dataset: '',
    publisher: 'Test',
    licence: 'none',
    url: 'file:test',
    retrievedAt: '2026-11-21T08:00:00.000Z',
  }),
  ...more,
})

export const fixture = (name: string, more: Partial<Document> = {}): Document =>
  document(readFileSync(fixturePath(name)), more)

/** The fixture with one text in it replaced; fails if it isn't there, so that a test can't pass by a slip. */
export function altered(name: string, from: string, to: string, more: Partial<Document> = {}): Document {
  const text = readFileSync(fixturePath(name), 'utf8')
  if (!text.includes(from)) throw new Error(`${name} has no ${from}`)
  return document(text.replace(from, to), more)
}

export const figuresOf = (items: Iterable<Item>): Figure[] => [...items].filter((item) => item.kind === 'figure')
export const rejectsOf = (items: Iterable<Item>): Reject[] => [...items].filter((item) => item.kind === 'reject')

/** `[series id, period, canonical figures]` of each figure: what a reader of the publication can check by hand. */
export const summary = (items: Iterable<Item>): [string, string, Record<string, string>][] =>
  figuresOf(items).map(({ series, period, figures }) => [
    series.id,
    period,
    Object.fromEntries(
      Object.entries(figures).map(([member, { printed, ...reading }]) => [member, canonicalDecimal(printed, reading)]),
    ),
  ])
