import WebSocket, { type RawData } from 'ws'
import { cancelTimer, type RunningTimer, type Time } from '../../base/time.ts'

type ConnectionOptions = {
  /** Address with the scheme ws: or wss:. */
  readonly url: string
  /** Sent as `Authorization: Bearer`. */
  readonly token?: string
  /** Text sent once the connection is open. */
  readonly subscribe?: string
  /** Longest time to connect, and longest time without a message. */
  readonly silenceMs: number
  readonly maxMessageBytes: number
  readonly time: Time
  readonly onOpen: () => void
  /** Takes a message. If it returns a promise, the connection pauses until that resolves; an error ends it. */
  readonly onMessage: (bytes: Buffer, isBinary: boolean) => Promise<void> | undefined
}

export type FeedEnding = {
  /** `refused`: the server broke the protocol or sent too large a message; see `detail`. */
  readonly reason: 'aborted' | 'closed' | 'unreachable' | 'silent' | 'refused'
  readonly detail: string
  readonly messages: number
}

/** Time that a server has to answer our close frame. */
const CLOSE_MS = 500

/**
 * Connects, receives messages until the connection ends, and returns how it ended. Throws `SyntaxError` for an address
 * that isn't a WebSocket address, and errors of `onMessage`.
 */
export function receive(options: ConnectionOptions, signal: AbortSignal): Promise<FeedEnding> {
  const { url, token, subscribe, silenceMs, maxMessageBytes, time, onOpen, onMessage } = options
  const { promise, resolve, reject } = Promise.withResolvers<FeedEnding>()
  if (signal.aborted) return Promise.resolve({ reason: 'aborted', detail: '', messages: 0 })
  const ws = new WebSocket(url, {
    headers: token ? { authorization: `Bearer ${token}` } : {},
    maxPayload: maxMessageBytes,
    handshakeTimeout: silenceMs,
  })
  let messages = 0
  let isOpen = false
  let fault: (Error & { readonly code?: string }) | undefined
  let watch: RunningTimer | undefined

  const end = (reason: FeedEnding['reason'], detail: string) => settle(() => resolve({ reason, detail, messages }))
  const settle = (how: () => void) => {
    cancelTimer(watch)
    signal.removeEventListener('abort', abort)
    ws.removeAllListeners('message')
    ws.terminate()
    how()
  }
  const abort = () => {
    ws.close(1000)
    cancelTimer(watch)
    watch = time.timer(CLOSE_MS, () => end('aborted', ''))
  }
  const listenOn = () => {
    cancelTimer(watch)
    watch = time.timer(silenceMs, () => end('silent', `no message for ${silenceMs} ms`))
  }
  const fail = (error: unknown) => settle(() => reject(error))

  let waits = 0
  const take = (data: RawData, isBinary: boolean) => {
    if (signal.aborted) return
    messages++
    let room: Promise<void> | undefined
    try {
      // Cast: `ws` gives a Buffer, because `binaryType` is left at its default.
      room = onMessage(data as Buffer, isBinary)
    } catch (error) {
      fail(error)
      return
    }
    if (!room) {
      if (waits === 0) listenOn()
      return
    }
    // While the connection is paused, the server's silence can't be measured.
    waits++
    cancelTimer(watch)
    ws.pause()
    room.then(() => {
      if (--waits > 0 || ws.readyState !== WebSocket.OPEN || signal.aborted) return
      ws.resume()
      listenOn()
    }, fail)
  }

  signal.addEventListener('abort', abort, { once: true })
  ws.on('open', () => {
    isOpen = true
    onOpen()
    if (subscribe) ws.send(subscribe)
    listenOn()
  })
  ws.on('message', take)
  ws.on('error', (error) => {
    fault ??= error
  })
  ws.on('close', (code, reason) => {
    if (signal.aborted) return end('aborted', '')
    if (fault?.code?.startsWith('WS_ERR_')) return end('refused', `${fault.code}: ${fault.message}`)
    if (!isOpen) return end('unreachable', fault?.message || fault?.code || 'no connection')
    return end('closed', `${code} ${reason}`.trim())
  })
  return promise
}
