import { createHash } from 'node:crypto'
import type { Copy, RecordedBasis, Series } from '../contracts/records.ts'

/**
 * A source has two parts: `fetch` does the I/O and yields documents; `parse` is pure and yields a document's items.
 * Only the acceptor decides which of them are new or revised (`accept/accept.ts`, by `domain/decide-release.ts`).
 */

/** Bytes as they were retrieved, unpacked and without our keys, with their origin. */
export type Document = {
  readonly source: string
  readonly dataset: string
  readonly publisher: string
  readonly licence: string
  readonly url: string
  /**
   * When the bytes were fetched from the publisher, UTC, ISO 8601 with milliseconds. Null for a local file, because
   * nothing says when that was.
   */
  readonly retrievedAt: string | null
  /** SHA-256 of the bytes, hexadecimal. */
  readonly sha256: string
  /** If `file` is set, only the first bytes, as many as quarantine keeps. */
  readonly bytes: Uint8Array
  /** The local file of a document that is not held in memory, and its size in bytes. */
  readonly file?: { readonly path: string; readonly size: number }
  /** The dataset's last update, `YYYY-MM-DD`, where the transport states it (Last-Modified, a file's own name). */
  readonly lastUpdated?: string
  /** The publisher's marks of the answer, by which it can be asked whether there is a newer one. */
  readonly marks?: AnswerMarks
  /** Name of a file in Almanac's own format, without its folder. Its figures state their own origin. */
  readonly fileName?: string
  /** When the document was first seen (UTC, ISO 8601), if it was held or rejected then and is decided on again. */
  readonly seenAt?: string
}

/** Builds a document from bytes and their origin, with their SHA-256 (hexadecimal). */
export const documentOf = (bytes: Uint8Array, origin: Omit<Document, 'bytes' | 'sha256'>): Document => ({
  ...origin,
  bytes,
  sha256: createHash('sha256').update(bytes).digest('hex'),
})

/** Marks of an answer: the address that was asked, without secrets, with the answer's `ETag` and `Last-Modified`. */
export type AnswerMarks = { readonly address: string; readonly etag?: string; readonly lastModified?: string }

/** The document that a file's figures were taken from. A null member is not known. */
export type FigureOrigin = {
  readonly retrievedAt: string | null
  readonly sha256: string | null
  readonly copy: Copy | null
}

/** What names the dataset of a series. It need not be the name by which the dataset is fetched. */
export type SeriesDataset = Pick<Series, 'source' | 'dataset'>

/** One figure, or the figures of one period that are published together, as a document states them. */
export type Figure = {
  readonly kind: 'figure'
  readonly series: Series
  readonly period: string
  /** Values by member of the resource's body: the printed text, and how to turn it into whole units. */
  readonly figures: Readonly<
    Record<string, { readonly printed: string; readonly multiplier?: string; readonly decimals?: number }>
  >
  /** Release date and its basis; if absent, the day on which the figure was first seen counts. */
  readonly released?: { readonly on: string; readonly basis: Exclude<RecordedBasis, 'first_seen'> }
  /**
   * Last day on which the figures stood, `YYYY-MM-DD`, if the document says that others followed and not which. They are never
   * current, and are accepted only if what followed is on record.
   */
  readonly until?: string
  /** Place in the document, for people: `line 12`, `series 0, observation 3`. */
  readonly location: string
  /** Set if the document is a file that states where its figures were taken from. */
  readonly origin?: FigureOrigin
}

/** A period for which a document states that it has no figure. If one is on record, the publisher has withdrawn it. */
export type Missing = Omit<Figure, 'kind' | 'figures' | 'until'> & { readonly kind: 'missing' }

export type Price = {
  readonly kind: 'price'
  /** `BASE-QUOTE`: units of QUOTE for one unit of BASE. */
  readonly symbol: string
  readonly printed: string
  readonly multiplier?: string
  /** UTC, ISO 8601 with milliseconds: when the source says the price was observed. */
  readonly observedAt: string
  /** Day of the edition that states the price, and the evidence for it. */
  readonly released?: { readonly on: string; readonly basis: Exclude<RecordedBasis, 'first_seen'> }
  readonly location: string
}

/** An unusable row of a document whose other rows are usable. */
export type Reject = {
  readonly kind: 'reject'
  /** Code, e.g. `not_a_decimal`, `unknown_country`, `bad_period`, `missing_column`. */
  readonly reason: string
  readonly detail: string
  readonly location: string
  /** The row as it came. */
  readonly text: string
}

export type Item = Figure | Missing | Price | Reject

/** The items of a document, or batches of them: waiting for each item alone would cost more than deciding on it. */
export type Items = Iterable<Item> | AsyncIterable<readonly Item[]>

/**
 * The document as a whole can't be read: wrong encoding, truncated, or another format. Nothing of it is accepted, unless its
 * parser is ended (killed twice, or at a limit) or fails after it has given the first items.
 */
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

/**
 * Looks a dataset up in a table. Throws `DocumentError` `dataset_not_supported`, which names the supported ones. The
 * cast is safe because the table has the key.
 */
export function supported<T>(dataset: string, table: Readonly<Record<string, T>>): T {
  if (Object.hasOwn(table, dataset)) return table[dataset] as T
  const names = Object.keys(table).join(', ')
  throw new DocumentError('dataset_not_supported', `${JSON.stringify(dataset)} is not read; these are: ${names}.`)
}

/** The parser process could not be started. The document is not at fault, and a retry may succeed. */
export class ParserUnavailable extends Error {}

/** Documents to fetch: the local `files`, or, without them, documents from the source's own address. */
export type FetchRequest = {
  readonly datasets?: readonly string[]
  readonly files?: readonly string[] | undefined
  /** The day on which the publisher last updated the files, `YYYY-MM-DD`, where the user knows it and they do not say so. */
  readonly lastUpdated?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly now: () => Date
  /** Marks of the answer that was last read from an address. The publisher is then asked for a newer one only. */
  readonly known?: (address: string) => Omit<AnswerMarks, 'address'> | undefined
  /** Called instead of a document for an answer that has not changed. */
  readonly onUnchanged?: (address: string) => void
}

export type Source = {
  /** Agency code, as in `Series.source`. */
  readonly name: string
  readonly publisher: string
  readonly licence: string
  /** Description of each dataset by name, for `almanac ingest --help`. */
  readonly datasets: Readonly<Record<string, string>>
  /** Datasets that the publisher's address serves. The others are read from files only. */
  readonly downloadable: readonly string[]
  fetch(request: FetchRequest): AsyncIterable<Document>
  /**
   * Pure. Yields items in an order in which they may be accepted: vintages of one period by date of release.
   * Throws `DocumentError` before the first item if the document as a whole is not usable.
   */
  parse(document: Document): Iterable<Item>
  /**
   * As `parse`, from the pieces of the document's bytes. A source without it reads no document that has a `file`. Yields no
   * item before the last piece, because until then the document may turn out to be another one.
   */
  parsePieces?(document: Pick<Document, 'dataset'>, pieces: Iterable<Uint8Array>): Iterable<Item>
}

/** A source as ingest uses it: its documents may be parsed in another process. */
export type IngestSource = Omit<Source, 'parse'> & {
  /**
   * As `Source.parse`. Also throws `ParserUnavailable`, and the reason of `signal` when it aborts. `onStructure` is called
   * with the document's structure before its first item, if the document was fetched and is parsed in another process.
   */
  parse(document: Document, signal?: AbortSignal, onStructure?: (names: readonly string[]) => void): Items
}
