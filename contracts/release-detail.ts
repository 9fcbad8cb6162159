import { Type } from '#typebox'
import { dateBasis, revisesMeaning } from './catalog.ts'
import { chargedProblems, noParameters, type Operation } from './operation.ts'
import { ReleaseApproval, Series } from './records.ts'
import { AnyPeriod, CountryCode, IsoDate, nullable, SignedDecimal, strict, Timestamp } from './scalars.ts'
import { namelessProvenance, ServedProvenance } from './served-provenance.ts'

/** Where a figure comes from: a release with its document, its inputs and its place among the vintages. */

const ReleaseId = Type.String({
  pattern: '^rel_[0-9A-HJKMNP-TV-Z]{26}$',
  description: '`rel_` and 26 characters of Crockford’s base32',
})
/** The events of a release lead to it by their own id, because they have no member for its id. */
const ReleaseKey = Type.String({
  pattern: '^(?:rel|evt)_[0-9A-HJKMNP-TV-Z]{26}$',
  description: 'Id of a release, or of an event `economics.release.…`, which stands for its release',
})
const figures = Type.Record(Type.String(), SignedDecimal, {
  description: 'Decimals by the member of the body; empty if the publisher has withdrawn them',
})

const ReleaseInput = strict(
  {
    release_id: ReleaseId,
    indicator: Type.String({ description: 'Indicator code, e.g. gdp-volume' }),
    period: AnyPeriod,
    figures,
    provenance: {
      ...nullable(namelessProvenance()),
      description: 'Its document; null if it is derived itself',
    },
    link: Type.String({ description: 'Address of the release' }),
  },
  { $id: 'ReleaseInput', description: 'A release from which another one is computed' },
)
export type ReleaseInput = Type.Static<typeof ReleaseInput>

const ReleaseDetail = strict(
  {
    release_id: ReleaseId,
    country: CountryCode,
    indicator: Type.String({ description: 'Indicator code, e.g. cpi' }),
    series: Series,
    period: { ...AnyPeriod, description: 'What the figures measure' },
    figures,
    printed: {
      ...nullable(Type.Record(Type.String(), Type.String())),
      description: 'The figures as the publisher printed them; null if they are derived, because nobody printed them',
    },
    revises: nullable({ ...ReleaseId, description: `The release that this one revised. ${revisesMeaning}` }),
    revised_by: nullable({
      ...ReleaseId,
      description:
        'The release that took the place of this one: the next print, or one with a better date; of a derived one that never was true, the record that voids it; null if none has',
    }),
    released_on: IsoDate,
    released_on_basis: dateBasis,
    recorded_at: { ...Timestamp, description: 'When this service accepted the release' },
    late: Type.Boolean({
      description: 'Whether a later print was on record already when this one was accepted: it never was current',
    }),
    redates: nullable({ ...ReleaseId, description: 'The release with the same figures whose date this one corrects' }),
    voids: nullable({
      ...ReleaseId,
      description:
        'The derived release that this record voids: by the dates of its inputs it never was true. Such a record has no figures; null for all others',
    }),
    is_current: Type.Boolean({ description: 'Whether no release has taken the place of this one' }),
    is_voided: Type.Boolean({
      description:
        'Whether the record in `revised_by` voids this release: by the dates of its inputs it never was true, and no history has it',
    }),
    is_served: Type.Boolean({
      description:
        'Whether this release is in the history of the indicator, and answers a request for its period unless it lacks a figure of the body',
    }),
    provenance: {
      ...nullable(ServedProvenance),
      description:
        'The document: its publisher, address and SHA-256, when it was fetched, its licence, the copy through which it came and the place in it; null if the figures are derived, see inputs',
    },
    approval: {
      ...nullable(strict(ReleaseApproval.properties)),
      description:
        'The approval by a person, if the figures were held as implausible: why they were held (`held_for`), why they are right (`because`), and the id of the held figures (`input_id`). It was given at recorded_at. Null if they were not held',
    },
    derivation: Type.String({ description: 'The rule by which the figures are computed; empty: as published' }),
    inputs: Type.Array(ReleaseInput, {
      description: 'The releases from which the figures were computed; empty if they are published ones',
    }),
    event: {
      ...nullable(
        strict({
          id: Type.String({ description: 'Id of the event; events_get has it' }),
          sequence: Type.String({ description: 'Its place in the event journal, zero-padded to 20 digits' }),
          time: Timestamp,
        }),
      ),
      description:
        'The public event of the release; null if it made none, because its series is not served or it lacks a figure, or if it is not published yet',
    },
    link: nullable(
      Type.String({ description: 'Address of the figure of this period; null for an indicator that is only an input' }),
    ),
  },
  {
    $id: 'ReleaseDetail',
    description:
      'A release: one or more figures of one series and period. revised_by, is_current and is_served say how things stand now; event is null until it is published. Nothing else ever changes',
  },
)
export type ReleaseDetail = Type.Static<typeof ReleaseDetail>

export const releaseOperationId = 'releases_get'

export const releasePath = (id: string): string => `/v1/releases/${id}`

/** Value of a Link header (RFC 8288) that leads from a figure or an event to its release. */
export const releaseLink = (id: string): string => `<${releasePath(id)}>; rel="describedby"`

/** The id of the release that a Link header leads to, which it names first. */
export const releaseIdIn = (link: string | undefined): string | undefined =>
  /^<(?:\/asof\/[\d-]+(?:\/estimated)?)?\/v1\/releases\/(rel_\w+)>; rel="describedby"(?:,|$)/.exec(link ?? '')?.[1]

export const releaseOperations: readonly Operation[] = [
  {
    id: releaseOperationId,
    method: 'GET',
    path: releasePath('{release_id}'),
    summary: 'Where a figure comes from: its document, its inputs, and what it revised',
    description:
      'A release by its id: the figures, also as they were printed, the publisher’s document with address, SHA-256, place and licence, the copy through which it came if it was not read from the publisher, when it was fetched, released and recorded, and what the day of release is based on. A derived figure has `inputs` instead, each with its figures and a link that leads on to its document. Ids are in the Link header (rel="describedby") of every figure and of an event read by its id, in vintages and in `inputs`. The id of an event of a release does as well: pages and frames of events need no further member. Old vintages are found too.',
    tag: 'Economics',
    access: 'charged',
    params: strict({ release_id: ReleaseKey }),
    query: noParameters,
    response: ReleaseDetail,
    problems: [...chargedProblems, 'release_not_found'],
  },
]
