/**
 * Object store port: where an archive's files are. An object is written whole and never changed. Names consist of letters,
 * digits, `.`, `-` and `_`, with `/` between their parts. Methods throw ObjectStoreError. Every adapter passes `test/contracts/objects-contract.ts`.
 */
export interface ObjectStore {
  /** The store as messages name it: a directory, or a bucket's address. */
  readonly address: string
  /** Writes an object, durable once it resolves. A reader sees the former object or the new one, never a part. */
  put(name: string, bytes: Uint8Array): Promise<void>
  /** Writes like `put`, unless the object exists. Returns false, and writes nothing, if it does. */
  putIfAbsent(name: string, bytes: Uint8Array): Promise<boolean>
  /** Reads an object, or its bytes from `start` to `end` (exclusive). Undefined if there is no such object. */
  get(name: string, range?: ByteRange): Promise<Uint8Array | undefined>
  /** Size of an object in bytes; undefined if there is no such object. */
  size(name: string): Promise<number | undefined>
  /** Lists the objects below a folder, which ends in `/`, in the order of their names. */
  list(folder: string): AsyncIterable<ObjectListing>
  /** Deletes an object, durable once it resolves. Deleting one that is not there is no error. */
  delete(name: string): Promise<void>
  /** Deletes what killed writers left, if it is older than `before` (UTC ms). */
  sweep(before: number): Promise<void>
  close(): Promise<void>
}

/** A fault of the store: it is away, full, or refuses. A retry may succeed. */
export class ObjectStoreError extends Error {
  override readonly name = 'ObjectStoreError'
  readonly code = 'unavailable'
}

export type ByteRange = { readonly start: number; readonly end: number }

export type ObjectListing = {
  readonly name: string
  readonly bytes: number
  /** When the object was written, UTC ms. */
  readonly modified: number
}

/** Throws on a name that is no object's, such as one that leaves the store. */
export function assertObjectName(name: string): void {
  if (!/^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(name))
    throw new RangeError(`"${name}" is no name of an object`)
}
