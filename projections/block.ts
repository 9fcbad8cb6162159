import type { Topic } from '../contracts/topics.ts'
import type { JournalRecord, TypedBatch } from '../journal/typed.ts'
import type { Row, View } from './view.ts'

/** Rows of one contiguous range of a partition. They go into the table together or not at all. */
export type Block = {
  readonly partition: number
  /** Journal offsets of the range: after `after`, up to and including `through`. */
  readonly after: number
  readonly through: number
  readonly rows: number
  /** Rows as JSONCompactEachRow, in pieces. The position columns come before the view's own. */
  readonly body: readonly Uint8Array[]
}

/** Size at which a block is full. One INSERT up to this size is one block and one part. */
const MAX_ROWS = 50_000
const MAX_BYTES = 8 * 1024 * 1024

/**
 * Collects the rows of a partition's records until they are taken as a block. A reader stops while it `isFull`, so a
 * block exceeds its limits by at most one batch of the journal.
 */
export class BlockBuilder<T extends Topic> {
  readonly #view: View<T>
  readonly #partition: number
  readonly #forgets: boolean
  #body: Uint8Array[] = []
  #rows = 0
  #bytes = 0
  #after: number
  #through: number
  /** Offset of the last row's record. */
  #lastRow = -1
  /** Time of the last record, else the current time, because a marker must outlive the records it covers. */
  #at: number

  /** `watermark`: the table's greatest offset, -1 if it is empty. `forgets`: the topic has retention. `now`: UTC ms. */
  constructor(view: View<T>, partition: number, watermark: number, forgets: boolean, now: number) {
    this.#view = view
    this.#partition = partition
    this.#after = watermark
    this.#through = watermark
    this.#at = now
    this.#forgets = forgets
  }

  /**
   * Adds the batch that follows the last one. With retention, the block also covers the holes at the batch's end: once
   * all records before them are deleted, the log starts after the holes, which must not look like a gap.
   */
  add({ records, next }: Pick<TypedBatch<T>, 'records' | 'next'>): void {
    let text = ''
    for (const record of records) {
      this.#view.project(record).forEach((row, index) => {
        text += this.#encode(record.offset, index, false, row)
        this.#lastRow = record.offset
      })
      this.#through = record.offset
      this.#at = record.timestamp
    }
    if (text !== '') this.#append(text)
    if (this.#forgets) this.#through = next - 1
  }

  get isEmpty(): boolean {
    return this.#through <= this.#after
  }

  /** Tells whether a record falls into the same ClickHouse partition as the block. If not, take the block first. */
  admits({ timestamp }: Pick<JournalRecord<T>, 'timestamp'>): boolean {
    const { partitionedBy } = this.#view
    return this.isEmpty || !partitionedBy || partitionedBy(timestamp) === partitionedBy(this.#at)
  }

  get isFull(): boolean {
    return this.#rows >= MAX_ROWS || this.#bytes >= MAX_BYTES
  }

  /** Returns everything added since the last block. Must not be called when empty. */
  take(): Block {
    if (this.#lastRow < this.#through) this.#append(this.#marker())
    const block = {
      partition: this.#partition,
      after: this.#after,
      through: this.#through,
      rows: this.#rows,
      body: this.#body,
    }
    this.#body = []
    this.#rows = 0
    this.#bytes = 0
    this.#after = this.#through
    return block
  }

  #marker(): string {
    const { name, marker } = this.#view
    if (!marker) throw new Error(`view ${name} gave no row for offset ${this.#through} and defines no marker`)
    return this.#encode(this.#through, 0, true, marker(this.#at))
  }

  #encode(offset: number, index: number, marker: boolean, row: Row): string {
    this.#rows++
    return `${JSON.stringify([this.#partition, offset, index, marker, ...row])}\n`
  }

  #append(text: string): void {
    const bytes = Buffer.from(text)
    this.#body.push(bytes)
    this.#bytes += bytes.length
  }
}

/** Cuts a batch into pieces that each fall into one ClickHouse partition. Without partitions the batch stays whole. */
export function* piecesOf<T extends Topic>({ partitionedBy }: View<T>, batch: TypedBatch<T>): Generator<TypedBatch<T>> {
  let rest = batch.records
  while (partitionedBy && rest.length > 0) {
    const first = partitionedBy(rest[0]?.timestamp ?? 0)
    const cut = rest.findIndex(({ timestamp }) => partitionedBy(timestamp) !== first)
    const next = rest[cut]
    if (!next) break
    yield { ...batch, records: rest.slice(0, cut), next: next.offset }
    rest = rest.slice(cut)
  }
  yield { ...batch, records: rest }
}
