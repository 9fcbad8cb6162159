/**
 * Reads the public events page by page: forwards from a place, and backwards, which the service has no operation for.
 *
 * @import { Event, EventPage } from './bodies.d.ts'
 * @import { ViewContext } from './view.d.ts'
 *
 * @typedef {Pick<ViewContext, 'client' | 'params' | 'signal'>} Reader `params`: the filters, and the place where there is one
 */
import { sequenceNumber } from './event-text.js'

/** Events on a page. */
const PAGE = 50
/** Events that are looked at in one call on the way back. */
const LOOKED_AT = 1000

/** @param {Readonly<Record<string, string>>} params */
const filtersOf = ({ country, family, type }) => ({
  country: country?.split(','),
  family: family?.split(','),
  type: type?.split(','),
})

/**
 * The filters as the events stream takes them.
 *
 * @param {Readonly<Record<string, string>>} params
 */
export function streamFilters(params) {
  const { country, family, type } = filtersOf(params)
  return { countries: country, families: family, types: type }
}

/**
 * @param {Reader} reader
 * @param {{ start?: string | undefined, cursor?: string | undefined, limit: number }} place
 * @param {ReturnType<typeof filtersOf>} [filters]
 * @returns {Promise<EventPage>}
 */
const read = ({ client, signal }, { start, cursor, limit }, filters) =>
  client.json('/v1/events', { query: { ...filters, start, cursor, limit: String(limit) }, signal })

/**
 * The page from a place on; a cursor goes before a start.
 *
 * @param {Reader} reader
 * @param {{ start?: string | undefined, cursor?: string | undefined }} place
 */
export const pageFrom = (reader, { start, cursor }) =>
  read(reader, { start: cursor === undefined ? start : undefined, cursor, limit: PAGE }, filtersOf(reader.params))

/**
 * The page that ends with the newest event. The newest one is found by the time at which it was recorded.
 *
 * @param {Reader} reader
 */
export async function newestPage(reader) {
  const end = await read(reader, { cursor: 'latest', limit: 1 })
  const last = await read(reader, { start: end.as_of, limit: LOOKED_AT })
  const newest = Number(last.events.at(-1)?.sequence ?? 0)
  return pageFrom(reader, { start: await startOfPageBefore(reader, newest + 1) })
}

/**
 * The sequence from which a page ends just before another one.
 *
 * @param {Reader} reader
 * @param {number} before
 */
export async function startOfPageBefore(reader, before) {
  const filters = filtersOf(reader.params)
  const isFiltered = Object.values(filters).some((values) => values !== undefined)
  if (!isFiltered) return String(Math.max(1, before - PAGE))
  for (let end = before, step = LOOKED_AT; end > 1; end -= step, step *= 4) {
    /** @type {Event[]} */
    const found = []
    /** @type {{ start?: string, cursor?: string }} */
    let place = { start: String(Math.max(1, end - step)) }
    for (;;) {
      const page = await read(reader, { ...place, limit: LOOKED_AT }, filters)
      const within = page.events.filter(({ sequence }) => Number(sequence) < end)
      found.push(...within)
      if (!page.has_more || within.length < page.events.length || page.events.length === 0) break
      place = { cursor: page.next_cursor }
    }
    const first = found.at(-PAGE) ?? found[0]
    if (first) return sequenceNumber(first.sequence)
  }
  return '1'
}
