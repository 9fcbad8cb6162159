import type { Time } from '../../base/time.ts'
import { type Topic, topics } from '../../contracts/topics.ts'
import { type Claim, isPassing, type JournalError, type Write } from '../../journal/journal.ts'
import type { Draft, TypedJournal } from '../../journal/typed.ts'
import { backoffMs } from './backoff.ts'

/** A record that waits to be written. `weight` is its share of the writer's memory, counted in ticks. */
export type Pending =
  | { readonly topic: 'ticks'; readonly partition: number; readonly draft: Draft<'ticks'>; readonly weight: number }
  | {
      readonly topic: 'quarantine'
      readonly partition: 0
      readonly draft: Draft<'quarantine'>
      readonly weight: number
    }

type CommitOptions = {
  readonly journal: TypedJournal
  /** Name of the claim. */
  readonly name: string
  /** Aborting it ends the wait for the claim and the retries of an unavailable journal. */
  readonly signal: AbortSignal
  readonly time: Time
  /** Called when the journal refused a batch or its outcome is unknown. The batch is retried in `retryInMs`. */
  readonly onRetry: (error: JournalError, retryInMs: number) => void
}

const RETRY = { baseMs: 50, capMs: 2_000 }

/**
 * Writes batches to `ticks` and `quarantine` exactly once, as the owner of a claim. Retries a refused batch until it is
 * written. After an unknown outcome it claims the name again, which fences the old claim, and looks for the batch in the tail.
 */
export class ExactCommit {
  readonly #options: CommitOptions
  #claim: Claim | undefined
  /** End of the last write, by `topic/partition`. */
  readonly #ends = new Map<string, number>()

  private constructor(options: CommitOptions, claim: Claim) {
    this.#options = options
    this.#claim = claim
  }

  /** Waits for the claim. Rejects with `signal.reason` when aborted, and with errors of the journal. */
  static async open(options: CommitOptions): Promise<ExactCommit> {
    const claim = await options.journal.claim(options.name, options.signal)
    const commit = new ExactCommit(options, claim)
    try {
      const ticks = Array.from(
        { length: topics.ticks.partitions },
        (_, i) => ({ topic: 'ticks', partition: i }) as const,
      )
      await commit.#readEnds([{ topic: 'quarantine', partition: 0 }, ...ticks])
      return commit
    } catch (error) {
      // The first error matters. A claim that can't be released passes on when its owner stops its heartbeats.
      await claim.release().catch(() => undefined)
      throw error
    }
  }

  /**
   * Resolves once the batch is durable. Call it for one batch at a time. Throws `fenced`, and errors of the journal
   * that a retry can't mend.
   */
  async write(batch: readonly Pending[]): Promise<void> {
    const { journal, name, signal, time, onRetry } = this.#options
    let isUncertain = false
    for (let attempt = 0; ; attempt++) {
      try {
        this.#claim ??= await journal.claim(name, signal)
        // The clock's time, even if it was set back: readers of record times must see the step to correct for it.
        const shares = sharesOf(journal, batch, time.now())
        if (isUncertain && (await this.#isWritten(shares))) return
        isUncertain = false
        const writes = shares.map(({ write }) => write)
        const written = await journal.transact(this.#claim, writes)
        for (const [i, share] of shares.entries())
          this.#ends.set(keyOf(share), (written[i]?.firstOffset ?? 0) + share.ids.length)
        return
      } catch (error) {
        if (!isPassing(error) || error.code === 'fenced') throw error
        if (error.code === 'outcome_unknown') {
          isUncertain = true
          await this.release()
        }
        const retryInMs = backoffMs(attempt, time.random(), RETRY)
        onRetry(error, retryInMs)
        await time.after(retryInMs, signal)
      }
    }
  }

  async release(): Promise<void> {
    const claim = this.#claim
    this.#claim = undefined
    // A claim that can't be released passes on when its owner stops its heartbeats.
    await claim?.release().catch(() => undefined)
  }

  /** Tells whether a batch of unknown outcome is in the journal. The first record decides, because all or none are. */
  async #isWritten(shares: readonly Share[]): Promise<boolean> {
    const { journal } = this.#options
    const [first] = shares
    if (!first) return true
    const from = this.#ends.get(keyOf(first))
    for await (const { records } of journal.readToEnd(first.topic, first.partition, from)) {
      if (!records.some(({ headers }) => headers['record-id'] === first.ids[0])) continue
      await this.#readEnds(shares)
      return true
    }
    return false
  }

  async #readEnds(partitions: readonly TopicPartition[]): Promise<void> {
    for (const address of partitions) {
      const { end } = await this.#options.journal.bounds(address.topic, address.partition)
      this.#ends.set(keyOf(address), end)
    }
  }
}

/** Ids of a batch's records for one partition, in order. */
type Share = { readonly topic: Topic; readonly partition: number; readonly ids: readonly string[] }

/**
 * Splits a batch into one write per partition, in order; `at` (UTC milliseconds) becomes the time of recording. The
 * casts are safe because all drafts of a share have the topic of its first.
 */
function sharesOf(
  journal: TypedJournal,
  batch: readonly Pending[],
  at: number,
): readonly (Share & { readonly write: Write })[] {
  const recorded_at = new Date(at).toISOString()
  const shares = Map.groupBy(batch, ({ topic, partition }) => `${topic}/${partition}`)
  return [...shares.values()].flatMap((share) => {
    const [first] = share
    if (!first) return []
    const ids = share.map(({ draft }) => draft.id)
    const { topic, partition } = first
    const drafts = share.map(({ draft }) => ({ ...draft, value: { ...draft.value, recorded_at }, at }))
    const write =
      topic === 'ticks'
        ? journal.writeOf('ticks', partition, drafts as Draft<'ticks'>[])
        : journal.writeOf('quarantine', partition, drafts as Draft<'quarantine'>[])
    return [{ topic, partition, ids, write }]
  })
}

type TopicPartition = Pick<Share, 'topic' | 'partition'>
const keyOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`
