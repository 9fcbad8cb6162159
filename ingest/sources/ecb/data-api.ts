import { readTable, type TableRow } from '../../read/csv.ts'
import { faultOfStated } from '../../read/formats/observation.ts'
import { faultOfAction } from '../../read/formats/sdmx-action.ts'
import { rejectOf } from '../../read/items.ts'
import { priceOrReject } from '../../read/price.ts'
import { childOf, childrenOf, type XmlElement } from '../../read/xml.ts'
import { DocumentError, type Item } from '../../source.ts'
import { badDate, missingCurrency, readReferenceDay, referenceTime } from './eurofxref.ts'

/**
 * Dataset EXR of the ECB's data API, key `D..EUR.SP00.A`: daily, any currency, against the euro, spot, average.
 * Source: https://data.ecb.europa.eu/help/api/data
 */

/** Values that stand for a holiday. */
const missing: readonly string[] = ['', 'NaN']

/** Dimensions and values that identify a series of reference rates. */
const wanted: Readonly<Record<string, string>> = { FREQ: 'D', CURRENCY_DENOM: 'EUR', EXR_TYPE: 'SP00', EXR_SUFFIX: 'A' }

/** The key of the reference rates. An answer to a request for it has nothing else. */
export const REFERENCE_RATES = 'EXR/D..EUR.SP00.A'

/**
 * Reads `format=csvdata`, one observation per row. `address` is where the document was fetched. Columns that identify the
 * series may be absent only if the address names the key. Throws `DocumentError` `unproven_dataset`.
 */
export function readDataCsv(text: string, address: string): Item[] {
  const { header, rows } = readTable(text, ['FREQ', 'TIME_PERIOD', 'OBS_VALUE'], { endsWithNewline: true })
  const first = rows.find((row) => row.kind === 'row')
  // The address may prove what identifies a series, but not which currency it is of. A key begins with its dataflow or frequency.
  if (!header.includes('CURRENCY') || !/^(?:EXR\.|[A-Z]\.|$)/.test(first?.cell('KEY') ?? ''))
    refuseOtherDataflow(first && keyOfRow(first, header), `line ${first?.line}`)
  const absent = Object.keys(wanted).filter((dimension) => !header.includes(dimension))
  if (absent.length > 0 && !address.includes(REFERENCE_RATES))
    throw new DocumentError(
      'unproven_dataset',
      `Nothing says that these are the reference rates: there is no column ${absent.join(', ')}.`,
      'line 1',
    )
  const proven = Object.fromEntries(absent.map((dimension) => [dimension, wanted[dimension] ?? '']))
  return rows.flatMap((row) => {
    if (row.kind === 'reject') return [row]
    const cells = { ...proven, ...Object.fromEntries(header.map((name) => [name, row.cell(name)])) }
    return observation(cells, row.cell('TIME_PERIOD'), row.cell('OBS_VALUE'), `line ${row.line}`, row.text)
  })
}

/** What a row says before its period. */
const keyOfRow = (row: TableRow, header: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(header.slice(0, header.indexOf('TIME_PERIOD')).map((name) => [name, row.cell(name)]))

/** Reads SDMX-ML 2.1 generic data, the data API's default. */
export function readGenericData(root: XmlElement): Item[] {
  const dataSet = childOf(root, 'DataSet')
  const action = dataSet?.attributes.action ?? childOf(childOf(root, 'Header'), 'DataSetAction')?.text.trim() ?? ''
  const keys = childrenOf(dataSet, 'Series').map((series) => valuesOf(series, 'SeriesKey'))
  refuseOtherDataflow(keys[0] && !keys.some(isKeyOfRates) ? keys[0] : undefined, 'series 1')
  return childrenOf(dataSet, 'Series').flatMap((series, s) => {
    const key = valuesOf(series, 'SeriesKey')
    const ofSeries = valuesOf(series, 'Attributes')
    return childrenOf(series, 'Obs').flatMap((obs, o) => {
      const members = { ...ofSeries, ...valuesOf(obs, 'Attributes'), ...key, ACTION: action }
      const period = childOf(obs, 'ObsDimension')?.attributes.value ?? ''
      const value = childOf(obs, 'ObsValue')?.attributes.value ?? ''
      return observation(members, period, value, `series ${s + 1}, observation ${o + 1}`, obs.source())
    })
  })
}

/** Whether the key of a series has the dimensions of exchange rates, whatever their codes. */
const isKeyOfRates = (key: Readonly<Record<string, string>>): boolean =>
  Object.hasOwn(key, 'CURRENCY') && Object.keys(wanted).every((dimension) => Object.hasOwn(key, dimension))

/** Refuses a document without any exchange rate of the ECB, by its first key. Throws `DocumentError` `wrong_dataset`. */
function refuseOtherDataflow(key: Readonly<Record<string, string>> | undefined, location: string): void {
  if (!key) return
  const stated = Object.entries(key).map(([dimension, code]) => `${dimension}=${code}`)
  const own = ['CURRENCY', ...Object.keys(wanted)].join(', ')
  throw new DocumentError(
    'wrong_dataset',
    `The first series is ${stated.join(' ')}, no exchange rate of the ECB, whose keys have ${own}. Of the data API only ${REFERENCE_RATES} is read.`,
    location,
  )
}

/** Dimensions or attributes that a part of a series or observation states, by SDMX id. */
const valuesOf = (element: XmlElement, part: 'SeriesKey' | 'Attributes'): Readonly<Record<string, string>> =>
  Object.fromEntries(
    childrenOf(childOf(element, part), 'Value').map(({ attributes: { id = '', value = '' } }) => [id, value]),
  )

/** `members` are dimensions and attributes of the series and the observation, by SDMX id, and the action of their data set. */
function observation(
  members: Readonly<Record<string, string>>,
  period: string,
  printed: string,
  location: string,
  text: string,
): Item[] {
  const reject = (reason: string, detail: string) => [rejectOf(reason, detail, location, text)]
  const {
    CURRENCY: currency = '',
    UNIT_MULT: power = '',
    KEY: key = '',
    OBS_STATUS: status = '',
    ACTION: action = '',
  } = members
  if (currency === '') return [missingCurrency(location, text)]
  for (const [dimension, value] of Object.entries(wanted)) {
    const found = members[dimension]
    if (found !== value)
      return reject('not_a_reference_rate', `${dimension} is ${JSON.stringify(found ?? '')}, not ${value}.`)
  }
  const ofColumns = `D.${currency}.EUR.SP00.A`
  if (key !== '' && key.replace(/^EXR\./, '') !== ofColumns)
    return reject('contradictory_row', `KEY is ${key}, and the columns say ${ofColumns}.`)
  const fault = faultOfAction(action)
  if (fault) return reject(fault.reason, fault.detail)
  if (missing.includes(printed)) return []
  const marked = faultOfStated('OBS_STATUS', status, printed)
  if (marked !== undefined) return reject(marked.reason, marked.detail)
  const day = readReferenceDay(period)
  if ('fault' in day) return [badDate(day.fault, location, text)]
  if (!/^\d{0,2}$/.test(power)) return reject('bad_multiplier', `UNIT_MULT is ${JSON.stringify(power)}.`)
  const multiplier = Number(power) === 0 ? {} : { multiplier: `1${'0'.repeat(Number(power))}` }
  return [
    priceOrReject(
      { symbol: `EUR-${currency}`, printed, ...multiplier, observedAt: referenceTime(day.date), location },
      text,
    ),
  ]
}
