import { join } from 'node:path'
import { WebSocket } from 'ws'
import { openEmbeddedAccess } from '../../access/embedded/open.ts'
import { generateKey, hashKey, keyIdOf } from '../../access/key.ts'
import { KeyTable } from '../../access/key-table.ts'
import { StreamDoor } from '../../access/stream-door.ts'
import { systemTime } from '../../base/time.ts'
import { plans } from '../../contracts/plans.ts'
import type { AccessKey } from '../../contracts/records.ts'
import type { Plan } from '../../contracts/resources.ts'
import type { StreamName } from '../../contracts/streams.ts'
import { startStreamServer } from '../../streams/server.ts'
import type { Stream } from '../../streams/stream.ts'
import { onTestFinished } from '../support/concurrent.ts'
import { temporaryDirectory, until } from '../support/journal.ts'

export type Message = { readonly type: string; readonly [member: string]: unknown }

/** A client that we did not write, with what it received. */
export class Client {
  readonly messages: Message[] = []
  readonly socket: WebSocket
  /** How it ended; `reason` is the code that the close reason begins with, `words` what stands behind it. */
  closed: { code: number; reason: string; words: string } | undefined
  /** The type of message at which it stops reading: at once, or a kernel could take all there is meanwhile. */
  pauseOn: string | undefined
  /** What the client library found wrong with what it received. */
  fault: Error | undefined

  /** `untilTestEnds` false: its user ends it. */
  constructor(
    url: string,
    options: { headers?: Record<string, string>; localAddress?: string } = {},
    { untilTestEnds = true } = {},
  ) {
    this.socket = new WebSocket(url, options)
    this.socket.on('message', (data) => {
      const message = JSON.parse(data.toString()) as Message
      this.messages.push(message)
      if (message.type === this.pauseOn) this.socket.pause()
    })
    this.socket.on('close', (code, reason) => {
      const [, name = '', words = ''] = /^(\w*)(?:: (.*))?$/su.exec(reason.toString()) ?? []
      this.closed = { code, reason: name, words }
    })
    this.socket.on('error', (error) => {
      this.fault = error
    })
    if (untilTestEnds) onTestFinished(() => this.socket.terminate())
  }

  resume(): void {
    this.pauseOn = undefined
    this.socket.resume()
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' || message instanceof Uint8Array ? message : JSON.stringify(message))
  }

  of(type: string): Message[] {
    return this.messages.filter((message) => message.type === type)
  }

  async seen(type: string, count = 1): Promise<Message[]> {
    await until(`${count} × ${type}`, () => this.of(type).length >= count || this.closed !== undefined)
    return this.of(type)
  }

  /** The last message and how the connection ended. */
  async end(): Promise<{ error: Message | undefined; code: number; reason: string; words: string }> {
    await until('the connection ends', () => this.closed !== undefined)
    if (this.fault) throw new Error(`the connection ended with ${this.closed?.code}`, { cause: this.fault })
    const { code, reason, words } = this.closed ?? { code: 0, reason: '', words: '' }
    return { error: this.messages.at(-1), code, reason, words }
  }
}

/** A server of streams in this process on real sockets, with a real access store; keys as many as are wanted. */
export async function startStreams(streams: readonly Stream[], limits = plans) {
  const access = await openEmbeddedAccess(join(await temporaryDirectory(), 'access'))
  onTestFinished(() => access.close())
  const keys = new KeyTable()
  const door = new StreamDoor({ ...access, keys, plans: limits, time: systemTime })
  const stop = new AbortController()
  const renewing = door.run(stop.signal)
  const server = await startStreamServer({
    host: '127.0.0.1',
    port: 0,
    streamBase: 'ws://streams.test',
    streams,
    door,
    log: { warn: () => undefined },
  })
  let drained: Promise<void> | undefined
  const drain = (spreadMs: number) => (drained ??= server.drain(spreadMs))
  onTestFinished(async () => {
    stop.abort()
    await renewing
    await drain(0)
    await door.close()
  })

  const newKey = (plan: Plan, more: Partial<AccessKey> = {}): { key: string; record: AccessKey } => {
    const key = generateKey('test', (size) => crypto.getRandomValues(new Uint8Array(size)))
    const hash = hashKey(key)
    const record: AccessKey = {
      key_id: keyIdOf(hash),
      hash,
      plan,
      owner: 'TEST',
      origins: ['http://localhost:*'],
      status: 'active',
      created_at: new Date().toISOString(),
      expires_at: null,
      replaced_by: null,
      account: null,
      kind: null,
      parent: null,
      ...more,
    }
    keys.apply(record)
    return { key, record }
  }
  const url = (stream: StreamName) => `ws://127.0.0.1:${server.port}/v1/${stream}/stream`
  return {
    access,
    keys,
    server,
    drain,
    newKey,
    url,
    base: `http://127.0.0.1:${server.port}`,
    /** Connects with a key, by default one of its own. */
    connect: (stream: StreamName, key = newKey('pro').key) =>
      new Client(url(stream), { headers: { authorization: `Bearer ${key}` } }),
  }
}
