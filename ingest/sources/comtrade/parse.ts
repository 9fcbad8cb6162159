import { countryByAlpha3 } from '../../../contracts/countries.ts'
import { seriesOfMeaning } from '../../map/mapping.ts'
import { readMappingRows } from '../../map/read-rows.ts'
import { readTable, refuseEmpty } from '../../read/csv.ts'
import { figureOrReject, inOrderOfRelease, rejectOf } from '../../read/items.ts'
import { isArray, isObject, parseJson, printed } from '../../read/json.ts'
import { textOf } from '../../read/text.ts'
import { type Document, DocumentError, type Item, type Reject } from '../../source.ts'
import { countryOfNumber, formerOrGroup } from './reporters.ts'

/** One row of either format. */
type Row = {
  readonly kind: 'row'
  /** A member by its name in the API. */
  readonly member: (name: string) => string | undefined
  readonly location: string
  readonly text: string
}

/**
 * Parses world totals of merchandise trade, in US dollars: imports CIF, exports FOB. Reads the API's JSON (v1), and the
 * CSV that Comtrade offered for download before. Skips rows of one partner, product, customs procedure or mode of
 * transport, re-exports and re-imports, and reporters that are no country.
 * Throws `DocumentError`: `publisher_error`, `unknown_format`, `empty`, `truncated`, `malformed_document`, or what reading CSV throws.
 * Source: https://comtradedeveloper.un.org
 */
