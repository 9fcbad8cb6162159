import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import {
  countAt,
  HEADER_BYTES,
  LmdbDamage,
  type Meta,
  NODE_BYTES,
  newestMeta,
  nodeFlag,
  pageFlag,
  TREE_BYTES,
  type Tree,
  treeAt,
} from './page.ts'

/** Called for every entry of the named databases, in order. The buffers are valid only during the call. */
type Visitor = (database: string, key: Buffer, value: Buffer) => void

/**
 * Bytes of one chunk. The pages of one log are spread over the file, between those of the others, so larger chunks
 * would read the file many times over. For a journal of 24 logs appended in turn (259 MB), chunks of 1 MB read 6.7 GB.
 */
const CHUNK_BYTES = 1 << 12
const CHUNKS = 2_048
/** LMDB's flag for a tree with integer keys, such as the list of free pages. */
const INTEGER_KEYS = 0x08
const DEEPEST = 32

/**
 * Checks every page that the newest commit of an LMDB file uses, and the list of free pages. Throws LmdbDamage at the
 * first fault on which LMDB would fail:
 * - wrong page numbers, kinds, bounds, counts or order of keys;
 * - pages used twice, or both used and free;
 * - pages beyond the end of the file.
 *
 * LMDB can read and write a file that passes without a crash. `databases` names those that the file may hold. No
 * process may write meanwhile. The contents of entries are for `visit` to check.
 */
export function walkLmdb(file: string, databases: ReadonlySet<string>, visit: Visitor): void {
  const descriptor = openSync(file, 'r')
  try {
    new Walk(new FileBytes(descriptor), databases, visit).run()
  } finally {
    closeSync(descriptor)
  }
}

/** Reads in chunks and keeps the last ones, because reading page by page would cost a system call each. */
class FileBytes {
  readonly length: number
  readonly #descriptor: number
  readonly #chunks = new Map<number, Buffer>()

  constructor(descriptor: number) {
    this.#descriptor = descriptor
    this.length = fstatSync(descriptor).size
  }

  /** Reads `length` bytes, or fewer at the end of the file. */
  read(at: number, length: number): Buffer {
    const end = Math.min(at + length, this.length)
    if (end <= at) return Buffer.alloc(0)
    const [first, last] = [Math.floor(at / CHUNK_BYTES), Math.floor((end - 1) / CHUNK_BYTES)]
    if (first === last) return this.#chunk(first).subarray(at - first * CHUNK_BYTES, end - first * CHUNK_BYTES)
    const parts = Array.from({ length: last - first + 1 }, (_, i) => this.#chunk(first + i))
    const from = at - first * CHUNK_BYTES
    return Buffer.concat(parts).subarray(from, from + end - at)
  }

  #chunk(number: number): Buffer {
    const known = this.#chunks.get(number)
    if (known) return known
    const oldest = this.#chunks.size < CHUNKS ? undefined : this.#chunks.keys().next().value
    if (oldest !== undefined) this.#chunks.delete(oldest)
    const bytes = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, this.length - number * CHUNK_BYTES))
    let filled = 0
    for (let count = -1; filled < bytes.length && count !== 0; filled += count)
      count = readSync(this.#descriptor, bytes, filled, bytes.length - filled, number * CHUNK_BYTES + filled)
    const chunk = bytes.subarray(0, filled)
    this.#chunks.set(number, chunk)
    return chunk
  }
}

type Counts = { branches: number; leaves: number; overflows: number; entries: number }
type EntryVisitor = (key: Buffer, value: Buffer, flags: number) => void
/** Properties shared by all pages of one tree. */
type Context = {
  readonly name: string
  readonly tree: Tree
  readonly counts: Counts
  readonly compare: (a: Buffer, b: Buffer) => number
  readonly entry: EntryVisitor
}
/** Bounds of the keys of a page: at or above `from` and below `to`. */
type Range = { readonly from: Buffer | undefined; readonly to: Buffer | undefined }

class Walk {
  readonly #file: FileBytes
  readonly #databases: ReadonlySet<string>
  readonly #visit: Visitor
  readonly #meta: Meta
  /** One bit for each page that the walk has seen, in a tree or in the list of free pages. */
  readonly #seen: Uint8Array

  constructor(file: FileBytes, databases: ReadonlySet<string>, visit: Visitor) {
    this.#file = file
    this.#databases = databases
    this.#visit = visit
    this.#meta = newestMeta((at, length) => file.read(at, length))
    const { pageBytes, lastPage } = this.#meta
    // Free pages at the end need not have been written, but no LMDB file has this many of them.
    if (lastPage > 2 ** 34 || lastPage * pageBytes > 2 ** 46) throw new LmdbDamage('the number of pages is impossible')
    this.#seen = new Uint8Array((lastPage >> 3) + 1)
  }

