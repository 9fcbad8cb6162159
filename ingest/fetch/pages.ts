import { createHash } from 'node:crypto'
import { type Document, DocumentError, type Reject } from '../source.ts'
import type { HttpAnswer } from './http.ts'

/** Size of an answer's head, which holds the number of pages before the rows begin. */
const HEAD_BYTES = 4_096
/** Limit on the pages that a publisher may name: 100 pages of FRED are 10 million observations. */
const MAX_PAGES = 100

/**
 * Yields a publisher's answers, page by page from 1. The member `name` of each answer tells how many there are. It is
 * searched for in the head of the text, because parsing a hostile answer would cost the service's own memory.
 * Throws `DocumentError` `too_many_pages`. Throws `malformed_document`, because pages would be missed: after the answer
 * itself, if the head of a long answer lacks the member, and if a page repeats an earlier one.
 */
export async function* pagesFrom(
  ask: (page: number) => Promise<HttpAnswer>,
  name: string,
  pagesOf: (value: number) => number,
): AsyncIterable<HttpAnswer> {
  const before = new Set<string>()
  for (let page = 1, pages = 1; page <= pages; page++) {
    if (page > MAX_PAGES)
      throw new DocumentError('too_many_pages', `The publisher has ${pages} pages; ${MAX_PAGES} are read.`)
    const answer = await ask(page)
    const hash = createHash('sha256').update(answer.bytes).digest('hex')
    if (before.has(hash))
      throw new DocumentError('malformed_document', `${answer.url} has the bytes of an earlier page.`)
    before.add(hash)
    yield answer
    const value = numberIn(answer.bytes, name)
    if (value === undefined && answer.bytes.length > HEAD_BYTES)
      throw new DocumentError(
        'malformed_document',
        `${answer.url} does not state the number of pages at its beginning.`,
      )
    pages = value === undefined ? 0 : pagesOf(value)
  }
}

/**
 * A reject that says that a local file is one page of a larger answer, so that it isn't taken for all of it. Undefined
 * for the last page and for a fetched document, whose other pages are fetched, too. `last` and `total` count rows.
 */
export function furtherPages(
  { retrievedAt }: Pick<Document, 'retrievedAt'>,
  page: string,
  last: number,
  total: number,
): Reject | undefined {
  if (retrievedAt !== null || !(last < total)) return undefined
  const detail = `The file ends with row ${last} of ${total}; read the files with the other pages, too.`
  return { kind: 'reject', reason: 'further_pages', detail, location: page, text: page }
}

/** Returns the whole number of the first member called `name` within the head. */
function numberIn(bytes: Uint8Array, name: string): number | undefined {
  const head = new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES))
  const digits = new RegExp(`"${name}"\\s*:\\s*"?(\\d{1,9})\\b`).exec(head)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
