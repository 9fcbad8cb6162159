import { pause } from '../base/async/pause.ts'
import { doubling } from '../base/async/retry.ts'
import { SerialQueue } from '../base/async/serial-queue.ts'
import { systemTime } from '../base/time.ts'
import { partitionsOf, type Topic, topicNames, topics } from '../contracts/topics.ts'
import { partitionKey } from '../journal/journal.ts'
import type { TypedJournal } from '../journal/typed.ts'
import { runUnderClaim } from '../journal/under-claim.ts'
import { Archive } from './archive.ts'
import { archivePartition, ownChain } from './archive-partition.ts'
import type { ChainEntry } from './chain-entry.ts'
import { publishTables, sweepSnapshots } from './iceberg/publish.ts'
import { TableSnapshots } from './iceberg/table-snapshots.ts'
import type { ObjectStore } from './objects.ts'
import type { NewEncoder } from './open-segment.ts'
import { SegmentThread } from './segment-thread.ts'
import { expire, GRACE_MS, sweepPartition, UnnamedFiles } from './upkeep.ts'

type ArchiverOptions = {
  readonly journal: TypedJournal
  readonly store: ObjectStore
  /** Longest time that a record waits to be archived, ms. */
  readonly sealMs: number
  /**
   * How long records stay in the archive, ms; null: for ever. It applies to the topics of which the journal itself
   * deletes old records: of the others the archive is useful only whole.
   */
  readonly retentionMs: number | null
  readonly now?: () => number
  /** Pause between two rounds of upkeep, and the time for which it leaves replaced and unnamed files, ms. */
  readonly upkeepMs?: number
  readonly graceMs?: number
  /** Where files are encoded: in a thread of the archiver's own by default. */
  readonly newEncoder?: NewEncoder
  /** Called for failures, all of which are retried. */
  readonly onRetry?: (error: unknown) => void
  /** Called when records were lost, because the journal deleted them before they were archived. */
  readonly onGap?: (gap: ChainEntry) => void
}

type ArchiveLag = { readonly topic: Topic; readonly partition: number; readonly offsets: number }

/** Name of the claim under which the archive is written. */
const CLAIM = 'archive'
const UPKEEP_MS = 600_000
const LONGEST_PAUSE_MS = 60_000
const LEAST_PUBLISH_MS = 1_000

const partitions = topicNames.flatMap((topic) => partitionsOf(topic).map((partition) => ({ topic, partition })))

/**
 * Keeps the archive up to date with the journal while it owns the claim `archive`. Its position is the end of each
 * chain. It never throws, because the service goes on without an archive: it tells the fault and retries.
 */
export class Archiver {
  readonly #options: ArchiverOptions
  readonly #ends = new Map<string, number>()
  readonly #caughtUp = Promise.withResolvers<void>()
  #fault: string | undefined
  #sealedAt: number | undefined

  constructor(options: ArchiverOptions) {
    this.#options = options
  }

  /** Why nothing is archived at the moment, for people; undefined while all is well, or while another process archives. */
  get fault(): string | undefined {
    return this.#fault
  }

  /** Whether this process archives, and not another one. */
  get isOwner(): boolean {
    return this.#ends.size > 0
  }

  /** When the newest segment was written, UTC ms; undefined without one, or if another process archives. */
  get sealedAt(): number | undefined {
    return this.isOwner ? this.#sealedAt : undefined
  }

  /** Resolves once everything is archived that was in the journal when this process began to archive; never rejects. */
  get caughtUp(): Promise<void> {
    return this.#caughtUp.promise
  }

  /** Offsets of each partition that are not archived yet, holes included. Empty if another process archives. */
  async lags(): Promise<readonly ArchiveLag[]> {
    const lags = partitions.map(async ({ topic, partition }) => {
      const archived = this.#ends.get(`${topic}/${partition}`)
      if (archived === undefined) return []
      const { end } = await this.#options.journal.bounds(topic, partition)
      return [{ topic, partition, offsets: Math.max(0, end - archived) }]
    })
    return (await Promise.all(lags)).flat()
  }

