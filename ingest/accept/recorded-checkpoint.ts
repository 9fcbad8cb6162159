import type { Series } from '../../contracts/records.ts'
import type { TypedJournal } from '../../journal/typed.ts'

/** A release, and the offset of its record. */
type ReleaseAt = { readonly offset: number; readonly release_id: string }

/** The figures of one country on record before the offset `next`. */
type FiguresOfCountry = {
  readonly next: number
  /** The last of these releases: another copy of the journal has another one there, or none. */
  readonly last: ReleaseAt
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
 * Raise it when `RecordedFigures` makes something else of releases: `test/ingest/recorded-checkpoint.test.ts` compares the state
 * of a fixed history.
 */
const VERSION = 1

/** Keeps the figures on record of one country, so that a command reads only the releases since. It is of use, and not needed. */
export class RecordedCheckpoint {
  readonly #checkpoints: Checkpoints
  readonly #journal: Pick<TypedJournal, 'read'>
  readonly #worthKeeping: number

  /** @param worthKeeping a process that reads as many releases keeps what it has made of them */
  constructor(checkpoints: Checkpoints, journal: Pick<TypedJournal, 'read'>, worthKeeping = 50_000) {
    this.#checkpoints = checkpoints
    this.#journal = journal
    this.#worthKeeping = worthKeeping
  }

  isWorthKeeping(read: number): boolean {
    return read >= this.#worthKeeping
  }

  /** Returns what was kept; undefined if there is none that can be used. */
  async load(country: string): Promise<FiguresOfCountry | undefined> {
    const saved = await this.#checkpoints.load(nameOf(country), 0, VERSION).catch(() => undefined)
    // A cast, because a checkpoint of this version holds it.
    const state = saved?.state as Omit<FiguresOfCountry, 'next'> | undefined
    const next = saved?.offsets.releases
    return state && next !== undefined && (await this.#hasRelease(state.last)) ? { ...state, next } : undefined
  }

  /** Keeps figures. Without room for them the next process reads the journal. */
  async save(country: string, { next, ...state }: FiguresOfCountry): Promise<void> {
    const checkpoint = { version: VERSION, offsets: { releases: next }, state }
    await this.#checkpoints.save(nameOf(country), 0, checkpoint).catch(() => undefined)
  }

  async #hasRelease({ offset, release_id }: ReleaseAt): Promise<boolean> {
    const batch = await this.#journal.read('releases', 0, offset, { maxRecords: 1 }).catch(() => undefined)
    const [found] = batch?.records ?? []
    return found?.offset === offset && found.value.release_id === release_id
  }
}

const nameOf = (country: string): string => `accept-${country}`
