import { setTimeout as sleep } from 'node:timers/promises'
import { topics } from '../../contracts/topics.ts'
import { type Claim, isPassing, type JournalError } from '../../journal/journal.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { backoffMs } from './backoff.ts'
import { type Pending, type Share, sharesOf } from './tick-batch.ts'

type CommitOptions = {
  readonly journal: TypedJournal
  /** What the claim is called. */
  readonly name: string
  /** Ends waiting for the claim and for a journal that is away. */
  readonly signal: AbortSignal
  readonly now: () => number
  readonly random: () => number
  /** The journal refused a batch, or its outcome is unknown; it is tried again in `retryInMs`. */
  readonly onRetry: (error: JournalError, retryInMs: number) => void
}

const RETRY = { baseMs: 50, capMs: 2_000 }

/**
 * Writes batches to `ticks` and `quarantine` exactly once, as the one owner of a name. A refused batch is tried again until
 * it is written. After an unknown outcome the name is claimed again, which fences the old claim, and the batch is looked
 * for in the tail.
 */
export class ExactCommit {
  readonly #options: CommitOptions
  #claim: Claim | undefined
  /** By topic and partition: where what was written last ends. */
  readonly #ends = new Map<string, number>()

  private constructor(options: CommitOptions, claim: Claim) {
    this.#options = options
    this.#claim = claim
  }

  /** Waits until the name is free. Rejects with `signal.reason` when aborted, or as the journal does. */
  static async open(options: CommitOptions): Promise<ExactCommit> {
    const claim = await options.journal.claim(options.name, options.signal)
    const commit = new ExactCommit(options, claim)
    try {
      const ticks = Array.from(
        { length: topics.ticks.partitions },
        (_, i) => ({ topic: 'ticks', partition: i }) as const,
      )
      await commit.#moveEnds([{ topic: 'quarantine', partition: 0 }, ...ticks])
      return commit
    } catch (error) {
      await claim.release().catch(() => undefined)
      throw error
    }
  }

  /** Resolves once the batch is durable. Not to be called again before it has settled. Throws `fenced` and the like. */
  async write(batch: readonly Pending[]): Promise<void> {
    const { journal, name, signal, now, random, onRetry } = this.#options
    let isUncertain = false
    for (let attempt = 0; ; attempt++) {
      try {
        this.#claim ??= await journal.claim(name, signal)
        // As the clock says, set back or not: whoever reads record times must see a step to get over it.
        const shares = sharesOf(journal, batch, now())
        if (isUncertain && (await this.#isWritten(shares))) return
        isUncertain = false
        const writes = shares.map(({ write }) => write)
        const written = await journal.transact(this.#claim, writes)
        for (const [i, share] of shares.entries())
          this.#ends.set(placeOf(share), (written[i]?.firstOffset ?? 0) + share.ids.length)
        return
      } catch (error) {
        if (!isPassing(error) || error.code === 'fenced') throw error
        if (error.code === 'outcome_unknown') {
          isUncertain = true
          await this.release()
        }
        const retryInMs = backoffMs(attempt, random(), RETRY)
        onRetry(error, retryInMs)
        await sleep(retryInMs, undefined, { signal })
      }
    }
  }

  async release(): Promise<void> {
    const claim = this.#claim
    this.#claim = undefined
    await claim?.release().catch(() => undefined)
  }

  /** Whether a batch whose outcome was unknown is in the journal: all of it is, or nothing. */
  async #isWritten(shares: readonly Share[]): Promise<boolean> {
    const { journal } = this.#options
    const [first] = shares
    if (!first) return true
    const { start } = await journal.bounds(first.topic, first.partition)
    const from = Math.max(start, this.#ends.get(placeOf(first)) ?? start)
    for await (const { records } of journal.readToEnd(first.topic, first.partition, from)) {
      if (!records.some(({ headers }) => headers['record-id'] === first.ids[0])) continue
      await this.#moveEnds(shares)
      return true
    }
    return false
  }

  async #moveEnds(places: readonly Place[]): Promise<void> {
    for (const place of places) {
      const { end } = await this.#options.journal.bounds(place.topic, place.partition)
      this.#ends.set(placeOf(place), end)
    }
  }
}

type Place = Pick<Share, 'topic' | 'partition'>
const placeOf = ({ topic, partition }: Place): string => `${topic}/${partition}`
