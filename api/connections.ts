import type { RequestListener, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionTable } from '../access/connection-table.ts'
import { createServer } from '../base/process/http.ts'

/** Deadlines of HTTP connections, ms. */
export const httpDeadlines = {
  /** From the accept, or the first byte of a later request, to the end of the headers. */
  headersMs: 5_000,
  /** To the end of the body. */
  requestMs: 15_000,
  /** Without a byte in either direction, during a request. */
  silenceMs: 30_000,
  /** Between two requests. Longer than the 60 s after which common proxies close an idle connection. */
  idleMs: 72_000,
  /** Interval between checks of the deadlines. */
  checkMs: 1_000,
} as const

/** Creates a server with these deadlines. It counts its connections and closes those over the limits at their accept. */
export function createBoundedServer(handler: RequestListener, connections: ConnectionTable | undefined): Server {
  const server = createServer(
    {
      headersTimeout: httpDeadlines.headersMs,
      requestTimeout: httpDeadlines.requestMs,
      keepAliveTimeout: httpDeadlines.idleMs,
      connectionsCheckingInterval: httpDeadlines.checkMs,
      // `faultOfMessage` checks it instead, with its number.
      requireHostHeader: false,
    },
    handler,
  )
  server.setTimeout(httpDeadlines.silenceMs)
  if (connections) limitConnections(server, connections)
  return server
}

function limitConnections(server: Server, connections: ConnectionTable): void {
  // Node's own listener creates an HTTP parser for the socket. A refused socket must not get one.
  const accept = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    // Undefined if the client has already left.
    if (remoteAddress === undefined || !connections.admit(remoteAddress)) {
      socket.destroy()
      return
    }
    socket.once('close', () => connections.leave(remoteAddress))
    for (const listener of accept) Reflect.apply(listener, server, [socket])
  })
}
