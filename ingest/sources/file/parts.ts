/** Parts of a file, in either syntax. */
import type { Kind, Members } from './members.ts'

export type Head = {
  readonly kind: Kind
  /** Members that hold for all rows. */
  readonly members: Members
}

/** A head, and the text that follows it. */
export type Opening = Head & {
  readonly syntax: 'csv' | 'ndjson'
  readonly body: string
  /** Line number of the body's first line. */
  readonly firstLine: number
}

export type FileRow = {
  readonly kind: 'row'
  readonly line: number
  readonly text: string
  /** Members of the row and of the head together. */
  readonly members: Members
}
