import { readdirSync, readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import avro from 'avsc'

const directory = new URL('../../contracts/avro/', import.meta.url)
/** A zero byte and the id of the schema come before the Avro binary. */
const HEADER_BYTES = 5

type Version = { readonly topic: string; readonly version: number; readonly id: number; readonly type: avro.Type }
type Decoded = Readonly<Record<string, unknown>>

const ids = JSON.parse(readFileSync(new URL('ids.json', directory), 'utf8')) as Readonly<Record<string, number>>

/** All published versions of all topics, the newest first within a topic. */
const versions: readonly Version[] = readdirSync(directory)
  .filter((name) => name.endsWith('.avsc'))
  .map((name) => {
    const [topic = '', version = ''] = name.split('.')
    const type = avro.Type.forSchema(JSON.parse(readFileSync(new URL(name, directory), 'utf8')) as avro.Schema)
    return { topic, version: Number(version), id: ids[`${topic}.${version}`] ?? -1, type }
  })
  .sort((a, b) => b.version - a.version)

const byTopic = Map.groupBy(versions, ({ topic }) => topic)
const resolvers = new Map(
  versions.map(({ topic, id, type }) => {
    const newest = byTopic.get(topic)?.[0]?.type ?? type
    return [id, { newest, resolver: newest === type ? undefined : newest.createResolver(type) }]
  }),
)

/** Decodes a record into the newest published schema of its topic, as a reader in another language does. */
export function decodePublished(value: Uint8Array): Decoded {
  const bytes = Buffer.from(value)
  const id = bytes.readUInt32BE(1)
  const known = resolvers.get(id)
  if (!known) throw new Error(`no published schema has the id ${id}`)
  // Cast: every topic has a record schema.
  return known.newest.fromBuffer(bytes.subarray(HEADER_BYTES), known.resolver) as Decoded
}

/** Encodes a record in the version before the newest. Undefined if there is none, or if it would lose something. */
export function inFormerVersion(topic: string, value: Uint8Array): Uint8Array | undefined {
  const former = byTopic.get(topic)?.[1]
  if (!former) return undefined
  const decoded = decodePublished(value)
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32BE(former.id, 1)
  const encoded = Buffer.concat([header, former.type.toBuffer(decoded)])
  return isDeepStrictEqual(decodePublished(encoded), decoded) ? encoded : undefined
}
