import type { FastifyReply } from 'fastify'

/** Returns a signal that aborts when the client closes its connection before it has the whole answer. */
export function goneSignal({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const gone = new AbortController()
  if (raw.destroyed) gone.abort()
  else raw.once('close', () => raw.writableFinished || gone.abort())
  return gone.signal
}
