import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { dataHash } from '../../archive/chain-entry.ts'
import { fileOf } from '../../archive/iceberg/metadata.ts'
import { metadataFolder, parseFileName } from '../../archive/iceberg/snapshot.ts'
import { isTableTopic, type TableTopic } from '../../archive/iceberg/tables.ts'
import type { ByteRange } from '../../archive/objects.ts'
import { ProblemError } from '../../contracts/problems.ts'
import { matchesTag } from '../conditional.ts'
import type { ApiDeps } from '../deps.ts'
import { FairSlots } from '../fair-slots.ts'
import { goneSignal } from '../gone.ts'
import { clientOrigin } from './client-origin.ts'
import { FILES_PATH } from './error-body.ts'
import { decodeGrant } from './file-grant.ts'
import type { Tables } from './tables-port.ts'

/** Bytes that are read from the archive at a time: what a slow client costs. */
const CHUNK = 262_144

type FileRequest = FastifyRequest<{ Params: { grant: string; '*': string } }>

/** A file of a table: its size, and what reads a part of it. */
type File = {
  readonly size: number
  readonly etag: string
  readonly read: (range: ByteRange) => Promise<Uint8Array | undefined>
}

/**
 * Serves the files of the tables at addresses with a grant, without a key. They cost no call: an engine makes many requests
 * for one query, and each reads a bounded part. Reads of an account take turns with those of others.
 */
export function fileRoute(
  app: FastifyInstance,
  { gate, tables, clock }: Pick<ApiDeps, 'gate' | 'clock'> & { readonly tables: Tables },
): void {
  const slots = new FairSlots()
  app.addHook('preClose', async () => slots.close())

  async function fileAt(topic: TableTopic, name: string, root: string): Promise<File | undefined> {
    const sha256 = dataHash(topic, name)
    if (sha256 !== undefined) {
      const size = await tables.size(name)
      return size === undefined ? undefined : { size, etag: `"${sha256}"`, read: (range) => tables.read(name, range) }
    }
    const folder = metadataFolder(topic)
    const parsed = name.startsWith(folder) ? parseFileName(name.slice(folder.length)) : undefined
    const snapshot = parsed && (await tables.named(topic, parsed.snapshot))
    if (!parsed || !snapshot) return undefined
    const bytes = fileOf(snapshot, parsed.kind, root)
    return {
      size: bytes.length,
      etag: `"${parsed.snapshot.id}-${parsed.kind}"`,
      read: async ({ start, end }) => bytes.subarray(start, end),
    }
  }

  app.route({
    method: ['GET', 'HEAD'],
    url: `${FILES_PATH}/:grant/*`,
    // A compressed part of a file would be of no use.
    compress: false,
    handler: async (request: FileRequest, reply) => {
      const { grant: text, '*': name } = request.params
      const grant = decodeGrant(tables.secret, text, clock().getTime())
      const key = grant && (await gate.stillAdmits(grant.keyId))
      if (!grant || !key || !isTableTopic(grant.topic) || !tables.mayRead(key))
        throw new ProblemError('plan_upgrade_required', 'This address is not valid any more. Load the table again.')
      const { topic } = grant
      const root = `${clientOrigin(request)}${FILES_PATH}/${text}`
      let gone: AbortSignal | undefined
      const read = async <T>(task: () => Promise<T>): Promise<T> => {
        const release = await slots.take(key.account, () => (gone ??= goneSignal(reply)))
        try {
          return await task()
        } finally {
          release()
        }
      }
      const file = await read(() => fileAt(topic, name, root))
      if (!file)
        throw new ProblemError('route_not_found', `The table ${topic} has no such file any more. Load it again.`)
      return send(request, reply, { ...file, read: (range) => read(() => file.read(range)) })
    },
  })
}

function send(request: FastifyRequest, reply: FastifyReply, { size, etag, read }: File): FastifyReply {
  const { headers } = request
  reply.headers({ etag, 'accept-ranges': 'bytes', 'cache-control': 'private, max-age=3600, immutable' })
  if (headers['if-none-match'] !== undefined && matchesTag(headers['if-none-match'], etag))
    return reply.code(304).send()
  const ifRange = headers['if-range']
  const isAsked = request.method === 'GET' && (ifRange === undefined || ifRange === etag)
  const range = isAsked ? rangeIn(headers.range, size) : undefined
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${size}`).send()
  const { start, end } = range ?? { start: 0, end: size }
  if (range) reply.code(206).header('content-range', `bytes ${start}-${end - 1}/${size}`)
  reply.header('content-length', end - start).type('application/octet-stream')
  if (request.method === 'HEAD') return reply.send()
  return reply.send(Readable.from(chunks(read, start, end), { objectMode: false, highWaterMark: CHUNK }))
}

/** Reads a part of a file while the client takes it. A file that ends early breaks the connection, because the length was told. */
async function* chunks(read: File['read'], start: number, end: number): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end; at += CHUNK) {
    const to = Math.min(at + CHUNK, end)
    const bytes = await read({ start: at, end: to })
    if (bytes?.length !== to - at) throw new Error('a file of the archive was deleted or cut while it was read')
    yield bytes
  }
}

/**
 * The bytes that a Range header asks for (RFC 9110, 14.1.2). Undefined for the whole: without the header, and with one of
 * several ranges or another unit, which a server may ignore. `unsatisfiable` if no byte of the file is in the range.
 */
function rangeIn(header: string | undefined, size: number): ByteRange | undefined | 'unsatisfiable' {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size }
  }
  if (last !== '' && Number(last) < Number(first)) return undefined
  const start = Number(first)
  if (start >= size) return 'unsatisfiable'
  return { start, end: last === '' ? size : Math.min(Number(last) + 1, size) }
}