  run(): void {
    const { free, main } = this.#meta
    this.#walkTree('main tree', main, Buffer.compare, (key, value, flags) => {
      const name = key.toString('latin1').replace(/\0$/, '')
      if ((flags & nodeFlag.tree) === 0) return
      if (!this.#databases.has(name)) throw new LmdbDamage(`it holds a database ${JSON.stringify(name)}`)
      if (value.length !== TREE_BYTES) throw new LmdbDamage(`database ${name} has no root`)
      const tree = treeAt(value, 0, `database ${name}`)
      this.#walkTree(`database ${name}`, tree, Buffer.compare, (k, v) => this.#visit(name, k, v))
    })
    if ((free.flags & INTEGER_KEYS) === 0) throw new LmdbDamage('the list of free pages is of another kind')
    this.#walkTree('list of free pages', free, compareIntegers, (_, value) => this.#markFreePages(value))
  }

  #walkTree(name: string, tree: Tree, compare: Context['compare'], entry: EntryVisitor): void {
    const counts = { branches: 0, leaves: 0, overflows: 0, entries: 0 }
    if (tree.depth > DEEPEST) throw new LmdbDamage(`${name}: ${tree.depth} levels`)
    if (tree.root !== undefined)
      this.#walkPage({ name, tree, counts, compare, entry }, tree.root, 1, { from: undefined, to: undefined })
    for (const kind of ['branches', 'leaves', 'overflows', 'entries'] as const)
      if (counts[kind] !== tree[kind])
        throw new LmdbDamage(`${name}: ${tree[kind]} ${kind} expected, ${counts[kind]} found`)
  }

  #walkPage(context: Context, number: number, level: number, range: Range): void {
    const { name, tree, counts } = context
    const what = `${name}, page ${number}`
    const { pageBytes, transaction } = this.#meta
    this.#markSeen(number, 1, what)
    const page = this.#file.read(number * pageBytes, pageBytes)
    if (page.length < pageBytes) throw new LmdbDamage(`the file ends before ${what}`)
    const flags = page.readUInt16LE(18)
    const isLeaf = level === tree.depth
    if (countAt(page, 0, what) !== number || flags !== (isLeaf ? pageFlag.leaf : pageFlag.branch))
      throw new LmdbDamage(`${what} is another page than expected`)
    if (countAt(page, 8, what) > transaction) throw new LmdbDamage(`${what} belongs to a later transaction`)
    const [lower, upper] = [page.readUInt16LE(20), page.readUInt16LE(22)]
    const body = pageBytes - HEADER_BYTES
    const keys = lower >> 1
    if (lower % 2 !== 0 || lower > upper || upper > body || keys < (isLeaf || name === 'list of free pages' ? 1 : 2))
      throw new LmdbDamage(`${what}: its entries don't fit`)
    counts[isLeaf ? 'leaves' : 'branches']++
    const nodes = this.#nodesOf(page, keys, upper, isLeaf, what)
    this.#assertOrdered(context, nodes, isLeaf, range, what)
    if (isLeaf) for (const node of nodes) this.#walkEntry(context, node, what)
    else
      for (const [i, { key, child }] of nodes.entries())
        this.#walkPage(context, child, level + 1, {
          // The first key of a branch stands for "everything below the second".
          from: i === 0 ? range.from : key,
          to: nodes[i + 1]?.key ?? range.to,
        })
  }

  #nodesOf(page: Buffer, keys: number, upper: number, isLeaf: boolean, what: string): Node[] {
    const nodes: Node[] = []
    let bytes = 0
    for (let i = 0; i < keys; i++) {
      const pointer = page.readUInt16LE(HEADER_BYTES + 2 * i)
      const at = HEADER_BYTES + pointer
      if (pointer < upper || pointer % 2 !== 0 || at + NODE_BYTES > page.length)
        throw new LmdbDamage(`${what}, entry ${i}`)
      const size = page.readUInt16LE(at) + page.readUInt16LE(at + 2) * 65_536
      const flags = page.readUInt16LE(at + 4)
      const data = at + NODE_BYTES + page.readUInt16LE(at + 6)
      const length = isLeaf ? ((flags & nodeFlag.big) === 0 ? size : OVERFLOW_BYTES) : 0
      if (data + length > page.length || (isLeaf && flags > 2)) throw new LmdbDamage(`${what}, entry ${i}`)
      // Computed from the bytes of the page itself, so that entries that overlap are noticed.
      bytes += (data + length - at + 1) & ~1
      nodes.push({
        key: page.subarray(at + NODE_BYTES, data),
        value: page.subarray(data, data + length),
        flags,
        size,
        child: isLeaf ? 0 : size + flags * 2 ** 32,
      })
    }
    if (bytes !== page.length - HEADER_BYTES - upper) throw new LmdbDamage(`${what}: its entries overlap`)
    return nodes
  }

  #assertOrdered({ compare }: Context, nodes: Node[], isLeaf: boolean, range: Range, what: string): void {
    // The first key of a branch is not compared (see `walkPage`).
    const first = isLeaf ? 0 : 1
    let before: Buffer | undefined
    for (const { key } of nodes.slice(first)) {
      const from = before ?? range.from
      const order = from === undefined ? 1 : compare(key, from)
      if (order < 0 || (order === 0 && before !== undefined)) throw new LmdbDamage(`${what}: its keys are out of order`)
      before = key
    }
    if (before !== undefined && range.to !== undefined && compare(before, range.to) >= 0)
      throw new LmdbDamage(`${what}: its keys are out of order`)
  }

  #walkEntry({ counts, entry, name }: Context, { key, value, flags, size }: Node, what: string): void {
    counts.entries++
    if ((flags & nodeFlag.big) === 0) {
      entry(key, value, flags)
      return
    }
    const [first, pages] = [countAt(value, 0, what), countAt(value, 16, what)]
    const { pageBytes } = this.#meta
    const needed = Math.floor((HEADER_BYTES - 1 + size) / pageBytes) + 1
    const overflow = `${name}, page ${first}`
    if (pages < needed) throw new LmdbDamage(`${overflow}: a long value doesn't fit`)
    this.#markSeen(first, pages, overflow)
    const bytes = this.#file.read(first * pageBytes, HEADER_BYTES + size)
    if (bytes.length < HEADER_BYTES + size) throw new LmdbDamage(`the file ends before ${overflow} does`)
    if (
      countAt(bytes, 0, overflow) !== first ||
      bytes.readUInt16LE(18) !== pageFlag.overflow ||
      bytes.readUInt32LE(20) !== pages
    )
      throw new LmdbDamage(`${overflow} is another page than expected`)
    counts.overflows += pages
    entry(key, bytes.subarray(HEADER_BYTES), flags)
  }

  /**
   * Marks free pages as seen. An entry of the list is a u64 count, then page numbers. A negative number -n says that
   * the next number begins a run of n free pages; 0 fills gaps.
   */
  #markFreePages(value: Buffer): void {
    const what = 'list of free pages'
    const count = value.length < 8 ? Number.NaN : Number(value.readBigUInt64LE(0))
    if (!(8 * (count + 1) <= value.length)) throw new LmdbDamage(`${what} is cut short`)
    for (let i = 1, length = 1; i <= count; i++) {
      const entry = Number(value.readBigInt64LE(8 * i))
      if (entry < 0) length = -entry
      else if (entry > 0) this.#markSeen(entry, length, what)
      if (entry >= 0) length = 1
    }
  }

  #markSeen(first: number, pages: number, what: string): void {
    if (first < 2 || pages < 1 || first + pages - 1 > this.#meta.lastPage)
      throw new LmdbDamage(`${what}: there is no page ${first}`)
    for (let page = first; page < first + pages; page++) {
      const [at, bit] = [Math.floor(page / 8), 1 << (page % 8)]
      if (((this.#seen[at] ?? 0) & bit) !== 0) throw new LmdbDamage(`${what}: page ${page} is used twice`)
      this.#seen[at] = (this.#seen[at] ?? 0) | bit
    }
  }
}

type Node = {
  readonly key: Buffer
  readonly value: Buffer
  readonly flags: number
  /** Bytes of the value, in this page or in overflow pages. */
  readonly size: number
  readonly child: number
}

/** Bytes of the reference to a long value: u64 first page · u64 transaction · u64 pages. */
const OVERFLOW_BYTES = 24

const compareIntegers = (a: Buffer, b: Buffer): number => {
  if (a.length !== 8 || b.length !== 8) throw new LmdbDamage('list of free pages: a transaction of another length')
  const [x, y] = [a.readBigUInt64LE(0), b.readBigUInt64LE(0)]
  return x < y ? -1 : x > y ? 1 : 0
}
