/** What a file is made of, in either syntax. */
import type { Kind, Members } from './members.ts'

export type Head = {
  readonly kind: Kind
  /** What the head says of all rows. */
  readonly members: Members
}

/** A head, and the text that follows it. */
export type Opening = Head & {
  readonly syntax: 'csv' | 'ndjson'
  readonly body: string
  /** Of the body. */
  readonly firstLine: number
}

export type FileRow = {
  readonly kind: 'row'
  readonly line: number
  readonly text: string
  /** The row's own and the head's. */
  readonly members: Members
}
