import { App, type HttpRequest, type HttpResponse, us_listen_socket_close, us_socket_local_port } from 'uWebSockets.js'
import { ConnectionTable } from '../access/connection-table.ts'
import { type Proxies, trustedProxies } from '../access/proxies.ts'
import type { Admission, Arrival, StreamDoor } from '../access/stream-door.ts'
import { toProblem } from '../contracts/problems.ts'
import { type StreamErrorCode, type StreamName, streamPath } from '../contracts/streams.ts'
import { AcceptedSockets, type ConnectionPlace, NO_CLOSE_FRAME } from './accepted.ts'
import { Connection, type Ending, MAX_BACKPRESSURE, type Socket } from './connection.ts'
import { EventLoopClock } from './event-loop-clock.ts'
import { faultOfArrival, faultOfHandshake, faultOfHost, type HandshakeFault, handshakeHeaders } from './handshake.ts'
import { frameOf, type Stream } from './stream.ts'

export type StreamServerOptions = {
  readonly host: string
  /** 0: a free one. */
  readonly port: number
  readonly streams: readonly Stream[]
  readonly door: Pick<StreamDoor, 'enter' | 'standing' | 'leave'>
  readonly log: { warn(fields: object, message: string): void }
  /** Counts and bounds the sockets; none: as many as the system has. */
  readonly connections?: ConnectionTable
  /** Whose `X-Forwarded-For` names the client that a connection counts for; none: nobody's. */
  readonly proxies?: Proxies
  /** Told of each connection that has ended, refused ones included. */
  readonly onEnd?: (stream: StreamName, ending: StreamEnding) => void
}

/**
 * Why a connection ended: what we told it, or who else ended it. `connection_lost` is an end without a close frame,
 * `protocol_error` the end of a client whose frames broke RFC 6455 or were larger than is read.
 */
export type StreamEnding = Ending | 'client_closed' | 'connection_lost' | 'protocol_error'

export type StreamServer = {
  readonly port: number
  /** Connections open now, of one stream or of all. */
  readonly open: (stream?: StreamName) => number
  /**
   * Takes no more connections and ends those that are open, evenly over `spreadMs`. Who is behind then has a second more to
   * read what it was told.
   */
  drain(spreadMs: number): Promise<void>
}

/** What uWebSockets.js keeps of a socket: what its client brought and, once open, the connection. */
type UserData = { readonly arrival: Arrival; readonly place: ConnectionPlace; connection?: Connection }

/** Deadlines are judged this often, so that a revoked key’s streams end well within a second. */
const TICK_MS = 250
const STRAGGLER_MS = 1_000
/** Frames beyond 64 KiB get an answer of ours; beyond this uWebSockets.js ends the connection by itself (1006). */
const MAX_PAYLOAD = 4 * 1024 * 1024
const UNBOUNDED = { total: Number.POSITIVE_INFINITY, perAddress: Number.POSITIVE_INFINITY }

