import type { Document, Item } from '../source.ts'

/** IPC messages between the service and its parser process. The document's bytes go over standard input. */

/** `parse` begins a document and drops the previous one. `next` asks for the next batch of its items. */
export type Request =
  | {
      readonly kind: 'parse'
      /** Name of `openSource`. */
      readonly source: string
      readonly document: Omit<Document, 'bytes' | 'file'>
      /** Number of bytes that follow on standard input. */
      readonly size: number
      /** Whether to read them in pieces. The process reads no other document after such a one. */
      readonly inPieces: boolean
    }
  | { readonly kind: 'next' }

export type ParserAnswer =
  /** Comes first, for a document that was fetched. */
  | { readonly kind: 'structure'; readonly names: readonly string[] }
  | { readonly kind: 'items'; readonly items: readonly Item[] }
  /** The document has no more items. */
  | { readonly kind: 'end'; readonly usage: ResourceUsage }
  /** The document can't be read: the `DocumentError`, its texts cut to size. */
  | { readonly kind: 'refused'; readonly reason: string; readonly detail: string; readonly location: string }
  /** The parser itself failed. */
  | { readonly kind: 'failed'; readonly detail: string }

/** Resources that the process has used since its start. */
export type ResourceUsage = { readonly cpuMs: number; readonly residentBytes: number }
