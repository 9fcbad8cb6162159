/**
 * A journal in memory. A server holds the state, and each client that it opens stands for a process. It has the semantics
 * of `journal/journal.ts`, passes the contract suite of all adapters, and answers as chance wants. It waits, reads clocks and
 * draws only by `TimeAndChance`, so that a simulation repeats a run from its seed.
 *
 *   state.ts    topics, claims, positions       line.ts      what happens between a client and the state
 *   log.ts      one partition                   answers.ts   which answers there are, drawn and counted
 *   client.ts   the port                        claims.ts    owners, standbys, heartbeats
 *   time.ts     time and chance
 */
import { Answers, type Rates } from './answers.ts'
import { MemoryJournal } from './client.ts'
import { Line } from './line.ts'
import { JournalState, type Owner, type StateOptions } from './state.ts'
import { realTime, type TimeAndChance } from './time.ts'

export type MemoryServerOptions = StateOptions &
  Partial<TimeAndChance> & {
    /** What `backup` returned: the server begins with it. `id` and `compactsAtOnce` are then those of the backup. */
    readonly restores?: JournalState | undefined
    readonly rates?: Rates
    /** See `LineOptions`. */
    readonly latencyMs?: () => number
    readonly longestMs?: number
    readonly claimExpiryMs?: number
  }

export class MemoryServer {
  readonly answers: Answers
  readonly #state: JournalState
  readonly #time: TimeAndChance
  readonly #options: Required<Pick<MemoryServerOptions, 'latencyMs' | 'longestMs' | 'claimExpiryMs'>>
  readonly #running = new Set<string>()
  #opened = 0

  constructor({
    now = realTime.now,
    after = realTime.after,
    random = realTime.random,
    rates = {},
    latencyMs = () => 0,
    longestMs = 2_000,
    claimExpiryMs = 10_000,
    restores,
    ...state
  }: MemoryServerOptions = {}) {
    this.#time = { now, after, random }
    this.answers = new Answers(random, rates)
    this.#options = { latencyMs, longestMs, claimExpiryMs }
    this.#state = restores?.copy(state) ?? new JournalState(state)
  }

  /**
   * Opens a client. A client sees at once that another one on its own machine has ended, and of other machines never. `time` is
   * that of the client's process, if it differs from the server's: while the process is stopped, answers wait for it.
   */
  open({
    machine = 'machine',
    time,
  }: {
    readonly machine?: string
    readonly time?: TimeAndChance
  } = {}): MemoryJournal {
    const owner: Owner = { instance: `client-${++this.#opened}`, machine }
    const { latencyMs, longestMs, claimExpiryMs: expiryMs } = this.#options
    this.#running.add(owner.instance)
    return new MemoryJournal({
      state: this.#state,
      line: new Line({ time: this.#time, clientTime: time, answers: this.answers, latencyMs, longestMs }),
      time: time ?? this.#time,
      owner,
      expiryMs,
      fateOf: (other) => {
        if (other.machine !== machine) return 'unknown'
        return this.#running.has(other.instance) ? 'running' : 'gone'
      },
      onEnd: () => {
        this.#running.delete(owner.instance)
        this.#state.ownersChanged()
      },
    })
  }

  /** What the journal holds at this moment. */
  backup(): JournalState {
    return this.#state.copy({ generations: this.#state.generations })
  }

  /** Compacts all topics that have to be, now. Only for a server that does not do so at once. */
  compact(): void {
    this.#state.compact()
  }
}
