import { systemTime, type Time } from '../base/time.ts'
import { partitionsOf, type Topic } from '../contracts/topics.ts'
import type { TypedJournal } from '../journal/typed.ts'
import { lagBehind, readEnds, sumOfEnds } from './extent.ts'
import type { HandOvers } from './hand-over.ts'
import { OwnedRun } from './owned-run.ts'
import { type PartitionProgress, projectPartition, READ } from './project-partition.ts'
import type { ReadModel } from './read-model.ts'
import { startBehind } from './start.ts'
import { unlessMissing } from './table.ts'
import { columnsOf, type View } from './view.ts'

/** Options of what fills a table from the journal. */
export type FillerOptions = {
  readonly journal: TypedJournal
  /** Shortest time between two writes of a partition while a block isn't full, ms: a longer one makes fewer parts. */
  readonly intervalMs?: number
  /** Time between two writes of a partition while records go on coming, ms. */
  readonly trickleMs?: number
  /** Called for failures that are retried: ClickHouse or the journal unavailable, the claim lost. */
  readonly onRetry?: (error: unknown) => void
  readonly time?: Time
  /** If set, a rebuild can ask for the table (`hand-over.ts`). Otherwise it waits until this process ends. */
  readonly handOvers?: HandOvers
}

type ProjectorOptions = FillerOptions & { readonly readModel: ReadModel }

export type Progress = {
  /** True while it owns its claim. It stays so while ClickHouse is unavailable, and the lag grows. */
  readonly running: boolean
  /** Greatest offset in the table, by partition. A partition without rows is absent. */
  readonly watermarks: ReadonlyMap<number, number>
  /** Number of offsets that the table doesn't cover yet, holes included, in all partitions together. */
  readonly lag: number
  /** Number of offsets that the table covers, holes included, in all partitions together. */
  readonly position: number
}

const INTERVAL_MS = 150
const TRICKLE_MS = 2_000

/**
 * Keeps the table of a view up to date with its topic. Readers see each record exactly once, whatever is killed.
 *
 * The position of a partition is its greatest `_offset` in the table, which is written in the same block as the rows.
 * Only the owner of the claim `projection/<view>` writes. If the claim is lost, the projector becomes a standby. While
 * ClickHouse or the journal is unavailable it retries, and holds at most two blocks per partition.
 */
export class Projector<T extends Topic> {
  readonly #view: View<T>
  readonly #options: ProjectorOptions
  readonly #run = new OwnedRun()
  readonly #progress = new Map<number, PartitionProgress>()

  constructor(view: View<T>, options: ProjectorOptions) {
    this.#view = view
    this.#options = options
  }

  get name(): string {
    return this.#view.name
  }

  /** Resolves once the table has all records from before the projector got its claim; rejects if it stops before. */
  get caughtUp(): Promise<void> {
    return this.#run.caughtUp
  }

  /**
   * Returns the progress for health and metrics. Reads it from the table if no projector runs in this process. Throws
   * errors of the journal's `bounds` and of ClickHouse.
   */
  async progress(): Promise<Progress> {
    const running = this.#run.isRunning
    const ends = await this.#ends()
    const progress = running ? this.#progress : await this.#progressInTable()
    const lag = lagBehind(ends, (partition) => progress.get(partition)?.next)
    const position = sumOfEnds(ends) - lag
    const written = [...progress].filter(([, { watermark }]) => watermark >= 0)
    return { running, lag, position, watermarks: new Map(written.map(([p, { watermark }]) => [p, watermark])) }
  }

  /**
   * Projects until `signal` aborts. Throws errors that a retry doesn't mend: ProjectionError, ClickHouseFailure
   * `rejected`, or a permanent error of the journal.
   */
  run(signal: AbortSignal): Promise<void> {
    return this.#run.run(this.#view.name, this.#options, signal, (owned) => this.#project(owned))
  }

  async #project(owned: AbortSignal): Promise<void> {
    const { journal, readModel, onRetry, time = systemTime } = this.#options
    const { intervalMs = INTERVAL_MS, trickleMs = TRICKLE_MS } = this.#options
    const view = this.#view
    const failed = new AbortController()
    const signal = AbortSignal.any([owned, failed.signal])
    await readModel.prepare(view, journal)
    await readModel.awaitInserts(view.name, signal)
    const watermarks = await readModel.watermarks(view.name)
    const target = { readModel, table: view.name, columns: columnsOf(view), run: time.uuid(), time }
    const ends = await this.#ends()
    const behind = new Set(ends.keys())
    const work = partitionsOf(view.topic).map(async (partition) => {
      const watermark = watermarks.get(partition) ?? -1
      const bounds = await journal.bounds(view.topic, partition)
      const from = startBehind(view, partition, watermark, bounds, journal.retentionMs(view.topic))
      const onProgress = (progress: PartitionProgress) => {
        this.#progress.set(partition, progress)
        if (progress.next >= (ends[partition] ?? 0)) behind.delete(partition)
        if (behind.size === 0) this.#run.noteCaughtUp()
      }
      onProgress({ next: from, watermark })
      const batches = (stop: AbortSignal) => journal.follow(view.topic, partition, from, stop, READ)
      const forgets = journal.retentionMs(view.topic) !== null
      const job = { partition, watermark, forgets }
      await projectPartition({ view, ...job, target, batches, intervalMs, trickleMs, signal, onProgress, onRetry })
    })
    // A failing partition stops the others, and all of them end before the claim is released.
    for (const running of work) running.catch((error) => failed.abort(error))
    await Promise.allSettled(work)
    failed.signal.throwIfAborted()
  }

  async #progressInTable(): Promise<ReadonlyMap<number, PartitionProgress>> {
    const { readModel } = this.#options
    const { name } = this.#view
    const watermarks = await unlessMissing(readModel.watermarks(name), new Map<number, number>())
    return new Map([...watermarks].map(([partition, watermark]) => [partition, { watermark, next: watermark + 1 }]))
  }

  #ends(): Promise<number[]> {
    return readEnds(this.#options.journal, this.#view.topic)
  }
}
