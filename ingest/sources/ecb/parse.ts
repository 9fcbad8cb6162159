import { datedByNewest, oldestFirst } from '../../read/price.ts'
import { textOf } from '../../read/text.ts'
import { parseXml } from '../../read/xml.ts'
import { csvIn } from '../../read/zip.ts'
import { type Document, DocumentError, type Item } from '../../source.ts'
import { readDataCsv, readGenericData } from './data-api.ts'
import { readRatesCsv, readRatesXml } from './eurofxref.ts'

/**
 * Parses euro foreign exchange reference rates into prices such as `EUR-USD` (dollars for one euro), oldest first. The edition is that of the newest day.
 * Reads every format of the ECB: eurofxref XML and CSV (also zipped), and the data API's CSV and SDMX-ML. A currency
 * without a rate on a day (`N/A`, `NaN`) gives no price. Retired currencies are included.
 */
export function parseEcb(document: Document): readonly Item[] {
  const text = textOf({ bytes: csvIn(document.bytes) })
  const items = readText(text, document.url)
  if (items.length === 0) throw new DocumentError('empty', 'The document has no rates.')
  return oldestFirst(datedByNewest(items))
}

function readText(text: string, address: string): Item[] {
  if (/^Date\s*,/.test(text)) return readRatesCsv(text)
  if (!/^\s*</.test(text)) return readDataCsv(text, address)
  const root = parseXml(text)
  if (root.name === 'Envelope') return readRatesXml(root)
  if (root.name === 'GenericData') return readGenericData(root)
  throw new DocumentError(
    'unknown_format',
    `The root element is ${root.name}, which is not read. Take the same rates as generic data or CSV of the data API, or as eurofxref in XML or CSV.`,
  )
}
