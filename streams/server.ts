import { App, type HttpRequest, type HttpResponse, us_listen_socket_close, us_socket_local_port } from 'uWebSockets.js'
import type { Admission, StreamDoor } from '../access/stream-door.ts'
import { toProblem } from '../contracts/problems.ts'
import { type StreamErrorCode, streamPath } from '../contracts/streams.ts'
import { Connection, MAX_BACKPRESSURE, readersOf, type Socket } from './connection.ts'
import { frameOf, type Stream } from './stream.ts'

export type StreamServerOptions = {
  readonly host: string
  /** 0: a free one. */
  readonly port: number
  readonly streams: readonly Stream[]
  readonly door: Pick<StreamDoor, 'enter' | 'standing' | 'leave'>
  readonly log: { warn(fields: object, message: string): void }
}

export type StreamServer = {
  readonly port: number
  /** Connections open now. */
  readonly open: () => number
  /** Takes no more connections and ends those that are open, evenly over `spreadMs`; resolves when the last has gone. */
  drain(spreadMs: number): Promise<void>
}

/** What uWebSockets.js keeps of a socket: who was admitted or why not, and, once open, the connection. */
type UserData = {
  readonly entry: Admission | { readonly refused: StreamErrorCode }
  connection?: Connection
}

/** Deadlines are judged this often, so that a revoked key’s streams end well within a second. */
const TICK_MS = 250
/** Frames beyond 64 KiB get an answer of ours; beyond this uWebSockets.js ends the connection by itself (1006). */
const MAX_PAYLOAD = 1024 * 1024

/** The WebSocket side of all streams on one port. Rejects if the port can’t be listened on. */
export async function startStreamServer({
  host,
  port,
  streams,
  door,
  log,
}: StreamServerOptions): Promise<StreamServer> {
  const app = App()
  const live = new Map<Connection, Admission>()
  let draining = false

  for (const stream of streams) {
    app.ws<UserData>(streamPath(stream.name), {
      compression: 0,
      maxPayloadLength: MAX_PAYLOAD,
      maxBackpressure: MAX_BACKPRESSURE,
      idleTimeout: 120,
      sendPingsAutomatically: true,
      upgrade(res, req, context) {
        const arrival = {
          stream: stream.name,
          authorization: req.getHeader('authorization') || undefined,
          ticket: req.getQuery('ticket') || undefined,
          origin: req.getHeader('origin') || undefined,
        }
        const key = req.getHeader('sec-websocket-key')
        const extensions = req.getHeader('sec-websocket-extensions')
        let aborted = false
        res.onAborted(() => {
          aborted = true
        })
        const entering = draining || !stream.isAvailable() ? unavailable : door.enter(arrival)
        entering.then(
          (entry) => {
            if (!aborted) res.cork(() => res.upgrade<UserData>({ entry }, key, '', extensions, context))
            else if (!('refused' in entry)) void door.leave(entry)
          },
          (error: unknown) => {
            log.warn({ stream: stream.name, err: error }, 'a connection was given up')
            if (!aborted) res.close()
          },
        )
      },
      open(ws) {
        const data = ws.getUserData()
        const { entry } = data
        const now = performance.now()
        const plan = 'refused' in entry ? 'free' : entry.plan
        const connection = new Connection(stream, readersOf(stream, plan), ws as Socket, now)
        data.connection = connection
        if ('refused' in entry) return connection.take({ type: 'refused', code: entry.refused }, now)
        live.set(connection, entry)
        connection.take({ type: 'admitted' }, now)
      },
      message(ws, bytes, isBinary) {
        ws.getUserData().connection?.take({ type: 'frame', bytes, isBinary }, performance.now())
      },
      drain(ws) {
        ws.getUserData().connection?.drained()
      },
      close(ws) {
        const { connection, entry } = ws.getUserData()
        connection?.take({ type: 'gone' }, performance.now())
        if (connection) live.delete(connection)
        if (!('refused' in entry)) void door.leave(entry)
      },
    })
  }
  app.any('/*', (res, req) => answerPlain(res, req, streams))

  const listening = await new Promise<Parameters<typeof us_listen_socket_close>[0]>((resolve, reject) => {
    app.listen(host, port, (socket) => {
      if (socket) resolve(socket)
      else reject(Object.assign(new Error(`${host}:${port} cannot be listened on`), { code: 'EADDRINUSE' }))
    })
  })
  const ticking = setInterval(() => {
    const now = performance.now()
    for (const [connection, admission] of live) {
      if (door.standing(admission) === 'revoked') connection.take({ type: 'revoked' }, now)
      else connection.tick(now)
    }
  }, TICK_MS)

  return {
    port: us_socket_local_port(listening as never),
    open: () => live.size,
    async drain(spreadMs) {
      draining = true
      us_listen_socket_close(listening)
      const leaving = [...live.keys()]
      const startedAt = performance.now()
      for (const [i, connection] of leaving.entries()) {
        const due = startedAt + (spreadMs * i) / leaving.length
        const wait = due - performance.now()
        if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait))
        if (connection.isOpen) connection.take({ type: 'going_away' }, performance.now())
      }
      clearInterval(ticking)
      app.close()
    },
  }
}

const unavailable = Promise.resolve({ refused: 'unavailable' } as const)

/** What isn’t a WebSocket handshake at a stream’s address: a problem, as REST gives it. */
function answerPlain(res: HttpResponse, req: HttpRequest, streams: readonly Stream[]): void {
  const path = req.getUrl()
  const isStream = streams.some(({ name }) => streamPath(name) === path)
  const problem = isStream
    ? toProblem('upgrade_required', 'This address speaks WebSocket only.', crypto.randomUUID(), path)
    : toProblem('route_not_found', 'Nothing but streams is served here.', crypto.randomUUID(), path.slice(0, 200))
  res.cork(() => {
    res.writeStatus(isStream ? '426 Upgrade Required' : '404 Not Found')
    res.writeHeader('content-type', 'application/problem+json')
    res.writeHeader('request-id', problem.request_id)
    if (isStream) res.writeHeader('upgrade', 'websocket')
    res.end(frameOf(problem))
  })
}
