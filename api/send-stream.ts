import type { Readable, Transform } from 'node:stream'
import { constants, createGzip, createZstdCompress } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { codingFor } from './coding.ts'
import { vary } from './headers.ts'

/** Codings of streamed answers, the preferred one first. */
const codings = ['zstd', 'gzip'] as const

const coders: Readonly<Record<(typeof codings)[number], () => Transform & { flush(): void }>> = {
  zstd: () => createZstdCompress(),
  // Faster than the usual level, because the client may read as fast as it is compressed.
  gzip: () => createGzip({ level: constants.Z_BEST_SPEED }),
}

/** What a coder holds back is sent after this time, so that empty lines keep a silent connection open. */
const FLUSH_EVERY_MS = 5_000

/**
 * Sends a body while it is read, no faster than the client reads it, in the coding that the client prefers. Reading ends when
 * the client leaves. An error cuts the connection.
 */
export function sendStreamed(request: FastifyRequest, reply: FastifyReply, stream: Readable): void {
  vary(reply, 'accept-encoding')
  if (request.method === 'HEAD') {
    stream.destroy()
    reply.send('')
    return
  }
  const coding = codingFor(String(request.headers['accept-encoding'] ?? ''), codings)
  if (!coding) {
    reply.send(stream)
    return
  }
  reply.header('content-encoding', coding)
  reply.send(coded(stream, coders[coding]()))
}

function coded<T extends Transform & { flush(): void }>(stream: Readable, coder: T): T {
  const flushing = setInterval(() => {
    // A client that reads slowly has enough to read.
    if (coder.writableLength === 0 && !coder.writableEnded) coder.flush()
  }, FLUSH_EVERY_MS).unref()
  // Not `pipeline`: if the client leaves, that throws an error into the generator behind the stream, as if that had failed.
  stream.once('error', (error) => coder.destroy(error))
  stream.once('close', () => stream.readableEnded || coder.destroy())
  coder.once('close', () => {
    clearInterval(flushing)
    stream.destroy()
  })
  return stream.pipe(coder)
}
