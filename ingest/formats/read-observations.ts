import { DocumentError, type Reject } from '../source.ts'
import { textName } from '../sources/shared/body.ts'
import { eurostatTsv } from './eurostat-tsv.ts'
import { jsonStat } from './json-stat.ts'
import type { FormatReader, MessageObservation } from './observation.ts'
import { oecdPortalCsv } from './oecd-portal-csv.ts'
import { sdmxCsv } from './sdmx-csv.ts'
import { sdmxJson } from './sdmx-json.ts'
import { sdmxMl } from './sdmx-ml.ts'
import { decoded } from './text.ts'

/** The formats that are read. Each recognises its own from the beginning of the text. */
export const formatReaders: readonly FormatReader[] = [sdmxMl, jsonStat, sdmxJson, sdmxCsv, eurostatTsv, oecdPortalCsv]

const HEAD_CHARS = 16 * 1024

/**
 * Reads the observations of a statistical message in any of the formats. `pieces` are its bytes, in order. Memory holds
 * a piece and a row of it, except for JSON. Throws `DocumentError`: `unknown_format`, with what the text really is;
 * `empty` for a document without observations; or what decoding or the format's reader throws; possibly after some observations, as a cut is seen at its end.
 */
export function* readObservations(pieces: Iterable<Uint8Array>): Generator<MessageObservation | Reject> {
  const text = decoded(pieces)
  let head = ''
  for (let next = text.next(); !next.done; next = text.next()) {
    head += next.value
    if (head.length >= HEAD_CHARS) break
  }
  const reader = formatReaders.find(({ recognises }) => recognises(head.trimStart()))
  if (!reader) {
    refuseFault(head)
    throw new DocumentError(
      'unknown_format',
      `The document is ${textName(head)}, which is no format that is read; it begins ${JSON.stringify(head.trimStart().slice(0, 60))}.`,
    )
  }
  let isEmpty = true
  for (const found of reader.read(prepended(head, text))) {
    isEmpty = false
    yield found
  }
  if (isEmpty) throw new DocumentError('empty', `The ${reader.name} document has no observations.`)
}

/** Throws `DocumentError` `publisher_error` for a SOAP fault, with which Eurostat answers faulty requests. */
function refuseFault(head: string): void {
  const [, text] = /<(?:\w+:)?Fault\b.*?<faultstring[^>]*>(.*?)<\/faultstring>/s.exec(head) ?? []
  if (text !== undefined) throw new DocumentError('publisher_error', `The publisher answered: ${text}`)
}

function* prepended(head: string, rest: Generator<string>): Generator<string> {
  yield head
  yield* rest
}
