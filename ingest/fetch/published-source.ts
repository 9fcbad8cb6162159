import { basename } from 'node:path'
import { removedDataset } from '../removed.ts'
import { type Document, DocumentError, documentOf, type FetchRequest, type Source, supported } from '../source.ts'
import { get, getUnlessKnown, type HttpAnswer, type HttpOptions, type HttpRequest } from './http.ts'
import { openLocalFile, readLocalFile } from './local-file.ts'
import { pagesFrom } from './pages.ts'
import { hosts } from './reach.ts'

export type SourceIdentity = Pick<Source, 'name' | 'publisher' | 'licence' | 'datasets' | 'downloadable'>

/** `address` replaces the publisher's scheme, host and port, for a mirror or a test's server. */
export type RemoteOptions = HttpOptions & { readonly address?: string }

/** One question to a publisher: the address, and what is sent with it. */
export type Question = Pick<HttpRequest, 'accept' | 'headers' | 'secrets'> & { readonly address: string }

/** A question that is answered in pages from 1. The member of an answer tells how many there are. */
type PagedQuestion = {
  readonly page: (page: number) => Question
  readonly member: string
  readonly pagesOf: (value: number) => number
}

type Publisher = SourceIdentity &
  Omit<Remote, 'answers'> & {
    /** The hosts that may be asked, also after a redirect. */
    readonly hosts: readonly string[]
    readonly questions: (dataset: string, request: FetchRequest) => Iterable<Question | PagedQuestion>
  }

export const withQuery = (address: string, query: Readonly<Record<string, string>>): string =>
  `${address}?${new URLSearchParams(query)}`

/** Makes a source of what a publisher can be asked for, and of how its documents are parsed. */
export function publishedSource(publisher: Publisher & Omit<Source, 'fetch'>, options: RemoteOptions = {}): Source {
  const readsPieces = publisher.parsePieces !== undefined
  return { ...publisher, fetch: publishedFetch({ ...publisher, readsPieces }, options) }
}

/** Makes the fetch of such a source. */
export function publishedFetch(
  { hosts: names, questions, modifiedIsUpdate, ignoresFileNames, readsPieces, ...identity }: Publisher,
  { address: mirror, ...http }: RemoteOptions,
): Source['fetch'] {
  const urlOf = (address: string): URL => {
    const url = new URL(address)
    return mirror === undefined ? url : new URL(url.pathname + url.search, mirror)
  }
  const reach = mirror === undefined ? hosts(...names) : undefined
  async function* answers(dataset: string, request: FetchRequest): AsyncIterable<HttpAnswer> {
    for (const question of questions(dataset, request)) {
      if ('page' in question) {
        const ask = (page: number) => {
          const { address, ...more } = question.page(page)
          return get(urlOf(address), { ...http, reach, ...more, signal: request.signal })
        }
        yield* pagesFrom(ask, question.member, question.pagesOf)
      } else {
        const { address, ...more } = question
        yield* getUnlessKnown(urlOf(address), { ...http, reach, ...more }, request)
      }
    }
  }
  const remote = { modifiedIsUpdate, ignoresFileNames, readsPieces }
  return (request) => fetchDocuments(identity, request, { ...remote, answers: (dataset) => answers(dataset, request) })
}

type Remote = {
  readonly answers: (dataset: string) => AsyncIterable<HttpAnswer>
  /** Whether the source has `parsePieces`. */
  readonly readsPieces?: boolean | undefined
  /** The publisher's Last-Modified is the time of the dataset's last update, not that of the answer. */
  readonly modifiedIsUpdate?: boolean | undefined
  /** A file's name proves nothing: without a named dataset a file has none, and must state it itself. */
  readonly ignoresFileNames?: boolean | undefined
}

/**
 * Yields the documents of a request: its files, or the publisher's answers, of all datasets that can be downloaded if it names
 * none. Stops at the first failure, so request one dataset at a time if a failing one must not stop the others. Throws
 * `DocumentError` (`dataset_not_supported`, `dataset_removed`, `file_only`, or what reading throws).
 */
export async function* fetchDocuments(
  { name, publisher, licence, datasets, downloadable }: SourceIdentity,
  { files, datasets: wanted, lastUpdated, now }: FetchRequest,
  remote: Remote,
): AsyncIterable<Document> {
  const origin = { source: name, publisher, licence }
  if (files) {
    for (const dataset of wanted ?? []) assertRead(name, dataset, datasets)
    const dated = lastUpdated === undefined ? {} : { lastUpdated }
    for (const path of files) {
      const unnamed = remote.ignoresFileNames ? '' : datasetNamedBy(path, datasets)
      const dataset = (wanted?.length === 1 ? wanted[0] : unnamed) ?? ''
      const large = remote.readsPieces ? await openLocalFile(path) : undefined
      if (large) {
        yield { ...origin, dataset, retrievedAt: null, ...dated, ...large }
        continue
      }
      const { bytes, url } = await readLocalFile(path)
      yield documentOf(bytes, { ...origin, dataset, url, retrievedAt: null, ...dated })
    }
    return
  }
  if (!wanted && downloadable.length === 0) throw fileOnly(Object.keys(datasets))
  for (const dataset of wanted ?? downloadable) {
    assertRead(name, dataset, datasets)
    if (!downloadable.includes(dataset)) throw fileOnly([dataset])
    for await (const { bytes, url, lastModified, marks } of remote.answers(dataset)) {
      const updated = remote.modifiedIsUpdate && lastModified !== undefined ? { lastUpdated: lastModified } : {}
      yield documentOf(bytes, {
        ...origin,
        dataset,
        url,
        retrievedAt: now().toISOString(),
        ...updated,
        ...(marks ? { marks } : {}),
      })
    }
  }
}

const fileOnly = (datasets: readonly string[]): DocumentError =>
  new DocumentError(
    'file_only',
    `Read from files only: ${datasets.join(', ')}. Save a document from the publisher, and name the file.`,
  )

/** Throws `DocumentError` unless a dataset is read: `dataset_removed` if an earlier version read it, else as `supported` does. */
function assertRead(source: string, dataset: string, datasets: Source['datasets']): void {
  const removal = removedDataset(source, dataset)
  if (removal !== undefined) throw new DocumentError('dataset_removed', removal)
  supported(dataset, datasets)
}

/** Returns the longest dataset name within a file's name, as in `fred_UNRATE.csv`; else the file's name itself. */
function datasetNamedBy(path: string, datasets: Source['datasets']): string {
  const words = (text: string): string => ` ${text.replace(/[^A-Za-z0-9]+/g, ' ')} `
  const stem = basename(path).replace(/\.[^.]+$/, '')
  const named = Object.keys(datasets).filter((dataset) => words(stem).includes(words(dataset)))
  return named.toSorted((a, b) => b.length - a.length)[0] ?? stem
}
