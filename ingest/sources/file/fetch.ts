import { basename, extname } from 'node:path'
import { startOfBytes } from '../../cut.ts'
import { get, type HttpOptions } from '../../fetch/http.ts'
import { readLocalFile } from '../../fetch/local-file.ts'
import type { SourceIdentity } from '../../fetch/published-source.ts'
import { hostOfAndPublic } from '../../fetch/reach.ts'
import { textOf } from '../../read/text.ts'
import { type Document, DocumentError, documentOf, type FetchRequest } from '../../source.ts'
import type { Members } from './members.ts'
import { readHead } from './read.ts'

/** What is said of a file whose head can't be read. */
export const fileIdentity: SourceIdentity = {
  name: 'FILE',
  publisher: 'As the file says',
  licence: 'As the file says',
  datasets: {},
  downloadable: [],
}

/**
 * Reads files in Almanac's own format, from local paths or http(s) addresses. A document gets the source and provenance
 * of its head. If the head can't be read, it gets those of `fileIdentity`, and parsing reports the fault.
 * Throws `DocumentError` `no_files`, or what `readLocalFile` and `get` throw.
 */
export async function* fetchFiles(
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
    const fileName = basename(address?.pathname ?? path)
    yield fileDocument(bytes, { fileName, url, retrievedAt: address ? now().toISOString() : null })
  }
}

/** The document that a file in Almanac's own format is, by what its head says. `url`: where the file was read. */
export function fileDocument(
  bytes: Uint8Array,
  { fileName, url, retrievedAt }: Pick<Document, 'url' | 'retrievedAt'> & { readonly fileName: string },
): Document {
  const head = headOf(bytes)
  return documentOf(bytes, {
    source: head.source ?? fileIdentity.name,
    dataset: head.dataset ?? basename(fileName, extname(fileName)),
    publisher: head.publisher ?? fileIdentity.publisher,
    licence: head.licence ?? fileIdentity.licence,
    url: head.url ?? url,
    retrievedAt,
    fileName,
    ...(head.last_updated === undefined ? {} : { lastUpdated: head.last_updated }),
  })
}

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
