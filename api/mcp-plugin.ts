import type { FastifyInstance } from 'fastify'
import { ProblemError } from '../contracts/problems.ts'
import type { ApiDeps } from './deps.ts'
import type { ExecuteFor } from './execute.ts'
import { type Hook, keyed, stampRateLimit } from './guard.ts'
import type { McpServer } from './mcp-server.ts'

/**
 * Serves the Model Context Protocol over Streamable HTTP: one message a request. What answers them is loaded with the first
 * message: the library behind it is a tenth of what a node would load at its start.
 */
export function mcpRoute(
  app: FastifyInstance,
  deps: Pick<ApiDeps, 'gate' | 'figures' | 'asOf' | 'corsOrigins' | 'logger'>,
  executeFor: ExecuteFor,
) {
  let opened: Promise<McpServer> | undefined
  const open = async () => (await import('./mcp-server.ts')).mcpServer(deps, executeFor)
  app.addHook('onClose', async () => (await opened?.catch(() => undefined))?.close())

  app.route({
    method: 'POST',
    url: '/mcp',
    config: { isDated: true },
    onRequest: [fromAllowedOrigin(deps.corsOrigins ?? []), keyed(deps.gate)],
    handler: async (request, reply) => {
      if (Array.isArray(request.body)) {
        throw new ProblemError('invalid_body', 'Batches are not accepted. Send each message in its own request.')
      }
      opened ??= open().catch((error) => {
        // The cause may pass, such as too many open files: the next message tries again.
        opened = undefined
        throw error
      })
      const response = await (await opened).answer({ request, reply })
      stampRateLimit(deps.gate, request, reply)
      reply.header('cache-control', 'no-store')
      return reply.send(response)
    },
  })
}

/** Refuses pages of other origins, as the protocol asks, because of DNS rebinding. Programs send no Origin. */
const fromAllowedOrigin =
  (origins: readonly string[]): Hook =>
  ({ headers: { origin } }, _reply, done) => {
    if (origin !== undefined && !origins.includes(origin)) {
      throw new ProblemError('origin_not_allowed', `Pages of ${origin.slice(0, 200)} may not call MCP here.`)
    }
    done()
  }
