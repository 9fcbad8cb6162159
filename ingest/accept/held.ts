import { hash } from 'node:crypto'
import type { Rejected, ReleaseApproval } from '../../contracts/records.ts'
import { cutText } from '../cut.ts'
import type { HeldFigures } from '../judge/plausible-figures.ts'
import type { HeldPrices } from '../judge/plausible-prices.ts'
import { keptLimits } from '../limits.ts'
import type { Document, Figure, Item, Items, Missing, Price } from '../source.ts'
import { inputIdOf, type RowFault } from './rejected.ts'
import type { Tally } from './tally.ts'

/**
 * Held figures and prices are quarantine records whose bytes say all that is needed to accept them later. An approval is a
 * record of the same topic, in the transaction that accepts them.
 */

/** A person's approval of held figures or prices. */
export type Approval = {
  readonly inputId: string
  /** Reason for which they were held. */
  readonly heldFor: string
  readonly by: string
  readonly because: string
}

/** Person who approves held input, and the reason given. */
export type ApprovalReason = Pick<Approval, 'by' | 'because'>

/** Reason of the record of an approval. */
export const APPROVED = 'approved'
const HELD = 'held_'
export const isHeld = (reason: string): boolean => reason.startsWith(HELD)

/** A document without its bytes and without the path of a local file: the journal has no name of a folder. */
type KeptDocument = Omit<Document, 'bytes' | 'file'>

/** What the bytes of a held input say. What all figures or prices have in common stands once. */
type Kept = { readonly document: KeptDocument } & (
  | {
      readonly series: Figure['series']
      readonly figures: readonly (Omit<Figure, 'series'> | Omit<Missing, 'series'>)[]
    }
  | { readonly symbol: string; readonly prices: readonly Omit<Price, 'symbol'>[] }
)

/**
 * Held figures or prices as an input of quarantine. The id follows from each of them: a document that is read again may be
 * held at other periods, or at more of them, because something else is on record by then.
 */
export type HeldInput = {
  readonly id: string
  /** Id in releases up to 0.3. It can go once 90 days have deleted their entries. */
  readonly formerId: string
  readonly fault: RowFault
  readonly bytes: Uint8Array
}

/** Held figures of one series as an input of quarantine. */
export function heldFiguresInput(document: Document, { reason, detail, figures }: HeldFigures): HeldInput {
  const [first] = figures
  if (!first) throw new Error('no figure is held')
  const { series } = first
  const periods = figures.map(({ period }) => period).sort()
  return inputOf(
    document,
    { reason, detail, location: `${series.id}, ${spanOf(periods)} (${first.location})` },
    { document: keptDocument(document), series, figures: figures.map(({ series: _, ...figure }) => figure) },
    figures.map(({ period, location }) => `${period} ${location}`),
  )
}

/** Held prices of one symbol, in order of time, as an input of quarantine. */
export function heldPricesInput(document: Document, { reason, detail, prices }: HeldPrices): HeldInput {
  const [first] = prices
  if (!first) throw new Error('no price is held')
  const { symbol } = first
  const times = prices.map(({ observedAt }) => observedAt)
  return inputOf(
    document,
    { reason, detail: `${symbol}: ${detail}`, location: `${symbol}, ${spanOf(times)} (${first.location})` },
    { document: keptDocument(document), symbol, prices: prices.map(({ symbol: _, ...price }) => price) },
    prices.map(({ observedAt, location }) => `${observedAt} ${location}`),
  )
}

/** `items` says which ones are held: the period or time of each, and its place in the document. */
function inputOf(document: Document, fault: RowFault, kept: Kept, items: readonly string[]): HeldInput {
  const id = hash('sha256', [document.sha256, fault.reason, fault.location, ...items].join('\n'))
  return { id, formerId: inputIdOf(document, fault), fault, bytes: Buffer.from(JSON.stringify(kept)) }
}

const keptDocument = ({ bytes: _, file: __, ...kept }: Document): KeptDocument => kept
const spanOf = (ordered: readonly string[]): string =>
  ordered.length === 1 ? `${ordered[0]}` : `${ordered[0]} to ${ordered.at(-1)}`

/** Id of the record which says that a held input was approved. */
export const approvalId = (inputId: string): string => hash('sha256', `${APPROVED} ${inputId}`)

/**
 * Id of a held input that comes again after it was approved, because something else is on record by then. An approval
 * is of one holding, so this one waits for its own.
 */
export const heldAgainId = (inputId: string): string => hash('sha256', `held again ${inputId}`)

/** The approval as each release has it that comes of it: public, so without the person's name. */
export const releaseApproval = ({ inputId, heldFor, because }: Approval): ReleaseApproval => ({
  held_for: heldFor,
  because: cutText(because, keptLimits.detail),
  input_id: inputId,
})

type Input = Omit<Rejected, 'bytes' | 'part'>
export type Approved =
  | { readonly outcome: 'accepted'; readonly tally: Tally }
  | { readonly outcome: 'not_held' | 'not_whole' }

/** What `approve` needs of the `Acceptor`. */
type Accepting = {
  accept(
    document: Document,
    items: Items,
    options: { readonly approval: Approval; readonly onFault?: ((fault: RowFault) => void) | undefined },
  ): Promise<Tally>
}

/**
 * Accepts held figures or prices because a person says so. Figures are dated as they would have been when they were held, so
 * approving an older document after a newer one changes no current figure. What cannot be is rejected all the same;
 * `onFault` is called for each such figure.
 */
export async function approve(
  { input, bytes }: { readonly input: Input; readonly bytes: Uint8Array },
  reason: ApprovalReason,
  acceptor: Accepting,
  onFault?: (fault: RowFault) => void,
): Promise<Approved> {
  if (!isHeld(input.reason)) return { outcome: 'not_held' }
  const kept = keptOf(bytes)
  if (!kept) return { outcome: 'not_whole' }
  const document: Document = {
    ...kept.document,
    bytes: new Uint8Array(),
    seenAt: input.recorded_at,
  }
  const approval = { inputId: input.input_id, heldFor: input.reason, ...reason }
  return { outcome: 'accepted', tally: await acceptor.accept(document, itemsOf(kept), { onFault, approval }) }
}

/** What the bytes of a held input say; undefined if only their beginning was kept. */
function keptOf(bytes: Uint8Array): Kept | undefined {
  try {
    // Cast: only `inputOf` writes such bytes.
    return JSON.parse(Buffer.from(bytes).toString()) as Kept
  } catch {
    // Cut at the limit, so no JSON.
    return undefined
  }
}

function itemsOf(kept: Kept): Item[] {
  if ('prices' in kept) return kept.prices.map((price) => ({ ...price, symbol: kept.symbol }))
  // Cast: a member of the union with its series is a member again.
  return kept.figures.map((figure) => ({ ...figure, series: kept.series }) as Figure | Missing)
}
