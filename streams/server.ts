import { App, type HttpRequest, type HttpResponse, us_listen_socket_close, us_socket_local_port } from 'uWebSockets.js'
import { ConnectionTable } from '../access/connection-table.ts'
import { type Proxies, trustedProxies } from '../access/proxies.ts'
import type { Admission, Arrival, StreamDoor } from '../access/stream-door.ts'
import { cancelTimer, systemTime, type Time } from '../base/time.ts'
import { toProblem } from '../contracts/problems.ts'
import { type StreamErrorCode, type StreamName, streamPath } from '../contracts/streams.ts'
import { AcceptedSockets, type ConnectionSlot, NO_CLOSE_FRAME } from './accepted.ts'
import { Connection, type Ending, MAX_BACKPRESSURE } from './connection.ts'
import { EventLoopClock } from './event-loop-clock.ts'
import {
  faultOfArrival,
  faultOfHandshake,
  faultOfHost,
  faultOfPath,
  type HandshakeFault,
  handshakeHeaders,
  type PublicAddresses,
} from './handshake.ts'
import { frameOf, type Stream } from './stream.ts'

export type StreamServerOptions = PublicAddresses & {
  readonly host: string
  /** 0 lets the system choose a free port. */
  readonly port: number
  readonly streams: readonly Stream[]
  readonly door: Pick<StreamDoor, 'enter' | 'standing' | 'leave'>
  readonly log: { warn(fields: object, message: string): void }
  /** Counts and limits the sockets. Absent: no limit. */
  readonly connections?: ConnectionTable
  /** Proxies whose `X-Forwarded-For` is trusted to name the client. Absent: none is. */
  readonly proxies?: Proxies
  readonly time?: Time
  /** Called for each connection that has ended, refused ones included. */
  readonly onEnd?: (stream: StreamName, ending: StreamEnding) => void
}

/**
 * Why a connection ended: the server's reason, or the other party that ended it. `connection_lost` is an end without a close
 * frame. `protocol_error` is the end of a client whose frames broke RFC 6455 or were too large to be read.
 */
export type StreamEnding = Ending | 'client_closed' | 'connection_lost' | 'protocol_error'

export type StreamServer = {
  readonly port: number
  /** Number of open connections, of one stream or of all. */
  readonly open: (stream?: StreamName) => number
  /**
   * Stops accepting connections and ends the open ones, spread evenly over `spreadMs`. Clients that are behind get one more
   * second to read the last message.
   */
  drain(spreadMs: number): Promise<void>
}

/** Data attached to a socket: the credentials that its client sent and, once open, the connection. */
type UserData = { readonly arrival: Arrival; readonly slot: ConnectionSlot; connection?: Connection }

/** Interval between checks of deadlines and keys. Streams of a revoked key must end within a second. */
const TICK_MS = 250
const STRAGGLER_MS = 1_000
/** Largest frame that is read. Frames over 64 KiB get an error; over this size uWebSockets.js cuts the connection (1006). */
const MAX_PAYLOAD = 4 * 1024 * 1024
const UNBOUNDED = { total: Number.POSITIVE_INFINITY, perAddress: Number.POSITIVE_INFINITY }

