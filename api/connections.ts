import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionTable } from '../access/connection-table.ts'

/** Deadlines of HTTP connections, ms. */
export const httpDeadlines = {
  /** From the accept, or the first byte of a later request, to the end of the headers. */
  headersMs: 5_000,
  /** To the end of the body. */
  requestMs: 15_000,
  /** Without a byte in either direction, while a request is under way. */
  silenceMs: 30_000,
  /** Between two requests: longer than the 60 s after which common proxies let go of a connection. */
  idleMs: 72_000,
  /** How often they are judged. */
  checkMs: 1_000,
} as const

/** A server with these deadlines whose connections are counted, and refused at their accept if there are too many. */
export function createBoundedServer(handler: RequestListener, connections: ConnectionTable | undefined): Server {
  const server = createServer(
    {
      headersTimeout: httpDeadlines.headersMs,
      requestTimeout: httpDeadlines.requestMs,
      keepAliveTimeout: httpDeadlines.idleMs,
      connectionsCheckingInterval: httpDeadlines.checkMs,
      // Judged with the number of them, by `faultOfMessage`.
      requireHostHeader: false,
    },
    handler,
  )
  server.setTimeout(httpDeadlines.silenceMs)
  if (connections) bound(server, connections)
  return server
}

function bound(server: Server, connections: ConnectionTable): void {
  // Node's own listener, which makes an HTTP parser for the socket: none for one that is refused.
  const accept = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    // Undefined: the client has gone already.
    if (remoteAddress === undefined || !connections.admit(remoteAddress)) {
      socket.destroy()
      return
    }
    socket.once('close', () => connections.leave(remoteAddress))
    for (const listener of accept) Reflect.apply(listener, server, [socket])
  })
}
