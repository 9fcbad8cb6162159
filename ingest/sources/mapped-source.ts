import { publishedSource, type RemoteOptions } from '../fetch/published-source.ts'
import { figuresFrom } from '../map/figures.ts'
import type { MappedPublisher } from '../map/mapping.ts'
import { readObservations } from '../read/formats/read-observations.ts'
import { bytePieces } from '../read/text.ts'
import { openWorkbook } from '../read/xlsx.ts'
import { isZip } from '../read/zip.ts'
import { type Document, DocumentError, type Source } from '../source.ts'

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
      parse: (document) => {
        try {
          return parsePieces(document, bytePieces(document.bytes))
        } catch (error) {
          throw namingDataset(error, document, mapping)
        }
      },
      parsePieces,
    },
    options,
  )
}

const NAMING_SHEETS = 3
const NAMING_ROWS = 20

/** The refusal of a workbook that names a dataset which is read in another format also says so. */
function namingDataset(error: unknown, { bytes }: Document, { datasets }: MappedPublisher): unknown {
  if (!(error instanceof DocumentError) || error.reason !== 'unknown_format' || !isZip(bytes)) return error
  const words = wordsOfWorkbook(bytes)
  const [name, dataset] = Object.entries(datasets).find(([id]) => words.has(id.toUpperCase())) ?? []
  if (!dataset) return error
  const detail = `${error.message} It names ${name}, which is read in another format. Checked was: ${dataset.checked}.`
  return new DocumentError(error.reason, detail, error.location, { cause: error })
}

/** Words in upper case at the beginning of a workbook's sheets. None of one that cannot be read. */
function wordsOfWorkbook(bytes: Uint8Array): ReadonlySet<string> {
  try {
    const workbook = openWorkbook(bytes)
    const texts = workbook.sheets.slice(0, NAMING_SHEETS).flatMap((sheet) => [
      sheet,
      ...workbook
        .rowsOf(sheet)
        .slice(0, NAMING_ROWS)
        .flatMap(({ cells }) => [...cells.values()]),
    ])
    return new Set(texts.flatMap((text) => text.toUpperCase().match(/[\w.@:-]+/g) ?? []))
  } catch (error) {
    if (error instanceof DocumentError) return new Set()
    throw error
  }
}
