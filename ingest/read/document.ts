import { createHash } from 'node:crypto'
import { documentLimits } from '../limits.ts'
import { type Document, DocumentError, type Reject } from '../source.ts'
import { decoded, wholeText } from './text.ts'

/** Builds a document from bytes and their origin, with their SHA-256 (hexadecimal). */
export const documentOf = (bytes: Uint8Array, origin: Omit<Document, 'bytes' | 'sha256'>): Document => ({
  ...origin,
  bytes,
  sha256: createHash('sha256').update(bytes).digest('hex'),
})

/**
 * Decodes a document's UTF-8 text, without its byte order mark. Throws `DocumentError`: what `decoded` throws, and
 * `too_large`.
 */
export function textOf({ bytes }: Pick<Document, 'bytes'>): string {
  if (bytes.length > documentLimits.bytes)
    throw new DocumentError('too_large', `The document has ${bytes.length} bytes; ${documentLimits.bytes} are read.`)
  return wholeText(decoded([bytes]))
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
