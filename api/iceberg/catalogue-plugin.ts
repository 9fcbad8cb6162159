/** Read-only catalogue of the archive's tables (Iceberg REST catalogue specification). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { metadataOf } from '../../archive/iceberg/metadata.ts'
import { fileNames } from '../../archive/iceberg/snapshot.ts'
import { isTableTopic, NAMESPACE, type TableTopic, tableTopics } from '../../archive/iceberg/tables.ts'
import { ProblemError } from '../../contracts/problems.ts'
import type { ApiDeps, Caller } from '../deps.ts'
import { requireReady } from '../execute.ts'
import { keyed, stampRateLimit } from '../guard.ts'
import { clientOrigin } from './client-origin.ts'
import { FILES_PATH, ICEBERG_PATH } from './error-body.ts'
import { encodeGrant, GRANT_SECONDS } from './file-grant.ts'
import { fileRoute } from './file-plugin.ts'
import type { Tables } from './tables-port.ts'

/** Name of the warehouse whose tables name their files where the archive is, for engines that have access to it. */
const SHARED = 'shared'

const endpoints = [
  'GET /v1/{prefix}/namespaces',
  'GET /v1/{prefix}/namespaces/{namespace}',
  'HEAD /v1/{prefix}/namespaces/{namespace}',
  'GET /v1/{prefix}/namespaces/{namespace}/tables',
  'GET /v1/{prefix}/namespaces/{namespace}/tables/{table}',
  'HEAD /v1/{prefix}/namespaces/{namespace}/tables/{table}',
]

type CatalogueRequest = FastifyRequest<{
  Params: { namespace?: string; table?: string }
  Querystring: { warehouse?: string; parent?: string }
}>

type Deps = Pick<ApiDeps, 'gate' | 'answering' | 'clock' | 'logger'> & { readonly tables: Tables }

/** Adds the catalogue and the files of its tables. Every request counts as a call of the minute, loading a table as one of the month. */
export function icebergRoutes(app: FastifyInstance, deps: Deps): void {
  const { gate, tables, clock } = deps
  const admit = ({ caller }: FastifyRequest): Caller => {
    if (!caller) throw new Error('the catalogue is asked without a caller')
    if (tables.mayRead(caller)) return caller
    throw new ProblemError(
      'plan_upgrade_required',
      'This key may not read the tables: the operator names the plans and accounts that may in ALMANAC_TABLES.',
    )
  }
  const get = (path: string, answer: (request: CatalogueRequest, caller: Caller) => object | Promise<object>) =>
    app.route({
      method: 'GET',
      url: ICEBERG_PATH + path,
      exposeHeadRoute: false,
      onRequest: keyed(gate),
      handler: async (request: CatalogueRequest, reply) => {
        const body = await answer(request, admit(request))
        stamp(request, reply)
        return reply.type('application/json').send(JSON.stringify(body))
      },
    })
  const head = (path: string, check: (request: CatalogueRequest) => void) =>
    app.route({
      method: 'HEAD',
      url: ICEBERG_PATH + path,
      onRequest: keyed(gate),
      handler: async (request: CatalogueRequest, reply) => {
        admit(request)
        check(request)
        stamp(request, reply)
        return reply.code(204).send()
      },
    })
  const stamp = (request: FastifyRequest, reply: FastifyReply) => {
    stampRateLimit(gate, request, reply)
    reply.header('cache-control', 'no-store')
  }

  get('/v1/config', ({ query: { warehouse = '' } }) => {
    if (warehouse !== '' && warehouse !== SHARED)
      throw new ProblemError(
        'invalid_query',
        `Unknown warehouse "${warehouse.slice(0, 80)}". Name none, or "${SHARED}".`,
      )
    return {
      defaults: {},
      overrides: warehouse === SHARED ? { prefix: SHARED } : {},
      endpoints: endpointsOf(warehouse),
    }
  })
  for (const prefix of ['', `/${SHARED}`]) {
    const path = `/v1${prefix}/namespaces`
    get(path, ({ query: { parent } }) => {
      if (parent !== undefined && parent !== '') requireNamespace(parent)
      return { namespaces: parent ? [] : [[NAMESPACE]] }
    })
    get(`${path}/:namespace`, ({ params }) => {
      requireNamespace(params.namespace)
      return { namespace: [NAMESPACE], properties: {} }
    })
    head(`${path}/:namespace`, ({ params }) => requireNamespace(params.namespace))
    get(`${path}/:namespace/tables`, ({ params }) => {
      requireNamespace(params.namespace)
      return { identifiers: tableTopics.map((name) => ({ namespace: [NAMESPACE], name })) }
    })
    get(`${path}/:namespace/tables/:table`, (request, caller) => {
      const topic = tableIn(request)
      return charged(caller, () => (prefix === '' ? load(request, caller, topic) : loadShared(topic)))
    })
    head(`${path}/:namespace/tables/:table`, (request) => void tableIn(request))
  }
  fileRoute(app, deps)

  async function charged(caller: Caller, read: () => Promise<object>): Promise<object> {
    requireReady(deps.answering())
    await gate.charge(caller)
    try {
      return await read()
    } catch (error) {
      gate.refund(caller)
      throw error
    }
  }

  /** A table whose files are at addresses of this service. */
  async function load(request: CatalogueRequest, { keyId }: Caller, topic: TableTopic): Promise<object> {
    const expires = Math.floor(clock().getTime() / 1_000) + GRANT_SECONDS
    const root = `${clientOrigin(request)}${FILES_PATH}/${encodeGrant(tables.secret, { topic, keyId, expires })}`
    const snapshot = await tables.current(topic)
    const location = `${root}/${fileNames(snapshot).metadata}`
    return { 'metadata-location': location, metadata: metadataOf(snapshot, root), config: {} }
  }

  async function loadShared(topic: TableTopic): Promise<object> {
    const published = await tables.published(topic)
    if (!published) throw new ProblemError('unavailable', `The table ${topic} is not written yet. Retry in a minute.`)
    const metadata = JSON.parse(Buffer.from(published.bytes).toString())
    return { 'metadata-location': published.location, metadata, config: {} }
  }
}

const endpointsOf = (warehouse: string): string[] =>
  ['GET /v1/config', ...endpoints].map((endpoint) => (warehouse === '' ? endpoint.replace('/{prefix}', '') : endpoint))

function requireNamespace(name: string | undefined): void {
  if (name !== NAMESPACE)
    throw new ProblemError(
      'route_not_found',
      `Namespace does not exist: ${String(name).slice(0, 80)}. There is ${NAMESPACE}.`,
    )
}

function tableIn({ params: { namespace, table = '' } }: CatalogueRequest): TableTopic {
  requireNamespace(namespace)
  if (isTableTopic(table)) return table
  const known = tableTopics.join(', ')
  throw new ProblemError(
    'route_not_found',
    `Table does not exist: ${NAMESPACE}.${table.slice(0, 80)}. There are ${known}.`,
  )
}
