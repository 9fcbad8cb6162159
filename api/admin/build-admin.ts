import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { ProblemError } from '../../contracts/problems.ts'
import { asksForPage } from '../accept.ts'
import type { FaultLog } from '../deps.ts'
import { requestIdOf, stampAnswer } from '../headers.ts'
import { faultOfMessage } from '../message.ts'
import { sendPage } from '../page-headers.ts'
import type { Site } from '../pages/page.ts'
import { logProblem, problemOf, sendProblem, shownPath } from '../problem.ts'
import { refuseConnection } from '../problems-plugin.ts'
import { challenges, checkCaller, isLoopback } from './caller.ts'
import { adminSite, type JobView, jobsPage } from './jobs-page.ts'
import { type Overview, overviewJson } from './overview/overview.ts'
import { overviewPage } from './overview/overview-page.ts'
import { quarantinePage, type RejectedView } from './quarantine-page.ts'

/** The part of a schedule that the pages use. Its methods reject with code `unavailable` if it can't be reached. */
export type JobQueue = {
  list(): Promise<readonly JobView[]>
  trigger(name: string): Promise<'started' | 'running' | 'unknown'>
}

/** The newest rejected inputs that the journal has, the newest first. Rejects with `unavailable` if it can't be reached. */
export type RejectedList = (most: number) => Promise<readonly RejectedView[]>

/** Most rejected inputs that a page shows. */
const MAX_REJECTED = 500

type AdminDeps = {
  readonly overview: () => Promise<Overview>
  /** Absent in a process that takes nothing in. */
  readonly rejected?: RejectedList | undefined
  /** Absent if no schedule runs in this process. */
  readonly jobs?: JobQueue | undefined
  /** The metrics in Prometheus's text format, with its media type. */
  readonly metrics: { readonly contentType: string; metrics(): Promise<string> }
  /** Whether every part of the process runs or stands by. */
  readonly ready: () => boolean
  /** Empty if every user of this machine may do everything. */
  readonly token: string
  /** Address that the server will listen on. */
  readonly host: string
  readonly clock: () => number
  readonly logger?: FaultLog & { info(fields: object, message: string): void }
}

/**
 * Builds the operators' server, which doesn't listen yet. `GET /ready` needs no token. `GET /metrics` does, and so do
 * `GET /overview` (a page) and `GET /overview.json`; if a schedule runs, `GET /jobs` (a page), `GET /jobs.json` and `POST /jobs/:name/run`; and, if the process offers them,
 * `GET /quarantine` and `GET /quarantine.json`. Throws if other machines could reach it without a token.
 */
