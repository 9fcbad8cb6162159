import type { Acceptor } from './accept/accept.ts'
import type { Tally } from './accept/tally.ts'
import type { DatasetMemory, PublisherMemory, Validators } from './publisher-memory.ts'
import { compareStructure, joinedChange, type StructureChange } from './read/structure.ts'
import { type DocumentReport, ingest } from './run.ts'
import type { FetchRequest, IngestSource } from './source.ts'

/** Longest time for which a publisher's "not modified" is believed, ms. Then the dataset is asked for whole once. */
export const BELIEVED_MS = 7 * 86_400_000

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
 * Ingests one dataset from its publisher as `ingest` does, and asks only for what has changed since it was last read.
 * Only answers that were accepted without a rejected row are remembered, because a later reader may make more of the
 * others. They are remembered once they are on record, so a crash costs at most a download.
 */
export async function ingestRemembered(
  source: IngestSource,
  request: Omit<FetchRequest, 'datasets' | 'files'>,
  acceptor: Acceptor,
  { memory, name, dataset, readBy, conditional, onDocument, onUnchanged, onChange }: Remembering,
): Promise<Tally> {
  const stored = await memory.load(name, dataset)
  const now = () => request.now().getTime()
  const validators: Record<string, Validators> = stored?.readBy === readBy ? { ...stored.validators } : {}
  let state: DatasetMemory = stored ?? { readBy, validators, checkedAt: 0 }
  let hasAnswer = false
  const known = (address: string): Validators | undefined => {
    const found = Object.hasOwn(validators, address) ? validators[address] : undefined
    return conditional && found && now() - found.readAt < BELIEVED_MS ? found : undefined
  }
  try {
    return await ingest(
      source,
      {
        ...request,
        datasets: [dataset],
        known,
        onUnchanged(address) {
          hasAnswer = true
          onUnchanged?.(address)
        },
      },
      acceptor,
      (report) => {
        hasAnswer = true
        const { marks } = report.document
        const isWhole = report.outcome === 'accepted' && report.tally.rejected === 0
        if (marks) {
          const { address, ...rest } = marks
          if (isWhole) validators[address] = { ...rest, readAt: now() }
          else delete validators[address]
        }
        const compared = compareStructure(state.structure, report.structure ?? [])
        const { always, sometimes } = compared.known
        state = { ...state, structure: { always: [...always], sometimes: [...sometimes] } }
        if (compared.change) {
          const { appeared, gone } = joinedChange(state.change, compared.change)
          state = { ...state, change: { at: state.change?.at ?? now(), appeared: [...appeared], gone: [...gone] } }
          onChange?.(compared.change)
        }
        onDocument?.(report)
      },
    )
  } finally {
    if (hasAnswer) await memory.save(name, dataset, { ...state, readBy, validators, checkedAt: now() })
  }
}
