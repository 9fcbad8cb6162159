import type { Topic } from '../contracts/topics.ts'
import type { JournalRecord, TypedBatch } from '../journal/typed.ts'
import type { Row, View } from './view.ts'

/** The rows of one contiguous range of a partition: what goes into the table together or not at all. */
export type Block = {
  readonly partition: number
  /** Journal offsets: it covers what comes after `after`, up to and including `through`. */
  readonly after: number
  readonly through: number
  readonly rows: number
  /** The rows as JSONCompactEachRow, with the place in front of the view's own columns; in pieces. */
  readonly body: readonly Uint8Array[]
}

/** Where a block is cut: one INSERT of this size is one block and one part. */
const MAX_ROWS = 50_000
const MAX_BYTES = 8 * 1024 * 1024

/**
 * Gathers what a partition's records project to, until somebody takes it as a block. It may exceed its limits by one
 * batch of the journal: a reader waits while it `isFull`.
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
  /** When the last record was appended; where there was none yet, now, for a marker must outlive what it stands for. */
  #at: number

  /** `watermark`: the offset that the table has got to, -1 if it is empty. `forgets`: the topic has retention. */
  constructor(view: View<T>, partition: number, watermark: number, forgets: boolean, now = Date.now()) {
    this.#view = view
    this.#partition = partition
    this.#after = watermark
    this.#through = watermark
    this.#at = now
    this.#forgets = forgets
  }

  /**
   * Takes in a batch that follows on what was added before. Where the journal forgets, the holes at its end are covered
   * too: once all before them has been deleted, the log begins behind them, and that must not look like a gap.
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

  /** Whether a record fits in with what has been added; if not, that has to be taken first. */
  admits({ timestamp }: Pick<JournalRecord<T>, 'timestamp'>): boolean {
    const { partitionedBy } = this.#view
    return this.isEmpty || !partitionedBy || partitionedBy(timestamp) === partitionedBy(this.#at)
  }

  get isFull(): boolean {
    return this.#rows >= MAX_ROWS || this.#bytes >= MAX_BYTES
  }

  /** Everything added since the last block. Not to be called when empty. */
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
    if (!marker) throw new Error(`view ${name} gave no row for offset ${this.#through} and says no marker`)
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

/** A batch in pieces of which each falls into one ClickHouse partition: whole, wherever the view has no partitions. */
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
