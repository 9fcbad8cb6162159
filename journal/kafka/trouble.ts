/** Logs nodes that do not answer: when it begins, once a minute while it lasts, and when it is over. */
import type { KafkaFailure } from './client.ts'
import type { KafkaLog } from './options.ts'
import type { NodeAddress } from './routed-client.ts'

const AGAIN_MS = 60_000

/** Shared by all connections of a client, of which there may be dozens to one node. */
export class Trouble {
  readonly #log: KafkaLog | undefined
  readonly #now: () => number
  /** Time of each node's last log line, ms, and whether it said that the node does not answer. */
  readonly #told = new Map<string, { readonly at: number; readonly isDown: boolean }>()

  constructor(log: KafkaLog | undefined, now = () => performance.now()) {
    this.#log = log
    this.#now = now
  }

  failed(address: NodeAddress, failure: KafkaFailure): void {
    const node = nameOf(address)
    const before = this.#told.get(node)
    // One connection to a node may fail while another answers, so there is one line a minute at most.
    if (before && this.#now() - before.at < AGAIN_MS) return
    this.#told.set(node, { at: this.#now(), isDown: true })
    const again = before?.isDown ? 'still does not answer' : 'does not answer'
    this.#log?.('warn', `Kafka node ${node} ${again}; retrying: ${failure.message}`, {})
  }

  answered(address: NodeAddress): void {
    if (this.#told.size === 0) return
    const node = nameOf(address)
    const before = this.#told.get(node)
    if (!before?.isDown) return
    this.#told.set(node, { ...before, isDown: false })
    this.#log?.('info', `Kafka node ${node} answers again`, {})
  }
}

const nameOf = ({ host, port }: NodeAddress): string => `${host}:${port}`
