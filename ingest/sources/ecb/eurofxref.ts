import { isDate } from '../../../domain/day.ts'
import { instantOfLocalTime } from '../../../domain/time-zone.ts'
import { readTable, refuseRepeatedColumn } from '../../read/csv.ts'
import { rejectOf } from '../../read/items.ts'
import { priceOrReject } from '../../read/price.ts'
import { monthNamed } from '../../read/printed-days.ts'
import { childOf, childrenOf, type XmlElement } from '../../read/xml.ts'
import { isWorkingDay } from '../../schedule/working-days.ts'
import { DocumentError, type Item, type Reject } from '../../source.ts'

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

/** A day, `YYYY-MM-DD`, or a sentence for people that says why a text is none. */
type ReferenceDay = { readonly date: string } | { readonly fault: string }

/**
 * Reads the day of a reference rate: `2026-04-13`, or `13 April 2026`, the daily CSV's form. A Saturday or Sunday is a
 * fault, because the ECB publishes rates on TARGET days only. Holidays of TARGET are not: Good Friday and Easter Monday
 * of 1999 have rates.
 */
export function readReferenceDay(text: string): ReferenceDay {
  const [, day = '', month = '', year] = /^(\d{1,2}) ([A-Z][a-z]+) (\d{4})$/.exec(text) ?? []
  const date = year === undefined ? text : `${year}-${monthNamed(month)}-${day.padStart(2, '0')}`
  if (!isDate(date)) return { fault: `Not a date: ${JSON.stringify(text)}.` }
  if (!isWorkingDay(date, 'none'))
    return { fault: `${date} is a Saturday or Sunday, and the ECB publishes reference rates on TARGET days only.` }
  return { date }
}

/**
 * Time of observation of a day's (`YYYY-MM-DD`) reference rates: 14:15 in Frankfurt, as UTC in ISO 8601. Central banks
 * agree on the rates about then; the ECB publishes them about 16:00, on TARGET days only.
 * Source: https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/
 */
export const referenceTime = (date: string): string =>
  new Date(instantOfLocalTime(Date.parse(`${date}T14:15:00Z`), 'Europe/Berlin')).toISOString()
