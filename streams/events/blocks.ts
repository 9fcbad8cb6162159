import { SingleFlight } from '../../base/async/single-flight.ts'
import { type LogEntry, weightOf } from './entry.ts'

/** The events whose offsets lie in one aligned range. */
export type EventBlock = {
  readonly index: number
  readonly entries: readonly LogEntry[]
  /** Where to read on: no event between the last of `entries` and this offset. */
  readonly next: number
  /** Whether `next` is beyond the range: nothing can be added to it any more. */
  readonly complete: boolean
}

export const entryIn = ({ entries }: EventBlock, sequence: number): LogEntry | undefined => {
  const first = entries[0]
  return first && sequence >= first.sequence ? entries[sequence - first.sequence] : undefined
}

/**
 * Divides events that were read from block `index` on into the blocks they belong to. The first is the one asked for; of
 * the others only those that were read whole. `next` is where the read ended.
 */
export function blocksOf(index: number, size: number, entries: readonly LogEntry[], next: number): EventBlock[] {
  const blocks: EventBlock[] = []
  for (let at = index, from = 0; ; ) {
    const end = (at + 1) * size
    let to = from
    while (to < entries.length && (entries[to] as LogEntry).offset < end) to++
    const beyond = entries[to]?.offset ?? next
    const block = { index: at, entries: entries.slice(from, to), next: beyond, complete: beyond >= end }
    if (at === index || block.complete) blocks.push(block)
    if (to === entries.length) return blocks
    at = Math.floor(beyond / size)
    from = to
  }
}

/** Blocks that were read lately, up to a number of bytes; each is read by one at a time, however many wait for it. */
export class Blocks {
  readonly #load: (index: number) => Promise<readonly EventBlock[]>
  readonly #maxBytes: number
  /** Least lately used first. */
  readonly #kept = new Map<number, EventBlock>()
  readonly #loading = new SingleFlight<number, EventBlock>()
  #bytes = 0

  /** `load` answers the block asked for, and after it others that it has come by. */
  constructor(load: (index: number) => Promise<readonly EventBlock[]>, maxBytes: number) {
    this.#load = load
    this.#maxBytes = maxBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  async get(index: number): Promise<EventBlock> {
    const kept = this.#kept.get(index)
    if (!kept) return this.#loading.run(index, () => this.#fetch(index))
    this.#kept.delete(index)
    this.#kept.set(index, kept)
    return kept
  }

  async #fetch(index: number): Promise<EventBlock> {
    const blocks = await this.#load(index)
    // The one asked for last, so that it is the last to leave.
    for (const block of blocks.toReversed()) if (block.complete) this.#keep(block)
    return blocks[0] as EventBlock
  }

  #keep(block: EventBlock): void {
    this.#drop(block.index)
    this.#kept.set(block.index, block)
    this.#bytes += bytesOf(block)
    for (const index of this.#kept.keys()) {
      if (this.#bytes <= this.#maxBytes) return
      this.#drop(index)
    }
  }

  #drop(index: number): void {
    const block = this.#kept.get(index)
    if (!block) return
    this.#kept.delete(index)
    this.#bytes -= bytesOf(block)
  }
}

const bytesOf = ({ entries }: EventBlock): number => entries.reduce((sum, entry) => sum + weightOf(entry), 200)
