import { basename } from 'node:path'
import { type Document, DocumentError, type FetchRequest, type Source } from '../../source.ts'
import { documentOf } from './document.ts'
import type { HttpAnswer, HttpOptions } from './http.ts'
import { readLocalFile } from './local-file.ts'

export type SourceIdentity = Pick<Source, 'name' | 'publisher' | 'licence' | 'datasets'>

/** `address` stands in for the publisher's own (scheme, host and port): a mirror, or a test's server. */
export type RemoteOptions = HttpOptions & { readonly address?: string }

type Remote = {
  /** The datasets that the publisher's address serves; all of them are asked for if a request names none. */
  readonly datasets: readonly string[]
  readonly answers: (dataset: string) => AsyncIterable<HttpAnswer>
  /** The publisher's Last-Modified is the dataset's last update, not when the answer was computed. */
  readonly modifiedIsUpdate?: boolean
}

/**
 * The documents of a request: its files, or else what the publisher answers. Stops at the first that can't be had, so
 * ask for one dataset at a time where one must not hinder another. Throws `DocumentError` (`dataset_not_supported`,
 * `file_only`, or what reading throws).
 */
export async function* fetchDocuments(
  { name, publisher, licence, datasets }: SourceIdentity,
  { files, datasets: wanted, now }: FetchRequest,
  remote: Remote,
): AsyncIterable<Document> {
  const origin = (dataset: string, url: string) => ({
    source: name,
    publisher,
    licence,
    dataset,
    url,
    retrievedAt: now().toISOString(),
  })
  if (files) {
    for (const path of files) {
      const { bytes, url } = await readLocalFile(path)
      const dataset = wanted?.length === 1 ? wanted[0] : datasetNamedBy(path, datasets)
      yield documentOf(bytes, origin(dataset ?? '', url))
    }
    return
  }
  for (const dataset of wanted ?? remote.datasets) {
    supported(dataset, datasets)
    if (!remote.datasets.includes(dataset))
      throw new DocumentError('file_only', `${publisher} serves ${dataset} no longer; it is read from files only.`)
    for await (const { bytes, url, lastModified } of remote.answers(dataset)) {
      const updated = remote.modifiedIsUpdate && lastModified !== undefined ? { lastUpdated: lastModified } : {}
      yield documentOf(bytes, { ...origin(dataset, url), ...updated })
    }
  }
}

/** What a table says of a dataset. Throws `DocumentError` `dataset_not_supported`, which names those that are. */
export function supported<T>(dataset: string, table: Readonly<Record<string, T>>): T {
  if (Object.hasOwn(table, dataset)) return table[dataset] as T
  const names = Object.keys(table).join(', ')
  throw new DocumentError('dataset_not_supported', `${JSON.stringify(dataset)} is not read; these are: ${names}.`)
}

/** The dataset whose name stands in a file's, as in `fred_UNRATE.csv` (the longest if several do); else the file's name. */
function datasetNamedBy(path: string, datasets: Source['datasets']): string {
  const words = (text: string): string => ` ${text.replace(/[^A-Za-z0-9]+/g, ' ')} `
  const stem = basename(path).replace(/\.[^.]+$/, '')
  const named = Object.keys(datasets).filter((dataset) => words(stem).includes(words(dataset)))
  return named.toSorted((a, b) => b.length - a.length)[0] ?? stem
}
