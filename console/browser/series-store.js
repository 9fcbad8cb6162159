/**
 * The catalogue and the prints of series that this tab has read. They are kept for ten minutes, so that moving about costs no
 * further call.
 *
 * @import { CatalogBody, CatalogEntry, IndicatorFacts, VintageRow } from './bodies.d.ts'
 * @import { ViewContext } from './view.d.ts'
 */
import { ServiceProblem } from './api-client.js'
import { readCsvTable } from './csv-table.js'
import { readPanel } from './panel-table.js'

/** Prints of the largest series change a few times a month. */
const KEPT_MS = 10 * 60_000

/** Bounded by the calls that a key has in ten minutes. @type {Map<string, { at: number, read: Promise<unknown> }>} */
const kept = new Map()

/**
 * Reads a value once in ten minutes, by its name. A failed read is not kept, nor a value that `isKept` refuses.
 *
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} read
 * @param {(value: T) => boolean} isKept
 * @returns {Promise<T>}
 */
export function once(name, read, isKept = () => true) {
  const now = Date.now()
  // All that is too old goes: the prints of one series may take half a megabyte.
  for (const [other, { at }] of kept) if (now - at >= KEPT_MS) kept.delete(other)
  const known = kept.get(name)
  // The cast: what is kept under a name was made by the reader of that name.
  if (known) return /** @type {Promise<T>} */ (known.read)
  const reading = read()
  kept.set(name, { at: now, read: reading })
  const forget = () => kept.delete(name)
  reading.then((value) => isKept(value) || forget(), forget)
  return reading
}

/**
 * All series.
 *
 * @param {ViewContext} context
 * @returns {Promise<readonly CatalogEntry[]>}
 */
export const catalogue = ({ client }) =>
  once('catalog', async () => {
    /** @type {CatalogBody} */
    const { series } = await client.json('/v1/catalog')
    return series
  })

/**
 * All prints of a series. The CSV has them whole in one call.
 *
 * @param {ViewContext} context
 * @param {string} country
 * @param {IndicatorFacts} indicator
 * @param {string | undefined} frequency left out: that of the latest figure
 * @returns {Promise<readonly VintageRow[]>}
 */
export const allPrints = ({ client }, country, { path }, frequency) =>
  once(`${country}/${path}/${frequency ?? ''}`, async () => {
    const query = new URLSearchParams({ format: 'csv', ...(frequency ? { frequency } : {}) })
    const { text } = await client.ask(`${vintagesPath(country, path)}?${query}`)
    // The cast: the header row has the names of a vintage's members.
    return /** @type {VintageRow[]} */ (readCsvTable(text))
  })

/** Refusals that say that nothing was published by then: an empty panel. */
const nothingKnown = ['no_complete_publication', 'no_dated_evidence']

/**
 * A panel of many figures of one moment.
 *
 * @param {ViewContext} context
 * @param {string} address
 */
export const panelAt = ({ client }, address) =>
  once(address, async () => {
    try {
      return readPanel((await client.ask(address)).text)
    } catch (error) {
      if (error instanceof ServiceProblem && nothingKnown.includes(error.code)) return []
      throw error
    }
  })

/**
 * @param {string} country
 * @param {string} path
 */
export const vintagesPath = (country, path) => `/v1/economics/${country}/${path}/vintages`
