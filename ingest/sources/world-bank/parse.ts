import { countryByAlpha2 } from '../../../contracts/countries.ts'
import { furtherPages } from '../../fetch/pages.ts'
import { faultOfStated } from '../../read/formats/observation.ts'
import { inOrderOfRelease, rejectOf } from '../../read/items.ts'
import { isArray, isObject, type Json, type JsonObject, parseJson, printed } from '../../read/json.ts'
import { requiredDay } from '../../read/printed-days.ts'
import { textOf } from '../../read/text.ts'
import { type Document, DocumentError, type Item, type Reject, supported } from '../../source.ts'
import { readDownload } from './download.ts'
import { figureOf, worldBankIndicators } from './figure.ts'

/**
 * Parses annual figures: one page of an indicator, `[meta, rows]`, or a CSV download (`download.ts`). The rows name the
 * indicator. Skips areas that are no country. A year without a value is stated as missing, which withdraws a figure on
 * record. Rejects forecasts and values that are marked as missing. The release date is that of the database's last update.
 * A file with one of several pages gets a reject, `further_pages`.
 * Throws `DocumentError`: `publisher_error` (an error comes under status 200), `no_data_message`, `dataset_not_supported`, `truncated`,
 * `malformed_document`, `bad_date`, `empty`.
 * Source: https://datahelpdesk.worldbank.org/knowledgebase/articles/898581
 */
export function* parseWorldBank(document: Document): Iterable<Item> {
  const text = textOf(document)
  if (/^"?Data Source"?,/.test(text)) {
    yield* inOrderOfRelease(readDownload(text, document.dataset))
    return
  }
  const { meta, rows, further } = readPage(document, text)
  const [first] = rows
  refuseList(first)
  const updated = requiredDay(meta.lastupdated, { name: 'lastupdated' })
  if (first === undefined) throw new DocumentError('empty', 'The document has no rows.')
  const code = indicatorOf(first)
  supported(code, worldBankIndicators)
  if (further) yield further
  yield* inOrderOfRelease(rows.flatMap((row, index) => itemOf(code, updated, row, `rows[${index}]`)))
}

type Page = { readonly meta: JsonObject; readonly rows: readonly Json[]; readonly further: Reject | undefined }

function readPage(document: Document, text: string): Page {
  const root = parseJson(text)
  const [meta, rows] = isArray(root) ? root : []
  if (!isObject(meta)) throw new DocumentError('malformed_document', 'The document is no [meta, rows].')
  if (isArray(meta.message)) {
    const messages = meta.message.map((m) =>
      isObject(m) ? `${printed(m.key)}: ${printed(m.value)}` : JSON.stringify(m),
    )
    throw new DocumentError('publisher_error', `The World Bank answered: ${messages.join('; ')}`)
  }
  const number = (member: string): number => Number(printed(meta[member]) ?? Number.NaN)
  const [page, size, total] = [number('page'), number('per_page'), number('total')]
  // An indicator without any value has null instead of rows, on page 0 of 0.
  const expected = total === 0 ? 0 : Math.min(size, total - (page - 1) * size)
  const found = isArray(rows) ? rows : []
  if (Number.isNaN(expected)) throw new DocumentError('malformed_document', 'page, per_page or total is no number.')
  if (found.length !== expected) throw new DocumentError('truncated', `Of ${expected} rows ${found.length} are here.`)
  const location = `page ${page} of ${printed(meta.pages) ?? 'an unknown number'}`
  return { meta, rows: found, further: furtherPages(document, location, (page - 1) * size + found.length, total) }
}

/** Refuses a list of countries, indicators, topics or sources. Throws `DocumentError` `no_data_message`. */
function refuseList(row: Json | undefined): void {
  if (!isObject(row) || ['indicator', 'date', 'value'].some((name) => Object.hasOwn(row, name))) return
  const members = Object.keys(row).slice(0, SHOWN_MEMBERS).join(', ')
  throw new DocumentError(
    'no_data_message',
    `The document is a list of the World Bank's API, whose rows have ${members}, and no figures. Those are at https://api.worldbank.org/v2/country/all/indicator/${Object.keys(worldBankIndicators)[0]}?format=json, for example.`,
  )
}
const SHOWN_MEMBERS = 6

const member = (row: Json, outer: string, inner: string): string | undefined => {
  const value = isObject(row) ? row[outer] : undefined
  return isObject(value) ? printed(value[inner]) : undefined
}
const indicatorOf = (row: Json): string => member(row, 'indicator', 'id') ?? ''

function itemOf(code: string, updated: string, row: Json, location: string): Item | [] {
  const reject = (reason: string, detail: string): Reject => rejectOf(reason, detail, location, JSON.stringify(row))
  const area = member(row, 'country', 'id')
  if (!isObject(row) || area === undefined) return reject('missing_member', 'A row has country, date and value.')
  if (indicatorOf(row) !== code) return reject('wrong_dataset', `The row is of another indicator than ${code}.`)
  if (worldBankAggregates.has(area)) return []
  // The API names the unit in the title of the indicator, and leaves this member empty.
  if ((printed(row.unit) ?? '') !== '') return reject('unknown_unit', `Unit is ${JSON.stringify(row.unit)}.`)
  const country = countryByAlpha2.get(area)
  if (country === undefined || country.alpha3 !== printed(row.countryiso3code))
    return reject('unknown_country', `Area is ${JSON.stringify([area, row.countryiso3code])}.`)
  // The World Bank describes only F of these codes, a forecast; the others are taken for those of SDMX. Source:
  // https://datahelpdesk.worldbank.org/knowledgebase/articles/1886674-new-features-and-enhancements-in-the-v2-api
  const value = printed(row.value) ?? (row.value === null ? null : '')
  const marked = value === null ? undefined : faultOfStated('obs_status', printed(row.obs_status) ?? '', value)
  if (marked !== undefined) return reject(marked.reason, marked.detail)
  return figureOf(code, {
    title: member(row, 'indicator', 'value') ?? '',
    country: country.alpha3,
    period: printed(row.date) ?? '',
    printed: value,
    updated,
    location,
    text: JSON.stringify(row),
  })
}

/**
 * The World Bank's two-letter codes of areas outside ISO 3166-1: its regions, income groups and unions, the
 * Channel Islands (JG) and Kosovo (XK). Source: https://api.worldbank.org/v2/country?format=json (CC BY 4.0).
 */
const worldBankAggregates: ReadonlySet<string> = new Set(
  `
1A 1W 4E 6F 6N 6X 7E 8S A4 A5 A9 B1 B2 B3 B4 B6 B7 B8 C4 C5 C6 C7 C8 C9 D2 D3 D4 D5 D6 D7 EU F1 F6 M1 M2 N6 OE R6
S1 S2 S3 S4 T2 T3 T4 T5 T6 T7 V1 V2 V3 V4 XC XD XE XF XG XH XI XJ XL XM XN XO XP XQ XT XU XY Z4 Z7 ZB ZF ZG ZH ZI ZJ
ZQ ZT JG XK
`
    .trim()
    .split(/\s+/),
)
