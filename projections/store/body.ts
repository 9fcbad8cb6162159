/** Takes a request's body apart: decoded, bounded, into memory (SQL) or into a file (rows). */
import { open } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { PassThrough, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { refuse, StoreError } from './errors.ts'
import type { Coding } from './request.ts'

/** The client went away before its request was read: nobody is left to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

/** Large steps: each one, and each write of its result, is a trip to libuv's pool. */
const steps = { chunkSize: 256 * 1024 }
const decoders: Record<Coding, () => Transform> = {
  gzip: () => createGunzip(steps),
  deflate: () => createInflate(steps),
  br: () => createBrotliDecompress(steps),
  zstd: () => createZstdDecompress(steps),
}

/**
 * Yields the decoded body, at most `maxBytes` of it. Throws StoreError 229 beyond that, 354 if it can't be decoded, and
 * ClientGone. After an error what the client still sends is read and dropped, so that it gets to read the answer.
 */
export async function* readBody(
  request: IncomingMessage,
  coding: Coding | undefined,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  const gone = new ClientGone('the client left before its request was read')
  // Who has left before anybody read: nothing would come any more, nor an end.
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
    throw refuse(354, `The request body is not valid ${coding}: ${(error as Error).message}.`, { cause: error })
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
