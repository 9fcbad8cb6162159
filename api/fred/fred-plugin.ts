/** FRED-style surface: the addresses, parameters and forms that clients of FRED know. It is not FRED, nor endorsed by it. */

import type { FastifyInstance } from 'fastify'
import { callerByHeaderOrAddress } from '../address-key.ts'
import type { ApiGate } from '../deps.ts'
import type { ExecuteFor } from '../execute.ts'
import { surfaceRoute } from '../surface.ts'
import { fredCalls, GRAPH_BESIDE } from './calls.ts'

export function fredRoutes(app: FastifyInstance, gate: ApiGate, executeFor: ExecuteFor): void {
  for (const call of [...Object.values(fredCalls), { ...fredCalls.graph, url: GRAPH_BESIDE }]) {
    surfaceRoute(
      app,
      { url: call.url, gate, executeFor },
      {
        callerOf: callerByHeaderOrAddress,
        // The cast: Fastify's parser makes an object of every query string; `fieldsOf` checks its members.
        asked: ({ query }) => ({ call, input: { params: {}, query: query as Record<string, unknown> } }),
        negotiates: false,
      },
    )
  }
}
