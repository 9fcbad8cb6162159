import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type Type from 'typebox'
import { operations, statusOf } from '../contracts/operations.ts'
import { type Answer, etagOf, type Render } from './answer.ts'

type Serialise = (value: unknown) => string

/** The list in an operation's body: the name of its member, and the serialiser of one entry. */
type List = { readonly member: string; readonly entry: Serialise }

/** Entries of a list that are rendered in one turn of the event loop. An event takes about 15 µs. */
const ENTRIES_A_TURN = 100

/**
 * Serialises bodies with Fastify's serialisers (fast-json-stringify), one for each operation's response schema. They are
 * compiled when the application is ready, which is before the first request.
 */
export function renderer(app: FastifyInstance): Render {
  const serialisers = new Map<string, Serialise>()
  const lists = new Map<string, List>()
  app.addHook('onReady', function compile(done) {
    const compiler = this.serializerCompiler
    if (!compiler) throw new Error('the instance has no route with a response schema')
    for (const operation of operations) {
      const { id, response, method, path } = operation
      const route = { method, url: path, httpStatus: String(statusOf(operation)) }
      serialisers.set(id, compiler({ ...route, schema: response }))
      const list = listIn(response)
      if (list) lists.set(id, { member: list.member, entry: compiler({ ...route, schema: list.items }) })
    }
    done()
  })
  const serialiserOf = (operationId: string): Serialise => {
    const serialise = serialisers.get(operationId)
    if (!serialise) throw new Error(`no serialiser for ${operationId}`)
    return serialise
  }
  const render = (
    operationId: string,
    value: object,
    cacheControl: string,
    headers?: Readonly<Record<string, string>>,
  ): Answer => {
    const body = serialiserOf(operationId)(value)
    return { body, etag: etagOf(body), cacheControl, ...(headers ? { headers } : {}) }
  }
  const list = async <T>(
    operationId: string,
    entries: readonly T[],
    item: (entry: T) => object,
    rest: object,
    cacheControl: string,
  ): Promise<Answer> => {
    const own = lists.get(operationId)
    if (!own) throw new Error(`the body of ${operationId} has no list`)
    // Quotation marks inside texts are escaped, so this occurs only at the list itself.
    const empty = `"${own.member}":[]`
    const [head = '', tail = ''] = serialiserOf(operationId)({ ...rest, [own.member]: [] }).split(empty)
    const parts: string[] = []
    for (let from = 0; from < entries.length; from += ENTRIES_A_TURN) {
      if (from > 0) await nextTurn()
      const some = entries.slice(from, from + ENTRIES_A_TURN)
      parts.push(some.map((entry) => own.entry(item(entry))).join(','))
    }
    const body = `${head}"${own.member}":[${parts.join(',')}]${tail}`
    return { body, etag: etagOf(body), cacheControl }
  }
  return Object.assign(render, { list })
}

/** The only array among the members of a response schema. The cast: TypeBox types leave out a schema's keywords. */
function listIn(schema: Type.TSchema): { readonly member: string; readonly items: Type.TSchema } | undefined {
  const { properties = {} } = schema as {
    readonly properties?: Readonly<Record<string, { readonly items?: Type.TSchema }>>
  }
  const [list] = Object.entries(properties).flatMap(([member, { items }]) => (items ? [{ member, items }] : []))
  return list
}
