/** @import { CatalogEntry } from './bodies.d.ts' */

/**
 * The newest print of each publisher, and how many of its series are late, the oldest first. Only series that are served count.
 *
 * @param {readonly CatalogEntry[]} series
 */
export function publisherAges(series) {
  const served = series.filter(({ is_served }) => is_served)
  return [...Map.groupBy(served, ({ publisher }) => publisher)]
    .map(([publisher, own]) => ({
      publisher,
      served: own.length,
      newest: newestOf(own.map(({ last_released_on }) => last_released_on)),
      recorded: newestOf(own.map(({ last_recorded_at }) => last_recorded_at)),
      late: own.filter(({ days_late }) => (days_late ?? 0) > 0).length,
    }))
    .sort((a, b) => (a.newest < b.newest ? -1 : a.newest > b.newest ? 1 : a.publisher < b.publisher ? -1 : 1))
}

/** @param {readonly string[]} times in ISO 8601 */
const newestOf = (times) => times.toSorted().at(-1) ?? ''
