import type { FastifyReply } from 'fastify'
import type { Page } from './pages/page.ts'

export const HTML = 'text/html; charset=utf-8'

export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  stampPage(reply, page)
  return reply.type(HTML).send(page.body)
}

/** Sets the security headers of a page: it may load nothing that isn't in it. */
export function stampPage(reply: FastifyReply, { contentSecurityPolicy, referrerPolicy }: Page): void {
  reply.headers({ 'content-security-policy': contentSecurityPolicy, 'referrer-policy': referrerPolicy })
}
