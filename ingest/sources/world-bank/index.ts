import { fetchDocuments, type SourceIdentity } from '../../fetch/fetch-documents.ts'
import { gemFileNames, gemMapping } from '../../map/publishers/gem.ts'
import { isWorkbook } from '../../read/xlsx.ts'
import { csvIn, isZip, readZip } from '../../read/zip.ts'
import { type Document, DocumentError, type Source } from '../../source.ts'
import { mappedSource } from '../mapped-source.ts'
import { fetchWorldBank, type WorldBankOptions } from './fetch.ts'
import { worldBankIndicators } from './indicators.ts'
import { parseWorldBank } from './parse.ts'

/** A download is an archive of the table and of two others about it. */
const nameOfDownload = /^API_[^/]*\.csv$/

const monitor = mappedSource(gemMapping)
const identity: SourceIdentity = {
  name: 'WB',
  publisher: 'World Bank',
  licence: 'CC BY 4.0',
  datasets: {
    ...Object.fromEntries(Object.entries(worldBankIndicators).map(([code, { title }]) => [code, title])),
    ...monitor.datasets,
  },
}

/**
 * The World Bank: annual figures of all countries of the World Development Indicators, and files of the Global Economic
 * Monitor.
 */
export const worldBank = (options: WorldBankOptions = {}): Source => ({
  ...identity,
  fetch: (request) =>
    fetchDocuments(identity, request, {
      datasets: Object.keys(worldBankIndicators),
      ignoresFileNames: true,
      answers: (dataset) => fetchWorldBank(dataset, options, request.signal),
    }),
  parse: (document) =>
    isZip(document.bytes) && isWorkbook(readZip(document.bytes))
      ? monitor.parse(refuseOtherName(document))
      : parseWorldBank({ ...document, bytes: csvIn(document.bytes, nameOfDownload) }),
})

/** Parts of the names that the publisher gives to files of the monitor. */
const partsOfNames = ['Merchandise, Customs', 'seas. adj.']

/**
 * Throws `DocumentError` `other_series` for a workbook whose file has the publisher's name of another dataset than the
 * wanted one. A name proves no dataset, but imports that are called exports are a slip.
 */
function refuseOtherName(document: Document): Document {
  const { dataset, url } = document
  const has = (name: string): boolean => url.includes(encodeURIComponent(name))
  const expected = gemFileNames[dataset]
  if (expected === undefined || has(expected) || !partsOfNames.some(has)) return document
  const named = Object.keys(gemFileNames).find((other) => has(gemFileNames[other] ?? ''))
  throw new DocumentError(
    'other_series',
    `The name of the file is that of ${named ?? 'a dataset that is not read'}, not of ${dataset}.`,
  )
}
