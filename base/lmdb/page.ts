/**
 * Pages of an LMDB data file as lmdb-js 3.5 writes them (`dependencies/lmdb/libraries/liblmdb/mdb.c`, data version 2).
 * They are read without the engine, because the engine ends the process at a damaged page.
 *
 *   page    u64 page number · u64 transaction · u16 – · u16 flags · u16 lower · u16 upper (overflow: u32 pages) · …
 *   node    u16 low · u16 high · u16 flags · u16 key length · key · data
 *   tree    u32 – · u16 flags · u16 depth · u64 branch pages · u64 leaf pages · u64 overflow pages · u64 entries · u64 root
 *   meta    page header · u32 magic · u32 version · u64 – · u64 map size · tree (free pages) · tree (main) · u64 last page · u64 transaction
 *
 * Numbers are little-endian, as on all machines for which lmdb-js has binaries. `lower` and the places of nodes count
 * from the end of the header.
 */
export const HEADER_BYTES = 24
export const NODE_BYTES = 8
export const TREE_BYTES = 48
const MAGIC = 0xbeefc0de
const VERSION = 2
const META_BYTES = HEADER_BYTES + 24 + 2 * TREE_BYTES + 16
const LARGEST_PAGE = 65_536

export const pageFlag = { branch: 1, leaf: 2, overflow: 4, meta: 8 } as const
export const nodeFlag = { big: 1, tree: 2 } as const
const NO_ROOT = 0xffff_ffff_ffff_ffffn

/** A page says something untrue on which LMDB would rely. */
export class LmdbDamage extends Error {
  override readonly name = 'LmdbDamage'
}

export type Tree = {
  readonly flags: number
  readonly depth: number
  readonly branches: number
  readonly leaves: number
  readonly overflows: number
  readonly entries: number
  /** Undefined: the tree is empty. */
  readonly root: number | undefined
}

export type Meta = {
  readonly pageBytes: number
  readonly free: Tree
  readonly main: Tree
  readonly lastPage: number
  readonly transaction: number
}

/** Reads a page number, a count or a transaction. Throws LmdbDamage if it is too great for any file. */
export function countAt(bytes: Buffer, at: number, what: string): number {
  const count = bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4) * 2 ** 32
  if (!Number.isSafeInteger(count)) throw new LmdbDamage(`${what} is impossibly great`)
  return count
}

export function treeAt(bytes: Buffer, at: number, what: string): Tree {
  return {
    flags: bytes.readUInt16LE(at + 4),
    depth: bytes.readUInt16LE(at + 6),
    branches: countAt(bytes, at + 8, `${what}: the number of branch pages`),
    leaves: countAt(bytes, at + 16, `${what}: the number of leaf pages`),
    overflows: countAt(bytes, at + 24, `${what}: the number of overflow pages`),
    entries: countAt(bytes, at + 32, `${what}: the number of entries`),
    root: bytes.readBigUInt64LE(at + 40) === NO_ROOT ? undefined : countAt(bytes, at + 40, `${what}: the root page`),
  }
}

/** Reads a meta page from its first bytes. Throws LmdbDamage. */
function metaIn(bytes: Buffer, page: number): Meta {
  const what = `page ${page}`
  if (bytes.length < META_BYTES) throw new LmdbDamage(`the file ends before ${what} does`)
  if (bytes.readUInt16LE(18) !== pageFlag.meta || bytes.readUInt32LE(24) !== MAGIC)
    throw new LmdbDamage(`${what} is not the head of an LMDB file`)
  if ((bytes.readUInt32LE(28) & 0xffff) !== VERSION)
    throw new LmdbDamage(`${what} was written by another version of LMDB`)
  const trees = HEADER_BYTES + 24
  const pageBytes = bytes.readUInt32LE(trees)
  if (pageBytes < 512 || pageBytes > LARGEST_PAGE || (pageBytes & (pageBytes - 1)) !== 0)
    throw new LmdbDamage(`${what}: the page size is impossible`)
  const end = trees + 2 * TREE_BYTES
  const lastPage = countAt(bytes, end, `${what}: the number of pages`)
  const mapBytes = countAt(bytes, HEADER_BYTES + 16, `${what}: the size of the map`)
  if (mapBytes > 2 ** 46 || (lastPage + 1) * pageBytes > mapBytes)
    throw new LmdbDamage(`${what}: the size of the map is impossible`)
  return {
    pageBytes,
    free: treeAt(bytes, trees, `${what}, free pages`),
    main: treeAt(bytes, trees + TREE_BYTES, `${what}, main tree`),
    lastPage,
    transaction: countAt(bytes, end + 8, `${what}: the transaction`),
  }
}

/**
 * The newer of the two meta pages. They describe the last two commits, and each commit writes the page of its parity.
 * Throws LmdbDamage also if a meta page is not that of the expected commit, because LMDB would then continue from an
 * older state.
 */
export function newestMeta(read: (at: number, length: number) => Buffer): Meta {
  const first = metaIn(read(0, META_BYTES), 0)
  const second = metaIn(read(first.pageBytes, META_BYTES), 1)
  if (second.pageBytes !== first.pageBytes) throw new LmdbDamage('pages 0 and 1 differ in the page size')
  const [older, newer] = first.transaction > second.transaction ? [second, first] : [first, second]
  const isNew = newer.transaction === 0
  const follows = newer.transaction - older.transaction === 1 && newer.transaction % 2 === (newer === second ? 1 : 0)
  if (!isNew && !follows)
    throw new LmdbDamage(`pages 0 and 1 belong to transactions ${first.transaction} and ${second.transaction}`)
  return newer
}
