import { SingleFlight } from '../../base/async/single-flight.ts'
import { type EncodedEvent, weightOf } from './encoded-event.ts'

/** The events whose offsets lie in one aligned range. */
export type EventBlock = {
  readonly index: number
  readonly events: readonly EncodedEvent[]
  /** Offset to read on from. No event lies between the last of `events` and this offset. */
  readonly next: number
  /** Whether `next` is beyond the range, so that nothing can be added to the block any more. */
  readonly complete: boolean
}

export const eventIn = ({ events }: EventBlock, sequence: number): EncodedEvent | undefined => {
  const first = events[0]
  return first && sequence >= first.sequence ? events[sequence - first.sequence] : undefined
}

/**
 * Divides events, read from the start of block `index`, into their blocks. Returns the first block even if it was read only
 * in part, and of the others only those that were read whole. `next` is the offset at which the read ended.
 */
export function blocksOf(index: number, size: number, events: readonly EncodedEvent[], next: number): EventBlock[] {
  const blocks: EventBlock[] = []
  for (let at = index, from = 0; ; ) {
    const end = (at + 1) * size
    let to = from
    // `to` is below the length.
    while (to < events.length && (events[to] as EncodedEvent).offset < end) to++
    const beyond = events[to]?.offset ?? next
    const block = { index: at, events: events.slice(from, to), next: beyond, complete: beyond >= end }
    if (at === index || block.complete) blocks.push(block)
    if (to === events.length) return blocks
    at = Math.floor(beyond / size)
    from = to
  }
}

/** A cache of the blocks used last, bounded in bytes. However many callers wait for a block, it is read once. */
export class Blocks {
  readonly #load: (index: number) => Promise<readonly EventBlock[]>
  readonly #maxBytes: number
  /** Least recently used first. */
  readonly #kept = new Map<number, EventBlock>()
  readonly #loading = new SingleFlight<number, EventBlock>()
  #bytes = 0

  /** `load` returns the requested block first, then any others that it read along the way. */
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
    // The requested block is kept last, so that it is evicted last.
    for (const block of blocks.toReversed()) if (block.complete) this.#keep(block)
    // `load` always returns the requested block.
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

const bytesOf = ({ events }: EventBlock): number => events.reduce((sum, event) => sum + weightOf(event), 200)
