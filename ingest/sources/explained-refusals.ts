import { gunzipSync } from 'node:zlib'
import { documentLimits } from '../limits.ts'
import { bodyName, GZIP, refuseForeignBody, UNPACK } from '../read/body.ts'
import { isZip, readZip, type ZipEntry } from '../read/zip.ts'
import { type Document, DocumentError, type Source } from '../source.ts'

/** Reasons that say what was not found; a reader of them asks what was there instead. */
const incomplete: ReadonlySet<string> = new Set(
  'malformed_csv malformed_document malformed_json malformed_xml malformed_xlsx malformed_zip missing_column truncated'
    .split(' ')
    .concat('unknown_format', 'wrong_encoding', 'wrong_format'),
)

/** The same source, whose refusals of a whole document say what the document really is, and advise what leads somewhere. */
export const withExplainedRefusals = ({ parsePieces, ...source }: Source): Source => {
  const parse = namingBodies(source.parse)
  return {
    ...source,
    *parse(document) {
      try {
        yield* parse(document)
      } catch (error) {
        if (!(error instanceof DocumentError) || !error.message.includes(UNPACK)) throw error
        const advised = error.message.replace(UNPACK, () => adviceOnPacked(document, parse))
        throw new DocumentError(error.reason, advised, error.location, { cause: error })
      }
    },
    ...(parsePieces && { parsePieces: (document, pieces) => parsePieces(document, withoutForeign(pieces)) }),
  }
}

const namingBodies = (parse: Source['parse']): Source['parse'] =>
  function* (document) {
    refuseForeignBody(document.bytes)
    try {
      yield* parse(document)
    } catch (error) {
      if (!(error instanceof DocumentError) || !incomplete.has(error.reason)) throw error
      // The readers of statistical messages say it already.
      if (error.message.startsWith('The document is ') && error.reason === 'unknown_format') throw error
      const detail = `${error.message} The document is ${bodyName(document.bytes)}.`
      throw new DocumentError(error.reason, detail, error.location, { cause: error })
    }
  }

/** Says whether to unpack a body, by reading what is in it. */
function adviceOnPacked(document: Document, parse: Source['parse']): string {
  let refusal = ''
  try {
    for (const { name, read } of packedIn(document.bytes)) {
      const fault = refusalOf({ ...document, bytes: read() }, parse)
      if (fault === undefined) return name === '' ? UNPACK : `unpack it, and read ${JSON.stringify(name)}`
      refusal ||= fault
    }
  } catch (error) {
    // It is damaged or too large, so that nothing can say here what is in it.
    if (error instanceof DocumentError) return UNPACK
    throw error
  }
  // The sentence has an end of its own.
  return refusal === '' ? UNPACK : `what is in it is not read either: ${refusal.replace(/\.$/, '')}`
}

function packedIn(bytes: Uint8Array): readonly Pick<ZipEntry, 'name' | 'read'>[] {
  if (isZip(bytes)) return readZip(bytes).filter(({ name }) => !name.endsWith('/'))
  if (!Buffer.from(bytes.subarray(0, 2)).equals(Buffer.from(GZIP, 'hex'))) return []
  return [{ name: '', read: () => gunzipped(bytes) }]
}

function gunzipped(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: documentLimits.unpackedBytes })
  } catch (cause) {
    throw new DocumentError('malformed_gzip', 'The document cannot be unpacked.', '', { cause })
  }
}

/** Why a source reads nothing of a document; undefined if it reads something. */
function refusalOf(document: Document, parse: Source['parse']): string | undefined {
  try {
    for (const item of parse(document)) if (item.kind !== 'reject') return undefined
    return 'it has no figures that are read.'
  } catch (error) {
    if (error instanceof DocumentError) return error.message
    throw error
  }
}

/** Pieces of a large body, whose beginning is the first of them. */
function* withoutForeign(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  let isFirst = true
  for (const piece of pieces) {
    if (isFirst) refuseForeignBody(piece)
    isFirst = false
    yield piece
  }
}
