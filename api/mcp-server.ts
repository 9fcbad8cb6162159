import {
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SIMULATOR } from '../contracts/instruments.ts'
import { isDatable, type Operation } from '../contracts/operation.ts'
import { operationById } from '../contracts/operations.ts'
import { problems, toProblem } from '../contracts/problems.ts'
import type { ReleasedOnBasis } from '../contracts/records.ts'
import { releaseIdIn, releaseOperationId } from '../contracts/release-detail.ts'
import type { Answer } from './answer.ts'
import type { Moment } from './as-of/address.ts'
import type { ApiDeps } from './deps.ts'
import type { ExecuteFor, OperationInput } from './execute.ts'
import { gapsIn } from './gap-link.ts'
import { goneSignal } from './gone.ts'
import { type InputFault, invalid } from './invalid.ts'
import type { KnownFigures } from './mcp-arguments.ts'
import { descriptionOf } from './mcp-description.ts'
import { pageOf, withPageSize } from './mcp-pages.ts'
import { type Arguments, instructions, type Tool, tools } from './mcp-tools.ts'
import { newerIn } from './newer-figures.ts'
import { OPENAPI_VERSION } from './openapi.ts'
import { logProblem, pathOf, problemHeaders, problemOf } from './problem.ts'

const byName = new Map(tools.map((tool) => [tool.name, tool]))

const SIMULATED =
  'Simulated: this answer is computed from made-up prices of a demonstration. Do not use it as a real one.'

/** The HTTP exchange that an MCP message came in. */
type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply }

export type McpServer = {
  /** Answers the message in the body of a request. */
  answer(exchange: Exchange): Promise<Response>
  close(): Promise<void>
}

/**
 * Answers messages of the Model Context Protocol, stateless, in JSON. Supports the revisions of 2025 (`initialize`) and of
 * 2026-07-28 (an envelope in each message).
 */
