import type { DatasetMemory, PublisherMemory, Validators } from './publisher-memory.ts'
import type { Document } from './source.ts'

/** Longest time for which a publisher's "not modified" is believed, ms. Then the dataset is asked for whole once. */
const BELIEVED_MS = 7 * 86_400_000

/** A dataset, and the memory of what its publisher answered. */
type RememberedDataset = {
  /** Undefined if nothing is remembered. */
  readonly memory: PublisherMemory | undefined
  /** Key of `openSources`, or `RELEASE_DATES`. */
  readonly name: string
  readonly dataset: string
  /** Journal and program, see `DatasetMemory`. */
  readonly readBy: string
  readonly now: () => Date
  /** Answers that were read before this time are not believed, UTC milliseconds. */
  readonly believedFrom?: number
}

/**
 * A publisher's answers to one dataset: those remembered when it is asked again, and those that come now. An answer is remembered once
 * it is on record, so a crash costs at most a download.
 */
export class PublisherAnswers {
  readonly #remembered: RememberedDataset
  readonly #validators: Record<string, Validators>
  #hasAnswer = false
  /** What was remembered of the dataset, by whichever journal and program. */
  readonly stored: DatasetMemory | undefined

  private constructor(remembered: RememberedDataset, stored: DatasetMemory | undefined) {
    this.#remembered = remembered
    this.#validators = stored?.readBy === remembered.readBy ? { ...stored.validators } : {}
    this.stored = stored
  }

  static async load(remembered: RememberedDataset): Promise<PublisherAnswers> {
    return new PublisherAnswers(remembered, await remembered.memory?.load(remembered.name, remembered.dataset))
  }

  /** The marks of the answer from an address; undefined if it must be asked for whole. */
  known(address: string): Validators | undefined {
    const found = Object.hasOwn(this.#validators, address) ? this.#validators[address] : undefined
    const { believedFrom = 0 } = this.#remembered
    return found && found.readAt >= believedFrom && this.#now() - found.readAt < BELIEVED_MS ? found : undefined
  }

  arrived(): void {
    this.#hasAnswer = true
  }

  /** Remembers a document that is on record whole, and forgets another one. */
  remember({ marks }: Document, isWhole: boolean): void {
    if (!marks) return
    const { address, ...rest } = marks
    if (isWhole) this.#validators[address] = { ...rest, readAt: this.#now() }
    else delete this.#validators[address]
  }

  /** Stores what is remembered, with what the caller knows of the documents. Nothing if the publisher has not answered. */
  async save(documents: Pick<DatasetMemory, 'series' | 'structure' | 'change'> = {}): Promise<void> {
    if (!this.#hasAnswer) return
    const { memory, name, dataset, readBy } = this.#remembered
    const [validators, checkedAt] = [this.#validators, this.#now()]
    await memory?.save(name, dataset, { ...documents, readBy, validators, checkedAt })
  }

  #now(): number {
    return this.#remembered.now().getTime()
  }
}
