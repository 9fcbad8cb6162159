import compress from '@fastify/compress'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { ProblemError } from '../contracts/problems.ts'
import { type Allowed, allowedMethods } from './allow.ts'
import { compression, likenHeads } from './coding.ts'
import { createBoundedServer } from './connections.ts'
import { allowOrigin } from './cors.ts'
import type { ApiDeps } from './deps.ts'
import { executor } from './execute.ts'
import { FairSlots } from './fair-slots.ts'
import { eventHandlers } from './handlers/events.ts'
import { exportsHistoryHandlers } from './handlers/exports-history.ts'
import { indicatorHandlers } from './handlers/indicators.ts'
import { priceHandlers } from './handlers/prices.ts'
import { serviceHandlers } from './handlers/service.ts'
import { ticketHandlers } from './handlers/tickets.ts'
import { requestIdOf, stampAnswer } from './headers.ts'
import { type InputFault, type InputPart, invalid } from './invalid.ts'
import { mcpRoute } from './mcp-plugin.ts'
import { faultOfMessage } from './message.ts'
import { operationRoutes } from './operations-plugin.ts'
import { openRoutes } from './pages-plugin.ts'
import { pathOf, routedPath } from './problem.ts'
import { problemSender, refuseConnection } from './problems-plugin.ts'
import { renderer } from './render.ts'

/** The most that a request's body may hold. */
const BODY_LIMIT = 65_536

/** REST, MCP and the pages about them, as one Fastify application that doesn't listen yet. */
export async function buildApi(deps: ApiDeps): Promise<FastifyInstance> {
  const sendProblem = problemSender(deps)
  const app = Fastify({
    genReqId: requestIdOf,
    requestIdHeader: false,
    bodyLimit: BODY_LIMIT,
    serverFactory: (handler) => createBoundedServer(handler, deps.connections),
    // On close: idle connections are ended, calls under way are finished, and ones that still arrive are answered.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // A parameter longer than the router's own limit would be an unknown path; the schema has better words for it.
    routerOptions: { maxParamLength: 16_384 },
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: true,
        allErrors: false,
        strict: true,
        verbose: true,
      },
    },
    schemaErrorFormatter: (errors, part) => invalid(errors as readonly InputFault[], part as InputPart),
    frameworkErrors: (error, request, reply) => {
      stampAnswer(reply as FastifyReply)
      sendProblem(error, request as FastifyRequest, reply as FastifyReply)
    },
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, requestIdOf({ headers: {} })),
  })
  // An expectation that nobody defined is left unmet (RFC 9110, 10.1.1); Node's own refusal would be no problem document.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  // Bodies are JSON: any other is 415, text too.
  app.removeContentTypeParser('text/plain')
  app.decorateRequest('caller', null)
  app.setErrorHandler(sendProblem)

  const allowed = allowedMethods(app)
  const origins = deps.corsOrigins ?? []
  app.addHook('onRequest', (request, reply, done) => {
    stampAnswer(reply)
    const fault = faultOfMessage(request.raw)
    if (fault) throw new ProblemError('invalid_query', fault, { headers: { connection: 'close' } })
    allowOrigin(origins, request, reply)
    // Before a body is read: an unknown path or method is that, whatever comes with it.
    if (request.is404 || allowed.bars(routedPath(request.url), request.method)) unrouted(allowed, request, reply)
    else done()
  })
  app.setNotFoundHandler(() => {
    throw new ProblemError('route_not_found', 'No such path.')
  })

  const { encodings, threshold } = compression
  await app.register(compress, {
    globalCompression: true,
    globalDecompression: false,
    encodings: [...encodings],
    threshold,
  })
  likenHeads(app)

  const render = renderer(app)
  const slots = new FairSlots()
  app.addHook('preClose', async () => slots.close())
  const handlers = {
    ...serviceHandlers(deps, render),
    ...indicatorHandlers(deps.figures, render),
    ...exportsHistoryHandlers(deps, render),
    ...priceHandlers(deps.prices, deps.clock, render),
    ...eventHandlers(deps, render),
    ...ticketHandlers(deps, render),
  }
  const execute = executor(deps, handlers, slots)
  operationRoutes(app, deps.gate, execute)
  mcpRoute(app, deps, execute)
  openRoutes(app, deps)
  return app
}

/** A path that is served with other methods, or none at all; OPTIONS says which. */
function unrouted(allowed: Allowed, request: FastifyRequest, reply: FastifyReply): void {
  const allow = allowed.of(routedPath(request.url))
  if (allow === undefined) {
    throw new ProblemError('route_not_found', `Nothing is served at ${pathOf(request.url).slice(0, 200)}.`)
  }
  if (request.method !== 'OPTIONS') {
    throw new ProblemError('method_not_allowed', `${request.method} is not served at this path; ${allow} are.`, {
      headers: { allow },
    })
  }
  reply.header('allow', allow)
  if (reply.hasHeader('access-control-allow-origin')) reply.header('access-control-allow-methods', allow)
  reply.code(204).send()
}
