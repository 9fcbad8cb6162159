import { isUtf8 } from 'node:buffer'

const LENGTH_BYTES = 4
const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193
/** Number of values after which a column is no longer searched if most of them were new. */
const ENOUGH = 1_000
export const areMostlyNew = (count: number, searched: number): boolean => searched >= ENOUGH && 2 * count > searched
/** Texts of fewer bytes are copied faster by a loop. */
const SHORT = 48

/**
 * The texts or byte strings of a column, one behind the other as a PLAIN page of Parquet has them: the length (u32, little-endian)
 * and the bytes. Texts are searched, and each is there once, unless most of them are new.
 */
export class TextValues {
  bytes: Buffer = Buffer.allocUnsafe(256)
  /** Number of texts. */
  count = 0
  /** Where each text ends. There is room for more. */
  ends = new Uint32Array(16)
  /** False if most texts were new. Then they are no longer searched, and one may be there several times. */
  areDistinct: boolean
  readonly #isText: boolean
  /** Hash table of the texts: their indexes plus one, and 0 for a free place. */
  #slots = new Int32Array(64)
  #last = -1
  #searched = 0

  constructor(isText: boolean) {
    this.#isText = isText
    this.areDistinct = isText
  }

  /** Where a text begins, behind its length. */
  from(index: number): number {
    return (index === 0 ? 0 : (this.ends[index - 1] as number)) + LENGTH_BYTES
  }

  /** Bytes of all texts, each with its length. */
  get size(): number {
    return this.count === 0 ? 0 : (this.ends[this.count - 1] as number)
  }

  text(index: number): string {
    return this.bytes.toString('utf8', this.from(index), this.ends[index])
  }

  /** The UTF-8 of a text, as a view. */
  bytesOf(index: number): Buffer {
    return this.bytes.subarray(this.from(index), this.ends[index])
  }

  /** Negative if the first text comes before the second by its bytes, which is the order of code points. */
  compare(one: number, other: number): number {
    const { bytes } = this
    const [from, otherFrom] = [this.from(one), this.from(other)]
    // Casts: both are indexes of texts.
    const [length, otherLength] = [(this.ends[one] as number) - from, (this.ends[other] as number) - otherFrom]
    const shorter = Math.min(length, otherLength)
    for (let i = 0; i < shorter; i++) {
      const difference = (bytes[from + i] as number) - (bytes[otherFrom + i] as number)
      if (difference !== 0) return difference
    }
    return length - otherLength
  }

  /** Returns the index of a text, which is put behind the others if it is not found. */
  add(bytes: Uint8Array, from: number, to: number): number {
    if (this.#is(this.#last, bytes, from, to)) return this.#last
    if (!this.areDistinct) return this.append(bytes, from, to)
    this.#searched++
    let slot = this.#slotOf(bytes, from, to)
    for (;;) {
      const found = (this.#slots[slot] as number) - 1
      if (found < 0) break
      if (this.#is(found, bytes, from, to)) {
        this.#last = found
        return found
      }
      slot = (slot + 1) & (this.#slots.length - 1)
    }
    this.#slots[slot] = this.count + 1
    const index = this.append(bytes, from, to)
    if (2 * this.count > this.#slots.length) this.#enlarge()
    if (areMostlyNew(this.count, this.#searched)) this.areDistinct = false
    return index
  }

  /** Puts a text behind the others without searching it. What is no UTF-8 becomes U+FFFD, as for all readers of text. */
  append(bytes: Uint8Array, from: number, to: number): number {
    const start = this.size
    let end = start + LENGTH_BYTES + to - from
    this.#reserve(start, end)
    if (copyMayBeWide(bytes, from, to, this.bytes, start + LENGTH_BYTES) && this.#isText) {
      const copied = this.bytes.subarray(start + LENGTH_BYTES, end)
      if (!isUtf8(copied)) {
        const text = Buffer.from(copied.toString('utf8'))
        end = start + LENGTH_BYTES + text.length
        this.#reserve(start, end)
        this.bytes.set(text, start + LENGTH_BYTES)
      }
    }
    this.bytes.writeUInt32LE(end - start - LENGTH_BYTES, start)
    if (this.count === this.ends.length) {
      const larger = new Uint32Array(2 * this.count)
      larger.set(this.ends)
      this.ends = larger
    }
    this.ends[this.count] = end
    this.#last = this.count++
    return this.#last
  }

  clear(): void {
    if (this.#searched > 0) this.#slots.fill(0)
    this.count = 0
    this.areDistinct = this.#isText
    this.#last = -1
    this.#searched = 0
  }

  #is(index: number, bytes: Uint8Array, from: number, to: number): boolean {
    if (index < 0) return false
    let at = this.from(index)
    if ((this.ends[index] as number) - at !== to - from) return false
    const own = this.bytes
    for (let i = from; i < to; i++) if (own[at++] !== bytes[i]) return false
    return true
  }

  #slotOf(bytes: Uint8Array, from: number, to: number): number {
    let hash = FNV_OFFSET
    for (let i = from; i < to; i++) hash = Math.imul(hash ^ (bytes[i] as number), FNV_PRIME)
    return (hash ^ (hash >>> 15)) & (this.#slots.length - 1)
  }

  #enlarge(): void {
    this.#slots = new Int32Array(4 * this.#slots.length)
    const mask = this.#slots.length - 1
    for (let i = 0; i < this.count; i++) {
      let slot = this.#slotOf(this.bytes, this.from(i), this.ends[i] as number)
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
      this.#slots[slot] = i + 1
    }
  }

  #reserve(used: number, needed: number): void {
    if (needed <= this.bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(2 * this.bytes.length, needed))
    larger.set(this.bytes.subarray(0, used))
    this.bytes = larger
  }
}

/** Copies bytes. Returns false if all of them are ASCII. */
function copyMayBeWide(source: Uint8Array, from: number, to: number, target: Uint8Array, at: number): boolean {
  if (to - from >= SHORT) {
    target.set(source.subarray(from, to), at)
    return true
  }
  let place = at
  let bits = 0
  for (let i = from; i < to; i++) {
    const byte = source[i] as number
    target[place++] = byte
    bits |= byte
  }
  return bits >= 0x80
}
