import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'

/** A vendor's feed on 127.0.0.1, gone with the test. `onConnection` is told of each connection, from 0. */
export async function openFeedServer(
  onConnection: (socket: WebSocket, request: IncomingMessage, connection: number) => void,
  port = 0,
) {
  const server = new WebSocketServer({ host: '127.0.0.1', port })
  let connections = 0
  server.on('connection', (socket, request) => {
    socket.on('error', () => undefined)
    onConnection(socket, request, connections++)
  })
  await once(server, 'listening')
  const close = async () => {
    for (const socket of server.clients) socket.terminate()
    await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(close)
  const { port: taken } = server.address() as AddressInfo
  return { url: `ws://127.0.0.1:${taken}/prices`, port: taken, close, connections: () => connections }
}
