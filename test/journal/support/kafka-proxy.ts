import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from '../../support/concurrent.ts'

/** Numbers of requests: https://kafka.apache.org/protocol.html#protocol_api_keys */
export const API = { produce: 0, fetch: 1, listOffsets: 2, initProducerId: 22, addPartitions: 24, endTxn: 26 } as const

/** What happens to the next `count` requests of a kind after the first `skip` of them. */
export type Fault = {
  readonly apis: readonly number[]
  /** Only requests that name this topic. */
  readonly topic?: string
  readonly action: 'lose request' | 'lose answer' | 'lose answer and cut' | 'refuse' | 'do and refuse'
  readonly skip?: number
  readonly count?: number
}

/**
 * Stands between a client and the only node of a cluster, and loses what it is told to, or answers in its place that it
 * has failed (EndTxn before version 5). Knows Kafka's frames.
 */
export class KafkaProxy {
  /** How many requests have been lost or refused, or their answers. */
  hits = 0
  readonly #target: number
  readonly #sockets = new Set<Socket>()
  #port = 0
  #fault: Fault | undefined
  /** How many requests of the armed kinds have come. */
  seen = 0

  private constructor(target: number) {
    this.#target = target
  }

  static async open(broker: string): Promise<KafkaProxy> {
    const proxy = new KafkaProxy(Number(broker.split(':')[1]))
    const server = createServer((client) => proxy.#join(client))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    proxy.#port = (server.address() as { port: number }).port
    onTestFinished(() => {
      server.close()
      for (const socket of proxy.#sockets) socket.destroy()
    })
    return proxy
  }

  get broker(): string {
    return `127.0.0.1:${this.#port}`
  }

  arm(fault: Fault): void {
    this.#fault = fault
    this.seen = 0
    this.hits = 0
  }

  heal(): void {
    this.#fault = undefined
  }

  #join(client: Socket): void {
    const node = connect(this.#target, '127.0.0.1')
    const doomed = new Map<number, () => void>()
    client.on(
      'data',
      inFrames((frame) => {
        const action = this.#judge(frame)
        const refuse = () => client.write(refusalOf(frame))
        if (action === 'refuse') refuse()
        if (action === 'refuse' || action === 'lose request') return
        const instead = {
          'lose answer': () => undefined,
          'lose answer and cut': () => client.destroy(),
          'do and refuse': refuse,
        }
        if (action) doomed.set(frame.readInt32BE(8), instead[action])
        node.write(frame)
      }),
    )
    node.on(
      'data',
      inFrames((frame) => {
        const instead = doomed.get(frame.readInt32BE(4)) ?? (() => client.write(this.#readdress(frame)))
        instead()
      }),
    )
    for (const [socket, other] of [
      [client, node],
      [node, client],
    ] as const) {
      this.#sockets.add(socket)
      socket.setNoDelay()
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        this.#sockets.delete(socket)
        other.destroy()
      })
    }
  }

  #judge(request: Buffer): Fault['action'] | undefined {
    if (!this.#fault?.apis.includes(request.readInt16BE(4))) return undefined
    const { action, topic, skip = 0, count = 1 } = this.#fault
    if (topic !== undefined && !request.includes(topic)) return undefined
    const number = this.seen++
    if (number < skip || number >= skip + count) return undefined
    this.hits++
    return action
  }

  /** Answers that name the node name the proxy instead. */
  #readdress(frame: Buffer): Buffer {
    const place = Buffer.from('127.0.0.1\0\0\0\0', 'latin1')
    place.writeInt32BE(this.#target, place.length - 4)
    for (let at = frame.indexOf(place); at >= 0; at = frame.indexOf(place, at + 1))
      frame.writeInt32BE(this.#port, at + place.length - 4)
    return frame
  }
}

/** UNKNOWN_SERVER_ERROR for a request of EndTxn: correlation id, from version 3 on no tags, throttle_time_ms, error_code. */
function refusalOf(request: Buffer): Buffer {
  const tags = Buffer.alloc(request.readInt16BE(6) < 3 ? 0 : 1)
  const body = Buffer.concat([request.subarray(8, 12), tags, Buffer.from([0, 0, 0, 0, 0xff, 0xff]), tags])
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length)
  return Buffer.concat([length, body])
}

/** Calls `take` with each whole frame: i32 length and what follows. */
function inFrames(take: (frame: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 4 && rest.length >= 4 + rest.readInt32BE(0)) {
      const end = 4 + rest.readInt32BE(0)
      take(Buffer.from(rest.subarray(0, end)))
      rest = rest.subarray(end)
    }
  }
}
