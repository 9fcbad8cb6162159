type ArchiveErrorCode =
  /** A file differs from what was written, or is missing. */
  | 'damaged'
  /** There is no archive at the place. */
  | 'no_archive'
  /** The archive is that of another journal. */
  | 'other_journal'
  /** The archive was written by a newer release. */
  | 'newer_format'
  /** The archive holds other records than the journal, or offsets that the journal has not reached. */
  | 'other_history'
  /** The archive does not hold the offset. */
  | 'not_archived'

/** `file` is the name of the object that is at fault; the message contains it. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
  readonly code: ArchiveErrorCode
  readonly file: string | undefined
  constructor(code: ArchiveErrorCode, detail: string, { file, cause }: { file?: string; cause?: unknown } = {}) {
    super(`${code}: ${file === undefined ? '' : `${file}: `}${detail}`, cause === undefined ? {} : { cause })
    this.code = code
    this.file = file
  }
}
