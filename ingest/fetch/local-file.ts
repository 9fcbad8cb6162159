import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { errorMessage } from '../../base/errors.ts'
import { documentLimits, keptLimits } from '../limits.ts'
import { type Document, DocumentError } from '../source.ts'

/**
 * Reads a local file. Its `url` leaves the folder out, because every client sees the provenance. Throws `DocumentError`
 * `unreadable_file` or `too_large`. Counts what it reads, because devices and pipes state no size.
 */
export async function readLocalFile(path: string): Promise<Pick<Document, 'bytes' | 'url'>> {
  return named(path, async () => {
    if ((await stat(path)).size > documentLimits.bytes) throw tooLarge(path, documentLimits.bytes)
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of filePieces(path)) {
      size += chunk.length
      if (size > documentLimits.bytes) throw tooLarge(path, documentLimits.bytes)
      chunks.push(chunk)
    }
    return { bytes: Buffer.concat(chunks, size), url: localFileUrl(path) }
  })
}

/**
 * Reads the SHA-256 and the first bytes of a large local file; undefined if the file is small, or no regular one. Throws
 * `DocumentError` `unreadable_file` or `too_large`.
 */
export async function openLocalFile(
  path: string,
): Promise<(Pick<Document, 'bytes' | 'sha256' | 'url'> & Required<Pick<Document, 'file'>>) | undefined> {
  return named(path, async () => {
    const found = await stat(path)
    if (!found.isFile() || found.size <= documentLimits.wholeFileBytes) return undefined
    if (found.size > documentLimits.fileBytes) throw tooLarge(path, documentLimits.fileBytes)
    const hash = createHash('sha256')
    const first: Uint8Array[] = []
    let size = 0
    for await (const chunk of filePieces(path)) {
      hash.update(chunk)
      if (size < keptLimits.documentBytes) first.push(chunk)
      size += chunk.length
    }
    const bytes = Buffer.concat(first).subarray(0, keptLimits.documentBytes)
    return { bytes, sha256: hash.digest('hex'), url: localFileUrl(path), file: { path, size } }
  })
}

/**
 * Yields the bytes of a large local file again. Throws `DocumentError` `changed_while_read` instead of the last of them if
 * they are others than before, or `unreadable_file`. Neither names the folder, because the journal keeps them with the document.
 */
export async function* checkedPieces(
  { path, size }: NonNullable<Document['file']>,
  sha256: string,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let read = 0
  try {
    for await (const chunk of filePieces(path)) {
      read += chunk.length
      if (read > size) throw changed(path)
      hash.update(chunk)
      if (read === size && hash.digest('hex') !== sha256) throw changed(path)
      yield chunk
    }
  } catch (cause) {
    if (cause instanceof DocumentError) throw cause
    const detail = errorMessage(cause).replaceAll(path, basename(path))
    throw new DocumentError('unreadable_file', `${basename(path)}: ${detail}`, '', { cause })
  }
  if (read < size) throw changed(path)
}

const FILE_PIECE_BYTES = 1024 * 1024

const filePieces = (path: string): AsyncIterable<Uint8Array> =>
  createReadStream(path, { highWaterMark: FILE_PIECE_BYTES })

/** Address of a local file in the provenance of its figures: its name, without the folder. */
export const localFileUrl = (path: string): string => `file:${encodeURIComponent(basename(path))}`

/** Name of the file at an address of `localFileUrl`, or at another one. */
export function fileNameOf(url: string): string {
  const name = basename(URL.parse(url)?.pathname ?? url)
  try {
    return decodeURIComponent(name)
  } catch {
    // An address may have a percent sign that encodes nothing.
    return name
  }
}

const tooLarge = (path: string, bytes: number) =>
  new DocumentError('too_large', `${path} has more than ${bytes} bytes, and is not read.`)

const changed = (path: string) =>
  new DocumentError(
    'changed_while_read',
    `${basename(path)} was changed while it was read. Read it again when it is whole.`,
  )

/** Names the file in whatever goes wrong while it is read. */
async function named<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (cause) {
    if (cause instanceof DocumentError) throw cause
    throw new DocumentError('unreadable_file', `${path}: ${errorMessage(cause)}`, '', { cause })
  }
}
