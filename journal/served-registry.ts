import { COMPATIBILITY, SchemaRegistry as RegistryClient, SchemaType } from '@kafkajs/confluent-schema-registry'
import type { AvroSchema } from '../contracts/avro.ts'
import type { Topic } from '../contracts/topics.ts'
import { JournalError } from './journal.ts'
import { localRegistry, releasedSchemas, type SchemaRegistry, UnknownSchemaError } from './registry.ts'

/** The registry holds a version of the subject that is not compatible with this release's schema. */
export class IncompatibleSchemaError extends Error {
  override readonly name = 'IncompatibleSchemaError'
}

/** The registry refuses a request: wrong credentials, or no Confluent API at this address. */
export class RegistryRefusedError extends Error {
  override readonly name = 'RegistryRefusedError'
}

const REQUEST_MS = 5_000
const ATTEMPTS = 5
const CONTENT_TYPE = 'application/vnd.schemaregistry.v1+json'

/**
 * Client of a schema registry with Confluent's API (Apicurio, Karapace, Confluent). A topic's subject is its full name
 * and `-value`. Every released version is registered there, oldest first, under FULL_TRANSITIVE compatibility: the
 * registry then refuses a change that readers or writers of another release can't handle. Registering an existing
 * schema returns its id, so nodes may start at the same time and releases may run side by side.
 *
 * `url` may carry credentials (`https://user:password@host/…`). Throws JournalError `unavailable` if the registry does
 * not answer within `requestMs`.
 * Source: https://docs.confluent.io/platform/current/schema-registry/develop/api.html
 */
export function servedRegistry(options: {
  readonly url: string
  readonly topicPrefix: string
  readonly requestMs?: number
}): SchemaRegistry {
  const { topicPrefix, requestMs = REQUEST_MS } = options
  const { base, auth } = addressOf(options.url)
  const client = new RegistryClient({
    host: base,
    clientId: 'almanac',
    ...(auth ? { auth } : {}),
    // The caller decides whether to retry.
    retry: { retries: 0 },
    middlewares: [() => ({ request: async (request) => request.enhance({ timeout: requestMs }) })],
  })
  const released = releasedSchemas()
  const local = localRegistry()
  /** Schema ids of each topic by version, oldest first. */
  const ids = new Map<Topic, Promise<ReadonlyMap<number, number>>>()

  /**
   * Sets the subject's compatibility before its first version is registered. The client library could only set it
   * afterwards, which would leave the first version unchecked.
   */
  const setCompatibility = async (subject: string): Promise<void> => {
    const basic = auth && Buffer.from(`${auth.username}:${auth.password}`).toString('base64')
    const response = await fetch(`${base}/config/${encodeURIComponent(subject)}`, {
      method: 'PUT',
      headers: { 'Content-Type': CONTENT_TYPE, ...(basic ? { Authorization: `Basic ${basic}` } : {}) },
      body: JSON.stringify({ compatibility: COMPATIBILITY.FULL_TRANSITIVE }),
      signal: AbortSignal.timeout(requestMs),
    })
    const answer = await response.text()
    if (!response.ok) throw Object.assign(new Error(answer.slice(0, 500)), { status: response.status })
  }
  const add = async (subject: string, schema: string): Promise<number> => {
    const settings = { subject, compatibility: COMPATIBILITY.FULL_TRANSITIVE }
    return (await client.register({ type: SchemaType.AVRO, schema }, settings)).id
  }
  const registerAll = async (topic: Topic): Promise<ReadonlyMap<number, number>> => {
    // Throws if the current schema was never released: an unreleased schema must not reach the registry.
    await local.register(topic)
    const subject = `${topicPrefix}${topic}-value`
    await retryConflicts(() => setCompatibility(subject)).catch((error) => {
      throw explain(error, base, `the compatibility of ${subject}`)
    })
    const byVersion = new Map<number, number>()
    for (const { schema, version } of released.filter((entry) => entry.topic === topic)) {
      const id = await retryConflicts(() => add(subject, JSON.stringify(schema))).catch((error) => {
        throw explain(error, base, `version ${version} of ${subject}`)
      })
      byVersion.set(version, id)
    }
    return byVersion
  }
  return {
    async register(topic, version) {
      const asked = ids.get(topic) ?? registerAll(topic)
      ids.set(topic, asked)
      // Forgets a failure, so that the next call asks again; this call throws it below.
      asked.catch(() => ids.delete(topic))
      const byVersion = await asked
      const id = version === undefined ? Array.from(byVersion.values()).at(-1) : byVersion.get(version)
      if (id === undefined) throw new Error(`topic ${topic} has no schema of version ${version}`)
      return id
    },
    async schema(id) {
      const type = await client.getSchema(id).catch((error) => {
        if (error.status === 404) throw new UnknownSchemaError(`no schema with id ${id} at ${base}`, { cause: error })
        throw explain(error, base, `schema ${id}`)
      })
      if (!isAvroType(type)) throw new UnknownSchemaError(`schema ${id} of the registry is not Avro`)
      return type.schema({ exportAttrs: true })
    },
  }
}

/**
 * Retries a write that failed with 409 or a server error. When several nodes register the same schema at once, Apicurio
 * answers some of them with 409 although nothing conflicts.
 */
async function retryConflicts<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write()
    } catch (error) {
      // Cast: the client library puts the HTTP status on its errors and declares no type for them.
      const status = (error as { status?: number }).status ?? 0
      if ((status !== 409 && status < 500) || attempt === ATTEMPTS) throw error
      await new Promise((resolve) => setTimeout(resolve, attempt * 50 * Math.random()))
    }
  }
}

/** Avro type as the client returns it. The client's own declaration omits `schema`, hence the guard and its cast. */
type AvroType = { schema(options: { exportAttrs: boolean }): AvroSchema }
const isAvroType = (type: unknown): type is AvroType => typeof (type as Partial<AvroType>).schema === 'function'

/** Separates the credentials from the address, so that no message shows them. */
function addressOf(url: string) {
  const { origin, pathname, username, password } = new URL(url)
  const base = origin + pathname.replace(/\/+$/, '')
  const auth = { username: decodeURIComponent(username), password: decodeURIComponent(password) }
  return { base, auth: username ? auth : undefined }
}

/** Turns an error of the client into ours. The client reports a failed connection with status 400. */
function explain(error: Error & { status?: number }, base: string, what: string): Error {
  const reason = error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
  const options = { cause: error }
  switch (error.status) {
    case 404:
      return new RegistryRefusedError(
        `${base} has no path for ${what}. Is it the base address of a Confluent API? ${reason}`,
        options,
      )
    case 401:
    case 403:
      return new RegistryRefusedError(`the schema registry at ${base} does not allow ${what}: ${reason}`, options)
    case 409:
    case 422:
      return new IncompatibleSchemaError(`the schema registry at ${base} refuses ${what}: ${reason}`, options)
    default:
      return new JournalError('unavailable', `no answer from the schema registry at ${base}: ${reason}`, options)
  }
}