  /** Archives until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { journal, onRetry } = this.#options
    const pauseMs = doubling(250, LONGEST_PAUSE_MS)
    const noteFault = (error: unknown) => {
      this.#fault = error instanceof Error ? error.message : String(error)
      onRetry?.(error)
    }
    await runUnderClaim(CLAIM, { journal, signal, isPassing: isError, pauseMs, onRetry: noteFault }, (owned) =>
      this.#archive(owned),
    )
  }

  async #archive(owned: AbortSignal): Promise<void> {
    const { journal, store, sealMs, now = Date.now, onGap = () => undefined } = this.#options
    const failed = new AbortController()
    const signal = AbortSignal.any([owned, failed.signal])
    const archive = await Archive.openFor(store, journal, now())
    const shared = { journal, archive, now, onGap, signal }
    // Before anything is written: this may be the archive of another journal.
    const chains = partitions.map(async (one) => [partitionKey(one), await ownChain({ ...shared, ...one })] as const)
    const known = new Map(await Promise.all(chains))
    const behind = await endsOf(journal)
    const merges = new SerialQueue()
    const thread = this.#options.newEncoder ? undefined : new SegmentThread()
    const newEncoder = this.#options.newEncoder ?? thread?.newEncoder
    const work = partitions.map((one) => {
      const key = partitionKey(one)
      const onEnd = (end: number, sealedAt: string | undefined) => {
        this.#ends.set(key, end)
        if (sealedAt !== undefined) this.#sealedAt = Math.max(this.#sealedAt ?? 0, Date.parse(sealedAt))
        if (this.#ends.size === partitions.length) this.#fault = undefined
        if (end >= (behind.get(key) ?? 0)) behind.delete(key)
        if (behind.size === 0) this.#caughtUp.resolve()
      }
      return archivePartition({
        ...shared,
        ...one,
        sealMs,
        known: known.get(key) ?? [],
        behind: behind.get(key) ?? 0,
        merges,
        onEnd,
        ...(newEncoder && { newEncoder }),
      })
    })
    const snapshots = new TableSnapshots(archive)
    work.push(this.#cleanUp(snapshots, signal), this.#publish(snapshots, signal))
    // A failing partition stops the others, and all of them end before the claim is released.
    for (const running of work) running.catch((error) => failed.abort(error))
    await Promise.allSettled(work)
    await thread?.close()
    this.#ends.clear()
    failed.signal.throwIfAborted()
  }

  /**
   * Keeps the Iceberg tables in the archive as new as its segments. Segments are also sealed before `sealMs` is over, and files of
   * a snapshot that has been replaced are deleted, so it looks once a minute at least.
   */
  async #publish(snapshots: TableSnapshots, signal: AbortSignal): Promise<void> {
    const { sealMs } = this.#options
    while (!signal.aborted) {
      await publishTables(snapshots)
      await pause(Math.min(Math.max(sealMs, LEAST_PUBLISH_MS), LONGEST_PAUSE_MS), signal, systemTime)
    }
  }

  /** Deletes what nothing needs any more, again and again. */
  async #cleanUp(snapshots: TableSnapshots, signal: AbortSignal): Promise<void> {
    const { archive } = snapshots
    const { journal, retentionMs, now = Date.now, upkeepMs = UPKEEP_MS, graceMs = GRACE_MS } = this.#options
    const unnamed = new UnnamedFiles(graceMs)
    while (!signal.aborted) {
      await archive.store.sweep(now() - GRACE_MS)
      for (const topic of topicNames) {
        for (let partition = 0; partition < topics[topic].partitions && !signal.aborted; partition++) {
          if (retentionMs !== null && journal.retentionMs(topic) !== null)
            await expire(archive, topic, partition, now() - retentionMs)
          await sweepPartition(archive, topic, partition, now(), graceMs)
        }
        await unnamed.sweep(archive, topic, topics[topic].partitions, performance.now())
      }
      await sweepSnapshots(snapshots, unnamed, performance.now())
      await pause(upkeepMs, signal, systemTime)
    }
  }
}

/** Offset after the newest record of each partition, by `topic/partition`. */
async function endsOf(journal: TypedJournal): Promise<Map<string, number>> {
  const bounds = partitions.map(async ({ topic, partition }) => {
    const { end } = await journal.bounds(topic, partition)
    return [`${topic}/${partition}`, end] as const
  })
  return new Map(await Promise.all(bounds))
}

/**
 * Whatever fails is tried again, also what no retry is likely to mend, such as a schema of a newer release: the service must go on
 * without the archive, and a node of that release takes the claim meanwhile.
 */
const isError = (error: unknown): error is Error => error instanceof Error
