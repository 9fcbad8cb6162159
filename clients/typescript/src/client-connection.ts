import { RestError } from './errors.ts'
import type { MachineInput } from './machine.ts'
import type { SocketOpener, StreamSocket } from './socket.ts'
import { isStreamUrl, type StreamAddress } from './stream-source.ts'

type ConnectionEvents = {
  input(input: MachineInput): void
  frame(data: unknown): void
  /** An error of the program, which no further attempt can mend. */
  fault(error: Error): void
}

const WANTED_OF_TICKET = '`ticket` must return the `url` of a ticket, a string that begins with ws:// or wss://.'

/** The connection of a stream: one at a time. What an older one still reports is ignored. */
export class ClientConnection {
  readonly #opener: SocketOpener
  readonly #address: () => Promise<StreamAddress>
  readonly #events: ConnectionEvents
  /** Counts the connections. */
  #current = 0
  #socket: StreamSocket | undefined

  constructor(opener: SocketOpener, address: () => Promise<StreamAddress>, events: ConnectionEvents) {
    this.#opener = opener
    this.#address = address
    this.#events = events
  }

  async open(): Promise<void> {
    const connection = ++this.#current
    const isCurrent = () => connection === this.#current
    const report = (input: MachineInput) => {
      if (isCurrent()) this.#events.input(input)
    }
    try {
      const { url, headers } = await this.#address()
      // Stopped, or timed out, while a ticket was requested.
      if (!isCurrent()) return
      // Only that of a ticket can be anything else. What a page's server answers to a user who is logged out has no `url`.
      if (!isStreamUrl(url)) return this.#events.fault(new TypeError(`${WANTED_OF_TICKET} It returned: ${typeof url}.`))
      this.#socket = this.#opener.open(url, headers, {
        opened: () => report({ on: 'opened' }),
        refused: (refusal) => report({ on: 'refused', ...refusal }),
        closed: (code, reason) => report({ on: 'closed', code, reason }),
        frame: (data) => {
          if (isCurrent()) this.#events.frame(data)
        },
      })
    } catch (error) {
      report({ on: 'refused', ...refusalOf(error) })
    }
  }

  close(): void {
    this.#current++
    this.#socket?.close()
    this.#socket = undefined
  }

  send(message: object): void {
    this.#socket?.send(JSON.stringify(message))
  }

  pause(): void {
    this.#socket?.pause()
  }

  resume(): void {
    this.#socket?.resume()
  }
}

/** The refusal that the machine gets for an error in requesting a ticket. */
function refusalOf(error: unknown): Omit<MachineInput, 'on'> {
  if (!(error instanceof RestError)) return { detail: String(error) }
  const { status, code, retryAfter, message } = error
  return {
    code,
    detail: message,
    ...(status === null ? {} : { status }),
    ...(retryAfter === null ? {} : { retry_after_ms: retryAfter * 1_000 }),
  }
}
