/** Reads a request's body, decoded and bounded, into memory (SQL) or into a file (rows). */

import { open } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { PassThrough, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { errorMessage } from '../../base/errors.ts'
import { refuse, StoreError } from './errors.ts'
import type { Coding } from './request.ts'

/** The client has disconnected, so no answer is sent. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

/** Large chunks, because decoding each and writing its result takes two jobs in libuv's thread pool. */
const steps = { chunkSize: 256 * 1024 }
const decoders: Record<Coding, () => Transform> = {
  gzip: () => createGunzip(steps),
  deflate: () => createInflate(steps),
  br: () => createBrotliDecompress(steps),
  zstd: () => createZstdDecompress(steps),
}

/**
 * Yields the decoded body. Throws StoreError 229 beyond `maxBytes`, 354 if the body can't be decoded, and ClientGone.
 * After an error, the rest of the body is read and dropped, because the client reads the answer only after sending all.
 */
export async function* readBody(
  request: IncomingMessage,
  coding: Coding | undefined,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  const gone = new ClientGone('the client left before its request was read')
  // The client left before its body was read. Without this check the loop below would wait for ever.
  if (request.closed && !request.readableEnded) throw gone
  const decoded = coding === undefined ? new PassThrough({ highWaterMark: 1 << 20 }) : decoders[coding]()
  const closed = () => {
    if (!request.readableEnded) decoded.destroy(gone)
  }
  request.once('close', closed)
  let bytes = 0
  try {
    for await (const chunk of request.pipe(decoded)) {
      bytes += chunk.length
      if (bytes > maxBytes) throw refuse(229, `The request body is larger than ${maxBytes} bytes.`)
      yield chunk
    }
  } catch (error) {
    if (error instanceof StoreError || error instanceof ClientGone || coding === undefined) throw error
    // Cast: streams fail only with Errors.
    throw refuse(354, `The request body is not valid ${coding}: ${errorMessage(error)}.`, { cause: error })
  } finally {
    request.off('close', closed)
    request.unpipe(decoded)
    request.resume()
  }
}

/** Collects a body in memory. */
export async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(chunks))
}

/** Writes a body to a new file at `path`. */
export async function spool(chunks: AsyncIterable<Buffer>, path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(chunks)
  } finally {
    await file.close()
  }
}