export function* parseComtrade(document: Document): Iterable<Item> {
  const text = textOf(document)
  const rows = /^\s*[{[]/.test(text) ? readJson(text) : readDownload(text)
  // The service asks for months that no reporter has sent yet. Who reads a file expects figures in it.
  if (rows.length === 0 && document.retrievedAt === null)
    throw new DocumentError('empty', 'The answer has no rows: UN Comtrade has nothing of what was asked for.')
  yield* inOrderOfRelease(rows.flatMap((row) => (row.kind === 'reject' ? row : itemOf(row))))
}

const rows = [...readMappingRows('comtrade').values()].flat()
/** Codes of re-exports and re-imports, which exports and imports include, and of their parts by purpose. */
const otherFlows = new Set(['RX', 'RM', 'DX', 'FM', 'MIP', 'MOP', 'XIP', 'XOP'])

function itemOf({ member, location, text }: Row): Item | [] {
  const reject = (reason: string, detail: string) => rejectOf(reason, detail, location, text)
  const stated = (name: string): string => member(name) ?? ''
  const flow = stated('flowCode')
  const reporter = stated('reporterISO')
  const isTotal = Object.entries(totals).every(([name, codes]) => codes.includes(stated(name)))
  if (!isTotal || otherFlows.has(flow) || formerOrGroup.has(reporter)) return []
  const ofFlow = rows.filter(({ key }) => key.flowCode === flow)
  if (ofFlow.length === 0) return reject('unknown_flow', `Flow is ${JSON.stringify(flow)}.`)
  const frequency = stated('freqCode')
  const found = ofFlow.find(({ meaning }) => meaning?.frequency === frequency)
  if (!found?.meaning) return reject('unknown_frequency', `Frequency is ${JSON.stringify(frequency)}.`)
  if (!countryByAlpha3.has(reporter)) return reject('unknown_country', `Reporter is ${JSON.stringify(reporter)}.`)
  const number = stated('reporterCode')
  const ofNumber = countryOfNumber(number)
  if (ofNumber !== undefined && ofNumber !== reporter)
    return reject('contradictory_row', `Reporter is ${reporter}, and its number ${number} is that of ${ofNumber}.`)
  const printedPeriod = stated('period')
  const year = stated('refYear')
  if (year !== '' && !printedPeriod.startsWith(year))
    return reject('contradictory_row', `Period is ${JSON.stringify(printedPeriod)}, and its year ${year}.`)
  const value = member('primaryValue')
  if (value === undefined) return reject('missing_member', 'The row has no value.')
  const { dataset, meaning } = found
  const series = seriesOfMeaning(meaning, { source: 'UNSD', dataset, country: reporter })
  // `2010` or `201001`.
  const period = printedPeriod.replace(/^(\d{4})(\d{2})$/, '$1-$2')
  // The API prints floating-point numbers (`6804128143.0`); no reporter gives less than a tenth of a cent.
  const figures = { [meaning.figure]: { printed: value, ...meaning.reading } }
  return figureOrReject({ series, period, figures, location }, text)
}

/** Codes for the total of all partners, products, customs procedures and modes of transport. Some may be left out. */
const totals: Readonly<Record<string, readonly string[]>> = {
  typeCode: ['C'],
  partnerCode: ['0'],
  partner2Code: ['0', ''],
  cmdCode: ['TOTAL'],
  customsCode: ['C00', ''],
  motCode: ['0', ''],
  mosCode: ['0', ''],
}

/** Name of a dataset, as in the API's address: commodities, by year or month, in the Harmonized System. */
export const datasetOf = (frequency: 'A' | 'M'): string => `C/${frequency}/HS`

function readJson(text: string): (Row | Reject)[] {
  const root = parseJson(text)
  if (!isObject(root)) throw new DocumentError('malformed_document', 'The document is no object.')
  const message = printed(root.error) || printed(root.message)
  if (message) throw new DocumentError('publisher_error', `UN Comtrade answered: ${message}`)
  if (isArray(root.dataset) || isObject(root.validation))
    throw new DocumentError(
      'unknown_format',
      'The document is JSON of UN Comtrade’s former interface (comtrade.un.org/api), which is not read. Take the answer of https://comtradeapi.un.org, or the CSV of the former download.',
    )
  const { data, count } = root
  if (!isArray(data)) throw new DocumentError('malformed_document', 'The document has no data.')
  if (printed(count) !== String(data.length))
    throw new DocumentError('truncated', `Of ${printed(count)} rows ${data.length} are here.`)
  const rows = data.map((row, index): Row | Reject => {
    const location = `data[${index}]`
    if (!isObject(row)) return rejectOf('malformed_row', 'The row is no object.', location, JSON.stringify(row))
    return { kind: 'row', member: (name) => printed(row[name]), location, text: JSON.stringify(row) }
  })
  if (!mostRows.has(rows.length)) return rows
  const detail = `The answer has ${rows.length} rows, as many as UN Comtrade gives at once, so there may be more.`
  return [rejectOf('further_pages', detail, 'count', `count ${rows.length}`), ...rows]
}

/** Most rows of one answer, without and with a key. Comtrade does not say how many there would be. */
const mostRows: ReadonlySet<number> = new Set([500, 250_000])

/** API flow code by flow code of the download. */
const flowCodes: ReadonlyMap<string, string> = new Map([
  ['1', 'M'],
  ['2', 'X'],
  ['3', 'RX'],
  ['4', 'RM'],
])
const columns = ['Period', 'Trade Flow Code', 'Reporter ISO', 'Partner Code', 'Commodity Code', 'Trade Value (US$)']

function readDownload(text: string): (Row | Reject)[] {
  const { rows } = readTable(text, columns, { endsWithNewline: true })
  refuseEmpty(rows)
  return rows.map((row): Row | Reject => {
    if (row.kind === 'reject') return row
    const { cell } = row
    // What is not specified may be empty, or have either code for a total.
    const unlessTotal = (column: string) => cell(column).replace(/^(?:0|C00)$/, '')
    const members: Readonly<Record<string, string>> = {
      typeCode: 'C',
      freqCode: cell('Period').length === 4 ? 'A' : 'M',
      period: cell('Period'),
      refYear: cell('Year'),
      reporterISO: cell('Reporter ISO'),
      reporterCode: cell('Reporter Code'),
      flowCode: flowCodes.get(cell('Trade Flow Code')) ?? cell('Trade Flow Code'),
      partnerCode: cell('Partner Code'),
      partner2Code: unlessTotal('2nd Partner Code'),
      cmdCode: cell('Commodity Code'),
      customsCode: unlessTotal('Customs Proc. Code'),
      motCode: unlessTotal('Mode of Transport Code'),
      primaryValue: cell('Trade Value (US$)'),
    }
    return { kind: 'row', member: (name) => members[name], location: `line ${row.line}`, text: row.text }
  })
}
