import type { ClickHouseClient } from '@clickhouse/client'
import { doubling, retry } from '../base/async/retry.ts'
import { systemTime, type Time } from '../base/time.ts'
import { isAway } from './clickhouse.ts'
import { lagBehind, readEnds, sumOfEnds } from './extent.ts'
import { gatheringMs } from './gathering.ts'
import { ensureTable } from './migrate.ts'
import { OwnedRun } from './owned-run.ts'
import type { FillerOptions, Progress } from './projector.ts'
import { ensureSqlViews } from './sql-views/ensure.ts'
import { startBehind } from './start.ts'
import { awaitInserts, unlessMissing } from './table.ts'
import { candles, nextRoll, type Offsets, readNewer, readRolled, roll } from './views/candles/roll.ts'
import { ticks } from './views/ticks/project.ts'

const INTERVAL_MS = 1_000
/**
 * Least pause between two looks for new ticks, ms. A projector waits at the journal until there is a record; here each look is a
 * query over the table of ticks, and without a pause they would keep a core busy.
 */
const LEAST_PAUSE_MS = 100
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 5_000

export type RollerOptions = FillerOptions & { readonly client: ClickHouseClient }

/**
 * Keeps the candles up to date with the table of ticks, in the same way as a projector: its position stands in its
 * table, in the same block as the candles, and only the owner of the claim `projection/candles` writes.
 */
export class CandleRoller {
  readonly #options: RollerOptions
  readonly #time: Time
  readonly #run = new OwnedRun()
  #rolled: Offsets = []
  /** True from a failed roll until the table has shown that it has everything. */
  #isDoubtful = false

  /** `intervalMs`: interval between looks for new ticks; see `gatheringMs`. */
  constructor(options: RollerOptions) {
    this.#options = options
    this.#time = options.time ?? systemTime
  }

  /** Resolves once the candles have every tick of the table; rejects if the roller stops before. */
  get caughtUp(): Promise<void> {
    return this.#run.caughtUp
  }

  get name(): string {
    return candles.name
  }

  /**
   * Returns the lag of the candles behind the journal, which includes the lag of the table of ticks. Reads it from the
   * table if no roller runs in this process. Throws errors of the journal's `bounds` and of ClickHouse.
   */
  async progress(): Promise<Progress> {
    const { journal, client } = this.#options
    const running = this.#run.isRunning
    const ends = await readEnds(journal, 'ticks')
    const rolled = running ? this.#rolled : await unlessMissing(readRolled(client), [])
    const lag = lagBehind(ends, (partition) => (rolled[partition] ?? -1) + 1)
    const watermarks = new Map([...rolled.entries()].filter(([, offset]) => offset >= 0))
    return { running, lag, position: sumOfEnds(ends) - lag, watermarks }
  }

  /** Rolls until `signal` aborts. Throws the errors of a Projector's `run`. */
  run(signal: AbortSignal): Promise<void> {
    return this.#run.run(candles.name, this.#options, signal, (owned) =>
      this.#roll(owned).catch((error) => {
        if (!owned.aborted) throw error
      }),
    )
  }

  async #roll(signal: AbortSignal): Promise<void> {
    const { journal, client, intervalMs = INTERVAL_MS } = this.#options
    await this.#retryWhileAway(signal, async () => {
      await ensureTable(client, ticks, journal)
      await ensureTable(client, candles, journal)
      await ensureSqlViews(client, candles.name)
      await this.#readPosition(signal)
    })
    const started = this.#time.monotonic()
    while (!signal.aborted) {
      const hasRolled = await this.#retryWhileAway(signal, () => this.#rollNext(signal))
      if (hasRolled) continue
      this.#run.noteCaughtUp()
      const gathering = gatheringMs(intervalMs, this.#time.monotonic() - started)
      await this.#time.after(Math.max(LEAST_PAUSE_MS, gathering), signal)
    }
  }

  /**
   * Rolls the next ticks, or returns false if there are none. After a failed roll it reads its position from the table
   * before every roll until the table has everything, because success of a repeated roll proves nothing.
   */
  async #rollNext(signal: AbortSignal): Promise<boolean> {
    const { client } = this.#options
    if (this.#isDoubtful) await this.#readPosition(signal)
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

  /** Reads the position from the table, once no roll is running any more. */
  async #readPosition(signal: AbortSignal): Promise<void> {
    const { client } = this.#options
    await awaitInserts(client, candles.name, signal, this.#time)
    const rolled = await readRolled(client)
    await this.#refuseGap(rolled)
    this.#rolled = rolled
  }

  /** Retries a task while ClickHouse is unavailable, with the backoff of `writeBlock`. Reports the failure once. */
  #retryWhileAway<R>(signal: AbortSignal, task: () => Promise<R>): Promise<R> {
    return retry(task, {
      signal,
      time: this.#time,
      isPassing: isAway,
      pauseMs: doubling(FIRST_PAUSE_MS, LONGEST_PAUSE_MS),
      onRetry: (error, _pauseMs, failures) => {
        if (failures === 0) this.#options.onRetry?.(error)
      },
    })
  }

  /** Throws if ticks after the candles' position are in neither journal nor table: they would be lost for ever. */
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

  /** Throws if the table has ticks beyond the journal's end: candles with them would skip future ticks up to there. */
  async #refuseBeyond(through: Offsets): Promise<void> {
    const { journal } = this.#options
    const retentionMs = journal.retentionMs('ticks')
    for (const [partition, watermark] of through.entries()) {
      const { end } = await journal.bounds('ticks', partition)
      startBehind(ticks, partition, watermark, { start: 0, end }, retentionMs)
    }
  }
}
