import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { CsvRequest } from './csv.ts'

/** A successful answer of an operation: the body as it is sent, and its headers. */
export type Answer = {
  /** JSON text, serialised by the operation's response schema; or CSV, if `contentType` says so. Empty if the answer is no text. */
  readonly body: string
  /** The body as bytes, if it is no text, or is sent again and again: encoding a long text costs more than sending it. */
  readonly bytes?: Buffer
  /** The body of an operation whose answer is streamed. `body` and `etag` are then empty. */
  readonly stream?: Readable
  /** Absent for JSON. */
  readonly contentType?: string
  /** Strong validator of `body`, in quotes. */
  readonly etag: string
  readonly cacheControl: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Makes answers from values. Properties that the operation's schema doesn't have are left out; missing ones throw. */
export type Render = {
  /** Only the text of a body. */
  text(operationId: string, value: object): string
  (operationId: string, value: object, cacheControl: string, headers?: Answer['headers']): Answer
  /**
   * Makes the answer of an operation whose body has one list. A long list is rendered in parts, so that other requests are
   * answered between them. `item` makes the body of an entry; `rest` is the body without the list.
   */
  list<T>(
    operationId: string,
    entries: readonly T[],
    item: (entry: T) => object,
    rest: object,
    cacheControl: string,
    headers?: Answer['headers'],
  ): Promise<Answer>
  /**
   * The same as CSV: a header row with the names of the entry's members, then one row for each entry. Members that an entry
   * may lack have a column only if `more` names them.
   */
  csv<T>(
    request: CsvRequest,
    operationId: string,
    entries: readonly T[],
    item: (entry: T) => object,
    cacheControl: string,
    headers?: Answer['headers'],
    more?: readonly string[],
  ): Promise<Answer>
}

/** How long an answer may be reused. Private, because answers need a key; a feed needs none. */
export const caching = {
  /** A new release can replace the latest figure at any time. */
  latest: 'private, max-age=60',
  /** An exact period changes only by a revision. */
  period: 'private, max-age=300',
  /** A page of one snapshot. Shorter than the lifetime of its cursor. */
  snapshot: 'private, max-age=3600',
  immutable: 'private, max-age=86400, immutable',
  /** A price moves about once a second. */
  price: 'private, max-age=1',
  /** May be kept, but must be revalidated each time, so that a poll sees new events. */
  revalidate: 'private, no-cache',
  feed: 'public, max-age=3600',
  never: 'no-store',
} as const

export const etagOf = (body: string | Buffer): string => `"${hash('sha256', body, 'base64url').slice(0, 22)}"`

/** An answer of one text, which a new release can change at any time unless the caller gives it another cache control. */
export const textAnswer = (body: string, contentType: string): Answer => ({
  body,
  contentType,
  etag: etagOf(body),
  cacheControl: caching.latest,
})
