import type { FastifyReply } from 'fastify'
import type { Page } from './pages/page.ts'

export const HTML = 'text/html; charset=utf-8'

/** Sets the headers that keep a page to what is in it. */
export function stampPage(reply: FastifyReply, { contentSecurityPolicy, referrerPolicy }: Page): void {
  reply.headers({ 'content-security-policy': contentSecurityPolicy, 'referrer-policy': referrerPolicy })
}
