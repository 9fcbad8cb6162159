import type { Readable } from 'node:stream'
import type { HttpResponse } from './request.ts'

/**
 * The body of an answer as far as it has come. After a cut it continues where it broke off, if the answer named the
 * version that it is of and came unpacked. Otherwise it begins anew.
 */
export class PartialBody {
  #chunks: Uint8Array[] = []
  #size = 0
  /** Strong ETag or Last-Modified of the version that the bytes are of. */
  #version: string | undefined
  /** Bytes of the whole version, as an answer that continues it states. */
  #total: number | undefined

  /** Headers that ask for the rest; undefined if the whole has to be asked for. Sources: RFC 9110, 13.1.5 and 14.2. */
  rangeHeaders(): Readonly<Record<string, string>> | undefined {
    if (this.#version === undefined || this.#size === 0) return undefined
    // A range counts the bytes as they are sent, so they must not be packed.
    return { Range: `bytes=${this.#size}-`, 'If-Range': this.#version, 'Accept-Encoding': 'identity' }
  }

  /** Called with each answer before its body is read. Returns true if it continues what is held; otherwise that goes. */
  begin({ status, header }: Pick<HttpResponse, 'status' | 'header'>): boolean {
    const [, from, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(header('content-range') ?? '') ?? []
    const etag = header('etag')
    const isStrong = etag !== null && !etag.startsWith('W/')
    const isPlain = (header('content-encoding') ?? 'identity') === 'identity'
    // A server that ignores If-Range would continue one version with another.
    const isSame = isPlain && (!isStrong || !this.#version?.startsWith('"') || etag === this.#version)
    if (status === 206 && this.#size > 0 && Number(from) === this.#size && isSame) {
      this.#total = total === '*' ? undefined : Number(total)
      return true
    }
    this.#chunks = []
    this.#size = 0
    this.#total = undefined
    this.#version = isPlain ? ((isStrong ? etag : header('last-modified')) ?? undefined) : undefined
    return false
  }

  /** Reads on to the end. Returns false, and leaves the rest unread, if there are more than `limit` bytes in all. */
  async read(body: Readable, limit: number): Promise<boolean> {
    // Cast: Node's type for the chunks of a Readable is any.
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      this.#chunks.push(chunk)
      this.#size += chunk.byteLength
      if (this.#size > limit) return false
    }
    return true
  }

  /** What is missing, because a server may send less of the rest than it was asked for; undefined if nothing is. */
  missing(): string | undefined {
    const isWhole = this.#total === undefined || this.#size === this.#total
    return isWhole ? undefined : `${this.#size} of ${this.#total} bytes came`
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#chunks, this.#size)
  }
}
