import { createHash } from 'node:crypto'
import type { Rejected, ReleaseApproval } from '../contracts/records.ts'
import type { Draft } from '../journal/typed.ts'
import type { Acceptor } from './accept.ts'
import { cutText } from './cut.ts'
import { keptLimits } from './limits.ts'
import type { HeldFigures } from './plausible.ts'
import type { RowFault } from './rejected.ts'
import type { Document, Figure, Missing } from './source.ts'
import type { Tally } from './tally.ts'

/**
 * Held figures are quarantine records whose bytes say all that is needed to accept them later. An approval is a record of
 * the same topic, in the transaction that accepts the figures.
 */

/** A person's approval of held figures. */
export type Approval = {
  readonly inputId: string
  /** Reason for which they were held. */
  readonly heldFor: string
  readonly by: string
  readonly because: string
}

/** Reason of the record of an approval. */
export const APPROVED = 'approved'
const HELD = 'held_'
export const isHeld = (reason: string): boolean => reason.startsWith(HELD)

type KeptFigures = {
  readonly document: Omit<Document, 'bytes'>
  readonly series: Figure['series']
  readonly figures: readonly (Omit<Figure, 'series'> | Omit<Missing, 'series'>)[]
}

/** A held publication as an input of quarantine. */
export function heldInput(
  document: Document,
  { reason, detail, figures }: HeldFigures,
): { fault: RowFault; bytes: Uint8Array } {
  const { bytes: _, ...origin } = document
  const [first] = figures
  if (!first) throw new Error('no figure is held')
  const { series } = first
  const periods = figures.map(({ period }) => period).sort()
  const span = periods.length === 1 ? periods[0] : `${periods[0]} to ${periods.at(-1)}`
  const kept: KeptFigures = {
    document: origin,
    series,
    figures: figures.map(({ series: _, ...figure }) => figure),
  }
  return {
    fault: { reason, detail, location: `${series.id}, ${span} (${first.location})` },
    bytes: Buffer.from(JSON.stringify(kept)),
  }
}

/** Id of the record which says that a held input was approved. */
export const approvalId = (inputId: string): string =>
  createHash('sha256').update(`${APPROVED} ${inputId}`).digest('hex')

/**
 * Id of a held input that comes again after it was approved, because something else is on record by then. An approval
 * is of one holding, so this one waits for its own.
 */
export const heldAgainId = (inputId: string): string =>
  createHash('sha256').update(`held again ${inputId}`).digest('hex')

/** The approval as each release has it that comes of it: public, so without the person's name. */
export const releaseApproval = ({ inputId, heldFor, because }: Approval): ReleaseApproval => ({
  held_for: heldFor,
  because: cutText(because, keptLimits.detail),
  input_id: inputId,
})

/** The record that held figures were approved: by whom, why and when. */
export function approvalDraft(document: Document, { inputId, by, because }: Approval, at: number): Draft<'quarantine'> {
  const input_id = approvalId(inputId)
  const value: Rejected = {
    input_id,
    source: cutText(document.source, keptLimits.name),
    dataset: cutText(document.dataset, keptLimits.name),
    url: cutText(document.url, keptLimits.name),
    reason: APPROVED,
    detail: cutText(`${by}: ${because}`, keptLimits.detail),
    location: inputId,
    retrieved_at: new Date(at).toISOString(),
    recorded_at: new Date(at).toISOString(),
    sha256: document.sha256,
    part: 1,
    parts: 1,
    bytes: Buffer.from(JSON.stringify({ input_id: inputId, by, because })),
  }
  return { value, id: `${input_id}/1`, at }
}

type Input = Omit<Rejected, 'bytes' | 'part'>
export type Approved =
  | { readonly outcome: 'accepted'; readonly tally: Tally }
  | { readonly outcome: 'not_held' | 'not_whole' }

/**
 * Accepts held figures because a person says so. They are dated as they would have been on the day on which they were held,
 * so approving an older document after a newer one changes no current figure. What cannot be is rejected all the same.
 */
export async function approve(
  { input, bytes }: { readonly input: Input; readonly bytes: Uint8Array },
  said: Pick<Approval, 'by' | 'because'>,
  acceptor: Acceptor,
  signal?: AbortSignal,
): Promise<Approved> {
  if (!isHeld(input.reason)) return { outcome: 'not_held' }
  const kept = keptFigures(bytes)
  if (!kept) return { outcome: 'not_whole' }
  const { series, figures } = kept
  const document: Document = {
    ...kept.document,
    bytes: new Uint8Array(),
    heldForReviewOn: input.recorded_at.slice(0, 10),
  }
  // Cast: a member of the union with its series is a member again.
  const items = figures.map((figure) => ({ ...figure, series }) as Figure | Missing)
  const approval = { inputId: input.input_id, heldFor: input.reason, ...said }
  return { outcome: 'accepted', tally: await acceptor.accept(document, items, { signal, approval }) }
}

/** The figures that the bytes of a held input state; undefined if only their beginning was kept. */
function keptFigures(bytes: Uint8Array): KeptFigures | undefined {
  try {
    // Cast: only `heldInput` writes such bytes.
    return JSON.parse(Buffer.from(bytes).toString()) as KeptFigures
  } catch {
    // Cut at the limit, so no JSON.
    return undefined
  }
}
