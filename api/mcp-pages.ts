import { Type } from '#typebox'
import { cursorParameter, limitParameter, type Operation } from '../contracts/operation.ts'
import { ProblemError } from '../contracts/problems.ts'
import { strict } from '../contracts/scalars.ts'
import type { JsonSchema } from './json-schema.ts'
import { HISTORIES, VINTAGES } from './mcp-texts.ts'

/** Pages of lists over MCP. They are short, because a model reads all of an answer. */

/** Entries of a page without `limit`, so few that the widest ones make less than 30 kB. Other lists have the pages of REST. */
const pageSizes: Readonly<Record<string, number>> = {
  [HISTORIES]: 60,
  [VINTAGES]: 45,
  // Every event is there twice: as text, and as structured content.
  events_list: 12,
  catalog_list: 20,
  catalog_countries: 100,
  calendar_list: 40,
}

/** The schema of `limit` with the tool's own default. */
export const limitOf = (tool: string, schema: JsonSchema): JsonSchema => ({
  ...schema,
  default: pageSizes[tool] ?? schema.default,
})

/** The arguments, with the tool's page size if they name no limit. */
export function withPageSize(
  tool: string,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const limit = pageSizes[tool]
  return limit === undefined ? given : { limit, ...given }
}

/** Lists that REST gives whole, although they grow with the countries: their member, and the member that names an entry. */
const wholeLists: Readonly<Record<string, { readonly list: string; readonly id: string }>> = {
  catalog_list: { list: 'series', id: 'series' },
  catalog_countries: { list: 'countries', id: 'code' },
}

const pageParameters = {
  limit: limitParameter,
  cursor: Type.Optional({
    ...cursorParameter,
    description: 'The next_cursor of the previous page, with the same arguments',
  }),
}

/** The operation as a tool has it: with pages, if REST gives its list whole. */
export const withPages = (operation: Operation): Operation =>
  operation.id in wholeLists
    ? { ...operation, query: strict({ ...operation.query.properties, ...pageParameters }) }
    : operation

/**
 * The page of a list that REST gives whole. Its cursor is the id of the last entry of the page before, so that a new series
 * moves no page. Throws `cursor_invalid` if there is no such entry.
 */
export function pageOf({ id }: Operation, body: string, query: Readonly<Record<string, unknown>>): string {
  const whole = wholeLists[id]
  if (!whole) return body
  // The cast: the answer of such an operation has this list.
  const { [whole.list]: list, ...others } = JSON.parse(body) as Record<string, Record<string, unknown>[]>
  const entries = list ?? []
  const { limit, cursor } = query as { readonly limit: number; readonly cursor?: string }
  const before = cursor === undefined ? -1 : entries.findIndex((entry) => entry[whole.id] === cursor)
  if (cursor !== undefined && before < 0) {
    throw new ProblemError('cursor_invalid', 'argument cursor is not the next_cursor of a page with these arguments')
  }
  const page = entries.slice(before + 1, before + 1 + limit)
  const isLast = before + 1 + limit >= entries.length
  return JSON.stringify({ [whole.list]: page, ...others, next_cursor: isLast ? null : page.at(-1)?.[whole.id] })
}
