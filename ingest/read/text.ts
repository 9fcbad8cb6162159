import { documentLimits } from '../limits.ts'
import { type Document, DocumentError } from '../source.ts'
import { utf16Name } from './body.ts'

const PIECE_BYTES = 1024 * 1024

/** Cuts bytes that are in memory into pieces, so that their text is never in memory as a whole. */
export function* bytePieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}

/** The pieces that were taken from an iterator to look at the beginning, and then those that it still has. */
export function* continued<T>(head: readonly T[], rest: Iterator<T>): Generator<T> {
  yield* head
  for (let next = rest.next(); !next.done; next = rest.next()) yield next.value
}

/**
 * Decodes UTF-8 piece by piece, without a byte order mark. Never replaces unreadable bytes. Throws `DocumentError`:
 * `wrong_encoding`, with the line, for bytes that are not UTF-8, for UTF-16 and for NUL characters; `empty` for no text.
 */
export function* decoded(pieces: Iterable<Uint8Array>): Generator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 1
  let hasText = false
  let isFirst = true
  const wrong = (detail: string, at: number, cause?: unknown) =>
    new DocumentError('wrong_encoding', detail, `line ${at}`, { cause })
  const decode = (bytes: Uint8Array | undefined, isWithin: boolean): string => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
    } catch (cause) {
      const readable = new TextDecoder('utf-8').decode(bytes?.subarray(isWithin ? restOfCharacter(bytes) : 0))
      const at = line + lineEndsIn(readable.slice(0, Math.max(0, readable.indexOf('\ufffd'))))
      throw wrong('The document is not UTF-8.', at, cause)
    }
  }
  const checked = (text: string): string => {
    const nul = text.indexOf('\0')
    if (nul >= 0) throw wrong('The document has NUL characters.', line + lineEndsIn(text.slice(0, nul)))
    line += lineEndsIn(text)
    hasText ||= text.trim() !== ''
    return text
  }
  for (const piece of pieces) {
    const utf16 = isFirst ? utf16Name(piece) : undefined
    if (utf16 !== undefined) throw wrong(`The document is ${utf16}.`, 1)
    yield checked(decode(piece, !isFirst))
    isFirst = false
  }
  yield checked(decode(undefined, true))
  if (!hasText) throw new DocumentError('empty', 'The document has no text.')
}

/** Number of bytes at the beginning that can only continue a character, which the piece before has begun. */
function restOfCharacter(bytes: Uint8Array): number {
  let count = 0
  while (count < 3 && ((bytes[count] ?? 0) & 0xc0) === 0x80) count++
  return count
}

function lineEndsIn(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}

/** Joins the pieces of a text, for formats that cannot be read in pieces, such as JSON. Throws `DocumentError` `too_large`. */
export function wholeText(text: Iterable<string>): string {
  const pieces: string[] = []
  let chars = 0
  for (const piece of text) {
    chars += piece.length
    if (chars > documentLimits.bytes)
      throw new DocumentError(
        'too_large',
        `The document has more than ${documentLimits.bytes} characters; a document that cannot be read in pieces may have no more.`,
      )
    pieces.push(piece)
  }
  return pieces.join('')
}

/**
 * Decodes a document's UTF-8 text, without its byte order mark. Throws `DocumentError`: what `decoded` throws, and `too_large`.
 */
export function textOf({ bytes }: Pick<Document, 'bytes'>): string {
  if (bytes.length > documentLimits.bytes)
    throw new DocumentError('too_large', `The document has ${bytes.length} bytes; ${documentLimits.bytes} are read.`)
  return wholeText(decoded([bytes]))
}
