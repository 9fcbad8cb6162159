import type { Copy, Provenance, Release, ReleaseApproval, Series } from '../../../contracts/records.ts'

/** A row of the table as it is read. */
export type ReleaseRow = Omit<Release, 'series' | 'provenance' | 'approval'> &
  Omit<Series, 'id'> &
  Omit<Provenance, 'publisher' | 'retrieved_at' | 'copy' | 'file'> & {
    readonly series: string
    readonly publisher: string | null
    readonly retrieved_at: string | null
    readonly copy_holder: string | null
    readonly copy_url: string | null
    readonly copy_revision: string | null
    readonly copy_held_on: string | null
    readonly copy_is_transcribed: boolean
    readonly file_name: string | null
    readonly file_sha256: string
    readonly approval_held_for: string | null
    readonly approval_because: string
    readonly approval_input_id: string
  }

/** The release of a row: the reverse of `project.ts`. */
export const releaseOfRow = (row: ReleaseRow): Release => ({
  release_id: row.release_id,
  series: seriesOfRow(row),
  period: row.period,
  figures: row.figures,
  published: row.published,
  revises: row.revises,
  released_on: row.released_on,
  released_on_basis: row.released_on_basis,
  recorded_at: row.recorded_at,
  provenance: provenanceOfRow(row),
  inputs: row.inputs,
  late: row.late,
  redates: row.redates,
  approval: approvalOfRow(row),
  voids: row.voids,
})

const seriesOfRow = (row: ReleaseRow): Series => ({
  id: row.series,
  indicator: row.indicator,
  country: row.country,
  frequency: row.frequency,
  source: row.source,
  dataset: row.dataset,
  unit: row.unit,
  seasonal_adjustment: row.seasonal_adjustment,
  annualization: row.annualization,
  base_period: row.base_period,
  base_value: row.base_value,
  derivation: row.derivation,
})

const provenanceOfRow = (row: ReleaseRow): Provenance | null =>
  row.publisher === null
    ? null
    : {
        publisher: row.publisher,
        url: row.url,
        licence: row.licence,
        retrieved_at: row.retrieved_at ?? '',
        sha256: row.sha256,
        location: row.location,
        copy: copyOfRow(row),
        file: row.file_name === null ? null : { name: row.file_name, sha256: row.file_sha256 },
      }

const approvalOfRow = (row: ReleaseRow): ReleaseApproval | null =>
  row.approval_held_for === null
    ? null
    : { held_for: row.approval_held_for, because: row.approval_because, input_id: row.approval_input_id }

const copyOfRow = (row: ReleaseRow): Copy | null =>
  row.copy_holder === null
    ? null
    : {
        holder: row.copy_holder,
        url: row.copy_url,
        revision: row.copy_revision,
        held_on: row.copy_held_on,
        is_transcribed: row.copy_is_transcribed,
      }
