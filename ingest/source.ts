import type { ReleasedOnBasis, Series } from '../contracts/records.ts'

/**
 * A source is two things: `fetch`, which does the I/O and gives documents, and `parse`, which is pure and says what a
 * document contains. The accepting decider (`domain/decide-release.ts`) alone says what of it is news.
 */

/** Bytes as they were retrieved, with where they came from. */
export type Document = {
  readonly source: string
  readonly dataset: string
  readonly publisher: string
  readonly licence: string
  readonly url: string
  /** UTC, ISO 8601 with milliseconds. */
  readonly retrievedAt: string
  readonly sha256: string
  readonly bytes: Uint8Array
  /** The dataset's last update, `YYYY-MM-DD`, where the transport states it (Last-Modified, a file's own name). */
  readonly lastUpdated?: string
}

/** One figure, or the figures of one period that are published together, as a document states them. */
export type Figure = {
  readonly kind: 'figure'
  readonly series: Series
  readonly period: string
  /** By body member: as printed, and what turns the print into whole units. */
  readonly figures: Readonly<
    Record<string, { readonly printed: string; readonly multiplier?: string; readonly decimals?: number }>
  >
  /** The publisher's or dataset's date of this print; absent: the day we saw it. */
  readonly released?: { readonly on: string; readonly basis: Exclude<ReleasedOnBasis, 'first_seen'> }
  /** Where in the document, for people: `line 12`, `series 0, observation 3`. */
  readonly location: string
}

/** One price as a document states it. */
export type Price = {
  readonly kind: 'price'
  /** `BASE-QUOTE`: units of QUOTE for one unit of BASE. */
  readonly symbol: string
  readonly printed: string
  readonly multiplier?: string
  /** UTC, ISO 8601 with milliseconds: when the source says the price was observed. */
  readonly observedAt: string
  readonly location: string
}

/** One row that is not usable, while the rest of the document is. */
export type Reject = {
  readonly kind: 'reject'
  /** Code, e.g. `not_a_decimal`, `unknown_country`, `bad_period`, `missing_column`. */
  readonly reason: string
  readonly detail: string
  readonly location: string
  /** The row as it came. */
  readonly text: string
}

export type Item = Figure | Price | Reject

/** The document as a whole can't be read: wrong encoding, truncated, not the format it claims. Nothing of it is accepted. */
export class DocumentError extends Error {
  readonly reason: string
  readonly location: string
  constructor(reason: string, detail: string, location = '', options?: ErrorOptions) {
    super(detail, options)
    this.name = 'DocumentError'
    this.reason = reason
    this.location = location
  }
}

/** The process that reads documents could not be started. No fault of the document: the same run may succeed later. */
export class ParserUnavailable extends Error {}

/** Which documents to get. `files` are local paths; without them the source's own address is asked. */
export type FetchRequest = {
  readonly datasets?: readonly string[]
  readonly files?: readonly string[]
  readonly signal?: AbortSignal
  readonly now: () => Date
}

export type Source = {
  /** Agency code, as in `Series.source`. */
  readonly name: string
  readonly publisher: string
  readonly licence: string
  /** Dataset name → what it holds, for people and for `almanac ingest --help`. */
  readonly datasets: Readonly<Record<string, string>>
  fetch(request: FetchRequest): AsyncIterable<Document>
  /**
   * Pure. Yields items in an order in which they may be accepted: vintages of one period by date of release.
   * Throws `DocumentError` before the first item if the document as a whole is not usable.
   */
  parse(document: Document): Iterable<Item>
}

/** A source as ingest uses it: its documents may be parsed elsewhere. */
export type IngestSource = Omit<Source, 'parse'> & {
  /** As `Source.parse`, or throws `ParserUnavailable`. When `signal` aborts, its reason is thrown. */
  parse(document: Document, signal?: AbortSignal): Iterable<Item> | AsyncIterable<Item>
}
