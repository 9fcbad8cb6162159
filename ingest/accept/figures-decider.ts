import type { Provenance } from '../../contracts/records.ts'
import type { Candidate } from '../../domain/decide-release.ts'
import { sourceDay } from '../../domain/publisher-day.ts'
import { type HeldFigures, heldFiguresOf } from '../judge/plausible-figures.ts'
import type { Document, Figure, Item, Missing } from '../source.ts'
import { type Approval, heldFiguresInput, releaseApproval } from './held.ts'
import type { RecordedFigures } from './recorded-figures.ts'
import type { DecidedDocument } from './recorded-quarantine.ts'
import type { Drafts } from './transaction.ts'

/** Decides on the figures of one document, beside those on record. */
export class FiguresDecider {
  readonly #decided: DecidedDocument
  readonly #recorded: RecordedFigures
  #held: ReadonlySet<Item> = new Set()
  #countries: ReadonlySet<string> = new Set()

  constructor(decided: DecidedDocument, recorded: RecordedFigures) {
    this.#decided = decided
    this.#recorded = recorded
  }

  /**
   * Names the items that come next: the next `catchUp` reads what is on record of their countries. Not before, because
   * another document is decided on beside the same figures until it is this one's turn.
   */
  prepareFor(items: readonly Item[]): void {
    this.#countries = new Set(items.flatMap((item) => ('series' in item ? [item.series.country] : [])))
  }

  /** Reads what any process has written since the last call. */
  catchUp(): Promise<void> {
    this.#recorded.prepareFor(this.#countries)
    return this.#recorded.catchUp()
  }

  /** Holds the implausible ones among the items of one transaction, unless a person has approved them. */
  holdImplausible(items: readonly Item[], drafts: Drafts): void {
    const { document, inputs, approval } = this.#decided
    if (approval) return
    const held = heldForReview(document, items, this.#recorded, drafts.recordedAt)
    for (const one of held) inputs.hold(document, drafts, heldFiguresInput(document, one), one.figures.length)
    this.#held = new Set(held.flatMap(({ figures }) => figures))
  }

  /** Decides on a figure, and takes it as on record if it is news. Passes over one that is held. */
  decide(figure: Figure | Missing, drafts: Drafts): void {
    if (this.#held.has(figure)) return
    const { document, inputs, approval } = this.#decided
    const candidate = candidateOf(document, figure, approval)
    const decision = this.#recorded.decide(candidate, drafts.recordedAt)
    switch (decision.outcome) {
      case 'unchanged':
        drafts.tally.unchanged++
        return
      case 'rejected': {
        const text = JSON.stringify({ series: figure.series.id, period: figure.period, figures: candidate.printed })
        inputs.reject(document, drafts, { ...decision, location: figure.location }, Buffer.from(text))
        return
      }
      default:
        drafts.tally[decision.outcome]++
        drafts.releases.push({ value: decision.release, id: decision.release.release_id, at: drafts.at })
    }
  }
}

/**
 * The implausible figures of a document. They need no review if all of them are on record already or cannot be. `at` is ISO 8601.
 */
export const heldForReview = (
  document: Document,
  items: readonly Item[],
  recorded: RecordedFigures,
  at: string,
): HeldFigures[] =>
  heldFiguresOf(document, items, recorded).filter(({ figures }) =>
    figures.some((figure) => recorded.isNews(candidateOf(document, figure), at)),
  )

/**
 * A figure of a document as it is decided on: with the date and the provenance that the document gives it, and the approval if
 * a person has given one.
 */
export const candidateOf = (document: Document, figure: Figure | Missing, approval?: Approval): Candidate => ({
  series: figure.series,
  period: figure.period,
  printed: figure.kind === 'missing' ? null : figure.figures,
  released: releasedOf(document, figure),
  until: figure.kind === 'missing' ? undefined : figure.until,
  provenance: provenanceOf(document, figure),
  approval: approval && releaseApproval(approval),
  seenAt: document.seenAt,
})

function releasedOf({ lastUpdated, seenAt }: Document, { released, series }: Figure | Missing): Candidate['released'] {
  if (released) return released
  if (lastUpdated) return { on: lastUpdated, basis: 'dataset' }
  return seenAt ? { on: sourceDay(series.source, Date.parse(seenAt)), basis: 'first_seen' } : undefined
}

function provenanceOf(document: Document, figure: Figure | Missing): Provenance {
  const { location } = figure
  const origin = figure.kind === 'figure' ? figure.origin : undefined
  const { publisher, url, licence, fileName } = document
  const { retrievedAt, sha256 } = origin ?? document
  return {
    publisher,
    url,
    licence,
    retrieved_at: retrievedAt ?? '',
    sha256: sha256 ?? '',
    location,
    copy: origin?.copy ?? null,
    file: fileName === undefined ? null : { name: fileName, sha256: document.sha256 },
  }
}
