import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { candlesOfPairsOperation } from '../contracts/candles.ts'
import { isDatable, type Operation } from '../contracts/operation.ts'
import { operations, statusOf } from '../contracts/operations.ts'
import { mediaTypes, preferredType } from './accept.ts'
import type { Answer } from './answer.ts'
import type { CsvRequest } from './csv.ts'
import type { ApiGate } from './deps.ts'
import type { ExecuteFor } from './execute.ts'
import { goneSignal } from './gone.ts'
import { type Hook, keyed, open, stampRateLimit } from './guard.ts'
import { vary } from './headers.ts'
import { queryTypes } from './query-types.ts'
import { JSON_UTF8, sendAnswer } from './send-answer.ts'
import { sendStreamed } from './send-stream.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set if the answer is to be CSV. */
    csv: CsvRequest | undefined
  }
}

/** Operations without CSV whose bodies can be long enough to compress. The others skip the compression plugin, which costs time. */
const compressible: ReadonlySet<string> = new Set([
  'fx_get_rates',
  candlesOfPairsOperation.id,
  'events_list',
  'events_get',
])

/** The router's spelling of a path: `/v1/economics/:country/cpi`. */
const routeOf = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

/** Adds a route for each operation of the table. Fastify adds HEAD to each GET. */
export function operationRoutes(app: FastifyInstance, gate: ApiGate, executeFor: ExecuteFor): void {
  for (const operation of operations) {
    const types = queryTypes(operation.query)
    const { mediaType, forms } = operation
    const offered = forms ? Object.values(forms) : mediaType ? [mediaType] : operation.hasCsv ? jsonOrCsv : undefined
    const isText = mediaType !== undefined && !operation.isStreamed
    const compressed = compressible.has(operation.id) || operation.hasCsv === true || isText
    const preValidation = [
      ...(operation.hasCsv ? [noteFormat] : []),
      ...(forms ? [withForm(forms)] : []),
      ...(types ? [typed(types)] : []),
    ]
    app.route({
      method: operation.method,
      url: routeOf(operation.path),
      schema: {
        params: operation.params,
        querystring: operation.query,
        ...(operation.body ? { body: operation.body } : {}),
        response: { [statusOf(operation)]: operation.response },
      },
      onRequest: operation.access === 'none' ? open(offered) : keyed(gate, offered),
      ...(preValidation.length > 0 ? { preValidation } : {}),
      ...(isDatable(operation) ? { config: { isDated: true } } : {}),
      // Set only to switch compression off, because a route's settings replace all of the application's.
      ...(compressed ? {} : { compress: false }),
      handler: handle(operation, gate, executeFor, compressed),
    })
  }
}

type OperationRequest = FastifyRequest<{ Params: Record<string, unknown>; Querystring: Record<string, unknown> }>

const handle = (operation: Operation, gate: ApiGate, executeFor: ExecuteFor, compressed: boolean) => {
  const respond = (request: FastifyRequest, reply: FastifyReply, answer: Answer): void => {
    stampRateLimit(gate, request, reply)
    reply.header('cache-control', answer.cacheControl)
    if (answer.headers) reply.headers(answer.headers)
    if (operation.hasCsv || operation.forms) vary(reply, 'accept')
    const contentType = answer.contentType ?? JSON_UTF8
    if (answer.stream) {
      reply.header('content-type', contentType)
      sendStreamed(request, reply, answer.stream)
      return
    }
    if (operation.method === 'POST') {
      // Created for this call only, so there is nothing to revalidate: no ETag, never 304.
      reply.code(statusOf(operation)).header('content-type', contentType).send(answer.body)
      return
    }
    // The compression plugin leaves what is no text as it is.
    sendAnswer(request, reply, answer, compressed && answer.body !== '')
  }
  // Not an async function, so that an answer from memory is sent in the same turn of the event loop.
  return (request: OperationRequest, reply: FastifyReply): void => {
    const { params, query, body, csv } = request
    const input = csv ? { params, query, body, csv } : request
    const answer = executeFor(request.raw)(operation, input, request.caller, () => goneSignal(reply))
    if (!(answer instanceof Promise)) respond(request, reply, answer)
    else answer.then((answered) => respond(request, reply, answered)).catch((error: unknown) => reply.send(error))
  }
}

/** Media types of an operation with a list, the one for clients without a preference first. */
const jsonOrCsv = [mediaTypes.json, mediaTypes.csv]

/**
 * Notes whether the answer is to be CSV, before the validator fills in the default of `limit`. The parameters decide over the
 * Accept header, because a browser and a spreadsheet cannot set one. The cast: Fastify's parser makes an object of
 * every query string.
 */
const noteFormat: Hook = (request, _reply, done) => {
  const { format, csv_style, layout, limit } = request.query as Readonly<Record<string, unknown>>
  const isPreferred =
    csv_style !== undefined ||
    layout !== undefined ||
    preferredType(request.headers.accept, jsonOrCsv) === mediaTypes.csv
  const isCsv = format === undefined ? isPreferred : format === 'csv'
  // Another style than these is refused by the validator.
  if (isCsv) request.csv = { isWhole: limit === undefined, style: csv_style === 'semicolon' ? 'semicolon' : 'comma' }
  done()
}

/** Fills in the parameter `format` by the Accept header, if it is left out. */
const withForm =
  (forms: NonNullable<Operation['forms']>): Hook =>
  (request, _reply, done) => {
    const query = request.query as Record<string, unknown>
    const preferred = preferredType(request.headers.accept, Object.values(forms))
    query.format ??= Object.keys(forms).find((form) => forms[form] === preferred)
    done()
  }

const typed =
  (types: (query: Record<string, unknown>) => void): Hook =>
  (request, _reply, done) => {
    // Fastify's parser makes an object of every query string.
    types(request.query as Record<string, unknown>)
    done()
  }
