import { createHash } from 'node:crypto'
import type { Rejected } from '../contracts/records.ts'
import type { TypedJournal } from '../journal/typed.ts'
import type { Acceptor } from './accept/accept.ts'
import { APPROVED, isHeld } from './accept/held.ts'
import type { Tally } from './accept/tally.ts'
import { fileNameOf } from './fetch/local-file.ts'
import { removedDataset, removedSource } from './removed.ts'
import { type Document, DocumentError, type IngestSource } from './source.ts'
import { fileDocument, fileIdentity } from './sources/file/fetch.ts'

export type RejectedInput = Omit<Rejected, 'bytes' | 'part'>

/** Which rejected inputs are meant. An absent member filters nothing; `since` is UTC milliseconds. */
type RejectedFilter = { readonly source?: string; readonly reason?: string; readonly since?: number }

/** Yields the rejected inputs that the journal has, oldest first. */
export async function* rejectedInputs(
  journal: TypedJournal,
  { source, reason, since = Number.NEGATIVE_INFINITY }: RejectedFilter = {},
): AsyncGenerator<RejectedInput> {
  for await (const { records } of journal.readToEnd('quarantine', 0)) {
    for (const { value } of records) {
      const { bytes: _, part, ...input } = value
      if (part !== 1 || Date.parse(input.recorded_at) < since) continue
      if ((source ?? input.source) === input.source && (reason ?? input.reason) === input.reason) yield input
    }
  }
}

/** Returns the held inputs that nobody has approved, oldest first. */
export async function heldInputs(journal: TypedJournal, filter: RejectedFilter = {}): Promise<RejectedInput[]> {
  const approved = await approvedInputs(journal)
  const held: RejectedInput[] = []
  for await (const input of rejectedInputs(journal, filter)) if (isHeld(input.reason)) held.push(input)
  return held.filter(({ input_id }) => !approved.has(input_id))
}

/** Returns the ids of the held inputs that were approved. */
export async function approvedInputs(journal: TypedJournal): Promise<ReadonlySet<string>> {
  const approved = new Set<string>()
  for await (const { location } of rejectedInputs(journal, { reason: APPROVED })) approved.add(location)
  return approved
}

/** Returns the newest rejected inputs, the newest first. */
export async function newestRejected(journal: TypedJournal, most: number): Promise<RejectedInput[]> {
  const newest: RejectedInput[] = []
  for await (const input of rejectedInputs(journal)) {
    newest.push(input)
    if (newest.length > 2 * most) newest.splice(0, most)
  }
  return newest.slice(-most).reverse()
}

/** A rejected input with all its bytes that are kept. */
type WholeInput = { readonly input: RejectedInput; readonly bytes: Uint8Array }

/** Yields the input of each id with its bytes, oldest first, in one pass. One that lacks a part is left out. */
export async function* wholeInputs(journal: TypedJournal, ids: ReadonlySet<string>): AsyncGenerator<WholeInput> {
  const begun = new Map<string, Map<number, Uint8Array>>()
  for await (const { records } of journal.readToEnd('quarantine', 0)) {
    for (const { value } of records) {
      const { bytes, part, ...input } = value
      if (!ids.has(input.input_id)) continue
      const parts = (begun.get(input.input_id) ?? new Map<number, Uint8Array>()).set(part, bytes)
      begun.set(input.input_id, parts)
      if (parts.size < input.parts) continue
      begun.delete(input.input_id)
      const ordered = [...parts].sort(([a], [b]) => a - b).map(([, bytes]) => bytes)
      yield { input, bytes: Buffer.concat(ordered) }
    }
  }
}

/** Returns a rejected input with its bytes; undefined if the journal does not have it whole. */
export async function rejectedInput(journal: TypedJournal, id: string): Promise<WholeInput | undefined> {
  for await (const found of wholeInputs(journal, new Set([id]))) return found
  return undefined
}

/**
 * Outcome of reading a rejected input again. `approval`: it is no input, but the record of an approval. `not_whole`: the
 * journal keeps a row or a beginning only.
 */
export type Retried =
  | { readonly outcome: 'accepted'; readonly tally: Tally }
  | { readonly outcome: 'rejected'; readonly error: DocumentError }
  | { readonly outcome: 'approval' | 'approved' | 'held' | 'not_whole' | 'unknown_source' }
  /** Its source or dataset is no longer read: since when, and why. */
  | { readonly outcome: 'removed'; readonly detail: string }

/**
 * Reads a rejected document again with today's reader, and accepts what it gives like any document: once, because the acceptor
 * recognises what is on record, also in quarantine. `sources` are those of `openSources`, `approved` those of `approvedInputs`.
 */
export async function retryInput(
  { input, bytes }: WholeInput,
  { sources, approved }: { readonly sources: readonly IngestSource[]; readonly approved: ReadonlySet<string> },
  acceptor: Acceptor,
  signal?: AbortSignal,
): Promise<Retried> {
  if (input.reason === APPROVED) return { outcome: 'approval' }
  if (isHeld(input.reason)) return { outcome: approved.has(input.input_id) ? 'approved' : 'held' }
  if (createHash('sha256').update(bytes).digest('hex') !== input.sha256) return { outcome: 'not_whole' }
  const found = readerOf(input, bytes, sources)
  // A file in Almanac's own format is read whatever source and dataset it names.
  const detail = found?.source.name === fileIdentity.name ? undefined : removalOf(input)
  if (detail !== undefined) return { outcome: 'removed', detail }
  if (!found) return { outcome: 'unknown_source' }
  const { source, document } = found
  try {
    return { outcome: 'accepted', tally: await acceptor.accept(document, source.parse(document, signal), { signal }) }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    // It may be rejected for another reason now, which is then on record, too.
    await acceptor.reject(document, error, signal)
    return { outcome: 'rejected', error }
  }
}

const removalOf = ({ source, dataset }: RejectedInput): string | undefined =>
  removedSource(source) ?? removedDataset(source, dataset)

/** The document of a rejected input as it was first read, with its source; undefined if this release lacks the source. */
function readerOf(
  { source: name, dataset, url, retrieved_at, sha256, recorded_at: seenAt }: RejectedInput,
  bytes: Uint8Array,
  sources: readonly IngestSource[],
): { readonly source: IngestSource; readonly document: Document } | undefined {
  const isLocal = url.startsWith('file:')
  const retrievedAt = isLocal ? null : retrieved_at
  const file = fileDocument(bytes, { fileName: fileNameOf(url), url, retrievedAt })
  // A file in Almanac's own format is on record under the source that its head names, which need not be one of this release.
  const isFile = name === fileIdentity.name || file.source === name
  const source = sources.find((one) => one.name === (isFile ? fileIdentity.name : name))
  if (!source) return undefined
  if (isFile) return { source, document: { ...file, seenAt } }
  const { publisher, licence } = source
  return { source, document: { source: name, dataset, publisher, licence, url, retrievedAt, sha256, bytes, seenAt } }
}
