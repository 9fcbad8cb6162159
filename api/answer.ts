import { hash } from 'node:crypto'

/** What an operation answers with status 200: the body as it goes over the wire, with what HTTP says about it. */
export type Answer = {
  /** Canonical JSON, of the operation's response schema. */
  readonly body: string
  /** Strong validator of `body`, quoted. */
  readonly etag: string
  readonly cacheControl: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Makes answers of values; properties that the operation's schema doesn't name are left out, missing ones throw. */
export type Render = {
  (operationId: string, value: object, cacheControl: string, headers?: Readonly<Record<string, string>>): Answer
  /**
   * Makes the answer of an operation whose body has one list, a part of it at a time: other requests are answered between
   * the parts, however long the list is. `item` makes the body of an entry; `rest` is the body without the list.
   */
  list<T>(
    operationId: string,
    entries: readonly T[],
    item: (entry: T) => object,
    rest: object,
    cacheControl: string,
  ): Promise<Answer>
}

/** How long an answer may be reused. Always private: answers are behind a key. */
export const caching = {
  /** A new release replaces the latest figure at any time. */
  latest: 'private, max-age=60',
  /** An exact period changes only by a revision. */
  period: 'private, max-age=300',
  /** A page of one snapshot; shorter than its cursor's lifetime. */
  snapshot: 'private, max-age=3600',
  immutable: 'private, max-age=86400, immutable',
  /** A price moves about once a second. */
  price: 'private, max-age=1',
  /** May be kept, but is asked for again each time: a poll must see what is new. */
  revalidate: 'private, no-cache',
  never: 'no-store',
} as const

export const etagOf = (body: string): string => `"${hash('sha256', body, 'base64url').slice(0, 22)}"`
