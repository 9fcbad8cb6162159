import type { HttpResponse, TemplatedApp } from 'uWebSockets.js'
import type { ConnectionTable } from '../access/connection-table.ts'
import { forwardedClient, type Proxies } from '../access/proxies.ts'
import { LINGER_MS } from './connection.ts'

/** RFC 6455, 7.4.1. */
export const NO_CLOSE_FRAME = 1006

/** Place in the limits of connections that an open WebSocket takes. */
export type ConnectionPlace = { readonly address: string; isIdentified: boolean }

/**
 * Counts every socket from its accept until it is closed, and refuses those over the limits before a byte is read. Only the
 * `filter` callback of uWebSockets.js sees a socket that early. When one closes, the callback names neither the socket nor its
 * address; `onAborted` tells of the end before the first request, and a WebSocket's close handler of the end after it.
 */
export class AcceptedSockets {
  readonly #table: ConnectionTable
  readonly #proxies: Proxies
  /** Addresses of sockets that were ended and may still be open, in the order of their deadlines. */
  readonly #lingering: { readonly place: ConnectionPlace; readonly until: number }[] = []

  constructor(table: ConnectionTable, proxies: Proxies) {
    this.#table = table
    this.#proxies = proxies
  }

  watch(app: TemplatedApp): void {
    const judge = (response: HttpResponse, change: number): void => {
      if (change > 0) this.#judge(response)
    }
    app.filter(judge)
  }

  #judge(response: HttpResponse): void {
    const address = addressOf(response)
    if (this.#table.admit(address)) response.onAborted(() => this.#table.leave(address))
    else response.close()
  }

  /**
   * What a connection counts under from its upgrade on: the address of the client behind a trusted proxy, or of the peer.
   * Undefined if the client behind the proxy has too many connections.
   */
  placeOf(response: HttpResponse, forwardedFor: string): ConnectionPlace | undefined {
    const peer = addressOf(response)
    const client = this.#proxies.has(peer) ? forwardedClient(forwardedFor, this.#proxies) : undefined
    if (client === undefined) return { address: peer, isIdentified: false }
    return this.#table.move(peer, client) ? { address: client, isIdentified: false } : undefined
  }

  /**
   * Frees the place of a socket whose request is answered over HTTP, which closes it: call what is returned once. The address
   * is read now, since the response can't be asked for it later.
   */
  leaving(response: HttpResponse): () => void {
    const address = addressOf(response)
    return () => this.#table.leave(address)
  }

  /**
   * The WebSocket has closed. If there was a close frame, ours or the client's, the socket itself stays open until the client
   * closes its side, or until uWebSockets.js gives up; which of them comes first is not told.
   */
  closed(place: ConnectionPlace, code: number, now: number): void {
    if (code === NO_CLOSE_FRAME) this.#free(place)
    else this.#lingering.push({ place, until: now + LINGER_MS })
  }

  /** The client has shown a key or ticket: its connection no longer counts for its address. */
  identified(place: ConnectionPlace): void {
    this.#table.identify(place.address)
    place.isIdentified = true
  }

  /** Frees the places of sockets that are surely closed by now; called several times a second. */
  tick(now: number): void {
    const over = this.#lingering.findIndex(({ until }) => until > now)
    const done = over < 0 ? this.#lingering.length : over
    for (const { place } of this.#lingering.splice(0, done)) this.#free(place)
  }

  #free({ address, isIdentified }: ConnectionPlace): void {
    if (isIdentified) this.#table.leaveIdentified()
    else this.#table.leave(address)
  }
}

const addressOf = (response: HttpResponse): string => Buffer.from(response.getRemoteAddressAsText()).toString()
