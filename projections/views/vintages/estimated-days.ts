import type { ClickHouseClient } from '@clickhouse/client'
import type { QueryParams } from '../../clickhouse.ts'
import { type Cost, read } from '../read.ts'
import { ESTIMATES, ESTIMATES_OF } from './estimated.ts'

const cost: Cost = { seconds: 8, megabytes: 1_000, rows: 1_000_000 }

const COUNTRIES_OF = 'SELECT DISTINCT country FROM vintages WHERE release_id IN {ids:Array(String)}'

/** Estimated days by release. */
type Days = ReadonlyMap<string, string>

/** Estimated days as of one state of the read model: each country's are read once, when they are first needed. */
export class EstimatedDays {
  readonly #client: ClickHouseClient
  /** By countries; of all of them under ''. */
  readonly #read = new Map<string, Promise<Days>>()

  constructor(client: ClickHouseClient) {
    this.#client = client
  }

  /** Returns the estimated days of the releases of these countries, or else of all. Throws the problem `unavailable`. */
  of(countries?: readonly string[]): Promise<Days> {
    const key = countries === undefined ? '' : [...new Set(countries)].sort().join(' ')
    const known = this.#read.get('') ?? this.#read.get(key)
    if (known) return known
    const days = this.#readDays(countries)
    this.#read.set(key, days)
    days.catch(() => this.#read.delete(key))
    return days
  }

  /** Makes a query of the vintages read estimated dates. Which records another one voids or redates follows from no date. */
  async putInto(query: string, params: QueryParams): Promise<string> {
    const days = await this.of(await this.#countriesIn(params))
    if (days.size === 0) return query
    const estimate = `transform(release_id, ${literal(days.keys())}, ${literal(days.values())}, '')`
    const rows = (final = '') => `(
  SELECT * EXCEPT (estimate) REPLACE (
    toLowCardinality(if(estimate = '', toString(released_on), estimate)) AS released_on,
    toLowCardinality(if(estimate = '', toString(released_on_basis), 'estimated')) AS released_on_basis
  )
  FROM (SELECT *, ${estimate} AS estimate FROM vintages${final})
)`
    return query
      .replace(
        /(?<!coalesce\(redates, voids\)\) )FROM vintages( FINAL)?/g,
        (_, final?: string) => `FROM ${rows(final)}`,
      )
      .replace(/PREWHERE (.*)\nWHERE/, 'WHERE $1 AND')
  }

  async #readDays(countries: readonly string[] | undefined): Promise<Days> {
    const [query, params] = countries === undefined ? [ESTIMATES, {}] : [ESTIMATES_OF, { countries }]
    const rows = await read<{ id: string; estimate: string }>(this.#client, query, params, cost)
    return new Map(rows.map(({ id, estimate }) => [id, estimate]))
  }

  /** The countries whose rows a query reads. A figure depends on those of its country only. */
  async #countriesIn({ countries, series, from, ids }: QueryParams): Promise<readonly string[] | undefined> {
    if (Array.isArray(countries)) return countries
    const keys = series ?? from
    if (keys !== undefined) return [keys].flat().map((key) => String(key).split('.', 1)[0] ?? '')
    if (!Array.isArray(ids)) return undefined
    const rows = await read<{ country: string }>(this.#client, COUNTRIES_OF, { ids }, cost)
    return rows.map(({ country }) => country)
  }
}

/** Ids and days are made by Almanac, and have no quotes. Parameters stand in the address of a request, which may not be so long. */
const literal = (texts: Iterable<string>): string => `[${Array.from(texts, (text) => `'${text}'`).join(',')}]`
