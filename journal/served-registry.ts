import { COMPATIBILITY, SchemaRegistry as RegistryClient, SchemaType } from '@kafkajs/confluent-schema-registry'
import type { AvroSchema } from '../contracts/avro.ts'
import type { Topic } from '../contracts/topics.ts'
import { JournalError } from './journal.ts'
import { localRegistry, releasedSchemas, type SchemaRegistry, UnknownSchemaError } from './registry.ts'

/** The registry holds a version of the subject that ours does not go together with. */
export class IncompatibleSchemaError extends Error {
  override readonly name = 'IncompatibleSchemaError'
}

/** The registry does not let these credentials do it. */
export class RegistryRefusedError extends Error {
  override readonly name = 'RegistryRefusedError'
}

const REQUEST_MS = 5_000
const ATTEMPTS = 5
const CONTENT_TYPE = 'application/vnd.schemaregistry.v1+json'

/**
 * A schema registry that speaks Confluent's API (Apicurio, Karapace, Confluent). The subject of a topic is its full name
 * and `-value`; every version that was ever released is registered there, oldest first, under FULL_TRANSITIVE, so the
 * registry itself refuses a change that a reader or writer of another release could not live with. Registering what is
 * there finds it, so nodes may start side by side and an older release beside a newer one.
 *
 * `url` may carry credentials (`https://user:password@host/…`). Throws JournalError `unavailable` while the registry does
 * not answer, or takes over `requestMs` for a request.
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
    // Whoever asks knows better whether to ask again.
    retry: { retries: 0 },
    middlewares: [() => ({ request: async (request) => request.enhance({ timeout: requestMs }) })],
  })
  const released = releasedSchemas()
  const ours = localRegistry()
  /** Of a topic, by version, oldest first. */
  const ids = new Map<Topic, Promise<ReadonlyMap<number, number>>>()

  /** Before the first version, so that no version is ever registered unguarded. The client can only do it after. */
  const guard = async (subject: string): Promise<void> => {
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
    await ours.register(topic)
    const subject = `${topicPrefix}${topic}-value`
    await persist(() => guard(subject)).catch((error) => {
      throw explain(error, base, `the compatibility of ${subject}`)
    })
    const byVersion = new Map<number, number>()
    for (const { schema, version } of released.filter((entry) => entry.topic === topic)) {
      const id = await persist(() => add(subject, JSON.stringify(schema))).catch((error) => {
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

/** Apicurio answers some of the nodes that write within the same instant with 409, as if they contradicted each other. */
async function persist<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write()
    } catch (error) {
      const status = (error as { status?: number }).status ?? 0
      if ((status !== 409 && status < 500) || attempt === ATTEMPTS) throw error
      await new Promise((resolve) => setTimeout(resolve, attempt * 50 * Math.random()))
    }
  }
}

/** The client's own type hides what every Avro type of its has. */
type AvroType = { schema(options: { exportAttrs: boolean }): AvroSchema }
const isAvroType = (type: unknown): type is AvroType => typeof (type as Partial<AvroType>).schema === 'function'

/** The credentials are taken out of the address, so that no message shows them. */
function addressOf(url: string) {
  const { origin, pathname, username, password } = new URL(url)
  const base = origin + pathname.replace(/\/+$/, '')
  const auth = { username: decodeURIComponent(username), password: decodeURIComponent(password) }
  return { base, auth: username ? auth : undefined }
}

/** What an answer of the registry means. The client gives a failed connection status 400. */
function explain(error: Error & { status?: number }, base: string, what: string): Error {
  const reason = error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
  const options = { cause: error }
  switch (error.status) {
    case 404:
      return new RegistryRefusedError(
        `${base} has no place for ${what}; is it the base of a Confluent API? ${reason}`,
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
