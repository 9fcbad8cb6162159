import { readTable, refuseRepeatedColumn } from '../../read/csv.ts'
import { rejectOf } from '../../read/items.ts'
import { priceOrReject } from '../../read/price.ts'
import { childOf, childrenOf, type XmlElement } from '../../read/xml.ts'
import { DocumentError, type Item, type Reject } from '../../source.ts'
import { readReferenceDay, referenceTime } from './reference-time.ts'

/** The eurofxref files: https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/ */

const MISSING = 'N/A'

/** Currencies with a rate on every day since 1999. A table without them is somebody else's. */
const lasting: readonly string[] = 'USD JPY DKK GBP SEK CHF NOK AUD CAD HKD KRW NZD SGD ZAR'.split(' ')

/** Reads `Date, USD, JPY, …`, one day per row. Every row ends in a comma, which makes a last column without a name. */
export function readRatesCsv(text: string): Item[] {
  const { header, rows } = readTable(text, ['Date'], { endsWithNewline: true })
  const currencies = header.slice(1).filter((code) => code !== '')
  refuseRepeatedColumn(currencies, 'line 1')
  const missing = lasting.filter((code) => !currencies.includes(code))
  const foreign = currencies.filter((code) => code === 'EUR' || !/^[A-Z]{3}$/.test(code))
  if (missing.length > 0 || foreign.length > 0) {
    const what = foreign.length > 0 ? `It has a column ${foreign[0]}` : `It has no column ${missing.join(', ')}`
    throw new DocumentError('unproven_dataset', `This is no table of the euro reference rates. ${what}.`, 'line 1')
  }
  return rows.flatMap((row): Item[] => {
    if (row.kind === 'reject') return [row]
    const day = readReferenceDay(row.cell('Date'))
    if ('fault' in day) return [badDate(day.fault, `line ${row.line}`, row.text)]
    const observedAt = referenceTime(day.date)
    return currencies
      .map((code) => ({ code, printed: row.cell(code) }))
      .filter(({ printed }) => printed !== MISSING)
      .map(({ code, printed }) =>
        priceOrReject({ symbol: `EUR-${code}`, printed, observedAt, location: `line ${row.line}, ${code}` }, row.text),
      )
  })
}

/** Reads `<Cube><Cube time="2026-04-13"><Cube currency="USD" rate="1.1684"/>…` in a gesmes:Envelope. */
export function readRatesXml(envelope: XmlElement): Item[] {
  const sender = childOf(childOf(envelope, 'Sender'), 'name')?.text?.trim() ?? ''
  if (sender !== 'European Central Bank')
    throw new DocumentError(
      'unproven_dataset',
      `The sender is ${JSON.stringify(sender)}, not the European Central Bank.`,
    )
  const days = childrenOf(envelope, 'Cube').flatMap((cube) => childrenOf(cube, 'Cube'))
  return days.flatMap((cube, d): Item[] => {
    const day = readReferenceDay(cube.attributes.time ?? '')
    if ('fault' in day) return [badDate(day.fault, `day ${d + 1}`, cube.source())]
    const observedAt = referenceTime(day.date)
    return childrenOf(cube, 'Cube').flatMap((rate, r): Item[] => {
      const { currency = '', rate: printed = '' } = rate.attributes
      const location = `day ${d + 1} (${day.date}), rate ${r + 1}`
      if (currency === '') return [missingCurrency(location, rate.source())]
      if (printed === MISSING) return []
      return [priceOrReject({ symbol: `EUR-${currency}`, printed, observedAt, location }, rate.source())]
    })
  })
}

export const badDate = (fault: string, location: string, text: string): Reject =>
  rejectOf('bad_date', fault, location, text)

export const missingCurrency = (location: string, text: string): Reject =>
  rejectOf('missing_currency', 'No currency is named.', location, text)
