import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Type } from '#typebox'
import type { Operation } from '../contracts/operation.ts'
import { operations, statusOf } from '../contracts/operations.ts'
import { printedDecimalPatterns } from '../contracts/scalars.ts'
import { mediaTypes } from './accept.ts'
import { type Answer, etagOf, type Render } from './answer.ts'
import { csvHeader, csvRow } from './csv.ts'

type Serialise = (value: unknown) => string

/** The list in an operation's body, and the serialiser of one entry. */
type List = ReturnType<typeof listIn> & { readonly entry: Serialise }

export const CSV_WITH_HEADER = `${mediaTypes.csv}; charset=utf-8; header=present`

/** Entries of a list that are rendered in one turn of the event loop. An event takes about 15 µs. */
const ENTRIES_A_TURN = 100
/** Values of a table that are written in one turn. A thousand take about 0.5 ms. */
const VALUES_A_TURN = 2_000

/**
 * Serialises bodies with Fastify's serialisers (fast-json-stringify), one for each operation's response schema. They are
 * compiled when the application is ready, which is before the first request.
 */
export function renderer(app: FastifyInstance): Render {
  const serialisers = new Map<string, Serialise>()
  const lists = new Map<string, List>()
  app.addHook('onReady', function compileAll(done) {
    const compiler = this.serializerCompiler
    if (!compiler) throw new Error('the instance has no route with a response schema')
    // Operations that share a schema share its serialiser, because compiling one takes milliseconds.
    const compiled = new Map<Type.TSchema, Serialise>()
    const compile = (schema: Type.TSchema, { method, path }: Operation, status: number): Serialise => {
      const serialise = compiled.get(schema) ?? compiler({ method, url: path, httpStatus: String(status), schema })
      compiled.set(schema, serialise)
      return serialise
    }
    for (const operation of operations) {
      const { id, response } = operation
      serialisers.set(id, compile(response, operation, statusOf(operation)))
      const list = listIn(response)
      if (list) lists.set(id, { ...list, entry: compile(list.items, operation, statusOf(operation)) })
    }
    done()
  })
  const listOf = (operationId: string): List => {
    const own = lists.get(operationId)
    if (!own) throw new Error(`the body of ${operationId} has no list`)
    return own
  }
  const serialiserOf = (operationId: string): Serialise => {
    const serialise = serialisers.get(operationId)
    if (!serialise) throw new Error(`no serialiser for ${operationId}`)
    return serialise
  }
  const answer = (body: string, cacheControl: string, headers?: Answer['headers']): Answer => ({
    body,
    etag: etagOf(body),
    cacheControl,
    ...(headers ? { headers } : {}),
  })
  const text = (operationId: string, value: object): string => serialiserOf(operationId)(value)
  const render = (operationId: string, value: object, cacheControl: string, headers?: Answer['headers']): Answer =>
    answer(text(operationId, value), cacheControl, headers)
  const list: Render['list'] = async (operationId, entries, item, rest, cacheControl, headers) => {
    const own = listOf(operationId)
    // Quotation marks inside texts are escaped, so this occurs only at the list itself.
    const empty = `"${own.member}":[]`
    const [head = '', tail = ''] = text(operationId, { ...rest, [own.member]: [] }).split(empty)
    const parts = await inTurns(entries, (entry) => own.entry(item(entry)))
    return answer(`${head}"${own.member}":[${parts.join(',')}]${tail}`, cacheControl, headers)
  }
  const csv: Render['csv'] = async ({ style }, operationId, entries, item, cacheControl, headers, more = []) => {
    const { columns: always, decimals } = listOf(operationId)
    const [columns, form] = [[...always, ...more], { style, decimals }]
    const rows = await inTurns(entries, (entry) => csvRow(columns, item(entry), form))
    const body = [csvHeader(columns, form), ...rows].join('')
    return { ...answer(body, cacheControl, headers), contentType: CSV_WITH_HEADER }
  }
  return Object.assign(render, { list, csv, text })
}

/** Number of rows of a table of so many columns that are written in one turn of the event loop. */
export const rowsATurn = (columns: number): number => Math.ceil(VALUES_A_TURN / columns)

/** Renders or computes entries, some in each turn of the event loop. */
export async function inTurns<T, R>(
  entries: readonly T[],
  rendered: (entry: T) => R,
  aTurn = ENTRIES_A_TURN,
): Promise<R[]> {
  const results: R[] = []
  for (let from = 0; from < entries.length; from += aTurn) {
    if (from > 0) await nextTurn()
    for (const entry of entries.slice(from, from + aTurn)) results.push(rendered(entry))
  }
  return results
}

type ObjectSchema = Type.TSchema & {
  readonly properties?: Readonly<Record<string, Property>>
  readonly required?: readonly string[]
}
type Property = { readonly pattern?: string; readonly anyOf?: readonly Property[] }

/**
 * The only array among the members of a response schema: its name, the members that each entry has, and those that are
 * decimals. The cast: TypeBox types leave out a schema's keywords.
 */
function listIn(schema: Type.TSchema) {
  const { properties = {} } = schema as {
    readonly properties?: Readonly<Record<string, { readonly items?: ObjectSchema }>>
  }
  const [list] = Object.entries(properties).flatMap(([member, { items }]) =>
    items ? [{ member, items, columns: items.required ?? [], decimals: decimalsOf(items) }] : [],
  )
  return list
}

const decimalsOf = ({ properties = {} }: ObjectSchema): ReadonlySet<string> =>
  new Set(Object.keys(properties).filter((name) => isDecimal(properties[name] ?? {})))

const isDecimal = ({ pattern, anyOf = [] }: Property): boolean =>
  (pattern !== undefined && printedDecimalPatterns.includes(pattern)) || anyOf.some(isDecimal)
