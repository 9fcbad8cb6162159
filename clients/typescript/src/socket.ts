/** Events of a socket. After `close` was called, there are none. */
export type SocketEvents = {
  opened(): void
  /** The content of a text frame is a string. */
  frame(data: unknown): void
  /** No connection came about. */
  refused(refusal: { readonly status?: number; readonly retry_after_ms?: number; readonly detail?: string }): void
  closed(code: number, reason: string): void
}

export type StreamSocket = {
  send(text: string): void
  close(): void
  /** Stops reading; only if the opener says that its sockets can pause. */
  pause(): void
  resume(): void
}

export type SocketOpener = {
  readonly canPause: boolean
  open(url: string, headers: Readonly<Record<string, string>>, events: SocketEvents): StreamSocket
}

/**
 * The WebSocket of browsers, and of Node from version 22. It cannot stop reading. Headers are for Node, which takes them;
 * a browser cannot send them and needs tickets.
 */
export const standardSockets: SocketOpener = {
  canPause: false,
  open(url, headers, events) {
    const socket =
      Object.keys(headers).length === 0 ? new WebSocket(url) : new WebSocket(url, { headers } as unknown as string[])
    let isOpen = false
    let isOver = false
    const once = (report: () => void) => {
      if (isOver) return
      isOver = true
      report()
    }
    socket.onopen = () => {
      isOpen = true
      if (!isOver) events.opened()
    }
    socket.onmessage = ({ data }) => {
      if (!isOver) events.frame(data)
    }
    // Node sends no `close` after a failed handshake.
    socket.onerror = () => {
      if (!isOpen) once(() => events.refused({ detail: 'The WebSocket could not be opened.' }))
    }
    socket.onclose = ({ code, reason }) =>
      once(() => (isOpen ? events.closed(code, reason) : events.refused({ detail: 'The WebSocket was not opened.' })))
    return {
      send: (text) => socket.send(text),
      close() {
        isOver = true
        socket.close(1000)
      },
      pause() {},
      resume() {},
    }
  },
}
