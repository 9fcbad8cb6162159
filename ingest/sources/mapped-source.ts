import type { RemoteOptions } from '../fetch/fetch-documents.ts'
import { figuresFrom } from '../map/figures.ts'
import type { MappedPublisher } from '../map/mapping.ts'
import { readObservations } from '../read/formats/read-observations.ts'
import { bytePieces } from '../read/text.ts'
import type { Source } from '../source.ts'
import { publishedSource } from './published-source.ts'

/** Makes a source of a mapped publisher. It reads documents in every format. */
export function mappedSource(mapping: MappedPublisher, options: RemoteOptions = {}): Source {
  const { name, publisher, licence, host, datasets } = mapping
  const parsePieces = ({ dataset }: { readonly dataset: string }, pieces: Iterable<Uint8Array>) =>
    figuresFrom(readObservations(pieces), mapping, dataset)
  const described = Object.entries(datasets).map(([dataset, { title, checked }]) => [
    dataset,
    `${title}. Checked against: ${checked}.`,
  ])
  return publishedSource(
    {
      name,
      publisher,
      licence,
      datasets: Object.fromEntries(described),
      hosts: [host],
      downloadable: Object.keys(datasets).filter((dataset) => datasets[dataset]?.requests !== undefined),
      questions: (dataset) =>
        (datasets[dataset]?.requests ?? []).map((path) => ({ address: `https://${host}${path}` })),
      ignoresFileNames: true,
      parse: (document) => parsePieces(document, bytePieces(document.bytes)),
      parsePieces,
    },
    options,
  )
}
