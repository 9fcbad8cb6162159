import { setTimeout as sleep } from 'node:timers/promises'
import { doubling, retry } from '../base/async/retry.ts'
import { isAway } from './clickhouse.ts'
import { ensureTable } from './migrate.ts'
import type { Progress, ProjectorOptions } from './projector.ts'
import { runUnderClaim } from './run-under-claim.ts'
import { startBehind } from './start.ts'
import { awaitInserts, unlessMissing } from './table.ts'
import { partitionsOf } from './view.ts'
import { candles, nextRoll, type Offsets, readNewer, readRolled, roll } from './views/candles/roll.ts'
import { ticks } from './views/ticks/project.ts'

const INTERVAL_MS = 1_000
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 5_000

/**
 * Keeps the candles up with the table of ticks. Like a projector, whose shape it has: where it goes on is in its table, in
 * the same block as the candles, and who may write is the holder of the claim `projection/candles`.
 */
export class CandleRoller {
  readonly #options: ProjectorOptions
  readonly #caughtUp = Promise.withResolvers<void>()
  #rolled: Offsets = []
  /** A roll has failed, and the table hasn't shown since that it has everything. */
  #isDoubtful = false
  #running = false

  /** `intervalMs`: how often it looks for new ticks. */
  constructor(options: ProjectorOptions) {
    this.#options = options
    // Whoever runs it hears of its failure; nobody need wait for this promise.
    this.#caughtUp.promise.catch(() => undefined)
  }

  /** Resolves once the candles have all ticks that were in the table when nothing newer was found; rejects if it stops before. */
  get caughtUp(): Promise<void> {
    return this.#caughtUp.promise
  }

  get name(): string {
    return candles.name
  }

  /**
   * How far the candles are, measured by the journal: the ticks' own lag is part of it. Where another process rolls, or
   * nobody yet, the table is asked. Throws what the journal's `bounds` and ClickHouse throw.
   */
  async progress(): Promise<Progress> {
    const { journal, client } = this.#options
    const running = this.#running
    const ends = await Promise.all(partitionsOf(ticks).map((p) => journal.bounds('ticks', p)))
    const rolled = running ? this.#rolled : await unlessMissing(readRolled(client), [])
    const lag = ends.reduce((sum, { end }, p) => sum + Math.max(0, end - 1 - (rolled[p] ?? -1)), 0)
    const watermarks = new Map([...rolled.entries()].filter(([, offset]) => offset >= 0))
    return { running, lag, watermarks }
  }

  /** Rolls until `signal` aborts. Throws what a Projector's `run` throws. */
  async run(signal: AbortSignal): Promise<void> {
    const work = async (owned: AbortSignal) => {
      this.#running = true
      await this.#roll(owned)
        .catch((error) => {
          if (!owned.aborted) throw error
        })
        .finally(() => {
          this.#running = false
        })
    }
    try {
      await runUnderClaim(`projection/${candles.name}`, { ...this.#options, signal }, work)
      this.#caughtUp.reject(signal.reason)
    } catch (error) {
      this.#caughtUp.reject(error)
      throw error
    }
  }

  async #roll(signal: AbortSignal): Promise<void> {
    const { journal, client, intervalMs = INTERVAL_MS } = this.#options
    await this.#patiently(signal, async () => {
      await ensureTable(client, ticks, journal.id)
      await ensureTable(client, candles, journal.id)
      await this.#readPlace(signal)
    })
    while (!signal.aborted) {
      const hasRolled = await this.#patiently(signal, () => this.#rollNext(signal))
      if (hasRolled) continue
      this.#caughtUp.resolve()
      await sleep(intervalMs, undefined, { signal })
    }
  }

  /**
   * Rolls what is newest, or answers false if there is nothing. After a failed roll it goes on from what the table says,
   * roll by roll, until the table has everything: success of a repeated roll isn't taken as proof.
   */
  async #rollNext(signal: AbortSignal): Promise<boolean> {
    const { client } = this.#options
    if (this.#isDoubtful) await this.#readPlace(signal)
    const through = await nextRoll(client, this.#rolled)
    if (!through) {
      this.#isDoubtful = false
      return false
    }
    await this.#refuseBeyond(through)
    const wasDoubtful = this.#isDoubtful
    this.#isDoubtful = true
    await roll(client, this.#rolled, through)
    this.#isDoubtful = wasDoubtful
    this.#rolled = through
    return true
  }

  /** Reads how far the candles have got, once no roll is running any more. */
  async #readPlace(signal: AbortSignal): Promise<void> {
    const { client } = this.#options
    await awaitInserts(client, candles.name, signal)
    const rolled = await readRolled(client)
    await this.#refuseGap(rolled)
    this.#rolled = rolled
  }

  /**
   * Runs a task, and while ClickHouse is away runs it again, at the pauses of `writeBlock`. The failure is told once.
   */
  #patiently<R>(signal: AbortSignal, task: () => Promise<R>): Promise<R> {
    return retry(task, {
      signal,
      isPassing: isAway,
      pauseMs: doubling(FIRST_PAUSE_MS, LONGEST_PAUSE_MS),
      onRetry: (error, _pauseMs, failures) => {
        if (failures === 0) this.#options.onRetry?.(error)
      },
    })
  }

  /** Ticks that came after the candles and are neither in the journal nor in the table would be missing for ever. */
  async #refuseGap(rolled: Offsets): Promise<void> {
    const { journal, client } = this.#options
    const retentionMs = journal.retentionMs('ticks')
    const newer = await readNewer(client, rolled)
    for (const [partition, watermark] of rolled.entries()) {
      const { start, end } = await journal.bounds('ticks', partition)
      const [oldest] = newer.get(partition) ?? [start]
      startBehind(candles, partition, watermark, { start: Math.min(start, oldest), end }, retentionMs)
    }
  }

  /** Candles that took a tick from beyond the journal's end would leave out all ticks that are yet to come. */
  async #refuseBeyond(through: Offsets): Promise<void> {
    const { journal } = this.#options
    const retentionMs = journal.retentionMs('ticks')
    for (const [partition, watermark] of through.entries()) {
      const { end } = await journal.bounds('ticks', partition)
      startBehind(ticks, partition, watermark, { start: 0, end }, retentionMs)
    }
  }
}
