import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ProblemError } from '../contracts/problems.ts'
import { etagOf } from './answer.ts'
import { asyncApi } from './asyncapi.ts'
import { tagOfSent } from './coding.ts'
import { matchesTag } from './conditional.ts'
import type { ApiDeps } from './deps.ts'
import { openApi } from './openapi.ts'
import { docsPage } from './pages/docs.ts'
import { landingPage } from './pages/landing.ts'
import type { Page } from './pages/page.ts'
import { problemIndex, problemPages } from './pages/problem-pages.ts'

/** What anyone may read: the pages, the descriptions, and whether this node can serve. Made once, at start. */
export function openRoutes(
  app: FastifyInstance,
  { ready, apiBase, streamBase }: Pick<ApiDeps, 'ready' | 'apiBase' | 'streamBase'>,
): void {
  const html = (page: Page) => (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('content-security-policy', page.contentSecurityPolicy)
    reply.header('referrer-policy', 'no-referrer')
    sendOpen(request, reply, 'text/html; charset=utf-8', page)
  }
  app.get('/', html(landingPage()))
  app.get('/docs', html(docsPage({ apiBase, streamBase })))
  app.get('/problems', html(problemIndex()))
  const pages = new Map([...problemPages()].map(([code, page]) => [code, html(page)]))
  app.get<{ Params: { code: string } }>('/problems/:code', (request, reply) => {
    const send = pages.get(request.params.code)
    if (!send) throw new ProblemError('route_not_found', 'There is no problem of that code; see /problems.')
    send(request, reply)
  })

  for (const [path, description] of [
    ['/openapi.json', openApi()],
    ['/asyncapi.json', asyncApi(streamBase)],
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

function sendOpen(request: FastifyRequest, reply: FastifyReply, type: string, page: Pick<Page, 'body' | 'etag'>): void {
  reply.header('access-control-allow-origin', '*')
  reply.header('cache-control', 'public, max-age=300')
  const etag = tagOfSent(request, reply, page)
  reply.header('etag', etag)
  const known = request.headers['if-none-match']
  if (known !== undefined && matchesTag(known, etag)) reply.code(304).send()
  else reply.type(type).send(page.body)
}
