import { DocumentError, type Source } from '../source.ts'
import { bodyName, refuseForeignBody } from './body.ts'

/** Reasons that say what was not found; a reader of them asks what was there instead. */
const incomplete: ReadonlySet<string> = new Set([
  'malformed_csv',
  'malformed_document',
  'malformed_json',
  'malformed_xml',
  'malformed_xlsx',
  'malformed_zip',
  'missing_column',
  'truncated',
  'unknown_format',
  'wrong_encoding',
  'wrong_format',
])

/** The same source, whose refusals of a whole document say what the document really is. */
export const withNamedBodies = ({ parsePieces, ...source }: Source): Source => ({
  ...source,
  *parse(document) {
    refuseForeignBody(document.bytes)
    try {
      yield* source.parse(document)
    } catch (error) {
      if (!(error instanceof DocumentError) || !incomplete.has(error.reason)) throw error
      // The readers of statistical messages say it already.
      if (error.message.startsWith('The document is ') && error.reason === 'unknown_format') throw error
      const detail = `${error.message} The document is ${bodyName(document.bytes)}.`
      throw new DocumentError(error.reason, detail, error.location, { cause: error })
    }
  },
  ...(parsePieces && { parsePieces: (document, pieces) => parsePieces(document, withoutForeign(pieces)) }),
})

/** Pieces of a large body, whose beginning is the first of them. */
function* withoutForeign(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  let isFirst = true
  for (const piece of pieces) {
    if (isFirst) refuseForeignBody(piece)
    isFirst = false
    yield piece
  }
}
