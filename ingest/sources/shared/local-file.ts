import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { DocumentError } from '../../source.ts'

/**
 * The bytes of a local file; `url` names the file without its folder, since a provenance is shown to everybody.
 * Throws `DocumentError` `unreadable_file` or `too_large`.
 */
export async function readLocalFile(
  path: string,
  maxBytes = 256 * 1024 * 1024,
): Promise<{ bytes: Uint8Array; url: string }> {
  try {
    const { size } = await stat(path)
    if (size > maxBytes) throw new DocumentError('too_large', `${path} has ${size} bytes; ${maxBytes} are read.`)
    return { bytes: await readFile(path), url: `file:${encodeURIComponent(basename(path))}` }
  } catch (cause) {
    if (cause instanceof DocumentError) throw cause
    throw new DocumentError('unreadable_file', `${path}: ${(cause as Error).message}`, '', { cause })
  }
}