export async function buildAdmin(deps: AdminDeps): Promise<FastifyInstance> {
  const { jobs, rejected, overview, metrics, ready, token, host, logger } = deps
  const site = adminSite(jobs !== undefined, rejected !== undefined)
  const fault = adminFault(host, token)
  if (fault) throw Object.assign(new Error(fault), { name: 'ConfigError' })
  const app = Fastify({
    genReqId: requestIdOf,
    requestIdHeader: false,
    bodyLimit: 1_024,
    requestTimeout: 15_000,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 500 },
    // `faultOfMessage` checks it instead, with a clearer error.
    http: { requireHostHeader: false },
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, requestIdOf({ headers: {} })),
  })
  // Few connections, because operators are few and share the process's descriptors with all clients.
  app.server.maxConnections = 64
  // The page's button sends an empty form, whose body is not read.
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, _body, done) =>
    done(null, undefined),
  )
  app.addHook('onRequest', (request, reply, done) => {
    stampAnswer(reply)
    reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin' })
    const fault = faultOfMessage(request.raw)
    if (fault) throw new ProblemError('invalid_query', fault, { headers: { connection: 'close' } })
    if (request.routeOptions.url !== '/ready') checkCaller(request, token)
    done()
  })
  app.setNotFoundHandler(() => {
    throw new ProblemError('route_not_found', `The admin port has ${pathsOf(deps)}.`)
  })
  app.setErrorHandler((error, request, reply) => {
    const problem = problemOf(error)
    logProblem(logger, problem, error, { request_id: request.id, path: shownPath(request.url) })
    sendProblem(problem, request, reply, site)
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (reply.statusCode === 401) reply.header('www-authenticate', challenges)
    done(null, payload)
  })

  app.get('/', (_request, reply) => reply.redirect(site.home, 302))
  app.get('/ready', async (_request, reply) => {
    if (!ready()) throw new ProblemError('unavailable', 'Still starting.', { headers: { 'retry-after': '2' } })
    return reply.code(204).send()
  })
  app.get('/overview', async (request, reply) =>
    sendPage(reply, overviewPage(await overview(), request.hostname, site)),
  )
  app.get('/overview.json', async () => overviewJson(await overview()))
  app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.metrics()))
  if (jobs) jobRoutes(app, jobs, deps, site)
  else for (const path of ['/jobs', '/jobs.json']) app.get(path, refuseJobs)
  if (rejected) {
    app.get('/quarantine', async (_request, reply) =>
      sendPage(reply, quarantinePage(await rejected(MAX_REJECTED), MAX_REJECTED, site)),
    )
    app.get('/quarantine.json', async () => ({ rejected: await rejected(MAX_REJECTED) }))
  }
  return app
}

function refuseJobs(): never {
  throw new ProblemError('route_not_found', 'There is no schedule: set ALMANAC_SCHEDULE=1.')
}

function pathsOf({ jobs, rejected }: AdminDeps): string {
  const paths = [
    '/ready',
    '/overview',
    '/overview.json',
    '/metrics',
    ...(jobs ? ['/jobs', '/jobs.json'] : []),
    ...(rejected ? ['/quarantine', '/quarantine.json'] : []),
  ]
  return `${paths.slice(0, -1).join(', ')} and ${paths.at(-1)}`
}

function jobRoutes(app: FastifyInstance, jobs: JobQueue, { clock, logger }: AdminDeps, site: Site): void {
  app.get('/jobs', async (_request, reply) => sendPage(reply, jobsPage(await jobs.list(), clock(), site)))
  app.get('/jobs.json', async () => ({ jobs: (await jobs.list()).map(jobJson) }))
  app.post<{ Params: { name: string } }>('/jobs/:name/run', async (request, reply) => {
    const { name } = request.params
    const outcome = await jobs.trigger(name)
    if (outcome === 'unknown') throw new ProblemError('route_not_found', `There is no job ${JSON.stringify(name)}.`)
    logger?.info({ job: name, outcome, request_id: request.id }, 'an operator requested a run')
    if (asksForPage(request.headers.accept)) return reply.redirect('/jobs', 303)
    return sendAccepted(reply, name, outcome)
  })
}

/** Fault of the settings: an address that other machines reach, without a token. */
const adminFault = (host: string, token: string): string | undefined =>
  token === '' && !isLoopback(host)
    ? `the admin port would listen on ${host} for everyone: set ALMANAC_ADMIN_TOKEN, or leave it on 127.0.0.1`
    : undefined

const sendAccepted = (reply: FastifyReply, job: string, outcome: string) => reply.code(202).send({ job, outcome })

/** A job as JSON, with times in ISO 8601. */
function jobJson({ name, running, nextRun, when, timeZone, announced, lastRun }: JobView) {
  return {
    name,
    running,
    next_run: iso(nextRun),
    when,
    time_zone: timeZone,
    announced,
    last_run: lastRun && {
      outcome: lastRun.outcome,
      started_at: iso(lastRun.startedAt),
      ended_at: iso(lastRun.endedAt),
      attempt: lastRun.attempt,
      detail: lastRun.detail,
      retry_at: iso(lastRun.retryAt),
    },
  }
}

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())
