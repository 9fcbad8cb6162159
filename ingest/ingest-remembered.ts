import type { Acceptor } from './accept/accept.ts'
import type { Tally } from './accept/tally.ts'
import { PublisherAnswers } from './publisher-answers.ts'
import type { DatasetMemory, PublisherMemory } from './publisher-memory.ts'
import { compareStructure, joinedChange, type StructureChange } from './read/format-changes.ts'
import { type DocumentReport, FetchedDatasets, ingest } from './run.ts'
import type { FetchRequest, IngestSource } from './source.ts'

type Remembering = {
  readonly memory: PublisherMemory
  /** Key of `openSources`. */
  readonly name: string
  readonly dataset: string
  /** Journal and program, see `DatasetMemory`. */
  readonly readBy: string
  /** Whether the publisher may answer that nothing is new. */
  readonly conditional: boolean
  readonly onDocument?: (report: DocumentReport) => void
  readonly onUnchanged?: (address: string) => void
  readonly onChange?: (change: StructureChange) => void
}

/**
 * Ingests one dataset from its publisher as `ingest` does; if `conditional`, only what has changed since it was last read. Only
 * answers that were accepted without a rejected row are remembered, because a later reader may make more of the others.
 */
export async function ingestRemembered(
  source: IngestSource,
  request: Omit<FetchRequest, 'datasets' | 'files'>,
  acceptor: Acceptor,
  { memory, name, dataset, readBy, conditional, onDocument, onUnchanged, onChange }: Remembering,
): Promise<Tally> {
  const { now } = request
  const answers = await PublisherAnswers.load({ memory, name, dataset, readBy, now })
  const fetched = new FetchedDatasets()
  const addStored = () => fetched.add(answers.stored?.series ?? [])
  let known: Pick<DatasetMemory, 'structure' | 'change'> = answers.stored ?? {}
  try {
    return await ingest(
      source,
      {
        ...request,
        datasets: [dataset],
        // A memory that does not say what the answers hold can't tell which datasets have not changed.
        known: (address) => (conditional && answers.stored?.series ? answers.known(address) : undefined),
        onUnchanged(address) {
          answers.arrived()
          addStored()
          onUnchanged?.(address)
        },
      },
      acceptor,
      (report) => {
        answers.arrived()
        answers.remember(report.document, report.outcome === 'accepted' && report.tally.rejected === 0)
        const compared = compareStructure(known.structure, report.structure ?? [])
        const { always, sometimes } = compared.known
        known = { ...known, structure: { always: [...always], sometimes: [...sometimes] } }
        if (compared.change) {
          const { appeared, gone } = joinedChange(known.change, compared.change)
          const at = known.change?.at ?? now().getTime()
          known = { ...known, change: { at, appeared: [...appeared], gone: [...gone] } }
          onChange?.(compared.change)
        }
        onDocument?.(report)
      },
      fetched,
    )
  } finally {
    if (!fetched.isComplete) addStored()
    await answers.save({ ...known, series: fetched.list() })
  }
}
