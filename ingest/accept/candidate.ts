import type { Provenance } from '../../contracts/records.ts'
import type { Candidate } from '../../domain/decide-release.ts'
import type { Document, Figure, Missing } from '../source.ts'
import { type Approval, releaseApproval } from './approval.ts'

/**
 * A figure of a document as it is judged: with the date and the provenance that the document gives it, and the approval if
 * a person has given one.
 */
export const candidateOf = (document: Document, figure: Figure | Missing, approval?: Approval): Candidate => ({
  series: figure.series,
  period: figure.period,
  printed: figure.kind === 'missing' ? null : figure.figures,
  released: releasedOf(document, figure),
  provenance: provenanceOf(document, figure),
  approval: approval && releaseApproval(approval),
  seenAt: document.seenAt,
  inputs: [],
})

function releasedOf({ lastUpdated, seenAt }: Document, { released }: Figure | Missing): Candidate['released'] {
  if (released) return released
  if (lastUpdated) return { on: lastUpdated, basis: 'dataset' }
  return seenAt ? { on: seenAt.slice(0, 10), basis: 'first_seen' } : undefined
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
