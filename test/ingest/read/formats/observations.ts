import type { MessageObservation } from '../../../../ingest/read/formats/observation.ts'
import { readObservations } from '../../../../ingest/read/formats/read-observations.ts'
import { bytePieces } from '../../../../ingest/read/text.ts'
import { DocumentError, type Reject } from '../../../../ingest/source.ts'

/** All observations and rejects of a document. */
export const readAll = (content: Uint8Array | string): (MessageObservation | Reject)[] => [
  ...readObservations(bytePieces(typeof content === 'string' ? new TextEncoder().encode(content) : content)),
]

export const observationsOf = (content: Uint8Array | string): MessageObservation[] =>
  readAll(content).filter((found) => found.kind === 'observation')

/** Codes without the named ones, period and value in one line, to compare documents that order their contents differently. */
export const lineOf = ({ codes, period, value }: MessageObservation, only: readonly string[]): string =>
  [...only.map((name) => codes[name] ?? ''), period, String(value)].join(' ')

/** Reason of the refusal of a document; undefined if it is read. */
export function refusalOf(content: Uint8Array | string): DocumentError | undefined {
  try {
    readAll(content)
    return undefined
  } catch (error) {
    if (error instanceof DocumentError) return error
    throw error
  }
}
