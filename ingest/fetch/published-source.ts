import { fetchDocuments, type RemoteOptions, type SourceIdentity } from '../fetch/fetch-documents.ts'
import { get, getChanged, type HttpAnswer, type HttpRequest } from '../fetch/http.ts'
import { pagesFrom } from '../fetch/pages.ts'
import { hosts } from '../fetch/reach.ts'
import type { FetchRequest, Source } from '../source.ts'

/** One question to a publisher: the address, and what is sent with it. */
export type Question = Pick<HttpRequest, 'accept' | 'headers' | 'secrets'> & { readonly address: string }

/** A question that is answered in pages from 1. The member of an answer tells how many there are. */
type PagedQuestion = {
  readonly page: (page: number) => Question
  readonly member: string
  readonly pagesOf: (value: number) => number
}

type Publisher = SourceIdentity &
  Pick<Source, 'parse' | 'parsePieces'> & {
    /** The hosts that may be asked, also after a redirect. */
    readonly hosts: readonly string[]
    /** Datasets that can be downloaded. The others are read from files only. */
    readonly downloadable: readonly string[]
    readonly questions: (dataset: string, request: FetchRequest) => Iterable<Question | PagedQuestion>
    /** See `fetchDocuments`. */
    readonly modifiedIsUpdate?: boolean
    readonly ignoresFileNames?: boolean
  }

/** Address with a query. */
export const withQuery = (address: string, query: Readonly<Record<string, string>>): string =>
  `${address}?${new URLSearchParams(query)}`

/** Makes a source of what a publisher can be asked for, and of how its documents are parsed. */
export function publishedSource(
  {
    hosts: names,
    downloadable,
    questions,
    modifiedIsUpdate,
    ignoresFileNames,
    parse,
    parsePieces,
    ...identity
  }: Publisher,
  { address: mirror, ...http }: RemoteOptions = {},
): Source {
  const urlOf = (address: string): URL => {
    const url = new URL(address)
    return mirror === undefined ? url : new URL(url.pathname + url.search, mirror)
  }
  const reach = mirror === undefined ? { reach: hosts(...names) } : {}
  async function* answers(dataset: string, request: FetchRequest): AsyncIterable<HttpAnswer> {
    const signal = request.signal ? { signal: request.signal } : {}
    for (const question of questions(dataset, request)) {
      if ('page' in question) {
        const ask = (page: number) => {
          const { address, ...more } = question.page(page)
          return get(urlOf(address), { ...http, ...reach, ...more, ...signal })
        }
        yield* pagesFrom(ask, question.member, question.pagesOf)
      } else {
        const { address, ...more } = question
        yield* getChanged(urlOf(address), { ...http, ...reach, ...more }, request)
      }
    }
  }
  return {
    ...identity,
    fetch: (request) =>
      fetchDocuments(identity, request, {
        datasets: downloadable,
        answers: (dataset) => answers(dataset, request),
        readsPieces: parsePieces !== undefined,
        ...(modifiedIsUpdate ? { modifiedIsUpdate } : {}),
        ...(ignoresFileNames ? { ignoresFileNames } : {}),
      }),
    parse,
    ...(parsePieces ? { parsePieces } : {}),
  }
}
