import type { HttpResponse, TemplatedApp } from 'uWebSockets.js'
import type { ConnectionTable } from '../access/connection-table.ts'
import { forwardedClient, type Proxies } from '../access/proxies.ts'
import { LINGER_MS } from './connection.ts'

/** Close code that the WebSocket library reports if no close frame came (RFC 6455, 7.4.1). */
export const NO_CLOSE_FRAME = 1006

/** How an open WebSocket counts against the connection limits. */
export type ConnectionSlot = { readonly address: string; isIdentified: boolean }

/**
 * Counts every socket from its accept until it closes. A socket over the limits is closed before a byte of it is read,
 * which only the `filter` callback of uWebSockets.js can do. That callback also runs when a socket closes, but then names
 * neither the socket nor its address. The end of a socket is therefore noticed elsewhere: by `onAborted` before its first
 * request, and by the close handler of its WebSocket afterwards.
 */
export class AcceptedSockets {
  readonly #table: ConnectionTable
  readonly #proxies: Proxies
  /** Sockets that were ended but may still be open, ordered by deadline. */
  readonly #lingering: { readonly slot: ConnectionSlot; readonly until: number }[] = []

  constructor(table: ConnectionTable, proxies: Proxies) {
    this.#table = table
    this.#proxies = proxies
  }

  watch(app: TemplatedApp): void {
    const onChange = (response: HttpResponse, change: number): void => {
      if (change > 0) this.#admitOrClose(response)
    }
    app.filter(onChange)
  }

  #admitOrClose(response: HttpResponse): void {
    const address = addressOf(response)
    if (this.#table.admit(address)) response.onAborted(() => this.#table.leave(address))
    else response.close()
  }

  /**
   * Moves a connection, at its upgrade, to the address that it counts for: the client's behind a trusted proxy, else the
   * peer's. Returns undefined if the client behind the proxy has too many connections.
   */
  takeSlot(response: HttpResponse, forwardedFor: string): ConnectionSlot | undefined {
    const peer = addressOf(response)
    const client = this.#proxies.has(peer) ? forwardedClient(forwardedFor, this.#proxies) : undefined
    if (client === undefined) return { address: peer, isIdentified: false }
    return this.#table.move(peer, client) ? { address: client, isIdentified: false } : undefined
  }

  /**
   * Returns a function that frees the slot of a socket whose request is answered over HTTP. Call it once, because the answer
   * closes the socket. The address is read at once, because a response that was answered has none.
   */
  leaving(response: HttpResponse): () => void {
    const address = addressOf(response)
    return () => this.#table.leave(address)
  }

  /**
   * Takes note of a closed WebSocket. After a close frame, from either side, the TCP socket stays open until the client closes
   * its side or uWebSockets.js gives up. uWebSockets.js does not report that moment, so the slot is kept for `LINGER_MS`.
   */
  closed(slot: ConnectionSlot, code: number, now: number): void {
    if (code === NO_CLOSE_FRAME) this.#free(slot)
    else this.#lingering.push({ slot, until: now + LINGER_MS })
  }

  /** Stops counting a connection for its address, because its client has shown a valid key or ticket. */
  identified(slot: ConnectionSlot): void {
    this.#table.identify(slot.address)
    slot.isIdentified = true
  }

  /** Frees the slots of sockets that must be closed by now. Called several times a second. */
  tick(now: number): void {
    const over = this.#lingering.findIndex(({ until }) => until > now)
    const done = over < 0 ? this.#lingering.length : over
    for (const { slot } of this.#lingering.splice(0, done)) this.#free(slot)
  }

  #free({ address, isIdentified }: ConnectionSlot): void {
    if (isIdentified) this.#table.leaveIdentified()
    else this.#table.leave(address)
  }
}

const addressOf = (response: HttpResponse): string => Buffer.from(response.getRemoteAddressAsText()).toString()
