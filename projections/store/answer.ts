/** Writes answers: headers as ClickHouse sends them, gzip, rows at the pace of the client, errors early or late. */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import { constants, createGzip, gzipSync } from 'node:zlib'
import { ClientGone } from './body.ts'
import type { QueryAnswer } from './engine.ts'
import { exceptionBlock, type StoreError, toStoreError } from './errors.ts'

interface AnswerShape {
  readonly format: string
  readonly gzip: boolean
}

/** ClickHouse's `http_zlib_compression_level`. */
const gzipLevel = 3
/** A client that takes nothing for so long is given up (ClickHouse's `http_send_timeout`). */
const stalledAfterMs = 30_000

const contentTypes: readonly (readonly [RegExp, string])[] = [
  [/^JSON.*EachRow|^NDJSON|^JSONLines/, 'application/x-ndjson; charset=UTF-8'],
  [/^JSON/, 'application/json; charset=UTF-8'],
  [/^CSV/, 'text/csv; charset=UTF-8; header=absent'],
  [/^(TSV|TabSeparated)/, 'text/tab-separated-values; charset=UTF-8'],
  [/^(RowBinary|Native|Parquet|Arrow|Avro|ORC|MsgPack|RawBLOB|Npy)/, 'application/octet-stream'],
]

/** The headers of an answer that has rows. */
export function startAnswer(response: ServerResponse, { format, gzip }: AnswerShape): void {
  const type = contentTypes.find(([pattern]) => pattern.test(format))?.[1] ?? 'text/plain; charset=UTF-8'
  response.setHeader('Content-Type', type)
  response.setHeader('X-ClickHouse-Format', format)
  if (gzip) response.setHeader('Content-Encoding', 'gzip')
}

/** What a statement read and wrote, as the header `X-ClickHouse-Summary`: all values are decimal strings. */
export function setSummary(response: ServerResponse, answer: QueryAnswer, wrote: boolean): void {
  const [rows, bytes] = [String(answer.rowsRead), String(answer.bytesRead)]
  const summary = {
    read_rows: rows,
    read_bytes: bytes,
    written_rows: wrote ? rows : '0',
    written_bytes: wrote ? bytes : '0',
    total_rows_to_read: '0',
    result_rows: wrote ? rows : '0',
    result_bytes: wrote ? bytes : '0',
    elapsed_ns: String(Math.round(answer.elapsedSeconds * 1e9)),
  }
  response.setHeader('X-ClickHouse-Summary', JSON.stringify(summary))
}

/** Sends an answer that is there as a whole. Throws ClientGone. */
export async function sendWhole(response: ServerResponse, bytes: Uint8Array, gone: AbortSignal): Promise<void> {
  if (response.getHeader('Content-Encoding') !== 'gzip') response.setHeader('Content-Length', bytes.byteLength)
  const body = openBody(response, gone)
  if (bytes.byteLength > 0) await body.write(bytes)
  await body.end()
}

/**
 * Sends an answer block by block, no faster than the client takes it. The status goes out with the first block, so an
 * error before that is thrown to the caller; a later one ends the body with ClickHouse's exception block and cuts the
 * connection, so that a client that doesn't know the block sees a broken answer and not a short one; after `lingerMs`, because Node's
 * client drops what it has not yet read when its connection breaks. Throws ClientGone.
 */
export async function sendStream(
  response: ServerResponse,
  blocks: AsyncGenerator<Uint8Array>,
  gone: AbortSignal,
  exceptionTag: string,
  lingerMs: number,
): Promise<void> {
  response.setHeader('X-ClickHouse-Exception-Tag', exceptionTag)
  try {
    let block = await blocks.next()
    const body = openBody(response, gone)
    let failure: StoreError | undefined
    while (!block.done && failure === undefined) {
      if (block.value.byteLength > 0) await body.write(block.value)
      block = await blocks.next().catch((error: unknown) => {
        failure = toStoreError(error)
        return { done: true, value: undefined }
      })
    }
    if (failure === undefined) return await body.end()
    await body.write(exceptionBlock(exceptionTag, failure))
    await body.cut(lingerMs)
  } finally {
    await blocks.return(undefined)
  }
}

/** Sends an error as the whole answer, or cuts the connection if another answer has begun. */
export function sendError(response: ServerResponse, error: StoreError, gzip: boolean): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const text = Buffer.from(`${error.message}\n`)
  const body = gzip ? gzipSync(text) : text
  for (const name of ['X-ClickHouse-Exception-Tag', 'X-ClickHouse-Format']) response.removeHeader(name)
  response.statusCode = error.status
  response.setHeader('X-ClickHouse-Exception-Code', error.code)
  response.setHeader('Content-Type', 'text/plain; charset=UTF-8')
  if (error.status === 503) response.setHeader('Retry-After', '1')
  if (gzip) response.setHeader('Content-Encoding', 'gzip')
  else response.removeHeader('Content-Encoding')
  response.setHeader('Content-Length', body.byteLength)
  response.end(body)
}

interface Body {
  write(bytes: Uint8Array): Promise<void>
  end(): Promise<void>
  /** Sends what was written and breaks the connection after a while, without ending the body. */
  cut(afterMs: number): Promise<void>
}

function openBody(response: ServerResponse, gone: AbortSignal): Body {
  const packer = response.getHeader('Content-Encoding') === 'gzip' ? createGzip({ level: gzipLevel }) : undefined
  packer?.pipe(response, { end: false })
  const out: Writable = packer ?? response
  const until = async (stream: Writable, event: 'drain' | 'end') => {
    try {
      await once(stream, event, { signal: AbortSignal.any([gone, AbortSignal.timeout(stalledAfterMs)]) })
    } catch (error) {
      packer?.destroy()
      throw new ClientGone('the client stopped taking its answer', { cause: error })
    }
  }
  return {
    async write(bytes) {
      if (!out.write(bytes)) await until(out, 'drain')
    },
    async end() {
      packer?.end()
      if (packer !== undefined) await until(packer, 'end')
      response.end()
    },
    async cut(afterMs) {
      // No gzip trailer either: whoever doesn't know the block finds the data torn.
      if (packer !== undefined) await new Promise<void>((flushed) => packer.flush(constants.Z_SYNC_FLUSH, flushed))
      const socket = response.socket
      const timer = setTimeout(() => socket?.destroySoon(), afterMs)
      response.once('close', () => clearTimeout(timer))
    },
  }
}
