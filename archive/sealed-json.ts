import { hash } from 'node:crypto'
import { errorMessage } from '../base/errors.ts'
import { HASH } from './digest.ts'
import { ArchiveError } from './errors.ts'

/** Writes an object as JSON whose last member, `sha256`, is the hash of the others. */
export function sealJson(members: Readonly<Record<string, unknown>>): Buffer {
  return Buffer.from(`${JSON.stringify({ ...members, sha256: hash(HASH, JSON.stringify(members)) }, null, 2)}\n`)
}

/** Reads what `sealJson` wrote. Throws `damaged` on every other file, even one that means the same. */
export function openSealedJson(file: string, bytes: Uint8Array): Readonly<Record<string, unknown>> {
  let members: Record<string, unknown>
  try {
    // `fatal`: bytes that are not UTF-8 must not pass as U+FFFD.
    members = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch (cause) {
    throw new ArchiveError('damaged', `not JSON (${errorMessage(cause)})`, { file, cause })
  }
  const { sha256, ...rest } = members
  if (sha256 !== hash(HASH, JSON.stringify(rest)))
    throw new ArchiveError('damaged', 'its members do not have the hash that its member sha256 names', { file })
  if (!sealJson(rest).equals(bytes)) throw new ArchiveError('damaged', 'not written as the archive writes it', { file })
  return rest
}
