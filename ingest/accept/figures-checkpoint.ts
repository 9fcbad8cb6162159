import type { Series } from '../../contracts/records.ts'
import type { TypedJournal } from '../../journal/typed.ts'

/** The figures of one country on record before the offset `next`. */
type FiguresOfCountry = {
  readonly next: number
  /** Time of the newest release of any country, UTC milliseconds. */
  readonly newestAt: number
  /** The series in the order in which they came on record, with their prints as `PeriodPrints` packs them. */
  readonly series: readonly { readonly series: Series; readonly packed: ReadonlyMap<string, string> }[]
}

type Checkpoint = {
  readonly version: number
  readonly offsets: Readonly<Record<string, number>>
  readonly state: unknown
}
/** Where checkpoints are kept (`processors/checkpoint.ts`): `load` gives none of another version or history of the journal. */
type Checkpoints = {
  load(name: string, partition: number, version: number): Promise<Checkpoint | undefined>
  save(name: string, partition: number, checkpoint: Checkpoint): Promise<void>
}

/**
 * Raise it when `RecordedFigures` makes something else of releases: `test/ingest/figures-checkpoint.test.ts` compares the state of
 * a fixed history.
 */
const VERSION = 1

/** Keeps the figures on record of one country, so that a command reads only the releases since. It is of use, and not needed. */
export class FiguresCheckpoint {
  readonly #checkpoints: Checkpoints
  readonly #journal: Pick<TypedJournal, 'bounds'>
  readonly #worthKeeping: number

  /** @param worthKeeping a process that reads as many releases keeps what it has made of them */
  constructor(checkpoints: Checkpoints, journal: Pick<TypedJournal, 'bounds'>, worthKeeping = 50_000) {
    this.#checkpoints = checkpoints
    this.#journal = journal
    this.#worthKeeping = worthKeeping
  }

  isWorthKeeping(read: number): boolean {
    return read >= this.#worthKeeping
  }

  /** Returns what was kept; undefined if there is none that can be used. One that is ahead of the journal is of another copy of it. */
  async load(country: string | undefined): Promise<FiguresOfCountry | undefined> {
    if (country === undefined) return undefined
    const saved = await this.#checkpoints.load(nameOf(country), 0, VERSION).catch(() => undefined)
    const next = saved?.offsets.releases
    if (next === undefined || next > (await this.#journal.bounds('releases', 0)).end) return undefined
    // A cast, because a checkpoint of this version holds it.
    return { ...(saved?.state as Omit<FiguresOfCountry, 'next'>), next }
  }

  /** Keeps figures. Without room for them the next process reads the journal. */
  async save(country: string | undefined, { next, ...state }: FiguresOfCountry): Promise<void> {
    if (country === undefined) return
    const checkpoint = { version: VERSION, offsets: { releases: next }, state }
    await this.#checkpoints.save(nameOf(country), 0, checkpoint).catch(() => undefined)
  }
}

const nameOf = (country: string): string => `accept-${country}`
