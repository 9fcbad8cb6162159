import { membersOf } from './rest.ts'
import type { SocketEvents, SocketOpener, StreamSocket } from './socket.ts'

/** The part of the package `ws` that is used. It is an optional peer, so its types may be missing. */
type WsSocket = {
  on(event: 'open', listener: () => void): void
  on(event: 'message', listener: (data: { toString(): string }, isBinary: boolean) => void): void
  on(event: 'close', listener: (code: number, reason: { toString(): string }) => void): void
  on(event: 'error', listener: (error: Error) => void): void
  on(event: 'unexpected-response', listener: (request: unknown, response: WsRefusal) => void): void
  send(text: string): void
  close(code: number): void
  terminate(): void
  pause(): void
  resume(): void
  readonly isPaused: boolean
}
type WsRefusal = {
  readonly statusCode?: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  setEncoding(encoding: 'utf8'): void
  on(event: 'data', listener: (text: string) => void): void
  on(event: 'close', listener: () => void): void
  destroy(): void
}
export type WsClass = new (url: string, options: object) => WsSocket

/** Longest problem document that is read, in characters. */
const MAX_PROBLEM = 65_536

/** Time for the closing handshake, ms. */
const CLOSE_WITHIN_MS = 1_000

/** Sockets of the package `ws`: they can stop reading, send headers, and tell why a handshake was refused. */
export const wsSockets = (WebSocket: WsClass): SocketOpener => ({
  canPause: true,
  open(url, headers, events) {
    const socket = new WebSocket(url, { headers, perMessageDeflate: false })
    return listen(socket, events)
  },
})

type Refusal = Parameters<SocketEvents['refused']>[0]

function refusalOf({ statusCode, headers }: WsRefusal, body: string): Refusal {
  const seconds = Number(headers['retry-after'] ?? Number.NaN)
  const { location } = headers
  const detail =
    location === undefined
      ? membersOf(body).detail
      : `it redirects to ${location}. Give the address that it leads to, as ws:// or wss://.`
  const answered = `The handshake was answered with status ${statusCode}`
  return {
    ...(statusCode === undefined ? {} : { status: statusCode }),
    ...(Number.isFinite(seconds) ? { retry_after_ms: seconds * 1_000 } : {}),
    detail: typeof detail === 'string' ? `${answered}: ${detail}` : `${answered}.`,
  }
}

function listen(socket: WsSocket, events: SocketEvents): StreamSocket {
  let isOpen = false
  let isOver = false
  const refuse = (refusal: Refusal) => {
    if (isOver) return
    isOver = true
    events.refused(refusal)
  }
  socket.on('open', () => {
    isOpen = true
    if (!isOver) events.opened()
  })
  socket.on('message', (data, isBinary) => {
    if (!isOver) events.frame(isBinary ? undefined : data.toString())
  })
  socket.on('unexpected-response', (_, response) => {
    let body = ''
    response.setEncoding('utf8')
    response.on('data', (text) => {
      body += text
      if (body.length > MAX_PROBLEM) response.destroy()
    })
    // Also after a body that breaks off. One that never ends is cut by the machine's timer, which closes the socket.
    response.on('close', () => {
      refuse(refusalOf(response, body))
      socket.terminate()
    })
  })
  socket.on('error', (error) => {
    // `close` follows the error of an open socket.
    if (!isOpen) refuse({ detail: error.message })
  })
  socket.on('close', (code, reason) => {
    if (isOver) return
    isOver = true
    if (isOpen) events.closed(code, reason.toString())
    else events.refused({ detail: 'The connection was closed before it was open.' })
  })
  return {
    send: (text) => socket.send(text),
    close() {
      isOver = true
      // The answer to a close frame stands behind everything that a paused socket has not read.
      if (socket.isPaused || !isOpen) return socket.terminate()
      socket.close(1000)
      setTimeout(() => socket.terminate(), CLOSE_WITHIN_MS).unref()
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
  }
}
