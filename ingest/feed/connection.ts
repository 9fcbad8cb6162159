import WebSocket, { type RawData } from 'ws'

type ConnectionOptions = {
  /** ws: or wss:. */
  readonly url: string
  /** Sent as `Authorization: Bearer`. */
  readonly token?: string
  /** Text sent once the connection is open. */
  readonly subscribe?: string
  /** Longest time to connect, and longest time without a message. */
  readonly silenceMs: number
  readonly maxMessageBytes: number
  readonly onOpen: () => void
  /** A promise makes the connection pause until it resolves. A throw or rejection ends it, and is thrown. */
  readonly onMessage: (bytes: Buffer, isBinary: boolean) => Promise<void> | undefined
}

export type FeedEnding = {
  /** `refused`: what the server sent is against the protocol or too large, which is said by `detail`. */
  readonly reason: 'aborted' | 'closed' | 'unreachable' | 'silent' | 'refused'
  readonly detail: string
  /** Messages received. */
  readonly messages: number
}

/** How long a server may take to answer our close. */
const CLOSE_MS = 500

/**
 * One connection, from its attempt to its end, whatever that is. Throws `SyntaxError` on an address that isn't one of
 * WebSocket, and what `onMessage` throws.
 */
export function receive(options: ConnectionOptions, signal: AbortSignal): Promise<FeedEnding> {
  const { url, token, subscribe, silenceMs, maxMessageBytes, onOpen, onMessage } = options
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
  let watch: NodeJS.Timeout | undefined

  const end = (reason: FeedEnding['reason'], detail: string) => settle(() => resolve({ reason, detail, messages }))
  const settle = (how: () => void) => {
    clearTimeout(watch)
    signal.removeEventListener('abort', abort)
    ws.removeAllListeners('message')
    ws.terminate()
    how()
  }
  const abort = () => {
    ws.close(1000)
    clearTimeout(watch)
    watch = setTimeout(() => end('aborted', ''), CLOSE_MS)
  }
  const listenOn = () => {
    clearTimeout(watch)
    watch = setTimeout(() => end('silent', `no message for ${silenceMs} ms`), silenceMs)
  }
  const fail = (error: unknown) => settle(() => reject(error))

  let waits = 0
  const take = (data: RawData, isBinary: boolean) => {
    if (signal.aborted) return
    messages++
    let room: Promise<void> | undefined
    try {
      room = onMessage(data as Buffer, isBinary)
    } catch (error) {
      fail(error)
      return
    }
    if (!room) {
      if (waits === 0) listenOn()
      return
    }
    // While we don't read, silence is ours and not the server's.
    waits++
    clearTimeout(watch)
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
