/** SDMX-REST: structures, availability and data for the clients of statistical offices, in both versions of the interface. */

import type { ParsedUrlQuery } from 'node:querystring'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ProblemError } from '../../contracts/problems.ts'
import type { ApiGate } from '../deps.ts'
import type { ExecuteFor, OperationInput } from '../execute.ts'
import { callerOf } from '../guard.ts'
import { notImplemented, shown } from '../refusals.ts'
import { surfaceRoute } from '../surface.ts'
import { addressOf, type Interface, interfaces, resources, unservedResources } from './calls.ts'
import { rawRequest } from './raw-request.ts'

/** What a handler of this surface is asked. `path` is what stands behind the name of the resource. */
export type SdmxInput = OperationInput & {
  readonly params: {
    readonly interface: Interface
    readonly resource: string
    readonly path: readonly string[]
    readonly accept: string | undefined
  }
  readonly query: Readonly<ParsedUrlQuery>
}

export function sdmxRoutes(app: FastifyInstance, gate: ApiGate, executeFor: ExecuteFor): void {
  for (const version of interfaces) {
    const url = `${addressOf(version)}/*`
    surfaceRoute(
      app,
      { url, gate, executeFor },
      { callerOf, asked: (request) => asked(version, request), negotiates: true },
    )
  }
}

function asked(version: Interface, { url, headers: { accept } }: FastifyRequest) {
  const { path: parts, query } = rawRequest(url, addressOf(version))
  const [resource = '', ...path] = parts
  const call = resources[version].get(resource)
  if (!call) throw unknownResource(version, resource)
  const input: SdmxInput = { params: { interface: version, resource, path, accept }, query }
  return { call, input }
}

function unknownResource(version: Interface, resource: string): ProblemError {
  const served = [...resources[version].keys()].join(', ')
  if (unservedResources.has(resource)) return notImplemented(`${resource} is not served here. Served are ${served}.`)
  return new ProblemError('route_not_found', `There is no ${shown(resource)} at ${addressOf(version)}. Use ${served}.`)
}
