/** A claim that this process holds or is taking, and the transactions under it, one after the other. */
import { setTimeout as sleep } from 'node:timers/promises'
import { SerialQueue } from '../../base/async/serial-queue.ts'
import { OwnClaim } from '../claim-register.ts'
import { JournalError, type PartitionAddress, type Position, partitionKey } from '../journal.ts'
import type { KafkaClient } from './client.ts'
import { type CommitState, type End, type News, next, rowNews } from './commit-rules.ts'
import type { Ledger, LedgerClaimRow, Owner } from './ledger.ts'
import { countOf } from './record-batch.ts'
import { atMost, deadlineIn, isPassingFailure, type RetryDeadline, toJournalError } from './retry.ts'
import { type TransactionalProducer, TransactionFailure, type TransactionPart } from './transactional-producer.ts'
import { untilAllIsVisible, untilEndIs } from './visible.ts'

type Holding = {
  readonly name: string
  readonly owner: Owner
  readonly producer: TransactionalProducer
  readonly client: KafkaClient
  readonly ledger: Ledger
  /** Announces to other processes that the name has been taken or released. */
  readonly announce: () => Promise<void>
  /** Throws `unknown_topic` and `closed`. */
  readonly find: (address: PartitionAddress) => Promise<unknown>
  readonly patienceMs: number
  /** Longest that `release` waits for Kafka. The release then continues in the background; if it fails, the claim expires. */
  readonly releaseMs: number
}

/** Returns the row to write, given the row that it replaces. */
type MakeRow = (before: LedgerClaimRow | undefined) => LedgerClaimRow

/** `cause` is the last failure. `offsets` are those of the first record of each part, if the transaction was committed. */
type Outcome = {
  readonly end: End
  readonly row: LedgerClaimRow
  readonly offsets: readonly number[]
  readonly cause: unknown
}

/** Longer than a dead owner's transaction can stay open before the next owner ends it. */
const VISIBLE_MS = 90_000

export class KafkaOwnedClaim extends OwnClaim {
  readonly #holding: Holding
  /** The row as last committed. Before the name is taken: the row as the contender read it. */
  #row: LedgerClaimRow | undefined
  #start: CommitState['step'] = 'initialise'
  readonly #turns = new SerialQueue()
  #released: Promise<void> | undefined

  constructor(holding: Holding, judged: LedgerClaimRow | undefined) {
    super(holding.name, (judged?.epoch ?? 0) + 1)
    this.#holding = holding
    this.#row = judged
  }

  get isReleased(): boolean {
    return this.#released !== undefined
  }

  /** Becomes the owner, in one attempt. Throws `fenced` if another contender was faster, and the errors of `transact`. */
  async take(deadline: RetryDeadline): Promise<void> {
    const { client, owner, patienceMs } = this.#holding
    const makeRow: MakeRow = (before) => ({
      epoch: this.epoch,
      transaction: 0,
      owner,
      positions: before?.positions ?? {},
      wrote: before?.wrote ?? [],
    })
    // There is no retry here: after a failure the contender reads the row again, because its owner may have come back.
    const { end, row, cause } = await this.#commit([], makeRow, deadline, false)
    if (end === 'unknown') {
      // The row may be on record although no process holds the claim. Contenders would have to wait until it expires.
      this.#row = row
      // If the release fails, the claim expires by itself.
      await this.release().catch(() => undefined)
    }
    if (end !== 'committed') throw this.lose(this.#failureOf(end, cause))
    await untilAllIsVisible(client, row.wrote, deadlineIn(patienceMs, deadline.signal))
  }

  async position(address: PartitionAddress, name: string = this.name): Promise<number | undefined> {
    await this.#holding.find(address)
    const row = name === this.name ? this.#row : await this.#rowOf(name)
    return row?.positions[partitionKey(address)]
  }

  /** The row of another name, once readers see what was written with it. */
  async #rowOf(name: string): Promise<LedgerClaimRow | undefined> {
    const { client, ledger, patienceMs } = this.#holding
    const deadline = deadlineIn(patienceMs)
    try {
      const row = await ledger.claim(name, deadline)
      if (row) await untilAllIsVisible(client, row.wrote, deadline)
      return row
    } catch (error) {
      throw error instanceof JournalError ? error : toJournalError(error)
    }
  }

