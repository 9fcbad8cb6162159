import { type Document, documentOf, type FetchRequest, type Price, type Source } from '../../ingest/source.ts'

/** A document of a publisher that there isn't. */
export const testDocument = (bytes: Uint8Array | string): Document =>
  documentOf(typeof bytes === 'string' ? Buffer.from(bytes) : bytes, {
    source: 'TEST',
    dataset: 'test',
    publisher: 'Test office',
    licence: 'None',
    url: 'https://example.org/test',
    retrievedAt: '2026-11-01T12:00:00.000Z',
  })

export const allDocuments = (source: Source, request: Omit<FetchRequest, 'now'>): Promise<Document[]> =>
  Array.fromAsync(source.fetch({ ...request, now: () => new Date('2026-11-01T12:00:00Z') }))

/** `XAU-USD 1785.28 2021-08-31T23:59:59.999Z` */
export const lineOf = ({ symbol, printed, observedAt }: Price): string => `${symbol} ${printed} ${observedAt}`
