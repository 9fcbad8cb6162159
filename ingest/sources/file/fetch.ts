import { basename, extname } from 'node:path'
import { startOfBytes } from '../../cut.ts'
import { type Document, DocumentError, type FetchRequest } from '../../source.ts'
import { documentOf, textOf } from '../shared/document.ts'
import type { SourceIdentity } from '../shared/fetch-documents.ts'
import { get, type HttpOptions } from '../shared/http.ts'
import { readLocalFile } from '../shared/local-file.ts'
import { hostOfAndPublic } from '../shared/reach.ts'
import type { Members } from './members.ts'
import { readHead } from './read.ts'

/**
 * Reads files in Almanac's own format, from local paths or http(s) addresses. A document gets the source and provenance
 * of its head. If the head can't be read, it gets those of `identity`, and parsing reports the fault.
 * Throws `DocumentError` `no_files`, or what `readLocalFile` and `get` throw.
 */
export async function* fetchFiles(
  identity: SourceIdentity,
  { files = [], signal, now }: FetchRequest,
  http: HttpOptions,
): AsyncIterable<Document> {
  if (files.length === 0)
    throw new DocumentError(
      'no_files',
      'Name the files to read, because the source "file" has no publisher to fetch from.',
    )
  for (const path of files) {
    const address = /^https?:/.test(path) ? URL.parse(path) : null
    const { bytes, url } = address
      ? await get(address, { ...http, reach: hostOfAndPublic(address), ...(signal ? { signal } : {}) })
      : await readLocalFile(path)
    const head = headOf(bytes)
    yield documentOf(bytes, {
      source: head.source ?? identity.name,
      dataset: head.dataset ?? stemOf(address?.pathname ?? path),
      publisher: head.publisher ?? identity.publisher,
      licence: head.licence ?? identity.licence,
      url: head.url ?? url,
      retrievedAt: address ? now().toISOString() : null,
      fileName: basename(address?.pathname ?? path),
      ...(head.last_updated === undefined ? {} : { lastUpdated: head.last_updated }),
    })
  }
}

const stemOf = (path: string): string => basename(path, extname(path))

/** Longest head: 64 lines of at most 500 characters. The parser reads the rest. */
const HEAD_BYTES = 128 * 1024

function headOf(bytes: Uint8Array): Members {
  try {
    return readHead(textOf({ bytes: startOfBytes(bytes, HEAD_BYTES) })).members
  } catch (error) {
    if (error instanceof DocumentError) return {}
    throw error
  }
}