/** The WebSocket side of all streams on one port. Rejects if the port can’t be listened on. */
export async function startStreamServer({
  host,
  port,
  streams,
  door,
  log,
  connections = new ConnectionTable({ limits: UNBOUNDED }),
  proxies = trustedProxies([]),
  onEnd,
}: StreamServerOptions): Promise<StreamServer> {
  const app = App()
  const accepted = new AcceptedSockets(connections, proxies)
  accepted.watch(app)
  const live = new Map<Connection, Admission>()
  const clock = new EventLoopClock(TICK_MS)
  let draining = false

  const judge = async (connection: Connection, stream: Stream, { arrival, place }: UserData): Promise<void> => {
    const entry = await enter(stream, arrival)
    if ('refused' in entry) return connection.take({ type: 'refused', code: entry.refused, detail: entry.detail })
    live.set(connection, entry)
    // Meanwhile the client may have gone, or the server be going.
    if (!connection.isOpen) return leave(connection)
    accepted.identified(place)
    if (draining) return connection.take({ type: 'going_away' })
    connection.admit(entry.plan)
  }
  const enter = async (
    stream: Stream,
    arrival: Arrival,
  ): Promise<Admission | { readonly refused: StreamErrorCode; readonly detail?: string }> => {
    if (draining || !stream.isAvailable()) return { refused: 'unavailable' }
    try {
      return await door.enter(arrival)
    } catch (error) {
      log.warn({ stream: stream.name, err: error }, 'the door failed')
      return { refused: 'unavailable' }
    }
  }
  const leave = (connection: Connection): void => {
    const admission = live.get(connection)
    live.delete(connection)
    if (admission) void door.leave(admission)
  }

  /**
   * Answers in a later turn. uWebSockets.js hands over all requests that arrived together, also those behind one that was
   * answered and closed, and each would free a place. A request that is not answered at once makes it close a connection
   * with more requests behind it, and the place is freed once.
   */
  const refuse = (res: HttpResponse, path: string, fault: HandshakeFault): void => {
    const leave = accepted.leaving(res)
    let isOver = false
    res.onAborted(() => {
      isOver = true
      leave()
    })
    setImmediate(() => {
      if (isOver) return
      leave()
      res.cork(() => answer(res, path, fault))
    })
  }

  for (const stream of streams) {
    app.ws<UserData>(streamPath(stream.name), {
      compression: 0,
      maxPayloadLength: MAX_PAYLOAD,
      maxBackpressure: MAX_BACKPRESSURE,
      // Counts bytes from the client, pongs included; what is sent to it doesn't count. `LINGER_MS` follows from it.
      idleTimeout: 120,
      sendPingsAutomatically: true,
      // At once, and judged after it: refusals are said inside the WebSocket anyway, and an upgrade that is corked later
      // makes uWebSockets.js 20.0 end some connections right after (uNetworking/uWebSockets#1929).
      upgrade(res, req, context) {
        const headers = handshakeHeaders(req)
        const query = new URLSearchParams(req.getQuery())
        const fault = faultOfHost(headers) ?? faultOfHandshake(headers) ?? faultOfArrival(headers, query)
        if (fault) return refuse(res, req.getUrl(), fault)
        const place = accepted.placeOf(res, headers.get('x-forwarded-for')?.join(',') ?? '')
        if (place === undefined) return refuse(res, req.getUrl(), tooMany)
        const arrival: Arrival = {
          stream: stream.name,
          authorization: req.getHeader('authorization') || undefined,
          ticket: query.get('ticket') || undefined,
          origin: req.getHeader('origin') || undefined,
        }
        const [key, extensions] = [req.getHeader('sec-websocket-key'), req.getHeader('sec-websocket-extensions')]
        // Before the first header: otherwise uWebSockets.js writes the status 200.
        res.writeStatus('101 Switching Protocols')
        for (const [name, value] of Object.entries(stream.handshakeHeaders?.() ?? {})) res.writeHeader(name, value)
        res.upgrade<UserData>({ arrival, place }, key, '', extensions, context)
      },
      open(ws) {
        const data = ws.getUserData()
        data.connection = new Connection(stream, ws as Socket, clock.now)
        void judge(data.connection, stream, data)
      },
      message(ws, bytes, isBinary) {
        ws.getUserData().connection?.take({ type: 'frame', bytes, isBinary })
      },
      pong(ws, payload) {
        ws.getUserData().connection?.answered(Buffer.from(payload).toString('latin1'))
      },
      drain(ws) {
        ws.getUserData().connection?.drained()
      },
      close(ws, code, reason) {
        const { connection, place } = ws.getUserData()
        accepted.closed(place, code, performance.now())
        onEnd?.(stream.name, connection?.ending ?? leftWith(code, Buffer.from(reason).toString()))
        connection?.take({ type: 'gone' })
        if (connection) leave(connection)
      },
    })
  }
  app.any('/*', (res, req) => refuse(res, req.getUrl(), faultOfPlain(req, streams)))

  const listening = await new Promise<Parameters<typeof us_listen_socket_close>[0]>((resolve, reject) => {
    app.listen(host, port, (socket) => {
      if (socket) resolve(socket)
      else reject(Object.assign(new Error(`${host}:${port} cannot be listened on`), { code: 'EADDRINUSE' }))
    })
  })
  const ticking = setInterval(() => {
    clock.tick()
    accepted.tick(performance.now())
    for (const [connection, admission] of live) {
      if (door.standing(admission) === 'revoked') connection.take({ type: 'revoked' })
      else connection.tick()
    }
  }, TICK_MS)

  return {
    port: us_socket_local_port(listening as never),
    open: (stream) =>
      stream === undefined ? live.size : [...live.values()].filter((admission) => admission.stream === stream).length,
    async drain(spreadMs) {
      draining = true
      us_listen_socket_close(listening)
      const leaving = [...live.keys()]
      const startedAt = performance.now()
      let hasStragglers = false
      for (const [i, connection] of leaving.entries()) {
        const due = startedAt + (spreadMs * i) / leaving.length
        const wait = due - performance.now()
        if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait))
        hasStragglers ||= connection.isBehind
        if (connection.isOpen) connection.take({ type: 'going_away' })
      }
      clearInterval(ticking)
      // uWebSockets.js goes on sending to those that were ended, but doesn't say when it is done.
      if (hasStragglers) await new Promise((resolve) => setTimeout(resolve, STRAGGLER_MS))
      app.close()
    },
  }
}

/** A connection that was open until now: the client has ended it, the network, or uWebSockets.js. */
const leftWith = (code: number, reason: string): StreamEnding => {
  if (code !== NO_CLOSE_FRAME) return 'client_closed'
  return faultsOfFrames.test(reason) ? 'protocol_error' : 'connection_lost'
}

/** Words of uWebSockets.js for ending a connection itself, which it does without a close frame (WebSocketProtocol.h). */
const faultsOfFrames = /^Received (invalid|too big)/

/** Fault of a request that isn't a WebSocket handshake at a stream's address. */
function faultOfPlain(req: HttpRequest, streams: readonly Stream[]): HandshakeFault {
  const headers = handshakeHeaders(req)
  const isStream = streams.some(({ name }) => streamPath(name) === req.getUrl())
  return (
    faultOfHost(headers) ??
    (isStream ? (faultOfHandshake(headers) ?? methodIsNotGet) : undefined) ?? {
      status: '404 Not Found',
      code: 'route_not_found',
      detail: 'Nothing but streams is served here.',
    }
  )
}

const methodIsNotGet: HandshakeFault = {
  status: '426 Upgrade Required',
  code: 'upgrade_required',
  detail: 'A WebSocket handshake is a GET.',
}

const tooMany: HandshakeFault = {
  status: '503 Service Unavailable',
  code: 'unavailable',
  detail: 'This address has as many connections open as it may have.',
}

/** Answers with a problem, as REST gives it, and closes the connection. */
function answer(res: HttpResponse, path: string, { status, code, detail }: HandshakeFault): void {
  const problem = toProblem(code, detail, crypto.randomUUID(), path.slice(0, 200))
  res.writeStatus(status)
  res.writeHeader('content-type', 'application/problem+json')
  res.writeHeader('request-id', problem.request_id)
  if (code === 'unavailable') res.writeHeader('retry-after', '5')
  if (code === 'upgrade_required') {
    res.writeHeader('upgrade', 'websocket')
    res.writeHeader('sec-websocket-version', '13')
  }
  res.end(frameOf(problem), true)
}
