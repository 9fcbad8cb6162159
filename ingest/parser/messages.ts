import type { Document, Item } from '../source.ts'

/** Messages between the service and its parser process over IPC. The document's bytes go over standard input. */

/** `parse` begins a document and forgets the one before; `next` asks for its next items, one batch a request. */
export type Request =
  | {
      readonly kind: 'parse'
      /** Key of `openSources`. */
      readonly source: string
      readonly document: Omit<Document, 'bytes'>
      /** Bytes that follow on standard input. */
      readonly size: number
    }
  | { readonly kind: 'next' }

export type ParserAnswer =
  | { readonly kind: 'items'; readonly items: readonly Item[] }
  /** All items were given. */
  | { readonly kind: 'end'; readonly usage: ResourceUsage }
  /** The document can't be read: what its `DocumentError` said, cut. */
  | { readonly kind: 'refused'; readonly reason: string; readonly detail: string; readonly location: string }
  /** The parser itself failed. */
  | { readonly kind: 'failed'; readonly detail: string }

/** Resources that the process has used since it began. */
export type ResourceUsage = { readonly cpuMs: number; readonly residentBytes: number }
