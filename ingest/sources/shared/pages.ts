import { DocumentError } from '../../source.ts'
import type { HttpAnswer } from './http.ts'

/** Where a publisher's answer says how many there are: in the first characters, before the rows. */
const HEAD_BYTES = 4_096
/** A publisher that names more is at fault: 100 pages of FRED are 10 million observations. */
const MAX_PAGES = 100

/**
 * A publisher's answers, page by page from 1, as far as the member `name` of each says that there are. The answer is not
 * parsed here, where a hostile one would cost the service's own memory: the number is looked for in its head.
 * Throws `DocumentError` `too_many_pages`; and `malformed_document`, after the answer itself, where the head of a long
 * answer doesn't have the member, since further pages would be missed.
 */
export async function* pagesFrom(
  ask: (page: number) => Promise<HttpAnswer>,
  name: string,
  pagesOf: (value: number) => number,
): AsyncIterable<HttpAnswer> {
  for (let page = 1, pages = 1; page <= pages; page++) {
    if (page > MAX_PAGES)
      throw new DocumentError('too_many_pages', `The publisher has ${pages} pages; ${MAX_PAGES} are read.`)
    const answer = await ask(page)
    yield answer
    const value = numberIn(answer.bytes, name)
    if (value === undefined && answer.bytes.length > HEAD_BYTES)
      throw new DocumentError('malformed_document', `${answer.url} does not begin with how many pages there are.`)
    pages = value === undefined ? 0 : pagesOf(value)
  }
}

/** The whole number that is the first member of that name within the head. */
function numberIn(bytes: Uint8Array, name: string): number | undefined {
  const head = new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES))
  const digits = new RegExp(`"${name}"\\s*:\\s*"?(\\d{1,9})\\b`).exec(head)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
