type ProjectionErrorCode =
  /** The journal has deleted records that the table lacks. */
  | 'journal_gap'
  /** The table has got further than the journal reaches: the journal was set back. */
  | 'journal_behind'
  /** The table was made by another `table.sql`, or for another journal. */
  | 'table_mismatch'

/** Why a projection can't go on until somebody has decided what is right. */
export class ProjectionError extends Error {
  readonly code: ProjectionErrorCode
  constructor(code: ProjectionErrorCode, detail: string, options?: ErrorOptions) {
    super(`${code}: ${detail}`, options)
    this.name = 'ProjectionError'
    this.code = code
  }
}
