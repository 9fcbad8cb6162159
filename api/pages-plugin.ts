import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { assets } from '../console/assets.ts'
import { ProblemError } from '../contracts/problems.ts'
import { etagOf } from './answer.ts'
import { asyncApi } from './asyncapi.ts'
import { tagOfSent } from './coding.ts'
import { matchesTag } from './conditional.ts'
import type { ApiDeps } from './deps.ts'
import { openApi } from './openapi.ts'
import { HTML, stampPage } from './page-headers.ts'
import { docsPage } from './pages/docs.ts'
import { type Html, html } from './pages/html.ts'
import { landingPage } from './pages/landing.ts'
import type { Page } from './pages/page.ts'
import { problemCodes, problemIndex, problemPage } from './pages/problem-pages.ts'
import { pathOf } from './problem.ts'

const simulatedNotice = html`<b>Demonstration.</b> Simulated prices, official figures.`

/** Adds the routes that need no key: the pages, the OpenAPI and AsyncAPI documents, each made once, and `/ready`. */
export function openRoutes(
  app: FastifyInstance,
  { ready, apiBase, streamBase, prices }: Pick<ApiDeps, 'ready' | 'apiBase' | 'streamBase' | 'prices'>,
): void {
  const show = (make: (notice?: Html) => Page) => {
    const made = new Map<boolean, Page>()
    return (request: FastifyRequest, reply: FastifyReply) => {
      const { isDemonstration } = prices
      const page = made.get(isDemonstration) ?? make(isDemonstration ? simulatedNotice : undefined)
      made.set(isDemonstration, page)
      stampPage(reply, page)
      sendOpen(request, reply, HTML, page)
    }
  }
  app.get(
    '/',
    show((notice) => landingPage(streamBase, notice)),
  )
  const files = new Map(assets.map(({ path, contentType, body }) => [path, { body, etag: etagOf(body), contentType }]))
  app.get('/assets/*', (request, reply) => {
    const file = files.get(pathOf(request.url))
    if (!file)
      throw new ProblemError('route_not_found', 'The console of this version has no such file. Load the page anew.')
    sendOpen(request, reply, file.contentType, file, FOREVER)
  })
  app.get(
    '/docs',
    show((notice) => docsPage({ apiBase, streamBase }, notice)),
  )
  app.get('/problems', show(problemIndex))
  const pages = new Map<string, ReturnType<typeof show>>(
    problemCodes.map((code) => [code, show((notice) => problemPage(code, notice))]),
  )
  app.get<{ Params: { code: string } }>('/problems/:code', (request, reply) => {
    const send = pages.get(request.params.code)
    if (!send) throw new ProblemError('route_not_found', 'No problem has this code. All codes are listed at /problems.')
    send(request, reply)
  })

  for (const [path, description] of [
    ['/openapi.json', openApi(apiBase)],
    ['/asyncapi.json', asyncApi(streamBase, apiBase)],
  ] as const) {
    const body = JSON.stringify(description)
    const etag = etagOf(body)
    app.get(path, (request, reply) => sendOpen(request, reply, 'application/json; charset=utf-8', { body, etag }))
  }

  app.get('/ready', { compress: false }, (_request, reply) => {
    const state = ready()
    if (state !== true) throw new ProblemError('unavailable', `Not ready yet: ${state}.`)
    reply.header('cache-control', 'no-store')
    return { status: 'ready' }
  })
}

const SOME_MINUTES = 'public, max-age=300'
/** For addresses that name their content. */
const FOREVER = 'public, max-age=31536000, immutable'

function sendOpen(
  request: FastifyRequest,
  reply: FastifyReply,
  type: string,
  page: Pick<Page, 'body' | 'etag'>,
  cacheControl = SOME_MINUTES,
): void {
  reply.header('cache-control', cacheControl)
  const etag = tagOfSent(request, reply, page)
  reply.header('etag', etag)
  const known = request.headers['if-none-match']
  if (known !== undefined && matchesTag(known, etag)) reply.code(304).send()
  else reply.type(type).send(page.body)
}
