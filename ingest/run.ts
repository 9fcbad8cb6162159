import type { Acceptor } from './accept/accept.ts'
import type { RowFault } from './accept/rejected.ts'
import { addTally, emptyTally, type Tally } from './accept/tally.ts'
import {
  type Document,
  DocumentError,
  type FetchRequest,
  type IngestSource,
  type Item,
  type Items,
  type SeriesDataset,
} from './source.ts'

/** Faults of one document that are reported one by one. The counts have all; quarantine has its own limits. */
const REPORTED_ROWS = 1_000

/**
 * Outcome of one document. `faults` holds those of its first rejected rows and of what is held first, `reasons` the number
 * of all by reason. `structure` is that of a fetched document (`read/format-changes.ts`).
 */
export type DocumentReport = {
  readonly document: Document
  readonly tally: Tally
  readonly faults: readonly RowFault[]
  readonly reasons: ReadonlyMap<string, number>
  readonly structure?: readonly string[]
} & (
  | { readonly outcome: 'accepted' }
  /** The document itself is one rejected item more. There are others if its parser ended before it had read all. */
  | { readonly outcome: 'quarantined'; readonly error: DocumentError }
)

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
    const tally = emptyTally()
    const faults: RowFault[] = []
    const reasons = new Map<string, number>()
    const countReason = (reason: string) => reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    const onFault = (fault: RowFault) => {
      countReason(fault.reason)
      if (faults.length < REPORTED_ROWS) faults.push(fault)
    }
    let structure: readonly string[] = []
    try {
      const items = source.parse(document, request.signal, (names) => {
        structure = names
      })
      await acceptor.accept(document, fetched.noted(document, items), { signal: request.signal, onFault, tally })
      onDocument({ document, outcome: 'accepted', tally, faults, reasons, structure })
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error
      isRead = false
      await acceptor.reject(document, error, request.signal)
      tally.rejected++
      countReason(error.reason)
      onDocument({ document, outcome: 'quarantined', error, tally, faults, reasons, structure })
    }
    addTally(total, tally)
  }
  if (isRead) {
    fetched.isComplete = true
    await acceptor.recordFetch(fetched.list(), request.now())
  }
  return total
}

/** Text of a tally, such as `3 new, 1 revised, 1 price`; `otherwise` if all counts are 0. */
export const tallyText = (tally: object, otherwise = 'nothing'): string =>
  Object.entries(tally)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count} ${count === 1 && outcome === 'prices' ? 'price' : outcome}`)
    .join(', ') || otherwise

/** The datasets whose series one fetch has brought, or has found unchanged. */
export class FetchedDatasets {
  readonly #bySource = new Map<string, Set<string>>()
  /** Whether every document was fetched and could be read. */
  isComplete = false

  add(datasets: readonly SeriesDataset[]): void {
    for (const each of datasets) this.#note(each)
  }

  /** Passes the items of a document on, and notes their datasets if it was fetched. */
  noted({ retrievedAt }: Pick<Document, 'retrievedAt'>, items: Items): Items {
    if (retrievedAt === null) return items
    return Symbol.asyncIterator in items ? this.#batches(items) : this.#each(items)
  }

  list(): SeriesDataset[] {
    return [...this.#bySource].flatMap(([source, datasets]) => [...datasets].map((dataset) => ({ source, dataset })))
  }

  *#each(items: Iterable<Item>): Generator<Item> {
    for (const item of items) {
      if ('series' in item) this.#note(item.series)
      yield item
    }
  }

  async *#batches(batches: AsyncIterable<readonly Item[]>): AsyncGenerator<readonly Item[]> {
    for await (const batch of batches) {
      for (const item of batch) if ('series' in item) this.#note(item.series)
      yield batch
    }
  }

  #note({ source, dataset }: SeriesDataset): void {
    const datasets = this.#bySource.get(source) ?? new Set()
    this.#bySource.set(source, datasets.add(dataset))
  }
}
