import type { Acceptor, Tally } from './accept.ts'
import { emptyTally } from './accept.ts'
import { type Document, DocumentError, type FetchRequest, type Source } from './source.ts'

export type DocumentReport =
  | { readonly document: Document; readonly outcome: 'accepted'; readonly tally: Tally }
  | { readonly document: Document; readonly outcome: 'quarantined'; readonly error: DocumentError }

/**
 * Fetches a source's documents and accepts them one by one. A document that can't be read goes into quarantine whole and
 * the next one follows; what a source can't even fetch is the caller's to handle.
 */
export async function ingest(
  source: Source,
  request: FetchRequest,
  acceptor: Acceptor,
  onDocument: (report: DocumentReport) => void = () => undefined,
): Promise<Tally> {
  const total = emptyTally()
  for await (const document of source.fetch(request)) {
    try {
      const tally = await acceptor.accept(document, source.parse(document), undefined, request.signal)
      for (const outcome of Object.keys(total) as (keyof Tally)[]) total[outcome] += tally[outcome]
      onDocument({ document, outcome: 'accepted', tally })
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error
      await acceptor.reject(document, error, request.signal)
      total.rejected++
      onDocument({ document, outcome: 'quarantined', error })
    }
  }
  return total
}
