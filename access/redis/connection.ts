import { Cluster, type Redis } from 'ioredis'
import { type RedisAddress, redisServers } from '../../base/redis/address.ts'
import { type Client, createClient } from '../../base/redis/client.ts'
import { isDatabaseRefused, withoutArguments } from '../../base/redis/errors.ts'
import { AccessError } from '../error.ts'
import { RedisSettingsError, unavailable } from './errors.ts'

/** A Lua script, which Redis runs as one atomic step. All `keys` of a call lie in one hash slot. */
export type Script = { readonly name: string; readonly lua: string }

type ConnectionOptions = {
  readonly address: RedisAddress
  /** How long a caller waits for an answer before it gets `unavailable`, ms. */
  readonly replyTimeoutMs: number
  /** Time-out of the first connection, ms. */
  readonly connectTimeoutMs: number
  /** Called with each fault of the connection, which reconnects by itself. */
  readonly onFault: (error: Error) => void
}

type Commands = Readonly<Record<string, (...args: (string | number)[]) => Promise<unknown>>>

/**
 * A connection that fails closed and fast. No command waits for a server that is away. No command is sent twice, because a
 * script whose answer was lost may have run. The connection reconnects in the background with growing, random delays.
 */
export class RedisConnection {
  readonly #client: Client
  readonly #replyTimeoutMs: number
  readonly #defined = new Set<string>()
  #closed = false

  /**
   * Connects. Rejects with AccessError `unavailable` if there is no connection in time, and with RedisSettingsError if
   * the server does not have the database.
   */
  static async open(options: ConnectionOptions): Promise<RedisConnection> {
    const client = createClient(options.address, options.replyTimeoutMs)
    client.on('error', (error: Error) => {
      if (isDatabaseRefused(error)) client.disconnect(true)
      options.onFault(error)
    })
    try {
      await firstReady(client, options)
    } catch (error) {
      client.disconnect()
      throw error
    }
    return new RedisConnection(client, options.replyTimeoutMs)
  }

  private constructor(client: Client, replyTimeoutMs: number) {
    this.#client = client
    this.#replyTimeoutMs = replyTimeoutMs
  }

  /** Runs a script. Rejects with AccessError `unavailable`: the script did not run, or the outcome is unknown. */
  run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    if (!this.#defined.has(script.name)) {
      this.#client.defineCommand(script.name, { lua: script.lua })
      this.#defined.add(script.name)
    }
    return this.#inTime((commands) => commands[script.name]?.(keys.length, ...keys, ...args))
  }

  /** Sends one plain command. Rejects as `run` does. */
  call(command: string, ...args: (string | number)[]): Promise<unknown> {
    return this.#inTime((commands) => commands.call?.(command, ...args))
  }

  /** Calls `listener` at each new connection; in a Cluster, at each new connection to any of its servers. */
  onReady(listener: () => void): void {
    this.#client.on('ready', listener)
    if (this.#client instanceof Cluster) this.#client.on('+node', (node: Redis) => node.on('ready', listener))
  }

  /** The master servers. In a Cluster there are several, each with its own settings. */
  masters(): readonly Redis[] {
    return this.#client instanceof Cluster ? this.#client.nodes('master') : [this.#client]
  }

  close(): void {
    this.#closed = true
    this.#client.disconnect()
  }

  async #inTime(send: (commands: Commands) => Promise<unknown> | undefined): Promise<unknown> {
    if (this.#closed) throw new AccessError('unavailable', 'the connection to Redis is closed')
    const timeout = Promise.withResolvers<never>()
    // An answer that arrived while this process was busy counts as in time: it is read before an immediate runs.
    const timer = setTimeout(
      () => setImmediate(() => timeout.reject(new Error(`no answer within ${this.#replyTimeoutMs} ms`))),
      this.#replyTimeoutMs,
    )
    try {
      // A cast, because the types of ioredis lack the commands that `defineCommand` adds.
      return await Promise.race([send(this.#client as unknown as Commands), timeout.promise])
    } catch (error) {
      throw unavailable(error)
    } finally {
      clearTimeout(timer)
    }
  }
}

async function firstReady(client: Client, { address, connectTimeoutMs }: ConnectionOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let lastFault: Error | undefined
  const onError = (error: Error) => {
    lastFault = withoutArguments(error)
    if (address.kind !== 'cluster' && isDatabaseRefused(error) && error.message.startsWith('ERR ')) {
      const message = `the server does not let database ${address.database} be used (${error.message})`
      reject(new RedisSettingsError(`${message}: name one that it has`))
    }
  }
  client.on('error', onError)
  client.once('ready', resolve)
  const timer = setTimeout(() => {
    const why = lastFault?.message ?? 'no answer'
    reject(
      new AccessError('unavailable', `no Redis at ${redisServers(address)} within ${connectTimeoutMs} ms: ${why}`, {
        cause: lastFault,
      }),
    )
  }, connectTimeoutMs)
  try {
    await promise
  } finally {
    clearTimeout(timer)
    client.off('error', onError)
    client.off('ready', resolve)
  }
}
