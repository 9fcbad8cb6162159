import { type Document, documentOf, type Figure, type Item, type Price, type Source } from '../../../ingest/source.ts'
import { FIRST_YEAR, figuresPath, type Origin, type SampleFile } from './sample-file.ts'

/** A recorded file in a format that the service reads itself. */
type RecordedDocument = Pick<Document, 'dataset' | 'bytes'>

export const originOf = ({ publisher, licence }: Source, url: string): Origin => ({ publisher, licence, url })

/** The figures of a document from `FIRST_YEAR` on. */
export const figuresThrough = (source: Source, document: RecordedDocument): Figure[] =>
  itemsThrough(source, document)
    .filter((item) => item.kind === 'figure')
    .filter(({ period }) => period >= FIRST_YEAR)

/** A file for each indicator of a document that has one series of each. */
export const filesByIndicator = (origin: Origin, figures: readonly Figure[]): SampleFile[] =>
  [...Map.groupBy(figures, ({ series }) => figuresPath(series))].map(([path, of]) => ({ path, origin, figures: of }))

/** The prices of a document at its last `count` times of observation. */
export const lastPricesThrough = (source: Source, document: RecordedDocument, count: number): Price[] => {
  const prices = itemsThrough(source, document).filter((item) => item.kind === 'price')
  const times = new Set([...new Set(prices.map(({ observedAt }) => observedAt))].slice(-count))
  return prices.filter(({ observedAt }) => times.has(observedAt))
}

/** A reject is a fault of the copy or of the reader, not to be passed over. */
function itemsThrough(source: Source, { bytes, ...known }: RecordedDocument): Exclude<Item, { kind: 'reject' }>[] {
  const { name, publisher, licence } = source
  const document = documentOf(bytes, { ...known, source: name, publisher, licence, url: '', retrievedAt: null })
  return Array.from(source.parse(document), (item) => {
    if (item.kind === 'reject') throw new Error(`${item.location}: ${item.reason}: ${item.detail}`)
    return item
  })
}
