import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { documentLimits } from '../../limits.ts'
import { DocumentError } from '../../source.ts'

/**
 * The bytes of a local file; `url` names the file without its folder, since a provenance is shown to everybody.
 * Throws `DocumentError` `unreadable_file` or `too_large`: no more than `maxBytes` are read, whatever size the file
 * states, since devices and pipes state none.
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
    throw new DocumentError('unreadable_file', `${path}: ${(cause as Error).message}`, '', { cause })
  }
}

async function readAtMost(file: FileHandle, path: string, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = () => new DocumentError('too_large', `${path} has more than ${maxBytes} bytes, and is not read.`)
  const { size } = await file.stat()
  if (size > maxBytes) throw tooLarge()
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of file.createReadStream({ autoClose: false, highWaterMark: 1024 * 1024 })) {
    chunks.push(chunk as Uint8Array)
    total += (chunk as Uint8Array).length
    if (total > maxBytes) throw tooLarge()
  }
  return Buffer.concat(chunks, total)
}
