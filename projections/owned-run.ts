import type { Time } from '../base/time.ts'
import { isPassing as isJournalPassing, isOutOfRange } from '../journal/journal.ts'
import type { TypedJournal } from '../journal/typed.ts'
import { runUnderClaim } from '../journal/under-claim.ts'
import { isAway } from './clickhouse.ts'
import type { HandOvers } from './hand-over.ts'
import { TableMoved } from './write-block.ts'

type Options = {
  readonly journal: TypedJournal
  readonly onRetry?: (error: unknown) => void
  readonly time?: Time
  /** Rebuilds may ask for the table; without it, they wait until the run ends. */
  readonly handOvers?: HandOvers
}

/** The run of what writes a table, under the claim `projection/<table>`: whether it owns the claim, and has caught up. */
export class OwnedRun {
  readonly #caughtUp = Promise.withResolvers<void>()
  #isRunning = false

  constructor() {
    // `run` throws the same failure. Without a handler here, a caller that ignores `caughtUp` would end the process.
    this.#caughtUp.promise.catch(() => undefined)
  }

  /** True while the claim is owned. */
  get isRunning(): boolean {
    return this.#isRunning
  }

  /** Resolves with the first `noteCaughtUp`; rejects if the run ends before. */
  get caughtUp(): Promise<void> {
    return this.#caughtUp.promise
  }

  noteCaughtUp(): void {
    this.#caughtUp.resolve()
  }

  /**
   * Runs `work` whenever the claim is owned and no rebuild asks for the table, until `signal` aborts. Throws errors that a retry
   * doesn't mend.
   */
  async run(
    table: string,
    { journal, onRetry, time, handOvers }: Options,
    signal: AbortSignal,
    work: (owned: AbortSignal) => Promise<void>,
  ): Promise<void> {
    try {
      while (!signal.aborted) {
        const requested = new AbortController()
        const turn = AbortSignal.any([signal, requested.signal])
        const options = { journal, onRetry, signal: turn, time, isPassing: mayRetry }
        await runUnderClaim(`projection/${table}`, options, async (owned) => {
          this.#isRunning = true
          const ended = new AbortController()
          // It also resolves if the claim is lost or the work has ended.
          void handOvers
            ?.requestOf(table, AbortSignal.any([owned, ended.signal]))
            .then(() => owned.aborted || ended.signal.aborted || requested.abort())
          await work(owned).finally(() => {
            ended.abort()
            this.#isRunning = false
          })
        })
        await handOvers?.endOfRequest(table, signal)
      }
      this.#caughtUp.reject(signal.reason)
    } catch (error) {
      this.#caughtUp.reject(error)
      throw error
    }
  }
}

/**
 * Whether a failure may be transient. After a lost claim the process is a standby again. If records were deleted before they
 * were read, the next start decides what that means for the table.
 */
const mayRetry = (error: unknown): error is Error =>
  error instanceof TableMoved || isAway(error) || isJournalPassing(error) || isOutOfRange(error)
