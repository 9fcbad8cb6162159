import { createHash } from 'node:crypto'
import { documentLimits } from '../limits.ts'
import { type Document, DocumentError, type Reject } from '../source.ts'
import { utf16Name } from './body.ts'

/** Builds a document from bytes and their origin, with their SHA-256 (hexadecimal). */
export const documentOf = (bytes: Uint8Array, origin: Omit<Document, 'bytes' | 'sha256'>): Document => ({
  ...origin,
  bytes,
  sha256: createHash('sha256').update(bytes).digest('hex'),
})

/**
 * Decodes a document's UTF-8 text, without its byte order mark. Never replaces unreadable bytes. Throws
 * `DocumentError`: `wrong_encoding`, with the line, for bytes that aren't UTF-8, for UTF-16 and for NUL characters;
 * `empty` for no text; `too_large`.
 */
export function textOf({ bytes }: Pick<Document, 'bytes'>): string {
  if (bytes.length > documentLimits.bytes)
    throw new DocumentError('too_large', `The document has ${bytes.length} bytes; ${documentLimits.bytes} are read.`)
  const utf16 = utf16Name(bytes)
  if (utf16 !== undefined) throw new DocumentError('wrong_encoding', `The document is ${utf16}.`, 'line 1')
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    const readable = new TextDecoder('utf-8').decode(bytes)
    const location = `line ${lineAt(readable, readable.indexOf('\ufffd'))}`
    throw new DocumentError('wrong_encoding', 'The document is not UTF-8.', location, { cause })
  }
  const nul = text.indexOf('\0')
  if (nul >= 0)
    throw new DocumentError('wrong_encoding', 'The document has NUL characters.', `line ${lineAt(text, nul)}`)
  if (text.trim() === '') throw new DocumentError('empty', 'The document has no text.')
  return text
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

/** Number of the line, from 1, that holds the character at `index`. */
function lineAt(text: string, index: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line++
  return line
}
