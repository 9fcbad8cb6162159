import type { Acceptor, Tally } from './accept.ts'
import { emptyTally } from './accept.ts'
import type { RowFault } from './rejected.ts'
import { type Document, DocumentError, type FetchRequest, type IngestSource } from './source.ts'

/** Rejected rows of one document that are reported each; the tally counts them all, quarantine has them. */
const REPORTED_ROWS = 20

/** `rejected` are the first rejected rows of the document. */
export type DocumentReport =
  | {
      readonly document: Document
      readonly outcome: 'accepted'
      readonly tally: Tally
      readonly rejected: readonly RowFault[]
    }
  | { readonly document: Document; readonly outcome: 'quarantined'; readonly error: DocumentError }

/**
 * Fetches a source's documents and accepts them one by one. A document that can't be read goes into quarantine whole and
 * the next one follows; what a source can't even fetch is the caller's to handle.
 */
export async function ingest(
  source: IngestSource,
  request: FetchRequest,
  acceptor: Acceptor,
  onDocument: (report: DocumentReport) => void = () => undefined,
): Promise<Tally> {
  const total = emptyTally()
  for await (const document of source.fetch(request)) {
    try {
      const rejected: RowFault[] = []
      const onRejected = (fault: RowFault) => {
        if (rejected.length < REPORTED_ROWS) rejected.push(fault)
      }
      const items = source.parse(document, request.signal)
      const tally = await acceptor.accept(document, items, { signal: request.signal, onRejected })
      for (const outcome of Object.keys(total) as (keyof Tally)[]) total[outcome] += tally[outcome]
      onDocument({ document, outcome: 'accepted', tally, rejected })
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error
      await acceptor.reject(document, error, request.signal)
      total.rejected++
      onDocument({ document, outcome: 'quarantined', error })
    }
  }
  return total
}
