type ProjectionErrorCode =
  /** The journal has deleted records that the table lacks. */
  | 'journal_gap'
  /** The table is ahead of the journal's end: the journal was set back. */
  | 'journal_behind'
  /** The table was made by another `table.sql`, or for another journal. */
  | 'table_mismatch'
  /** Another process fills the table, and has not let go of it. */
  | 'projector_running'
  /** Another process is rebuilding the table. */
  | 'rebuild_running'
  /** Another process is comparing the table with a copy. */
  | 'verify_running'
  /** While this process stood still, another one has written to the table that it was to replace. */
  | 'overtaken'

/** A fault that stops a projection until an operator decides which of journal and table is right. */
export class ProjectionError extends Error {
  readonly code: ProjectionErrorCode
  constructor(code: ProjectionErrorCode, detail: string, options?: ErrorOptions) {
    super(`${code}: ${detail}`, options)
    this.name = 'ProjectionError'
    this.code = code
  }
}
