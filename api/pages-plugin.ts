import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { assets } from '../console/assets.ts'
import { ProblemError } from '../contracts/problems.ts'
import { textAnswer } from './answer.ts'
import { asyncApi } from './asyncapi.ts'
import type { ApiDeps } from './deps.ts'
import { requireReady } from './execute.ts'
import { openApi } from './openapi.ts'
import { HTML, stampPage } from './page-headers.ts'
import { docsPage } from './pages/docs.ts'
import { type Html, html } from './pages/html.ts'
import { landingPage } from './pages/landing.ts'
import type { Page } from './pages/page.ts'
import { problemCodes, problemIndex, problemPage } from './pages/problem-pages.ts'
import { pathOf } from './problem.ts'
import { JSON_UTF8, sendAnswer } from './send-answer.ts'

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
      sendOpen(request, reply, { ...page, contentType: HTML })
    }
  }
  app.get(
    '/',
    show((notice) => landingPage(streamBase, notice)),
  )
  const files = new Map(assets.map(({ path, contentType, body }) => [path, textAnswer(body, contentType)]))
  app.get('/assets/*', (request, reply) => {
    const file = files.get(pathOf(request.url))
    if (!file)
      throw new ProblemError('route_not_found', 'The console of this version has no such file. Load the page anew.')
    sendOpen(request, reply, file, FOREVER)
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
    const file = textAnswer(JSON.stringify(description), JSON_UTF8)
    app.get(path, (request, reply) => sendOpen(request, reply, file))
  }

  app.get('/ready', { compress: false }, (_request, reply) => {
    requireReady(ready())
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
  answer: Parameters<typeof sendAnswer>[2],
  cacheControl = SOME_MINUTES,
): void {
  reply.header('cache-control', cacheControl)
  sendAnswer(request, reply, answer, true)
}
