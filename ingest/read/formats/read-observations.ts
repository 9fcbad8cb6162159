import { documentLimits } from '../../limits.ts'
import { DocumentError, type Reject } from '../../source.ts'
import { textName, zipName } from '../body.ts'
import { jsonKindOf } from '../json-kinds.ts'
import { continued, decoded } from '../text.ts'
import { isWorkbook, openWorkbook } from '../xlsx.ts'
import { isZip, readZip } from '../zip.ts'
import { absWorkbook } from './abs-workbook.ts'
import { blsFlatFile, blsJson, blsWorkbook } from './bls.ts'
import { cbsOData } from './cbs-odata.ts'
import { ft900Workbook } from './ft900-workbook.ts'
import { gemWorkbook } from './gem-workbook.ts'
import { genesisCsv } from './genesis-csv.ts'
import { iloExplorerCsv, iloStatCsv } from './ilostat-csv.ts'
import { inseeCsv } from './insee-csv.ts'
import { jsonStat } from './json-stat.ts'
import type { FormatReader, MessageObservation, WorkbookReader } from './observation.ts'
import { oecdPortalCsv } from './oecd-portal-csv.ts'
import { onsCsv, onsJson } from './ons.ts'
import { openDosmCsv } from './opendosm.ts'
import { sdmxCsv } from './sdmx-csv.ts'
import { sdmxJson } from './sdmx-json.ts'
import { sdmxMl } from './sdmx-ml.ts'
import { singStatCsv, singStatJson } from './singstat.ts'
import { statCanArchive } from './statcan-archive.ts'
import { statCanDisplayed } from './statcan-displayed.ts'
import { statCanVectors } from './statcan-vectors.ts'
import { unctadCsv } from './unctad-csv.ts'

/** The formats that are read. Each recognises its own from the beginning of the text. */
export const formatReaders: readonly FormatReader[] = [
  ...[sdmxMl, jsonStat, sdmxJson, sdmxCsv, oecdPortalCsv],
  ...[openDosmCsv],
  ...[onsCsv, onsJson],
  ...[singStatCsv, singStatJson],
  ...[inseeCsv],
  ...[cbsOData],
  ...[iloStatCsv, iloExplorerCsv, unctadCsv],
  ...[genesisCsv],
  ...[blsJson, blsFlatFile],
  ...[statCanDisplayed, statCanVectors],
]

const workbookReaders: readonly WorkbookReader[] = [absWorkbook, blsWorkbook, ft900Workbook, gemWorkbook]

const HEAD_CHARS = 16 * 1024

/**
 * Reads the observations of a statistical message in any of the formats. `pieces` are its bytes, in order. Memory holds
 * a piece and a row of it, except for archives and formats that are read whole, such as JSON. Throws `DocumentError`:
 * `unknown_format`, with what the document really is; `publisher_error` for an answer to a request that failed; `empty` for a document without observations; or what decoding or
 * the format's reader throws; possibly after some observations, as a cut is seen at its end.
 */
export function* readObservations(pieces: Iterable<Uint8Array>): Generator<MessageObservation | Reject> {
  const all = pieces[Symbol.iterator]()
  const head: Uint8Array[] = []
  for (let size = 0; size < ZIP_MARK_BYTES; ) {
    const next = all.next()
    if (next.done) break
    head.push(keptPiece(next.value))
    size += next.value.length
  }
  const rest = continued(head, all)
  yield* isZip(Buffer.concat(head)) ? readArchive(Buffer.concat(Array.from(rest, keptPiece))) : readText(rest)
}

const ZIP_MARK_BYTES = 4

/** A piece is valid until the next one is read, because pieces of a large file share their memory. */
const keptPiece = (piece: Uint8Array): Uint8Array => Buffer.from(piece)

function* readArchive(bytes: Uint8Array): Generator<MessageObservation | Reject> {
  const entries = readZip(bytes, documentLimits.tableBytes)
  if (statCanArchive.recognises(entries)) return yield* readWhole(statCanArchive.name, statCanArchive.read(entries))
  if (!isWorkbook(entries)) throw new DocumentError('unknown_format', `The document is ${zipName(entries)}.`)
  const workbook = openWorkbook(bytes)
  const reader = workbookReaders.find(({ recognises }) => recognises(workbook))
  if (!reader) {
    const sheets = workbook.sheets.map((sheet) => JSON.stringify(sheet)).join(', ')
    throw new DocumentError(
      'unknown_format',
      `The document is a workbook of no format that is read; its sheets: ${sheets}.`,
    )
  }
  yield* readWhole(reader.name, reader.read(workbook))
}

function* readText(pieces: Iterable<Uint8Array>): Generator<MessageObservation | Reject> {
  const text = decoded(pieces)
  let head = ''
  for (let next = text.next(); !next.done; next = text.next()) {
    head += next.value
    if (head.length >= HEAD_CHARS) break
  }
  const reader = formatReaders.find(({ recognises }) => recognises(head.trimStart()))
  if (!reader) {
    refuseFault(head)
    const name = textName(head)
    // The name of a plain text is its beginning.
    const start = name.includes(' begins ') ? '' : `; it begins ${JSON.stringify(head.trimStart().slice(0, 60))}`
    throw new DocumentError('unknown_format', `The document is ${name}, which is no format that is read${start}.`)
  }
  yield* readWhole(reader.name, reader.read(continued([head], text)))
}

function* readWhole(
  name: string,
  observations: Iterable<MessageObservation | Reject>,
): Generator<MessageObservation | Reject> {
  let isEmpty = true
  for (const found of observations) {
    isEmpty = false
    yield found
  }
  if (isEmpty) throw new DocumentError('empty', `The ${name} document has no observations.`)
}

/** Throws `DocumentError` `publisher_error` for an error in JSON, or a SOAP fault, as Eurostat answers faulty requests. */
function refuseFault(head: string): void {
  const [, fault] = /<(?:\w+:)?Fault\b.*?<faultstring[^>]*>(.*?)<\/faultstring>/s.exec(head) ?? []
  const text = fault ?? (jsonKindOf(head.trimStart())?.isError ? head.trim().slice(0, SHOWN_CHARS) : undefined)
  if (text !== undefined)
    throw new DocumentError(
      'publisher_error',
      `The publisher answered: ${text}. The request failed: correct it, or ask again later.`,
    )
}

const SHOWN_CHARS = 200
