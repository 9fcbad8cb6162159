import { publishedSource, type RemoteOptions, withQuery } from '../../fetch/published-source.ts'
import { gemFileNames, gemMapping } from '../../map/publishers/gem.ts'
import { isWorkbook } from '../../read/xlsx.ts'
import { csvIn, isZip, readZip } from '../../read/zip.ts'
import { type Document, DocumentError, type Source } from '../../source.ts'
import { mappedSource } from '../mapped-source.ts'
import { worldBankIndicators } from './figure.ts'
import { parseWorldBank } from './parse.ts'

/** A download is an archive of the table and of two others about it. */
const nameOfDownload = /^API_[^/]*\.csv$/

const monitor = mappedSource(gemMapping)
/** Rows per page; all years of all countries fit into one. */
const PAGE = 20_000

/**
 * The World Bank: annual figures of all countries of the World Development Indicators, and files of the Global Economic
 * Monitor.
 */
export const worldBank = (options: RemoteOptions = {}): Source =>
  publishedSource(
    {
      name: 'WB',
      publisher: 'World Bank',
      licence: 'CC BY 4.0',
      datasets: {
        ...Object.fromEntries(Object.entries(worldBankIndicators).map(([code, { title }]) => [code, title])),
        ...monitor.datasets,
      },
      hosts: ['api.worldbank.org'],
      downloadable: Object.keys(worldBankIndicators),
      questions: (dataset) => [
        {
          page: (page) => ({
            address: withQuery(`https://api.worldbank.org/v2/country/all/indicator/${dataset}`, {
              format: 'json',
              per_page: String(PAGE),
              page: String(page),
            }),
            accept: 'application/json',
          }),
          member: 'pages',
          pagesOf: (pages) => pages,
        },
      ],
      ignoresFileNames: true,
      parse: (document) =>
        isZip(document.bytes) && isWorkbook(readZip(document.bytes))
          ? monitor.parse(refuseOtherName(document))
          : parseWorldBank({ ...document, bytes: csvIn(document.bytes, nameOfDownload) }),
    },
    options,
  )

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
