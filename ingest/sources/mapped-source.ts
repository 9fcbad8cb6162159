import { fetchDocuments, type RemoteOptions, supported } from '../fetch/fetch-documents.ts'
import { getChanged, type HttpAnswer } from '../fetch/http.ts'
import { hosts } from '../fetch/reach.ts'
import { figuresFrom } from '../map/figures.ts'
import type { MappedPublisher } from '../map/mapping.ts'
import { readObservations } from '../read/formats/read-observations.ts'
import { bytePieces } from '../read/text.ts'
import type { FetchRequest, Source } from '../source.ts'

/** Makes a source of a mapped publisher. It reads documents in every format. */
export function mappedSource(mapping: MappedPublisher, options: RemoteOptions = {}): Source {
  const { name, publisher, licence, host, datasets: mapped } = mapping
  const requests = Object.fromEntries(
    Object.entries(mapped).flatMap(([dataset, { requests }]) => (requests === undefined ? [] : [[dataset, requests]])),
  )
  const identity = {
    name,
    publisher,
    licence,
    datasets: Object.fromEntries(
      Object.entries(mapped).map(([dataset, { title, checked }]) => [
        dataset,
        `${title}. Checked against: ${checked}.`,
      ]),
    ),
  }
  async function* answers(dataset: string, request: FetchRequest): AsyncIterable<HttpAnswer> {
    const { address, ...http } = options
    const reach = address === undefined ? { reach: hosts(host) } : {}
    for (const path of supported(dataset, requests))
      yield* getChanged(new URL(path, address ?? `https://${host}`), { ...http, ...reach }, request)
  }
  const parsePieces = ({ dataset }: { readonly dataset: string }, pieces: Iterable<Uint8Array>) =>
    figuresFrom(readObservations(pieces), mapping, dataset)
  return {
    ...identity,
    fetch: (request) =>
      fetchDocuments(identity, request, {
        datasets: Object.keys(requests),
        readsPieces: true,
        ignoresFileNames: true,
        answers: (dataset) => answers(dataset, request),
      }),
    parse: (document) => parsePieces(document, bytePieces(document.bytes)),
    parsePieces,
  }
}
