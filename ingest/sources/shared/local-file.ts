import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { errorMessage } from '../../../base/errors.ts'
import { documentLimits } from '../../limits.ts'
import { DocumentError } from '../../source.ts'

/**
 * Reads a local file. Its `url` leaves the folder out, because every client sees the provenance. Throws `DocumentError`
 * `unreadable_file` or `too_large`. Never reads more than `maxBytes`, because devices and pipes state no size.
 */
export async function readLocalFile(
  path: string,
  maxBytes: number = documentLimits.bytes,
): Promise<{ bytes: Uint8Array; url: string }> {
  try {
    const file = await open(path)
    try {
      return { bytes: await readAtMost(file, path, maxBytes), url: `file:${encodeURIComponent(basename(path))}` }
    } finally {
      await file.close()
    }
  } catch (cause) {
    if (cause instanceof DocumentError) throw cause
    // Cast: node:fs throws only Errors.
    throw new DocumentError('unreadable_file', `${path}: ${errorMessage(cause)}`, '', { cause })
  }
}

async function readAtMost(file: FileHandle, path: string, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = () => new DocumentError('too_large', `${path} has more than ${maxBytes} bytes, and is not read.`)
  const { size } = await file.stat()
  if (size > maxBytes) throw tooLarge()
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of file.createReadStream({ autoClose: false, highWaterMark: 1024 * 1024 })) {
    const bytes: Uint8Array = chunk
    chunks.push(bytes)
    total += bytes.length
    if (total > maxBytes) throw tooLarge()
  }
  return Buffer.concat(chunks, total)
}
