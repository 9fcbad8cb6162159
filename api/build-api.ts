import compress from '@fastify/compress'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { ProblemError } from '../contracts/problems.ts'
import { type Allowed, allowedMethods } from './allow.ts'
import { refuseUndatable, withoutDay } from './as-of/address.ts'
import { alignHeadWithGet, compression } from './coding.ts'
import { schemaController } from './compilers.ts'
import { createBoundedServer } from './connections.ts'
import { allowOrigin } from './cors.ts'
import type { ApiDeps } from './deps.ts'
import { embedRoutes } from './embed/embed-plugin.ts'
import { executeOver } from './execute-for.ts'
import { Exports } from './exports.ts'
import { FairSlots } from './fair-slots.ts'
import { fredRoutes } from './fred/fred-plugin.ts'
import { allHandlers } from './handlers/all.ts'
import { requestIdOf, stampAnswer } from './headers.ts'
import { icebergRoutes } from './iceberg/catalogue-plugin.ts'
import { type InputFault, type InputPart, invalid } from './invalid.ts'
import { mcpRoute } from './mcp-plugin.ts'
import { faultOfMessage } from './message.ts'
import { missingPath, streamElsewhere } from './missing-path.ts'
import { operationRoutes } from './operations-plugin.ts'
import { openRoutes } from './pages-plugin.ts'
import { routedPath, shownPath } from './problem.ts'
import { problemSender, refuseConnection } from './problems-plugin.ts'
import { renderer } from './render.ts'
import { sdmxRoutes } from './sdmx/sdmx-plugin.ts'

/** Largest body of a request, in bytes. */
const BODY_LIMIT = 65_536

/** Builds REST, MCP and the pages as one Fastify application that doesn't listen yet. */
export async function buildApi(deps: ApiDeps): Promise<FastifyInstance> {
  const sendProblem = problemSender(deps)
  const app = Fastify({
    rewriteUrl: withoutDay,
    genReqId: requestIdOf,
    requestIdHeader: false,
    bodyLimit: BODY_LIMIT,
    serverFactory: (handler) => createBoundedServer(handler, deps.connections),
    // On close, idle connections end, running calls finish, and calls that still arrive are answered.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Above the router's default, because a longer parameter would be an unknown path. The schema gives a clearer error.
    routerOptions: { maxParamLength: 16_384 },
    schemaController,
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
    // The casts: ajv is set to verbose, whose fields Fastify's types leave out, and no route checks headers.
    schemaErrorFormatter: (errors, part) => invalid(errors as readonly InputFault[], part as InputPart),
    frameworkErrors: (error, request, reply) => {
      stampAnswer(reply)
      sendProblem(error, request, reply)
    },
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, requestIdOf({ headers: {} })),
  })
  // Ignores an unknown Expect header (RFC 9110, 10.1.1), because Node's own refusal is not a problem document.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  // Bodies must be JSON. Without its parser, plain text is 415 too.
  app.removeContentTypeParser('text/plain')
  app.decorateRequest('caller', null)
  app.decorateRequest('csv', undefined)
  app.setErrorHandler(sendProblem)

  const allowed = allowedMethods(app)
  const origins = deps.corsOrigins ?? []
  app.addHook('onRequest', (request, reply, done) => {
    stampAnswer(reply)
    const fault = faultOfMessage(request.raw)
    if (fault) throw new ProblemError('invalid_query', fault, { headers: { connection: 'close' } })
    allowOrigin(origins, request, reply)
    // Judged before a body is read, so that a faulty body doesn't hide an unknown path or method.
    const path = routedPath(request.url)
    // Before the routes, because the router takes the last part of /v1/events/stream for the id of an event.
    const elsewhere = streamElsewhere(path, deps.streamBase)
    if (elsewhere) throw elsewhere
    refuseUndatable(request, deps.clock())
    if (request.is404 || allowed.bars(path, request.method)) refuseOrDescribe(allowed, request, reply)
    else done()
  })
  app.setNotFoundHandler(() => {
    throw new ProblemError('route_not_found', 'No such path.')
  })

  const { encodings, threshold, customTypes } = compression
  await app.register(compress, {
    globalCompression: true,
    globalDecompression: false,
    encodings: [...encodings],
    threshold,
    customTypes,
  })
  alignHeadWithGet(app)

  const render = renderer(app)
  const slots = new FairSlots()
  const exports = new Exports()
  app.addHook('preClose', async () => {
    slots.close()
    exports.close()
  })
  const handlersOver = (parts: ApiDeps) => allHandlers(parts, render, exports)
  const executeFor = executeOver(deps, handlersOver, slots)
  operationRoutes(app, deps.gate, executeFor)
  mcpRoute(app, deps, executeFor)
  fredRoutes(app, deps.gate, executeFor)
  sdmxRoutes(app, deps.gate, executeFor)
  const { tables, embed } = deps
  if (tables) icebergRoutes(app, { ...deps, tables })
  if (embed) embedRoutes(app, { ...deps, embed }, executeFor)
  openRoutes(app, deps)
  return app
}

/** Answers OPTIONS with the methods of the path, and refuses an unknown path or method. */
function refuseOrDescribe(allowed: Allowed, request: FastifyRequest, reply: FastifyReply): void {
  const allow = allowed.of(routedPath(request.url))
  if (allow === undefined) {
    throw missingPath(shownPath(request.url), (path) => allowed.of(path) !== undefined)
  }
  if (request.method !== 'OPTIONS') {
    throw new ProblemError(
      'method_not_allowed',
      `${request.method} is not served at this path. Use one of: ${allow}.`,
      {
        headers: { allow },
      },
    )
  }
  reply.header('allow', allow)
  if (reply.hasHeader('access-control-allow-origin') && !reply.hasHeader('access-control-allow-methods'))
    reply.header('access-control-allow-methods', allow)
  reply.code(204).send()
}
