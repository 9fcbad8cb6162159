import { readObservations } from '../formats/read-observations.ts'
import { bytePieces } from '../formats/text.ts'
import type { FetchRequest, Source } from '../source.ts'
import { fetchDocuments, type RemoteOptions, supported } from '../sources/shared/fetch-documents.ts'
import { getChanged, type HttpAnswer } from '../sources/shared/http.ts'
import { hosts } from '../sources/shared/reach.ts'
import { figuresFrom } from './figures.ts'
import type { MappedPublisher } from './mapping.ts'

/** Makes a source of a mapped publisher. It reads documents in every format; `host` serves those that are fetched. */
export function mappedSource(mapping: MappedPublisher, host: string, options: RemoteOptions = {}): Source {
  const { name, publisher, licence, datasets: mapped } = mapping
  const requests = Object.fromEntries(
    Object.entries(mapped).flatMap(([dataset, { request }]) => (request === undefined ? [] : [[dataset, request]])),
  )
  const identity = {
    name,
    publisher,
    licence,
    datasets: Object.fromEntries(
      Object.entries(mapped).map(([dataset, { title, checked }]) => [dataset, `${title}. ${checkedText(checked)}`]),
    ),
  }
  async function* answers(dataset: string, request: FetchRequest): AsyncIterable<HttpAnswer> {
    const { address, ...http } = options
    const url = new URL(supported(dataset, requests), address ?? `https://${host}`)
    const reach = address === undefined ? { reach: hosts(host) } : {}
    yield* getChanged(url, { ...http, ...reach }, request)
  }
  return {
    ...identity,
    fetch: (request) =>
      fetchDocuments(identity, request, {
        datasets: Object.keys(requests),
        answers: (dataset) => answers(dataset, request),
      }),
    parse: ({ bytes, dataset }) => figuresFrom(readObservations(bytePieces(bytes)), mapping, dataset),
  }
}

/** States in words what a dataset's reading was checked against. */
const checkedText = (checked: string): string =>
  checked === 'none' ? 'Checked against no recorded document.' : `Checked against: ${checked}.`