/** Serves all streams on one port. Rejects if it cannot listen on that port. */
export async function startStreamServer({
  host,
  port,
  streams,
  door,
  log,
  connections = new ConnectionTable({ limits: UNBOUNDED }),
  proxies = trustedProxies([]),
  time = systemTime,
  onEnd,
  ...addresses
}: StreamServerOptions): Promise<StreamServer> {
  const app = App()
  const accepted = new AcceptedSockets(connections, proxies)
  accepted.watch(app)
  const live = new Map<Connection, Admission>()
  const clock = new EventLoopClock(TICK_MS, time)
  let draining = false

  const admitOrRefuse = async (connection: Connection, stream: Stream, { arrival, slot }: UserData): Promise<void> => {
    const entry = await enter(stream, arrival)
    if ('refused' in entry) return connection.take({ type: 'refused', code: entry.refused, detail: entry.detail })
    live.set(connection, entry)
    // The client may have left meanwhile, or a shutdown may have begun.
    if (!connection.isOpen) return leave(connection)
    accepted.identified(slot)
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
      log.warn({ stream: stream.name, err: error }, 'access check of a stream connection failed')
      return { refused: 'unavailable' }
    }
  }
  const leave = (connection: Connection): void => {
    const admission = live.get(connection)
    live.delete(connection)
    if (admission) void door.leave(admission)
  }

  /**
   * Answers in a later turn of the event loop, so that one socket frees one slot. uWebSockets.js hands over every request
   * that arrived in one packet, even behind a request that was answered and closed, and each would free a slot. If the
   * first is not answered at once, uWebSockets.js closes a connection with further requests behind it.
   */
  const refuse = (res: HttpResponse, path: string, fault: HandshakeFault): void => {
    const leave = accepted.leaving(res)
    let isOver = false
    res.onAborted(() => {
      isOver = true
      leave()
    })
    time.soon(() => {
      if (isOver) return
      leave()
      res.cork(() => answer(res, path, fault, time.uuid()))
    })
  }

  for (const stream of streams) {
    app.ws<UserData>(streamPath(stream.name), {
      compression: 0,
      maxPayloadLength: MAX_PAYLOAD,
      maxBackpressure: MAX_BACKPRESSURE,
      // Only bytes from the client reset it, pongs included. `LINGER_MS` follows from it.
      idleTimeout: 120,
      sendPingsAutomatically: true,
      // Upgrades at once and checks access afterwards, because a refusal is sent as a WebSocket message anyway. A later,
      // corked upgrade makes uWebSockets.js 20.0 end some connections directly after it (uNetworking/uWebSockets#1929).
      upgrade(res, req, context) {
        const headers = handshakeHeaders(req)
        const query = new URLSearchParams(req.getQuery())
        const fault = faultOfHost(headers) ?? faultOfHandshake(headers) ?? faultOfArrival(headers, query)
        if (fault) return refuse(res, req.getUrl(), fault)
        const slot = accepted.takeSlot(res, headers.get('x-forwarded-for')?.join(',') ?? '')
        if (slot === undefined) return refuse(res, req.getUrl(), tooManyConnections)
        const arrival: Arrival = {
          stream: stream.name,
          authorization: req.getHeader('authorization') || undefined,
          ticket: query.get('ticket') || undefined,
          origin: req.getHeader('origin') || undefined,
        }
        const [key, extensions] = [req.getHeader('sec-websocket-key'), req.getHeader('sec-websocket-extensions')]
        // Must precede the first header, or uWebSockets.js writes status 200.
        res.writeStatus('101 Switching Protocols')
        for (const [name, value] of Object.entries(stream.handshakeHeaders?.() ?? {})) res.writeHeader(name, value)
        res.upgrade<UserData>({ arrival, slot }, key, '', extensions, context)
      },
      open(ws) {
        const data = ws.getUserData()
        data.connection = new Connection(stream, ws, clock.now)
        void admitOrRefuse(data.connection, stream, data)
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
        const { connection, slot } = ws.getUserData()
        accepted.closed(slot, code, time.monotonic())
        onEnd?.(stream.name, connection?.ending ?? endingOf(code, Buffer.from(reason).toString()))
        connection?.take({ type: 'gone' })
        if (connection) leave(connection)
      },
    })
  }
  app.any('/*', (res, req) => refuse(res, req.getUrl(), faultOfPlain(req, streams, addresses)))

  const listening = await new Promise<Parameters<typeof us_listen_socket_close>[0]>((resolve, reject) => {
    app.listen(host, port, (socket) => {
      if (socket) resolve(socket)
      else reject(Object.assign(new Error(`cannot listen on ${host}:${port}`), { code: 'EADDRINUSE' }))
    })
  })
  const ticking = time.every(TICK_MS, () => {
    clock.tick()
    accepted.tick(time.monotonic())
    const now = clock.now()
    for (const [connection, admission] of live) {
      if (door.standing(admission) === 'revoked') connection.take({ type: 'revoked' })
      else connection.tick(now)
    }
  })

  return {
    // The types tell listen sockets from others; the function takes both.
    port: us_socket_local_port(listening as never),
    open: (stream) =>
      stream === undefined ? live.size : [...live.values()].filter((admission) => admission.stream === stream).length,
    async drain(spreadMs) {
      draining = true
      us_listen_socket_close(listening)
      const leaving = [...live.keys()]
      const startedAt = time.monotonic()
      let hasStragglers = false
      for (const [i, connection] of leaving.entries()) {
        const due = startedAt + (spreadMs * i) / leaving.length
        const wait = due - time.monotonic()
        if (wait > 1) await time.after(wait)
        hasStragglers ||= connection.isBehind
        if (connection.isOpen) connection.take({ type: 'going_away' })
      }
      cancelTimer(ticking)
      // uWebSockets.js still sends to connections that were ended, but doesn't report when it is done.
      if (hasStragglers) await time.after(STRAGGLER_MS)
      app.close()
    },
  }
}

/** Why a connection ended that the server did not end: by the client, the network or uWebSockets.js. */
const endingOf = (code: number, reason: string): StreamEnding => {
  if (code !== NO_CLOSE_FRAME) return 'client_closed'
  return brokenFrameReason.test(reason) ? 'protocol_error' : 'connection_lost'
}

/** Reasons that uWebSockets.js gives when it ends a connection itself, without a close frame (WebSocketProtocol.h). */
const brokenFrameReason = /^Received (invalid|too big)/

/** Fault of a request that no stream's upgrade handler took. */
function faultOfPlain(req: HttpRequest, streams: readonly Stream[], addresses: PublicAddresses): HandshakeFault {
  const headers = handshakeHeaders(req)
  const served = streams.map(({ name }) => streamPath(name))
  const path = req.getUrl()
  const fault = faultOfHost(headers)
  if (fault) return fault
  if (!served.includes(path)) return faultOfPath(path, served, addresses)
  return faultOfHandshake(headers) ?? methodIsNotGet
}

const methodIsNotGet: HandshakeFault = {
  status: '426 Upgrade Required',
  code: 'upgrade_required',
  detail: 'A WebSocket handshake must be a GET request.',
}

const tooManyConnections: HandshakeFault = {
  status: '503 Service Unavailable',
  code: 'unavailable',
  detail: 'This address has too many open connections. Close one, or retry later.',
}

/** Answers with a problem document, in REST's form, and closes the connection. */
function answer(res: HttpResponse, path: string, { status, code, detail }: HandshakeFault, requestId: string): void {
  const problem = toProblem(code, detail, requestId, path.slice(0, 200))
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
