/** Writes answers: ClickHouse's headers, gzip, rows at the client's pace, errors before and after the first row. */
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
/** Time without progress after which a client is given up (ClickHouse's `http_send_timeout`). */
const stalledAfterMs = 30_000

const contentTypes: readonly (readonly [RegExp, string])[] = [
  [/^JSON.*EachRow|^NDJSON|^JSONLines/, 'application/x-ndjson; charset=UTF-8'],
  [/^JSON/, 'application/json; charset=UTF-8'],
  [/^CSV/, 'text/csv; charset=UTF-8; header=absent'],
  [/^(TSV|TabSeparated)/, 'text/tab-separated-values; charset=UTF-8'],
  [/^(RowBinary|Native|Parquet|Arrow|Avro|ORC|MsgPack|RawBLOB|Npy)/, 'application/octet-stream'],
]

/** Sets the headers of an answer with rows. */
export function startAnswer(response: ServerResponse, { format, gzip }: AnswerShape): void {
  const type = contentTypes.find(([pattern]) => pattern.test(format))?.[1] ?? 'text/plain; charset=UTF-8'
  response.setHeader('Content-Type', type)
  response.setHeader('X-ClickHouse-Format', format)
  if (gzip) response.setHeader('Content-Encoding', 'gzip')
}

/** Sets the header `X-ClickHouse-Summary`, which counts the rows and bytes read and written as decimal strings. */
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

/** Sends a complete answer. Throws ClientGone. */
export async function sendWhole(response: ServerResponse, bytes: Uint8Array, gone: AbortSignal): Promise<void> {
  if (response.getHeader('Content-Encoding') !== 'gzip') response.setHeader('Content-Length', bytes.byteLength)
  const body = openBody(response, gone)
  if (bytes.byteLength > 0) await body.write(bytes)
  await body.end()
}

/**
 * Sends an answer block by block, no faster than the client takes it. The status goes out with the first block, so an
 * earlier error is thrown to the caller. A later error ends the body with ClickHouse's exception block and cuts the
 * connection, so that a client that doesn't know the block sees a broken answer and not a short one. The cut waits for
 * `lingerMs`, because Node's client drops unread bytes when its connection breaks. Throws ClientGone.
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

/** Sends an error as the whole answer, or cuts the connection if an answer has begun already. */
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
  /** Flushes the written bytes and cuts the connection after `afterMs`, without ending the body. */
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
      // Sends no gzip trailer, so that a client that doesn't know the exception block sees a broken body.
      if (packer !== undefined) await new Promise<void>((flushed) => packer.flush(constants.Z_SYNC_FLUSH, flushed))
      const socket = response.socket
      const timer = setTimeout(() => socket?.destroySoon(), afterMs)
      response.once('close', () => clearTimeout(timer))
    },
  }
}