export function mcpServer(deps: Pick<ApiDeps, 'figures' | 'asOf' | 'logger'>, executeFor: ExecuteFor): McpServer {
  const exchanges = new WeakMap<Request, Exchange>()
  const serverFor = ({ era, requestInfo }: McpRequestContext): Server => {
    const exchange = requestInfo && exchanges.get(requestInfo)
    if (!exchange) throw new Error('an MCP message came from no HTTP request')
    const { moment } = exchange.request.raw
    const server = new Server(
      { name: 'almanac', version: OPENAPI_VERSION },
      { capabilities: { tools: {} }, instructions: instructionsOn(moment) },
    )
    server.setRequestHandler('tools/list', async () => {
      const figures = moment === undefined ? deps.figures : await figuresOn(deps, moment)
      return { tools: tools.filter(isServedOn(moment)).map((tool) => descriptionOf(tool, figures)) }
    })
    server.setRequestHandler('tools/call', ({ params }) =>
      callTool(exchange, params.name, params.arguments ?? {}, era === 'modern'),
    )
    return server
  }
  // No subscriptions, because the list of tools never changes while the service runs.
  const modern = createMcpHandler(serverFor, { legacy: 'reject', maxSubscriptions: 0 })

  async function callTool(
    { request, reply }: Exchange,
    name: string,
    given: Arguments,
    structured: boolean,
  ): Promise<CallToolResult> {
    const tool = byName.get(name)
    if (!tool || !isServedOn(request.raw.moment)(tool))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name.slice(0, 80)}`)
    try {
      const call = tool.answeredBy(withPageSize(name, given))
      const { operation } = call
      const input = inputOf(request, operation, call.given)
      const answer = await executeFor(request.raw)(operation, input, request.caller, () => goneSignal(reply))
      if (answer.headers) reply.headers(answer.headers)
      // A model doesn't see headers, so what they say is part of the content.
      const body = pageOf(operation, answer.body, input.query)
      const content = [body, ...notesOf(answer.headers)].map((text) => ({ type: 'text' as const, text }))
      // Clients check structured content against the schema. Without one it would only be the same once more.
      return { content, ...(tool.response ? { structuredContent: JSON.parse(body) } : {}) }
    } catch (error) {
      return failure(error, request, structured)
    }
  }

  function failure(error: unknown, request: FastifyRequest, structured: boolean): CallToolResult {
    const problem = problemOf(error)
    const { advice } = problems[problem.code]
    logProblem(deps.logger, problem, error, { code: problem.code, request_id: request.id })
    const detail = problem.message.replace(QUERY_PARAMETER, 'argument')
    const body = toProblem(problem.code, detail, request.id, pathOf(request.originalUrl))
    const { 'retry-after': retryAfter, link } = problemHeaders(problem)
    const extra = { advice, ...(retryAfter ? { retry_after: Number(retryAfter) } : {}), ...(link ? { link } : {}) }
    return {
      isError: true,
      content: [{ type: 'text', text: JSON.stringify({ ...body, ...extra }) }],
      // Clients of older revisions check even a failure's structured content against the output schema, and throw.
      ...(structured ? { structuredContent: { ...body } } : {}),
    }
  }

  return {
    async answer(exchange) {
      const { request } = exchange
      const message = new Request('http://mcp.invalid/mcp', { method: 'POST', headers: headersFor(request) })
      exchanges.set(message, exchange)
      const parsedBody = withoutNulls(request.body)
      const old = await isLegacyRequest(message, parsedBody)
      return old
        ? answerOldRevision(serverFor({ era: 'legacy', requestInfo: message }), message, parsedBody)
        : modern.fetch(message, { parsedBody })
    },
    close: () => modern.close(),
  }
}

/** As of a day, tools whose answers can only be of now are not there. */
const isServedOn =
  (moment: Moment | undefined) =>
  ({ example }: Tool): boolean =>
    moment === undefined || isDatable(operationById(example.operationId))

function instructionsOn(moment: Moment | undefined): string {
  if (moment === undefined) return instructions
  const known = `${instructions} All is as it was known on ${moment.day}: nothing later can be asked for.`
  const guessed = ' Figures with released_on_basis estimated are the first values on record, dated by the usual lag.'
  return moment.isEstimated ? known + guessed : known
}

async function figuresOn({ asOf }: Pick<ApiDeps, 'asOf'>, { day, isEstimated }: Moment): Promise<KnownFigures> {
  const cells = await asOf(day, isEstimated).published.cells()
  return { countries: (indicator) => [...(cells.get(indicator) ?? [])] }
}

/** Answers one message of a 2025 revision, as JSON rather than as a stream of one event. */
async function answerOldRevision(server: Server, message: Request, parsedBody: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(message, { parsedBody })
  } finally {
    await server.close()
  }
}

/** The headers that the protocol reads. It demands that event streams are accepted too, but all answers are JSON. */
function headersFor({ headers }: FastifyRequest): Record<string, string> {
  const own = Object.entries(headers).filter(([name]) => name.startsWith('mcp-'))
  return {
    ...Object.fromEntries(own.map(([name, value]) => [name, String(value)])),
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  }
}

/** A tool's arguments as path and query parameters of its operation, checked by the validators of REST. */
function inputOf(request: FastifyRequest, { params, query }: Operation, given: Arguments): OperationInput {
  const inPath = new Set(Object.keys(params.properties))
  const split = (path: boolean) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => inPath.has(name) === path))
  const input = { params: split(true), query: split(false) }
  const check = (part: 'params' | 'querystring', values: object): void => {
    const validate = request.compileValidationSchema(part === 'params' ? params : query)
    // The cast: the validator is ajv, set to verbose; Fastify types it for any validator.
    if (!validate(values)) throw invalid((validate.errors ?? []) as unknown as InputFault[], part, 'argument')
  }
  check('params', input.params)
  check('querystring', input.query)
  return input
}

/** How details begin that handlers write for REST. A tool has arguments. */
const QUERY_PARAMETER = /^query parameter\b/

/** Periods after which a latest figure is called old: most come out within three of theirs. */
const MANY_PERIODS = 4

/** What the headers of an answer say, in words. */
function notesOf(headers: Answer['headers'] = {}): string[] {
  const { 'almanac-source': source, 'almanac-released-on-basis': basis, link } = headers
  const release = releaseIdIn(link)
  const ended = Number(headers['almanac-periods-ended-since'] ?? 0)
  const gaps = gapsIn(link)
  return [
    ...(source === SIMULATOR ? [SIMULATED] : []),
    ...(release ? [`${releaseOperationId} with release_id ${release} says where this comes from.`] : []),
    ...(basis && basis !== 'publisher' ? [DAY_MEANINGS[basis] ?? ''] : []),
    ...(ended >= MANY_PERIODS
      ? [`Old: ${ended} periods have ended since this one, and none of them has a whole figure on record.`]
      : []),
    ...newerIn(link).map(({ period, address }) => `Newer, in the history ${address}: ${period}.`),
    ...(gaps === undefined ? [] : [`Some periods were never published: calendar_list has them, at ${gaps}.`]),
  ]
}

/** What `released_on` means if it is not the publisher's own day. */
const DAY_MEANINGS: Readonly<Record<string, string>> = {
  dataset: 'released_on is the day of the last update of the dataset; the figure may be older.',
  copy: 'released_on is a day on which a copy had the figure, which was released on that day or before.',
  first_seen: 'released_on is the day on which this service first saw the figure; it may be older.',
  estimated:
    'released_on is estimated by the usual lag of the series: the figure is the first one on record, and not what was known then.',
} satisfies Record<Exclude<ReleasedOnBasis, 'publisher'>, string>

/**
 * A message without the nulls that models and their clients write for what they leave out: `params`, `arguments`, and members
 * of either. The protocol and the schemas of tools have no null.
 */
function withoutNulls(message: unknown): unknown {
  if (!isObject(message) || !('params' in message)) return message
  const { params, ...others } = message
  if (!isObject(params)) return params === null ? others : message
  const given = withoutNullMembers(params)
  if (isObject(given.arguments)) given.arguments = withoutNullMembers(given.arguments)
  return { ...others, params: given }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const withoutNullMembers = (value: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
