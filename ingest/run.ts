import type { Acceptor } from './accept/accept.ts'
import type { RowFault } from './accept/rejected.ts'
import { addTally, emptyTally, type Tally } from './accept/tally.ts'
import { FetchedDatasets } from './fetched-datasets.ts'
import { type Document, DocumentError, type FetchRequest, type IngestSource } from './source.ts'

/** Faults of one document that are reported one by one. The counts have all; quarantine has its own limits. */
const REPORTED_ROWS = 1_000

/**
 * Outcome of one document. `faults` holds those of its first rejected rows and of what is held first, `reasons` the number
 * of all by reason. `structure` is that of a fetched document (`structure.ts`).
 */
export type DocumentReport =
  | {
      readonly document: Document
      readonly outcome: 'accepted'
      readonly tally: Tally
      readonly faults: readonly RowFault[]
      readonly reasons: ReadonlyMap<string, number>
      readonly structure?: readonly string[]
    }
  | {
      readonly document: Document
      readonly outcome: 'quarantined'
      readonly error: DocumentError
      readonly structure?: readonly string[]
    }

/**
 * Fetches a source's documents and accepts them one by one. An unreadable document goes into quarantine as a whole, and
 * the next one follows. Throws if a document can't be fetched. If all could be fetched and read, records when that was.
 */
export async function ingest(
  source: IngestSource,
  request: FetchRequest,
  acceptor: Acceptor,
  onDocument: (report: DocumentReport) => void = () => undefined,
  fetched = new FetchedDatasets(),
): Promise<Tally> {
  const total = emptyTally()
  let isRead = true
  for await (const document of source.fetch(request)) {
    let structure: readonly string[] = []
    try {
      const faults: RowFault[] = []
      const reasons = new Map<string, number>()
      const onFault = (fault: RowFault) => {
        reasons.set(fault.reason, (reasons.get(fault.reason) ?? 0) + 1)
        if (faults.length < REPORTED_ROWS) faults.push(fault)
      }
      const items = source.parse(document, request.signal, (names) => {
        structure = names
      })
      const tally = await acceptor.accept(document, fetched.noted(document, items), { signal: request.signal, onFault })
      addTally(total, tally)
      onDocument({ document, outcome: 'accepted', tally, faults, reasons, structure })
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error
      isRead = false
      await acceptor.reject(document, error, request.signal)
      total.rejected++
      onDocument({ document, outcome: 'quarantined', error, structure })
    }
  }
  if (isRead) {
    fetched.isComplete = true
    await acceptor.recordFetch(fetched.list(), request.now())
  }
  return total
}
