import { Cluster, type Redis } from 'ioredis'
import { type RedisAddress, redisServers } from '../../base/redis/address.ts'
import { type Client, createClient } from '../../base/redis/client.ts'
import { isDatabaseRefused, withoutArguments } from '../../base/redis/errors.ts'
import { AccessError } from '../error.ts'
import { RedisSettingsError, unavailable } from './errors.ts'

/** A Lua script, which Redis runs as one atomic step. All `keys` of a call are in one hash slot. */
export type Script = { readonly name: string; readonly lua: string }

type ConnectionOptions = {
  readonly address: RedisAddress
  /** How long a caller waits for an answer before it hears `unavailable`, ms. */
  readonly patienceMs: number
  /** How long to try for the first connection, ms. */
  readonly openWithinMs: number
  /** Told of each trouble with the connection, which mends itself. */
  readonly onTrouble: (error: Error) => void
}

type Commands = Readonly<Record<string, (...args: (string | number)[]) => Promise<unknown>>>

/**
 * A connection that fails closed and fast: nothing waits for a server that is away, nothing is sent twice (a script whose
 * answer was lost may have run), and behind the callers' backs it reconnects with growing, random delays.
 */
export class RedisConnection {
  readonly #client: Client
  readonly #patienceMs: number
  readonly #defined = new Set<string>()
  #closed = false

  /**
   * Rejects with AccessError `unavailable` if there is no connection in time, and with RedisSettingsError if the server
   * doesn't have the database.
   */
  static async open(options: ConnectionOptions): Promise<RedisConnection> {
    const client = createClient(options.address, options.patienceMs)
    client.on('error', (error: Error) => {
      if (isDatabaseRefused(error)) client.disconnect(true)
      options.onTrouble(error)
    })
    try {
      await firstReady(client, options)
    } catch (error) {
      client.disconnect()
      throw error
    }
    return new RedisConnection(client, options.patienceMs)
  }

  private constructor(client: Client, patienceMs: number) {
    this.#client = client
    this.#patienceMs = patienceMs
  }

  /** Runs a script. Rejects with AccessError `unavailable`: it did not run, or nobody knows. */
  run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    if (!this.#defined.has(script.name)) {
      this.#client.defineCommand(script.name, { lua: script.lua })
      this.#defined.add(script.name)
    }
    return this.#inTime((commands) => commands[script.name]?.(keys.length, ...keys, ...args))
  }

  /** Sends one plain command, as `run`. */
  call(command: string, ...args: (string | number)[]): Promise<unknown> {
    return this.#inTime((commands) => commands.call?.(command, ...args))
  }

  /** Calls `listener` each time that there is a connection again, in a Cluster to any of its servers. */
  onReady(listener: () => void): void {
    this.#client.on('ready', listener)
    if (this.#client instanceof Cluster) this.#client.on('+node', (node: Redis) => node.on('ready', listener))
  }

  /** The servers that decide, each to be asked for itself. */
  masters(): readonly Redis[] {
    return this.#client instanceof Cluster ? this.#client.nodes('master') : [this.#client]
  }

  close(): void {
    this.#closed = true
    this.#client.disconnect()
  }

  async #inTime(send: (commands: Commands) => Promise<unknown> | undefined): Promise<unknown> {
    if (this.#closed) throw new AccessError('unavailable', 'the connection to Redis is closed')
    const late = Promise.withResolvers<never>()
    // An answer that came while this process was busy is still in time: it is read before an immediate runs.
    const timer = setTimeout(
      () => setImmediate(() => late.reject(new Error(`no answer within ${this.#patienceMs} ms`))),
      this.#patienceMs,
    )
    try {
      return await Promise.race([send(this.#client as unknown as Commands), late.promise])
    } catch (error) {
      throw unavailable(error)
    } finally {
      clearTimeout(timer)
    }
  }
}

async function firstReady(client: Client, { address, openWithinMs }: ConnectionOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let trouble: Error | undefined
  const onError = (error: Error) => {
    trouble = withoutArguments(error)
    if (address.kind !== 'cluster' && isDatabaseRefused(error) && error.message.startsWith('ERR ')) {
      const says = `the server does not let database ${address.database} be used (${error.message})`
      reject(new RedisSettingsError(`${says}: name one that it has`))
    }
  }
  client.on('error', onError)
  client.once('ready', resolve)
  const timer = setTimeout(() => {
    const why = trouble?.message ?? 'no answer'
    reject(
      new AccessError('unavailable', `no Redis at ${redisServers(address)} within ${openWithinMs} ms: ${why}`, {
        cause: trouble,
      }),
    )
  }, openWithinMs)
  try {
    await promise
  } finally {
    clearTimeout(timer)
    client.off('error', onError)
    client.off('ready', resolve)
  }
}
