import { randomUUID } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Topic } from '../contracts/topics.ts'
import type { TypedJournal } from '../journal/typed.ts'
import { ensureTable } from './migrate.ts'
import { type PartitionProgress, projectPartition, READ } from './project-partition.ts'
import { runUnderClaim } from './run-under-claim.ts'
import { startBehind } from './start.ts'
import { awaitInserts, readWatermarks, unlessMissing } from './table.ts'
import { columnsOf, partitionsOf, type View } from './view.ts'

export type ProjectorOptions = {
  readonly journal: TypedJournal
  readonly client: ClickHouseClient
  /** Shortest time between two writes of a partition while a block isn't full, ms. Few parts, yet fresh. */
  readonly intervalMs?: number
  /** Hears of what is waited out: ClickHouse or the journal away, the claim lost. */
  readonly onRetry?: (error: unknown) => void
}

export type Progress = {
  /** It has its claim. While ClickHouse is away that stays so, and the lag grows. */
  readonly running: boolean
  /** Greatest offset in the table, by partition; none before its first row. */
  readonly watermarks: ReadonlyMap<number, number>
  /** Offsets in the journal that the table doesn't cover yet, holes included, all partitions together. */
  readonly lag: number
}

const INTERVAL_MS = 150

/**
 * Keeps the table of a view up with its topic, exactly once as readers see it, whatever is killed when.
 *
 * Where it goes on is in the table: the greatest `_offset` of each partition, in the same block as the rows. Who may
 * write is the journal's to say: the claim `projection/<view>`. When the claim is lost it stops, and waits to have it
 * again; while ClickHouse or the journal is away it tries on, holding two blocks a partition at most.
 */
export class Projector<T extends Topic> {
  readonly #view: View<T>
  readonly #options: ProjectorOptions
  readonly #caughtUp = Promise.withResolvers<void>()
  readonly #places = new Map<number, PartitionProgress>()
  #running = false

  constructor(view: View<T>, options: ProjectorOptions) {
    this.#view = view
    this.#options = options
    // Whoever runs the projector hears of its failure; nobody need wait for this promise.
    this.#caughtUp.promise.catch(() => undefined)
  }

  get name(): string {
    return this.#view.name
  }

  /** Resolves once the table has all that the journal held when the projector got its claim; rejects if it stops before. */
  get caughtUp(): Promise<void> {
    return this.#caughtUp.promise
  }

  /**
   * For health and metrics. Of a table that another process fills, or nobody yet, the table itself is asked. Throws what the
   * journal's `bounds` and ClickHouse throw.
   */
  async progress(): Promise<Progress> {
    const running = this.#running
    const ends = await this.#ends()
    const places = running ? this.#places : await this.#placesInTable()
    const lag = ends.reduce((sum, end, partition) => sum + Math.max(0, end - (places.get(partition)?.next ?? 0)), 0)
    const written = [...places].filter(([, { watermark }]) => watermark >= 0)
    return { running, lag, watermarks: new Map(written.map(([p, { watermark }]) => [p, watermark])) }
  }

  /**
   * Projects until `signal` aborts. Throws what waiting doesn't mend: ProjectionError, ClickHouseFailure `rejected`, or
   * an error of the journal that isn't passing.
   */
  async run(signal: AbortSignal): Promise<void> {
    const work = async (owned: AbortSignal) => {
      this.#running = true
      await this.#project(owned).finally(() => {
        this.#running = false
      })
    }
    try {
      await runUnderClaim(`projection/${this.#view.name}`, { ...this.#options, signal }, work)
      this.#caughtUp.reject(signal.reason)
    } catch (error) {
      this.#caughtUp.reject(error)
      throw error
    }
  }

  async #project(owned: AbortSignal): Promise<void> {
    const { journal, client, intervalMs = INTERVAL_MS, onRetry } = this.#options
    const view = this.#view
    const failed = new AbortController()
    const signal = AbortSignal.any([owned, failed.signal])
    await ensureTable(client, view, journal.id)
    await awaitInserts(client, view.name, signal)
    const watermarks = await readWatermarks(client, view.name)
    const target = { client, table: view.name, columns: columnsOf(view), run: randomUUID() }
    const ends = await this.#ends()
    const behind = new Set(ends.keys())
    const work = partitionsOf(view).map(async (partition) => {
      const watermark = watermarks.get(partition) ?? -1
      const bounds = await journal.bounds(view.topic, partition)
      const from = startBehind(view, partition, watermark, bounds, journal.retentionMs(view.topic))
      const onPlace = (place: PartitionProgress) => {
        this.#places.set(partition, place)
        if (place.next >= (ends[partition] ?? 0)) behind.delete(partition)
        if (behind.size === 0) this.#caughtUp.resolve()
      }
      onPlace({ next: from, watermark })
      const batches = (stop: AbortSignal) => journal.follow(view.topic, partition, from, stop, READ)
      const forgets = journal.retentionMs(view.topic) !== null
      const place = { partition, watermark, forgets }
      await projectPartition({ view, ...place, target, batches, intervalMs, signal, onPlace, onRetry })
    })
    // One partition that fails stops the others, and all have ended before the claim goes.
    for (const running of work) running.catch((error) => failed.abort(error))
    await Promise.allSettled(work)
    failed.signal.throwIfAborted()
  }

  async #placesInTable(): Promise<ReadonlyMap<number, PartitionProgress>> {
    const { client } = this.#options
    const { name } = this.#view
    const watermarks = await unlessMissing(readWatermarks(client, name), new Map<number, number>())
    return new Map([...watermarks].map(([partition, watermark]) => [partition, { watermark, next: watermark + 1 }]))
  }

  #ends(): Promise<number[]> {
    const { topic } = this.#view
    return Promise.all(partitionsOf(this.#view).map(async (p) => (await this.#options.journal.bounds(topic, p)).end))
  }
}