  /** Writes all parts and positions in one transaction. Returns the offset of the first record of each part. */
  transact(parts: readonly TransactionPart[], moves: readonly Position[]): Promise<readonly number[]> {
    return this.#turns.run(async () => {
      if (this.#released) throw this.lose(new JournalError('fenced', `${this.name}: epoch ${this.epoch} was released`))
      const positions = Object.fromEntries(moves.map((move) => [partitionKey(move), move.offset]))
      const written = new Map(parts.map(({ address }) => [partitionKey(address), address]))
      const offsets = await this.#commitNext(parts, deadlineIn(this.#holding.patienceMs), (row) => ({
        ...row,
        positions: { ...row.positions, ...positions },
        wrote: parts.length > 0 ? Array.from(written.values()) : row.wrote,
      }))
      await this.#untilVisible(parts, offsets)
      return offsets
    })
  }

  /** Gives the name to the next contender. Resolves after `releaseMs` at most. */
  release(): Promise<void> {
    this.#released ??= atMost(this.#holding.releaseMs, this.#giveUp())
    return this.#released
  }

  async #giveUp(): Promise<void> {
    const { ledger, announce, name, releaseMs } = this.#holding
    try {
      const wasOurs = await this.#turns.run(async () => {
        if (this.lost.aborted) return false
        const deadline = deadlineIn(releaseMs)
        await this.#commitNext([], deadline, (row) => ({ ...row, owner: null }))
        // A contender that hears the announcement can take the name only once the released row is on record.
        while (performance.now() < deadline.until) {
          // A row that cannot be read ends the wait: then contenders read it later by themselves.
          const row = await ledger.claim(name, deadline).catch(() => undefined)
          if (row?.epoch !== this.epoch || !row.owner) break
          await sleep(1)
        }
        return true
      })
      if (!wasOurs) return
    } finally {
      this.end()
    }
    await announce()
  }

  /** Commits `parts` with the owner's next row. Loses a claim that was fenced, or if the outcome is unknown, unless it is released. */
  async #commitNext(
    parts: readonly TransactionPart[],
    deadline: RetryDeadline,
    change: (row: LedgerClaimRow) => LedgerClaimRow,
  ): Promise<readonly number[]> {
    // `take` has committed a row before the claim is handed out.
    const row = this.#row as LedgerClaimRow
    const after = { ...change(row), transaction: row.transaction + 1 }
    const { end, offsets, cause } = await this.#commit(parts, () => after, deadline, true)
    if (end === 'committed') return offsets
    const failure = this.#failureOf(end, cause)
    // A released name may have a newer owner: that is no loss.
    throw (end === 'fenced' || end === 'unknown') && !this.isReleased ? this.lose(failure) : failure
  }

  /** Takes the steps of `commit-rules.ts`. */
  async #commit(
    parts: readonly TransactionPart[],
    makeRow: MakeRow,
    deadline: RetryDeadline,
    repeats: boolean,
  ): Promise<Outcome> {
    const { name, producer, ledger, patienceMs } = this.#holding
    const before = this.#row
    let state: CommitState = { step: this.#start, inDoubt: false }
    let row = makeRow(before)
    let offsets: readonly number[] = []
    let cause: unknown
    // A transaction in doubt gets a deadline of its own for finding out how it ended.
    let settling = deadline

    const take = async ({ step, inDoubt }: CommitState): Promise<News> => {
      const within = inDoubt ? settling : deadline
      if (step === 'write') {
        offsets = await producer.run([...parts, ledger.claimPart(name, row)], within)
        return 'written'
      }
      if (step === 'initialise') {
        await producer.initialise(within)
        return 'initialised'
      }
      const found = await ledger.claim(name, within)
      const news = rowNews(found, before, row)
      if (news === 'before') row = makeRow(found)
      return news
    }
    const fail = (error: unknown): News => {
      if (!(error instanceof TransactionFailure)) {
        cause = error
        return isPassingFailure(error) ? 'failed' : 'refused'
      }
      cause = error.cause
      if (!error.committing) return error.isPassing ? 'failed' : 'refused'
      offsets = error.committing
      settling = deadlineIn(patienceMs, deadline.signal)
      return error.isPassing ? 'unsure' : 'unsure for good'
    }
    for (;;) {
      const news = this.lost.aborted ? 'lost' : await take(state).catch(fail)
      const reached = next(state, news, !repeats || performance.now() >= deadline.until)
      if (typeof reached !== 'string') {
        state = reached
        continue
      }
      this.#start = reached === 'committed' && producer.isReady ? 'write' : 'look'
      if (reached === 'committed') this.#row = row
      return { end: reached, row, offsets: offsets.slice(0, parts.length), cause }
    }
  }

  #failureOf(end: Exclude<End, 'committed'>, cause: unknown): Error {
    const error = toJournalError(cause)
    if (end === 'fenced') return new JournalError('fenced', `${this.name}: epoch ${this.epoch} is over`)
    if (end === 'unknown') return new JournalError('outcome_unknown', `transaction under ${this.name}`, { cause })
    if (end === 'refused' || error instanceof JournalError) return error as Error
    return new JournalError('unavailable', `transaction under ${this.name}`, { cause })
  }

  /** Waits until readers see the committed records, so that the caller of `transact` can read them. */
  async #untilVisible(parts: readonly TransactionPart[], offsets: readonly number[]): Promise<void> {
    const deadline = deadlineIn(VISIBLE_MS)
    const ends = parts.map(({ address, batch }, i) =>
      untilEndIs(this.#holding.client, address, (offsets[i] ?? 0) + countOf(batch), deadline),
    )
    await Promise.all(ends).catch((cause) => {
      throw this.lose(
        new JournalError('outcome_unknown', `${this.name}: committed, but readers do not see it yet`, { cause }),
      )
    })
  }
}
