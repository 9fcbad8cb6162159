/** A claim that is ours, or is being taken, and the transactions under it, one after the other. */
import { setTimeout as sleep } from 'node:timers/promises'
import { SerialQueue } from '../../base/async/serial-queue.ts'
import { OwnClaim } from '../claim-register.ts'
import { JournalError, type PartitionAddress, type Position, partitionKey } from '../journal.ts'
import type { KafkaClient } from './client.ts'
import { type CommitState, type End, type News, next, rowNews } from './commit-rules.ts'
import type { Ledger, LedgerClaimRow, Owner } from './ledger.ts'
import { countOf } from './record-batch.ts'
import { atMost, forMs, isPassingFailure, type Patience, toJournalError } from './retry.ts'
import { type TransactionalProducer, TransactionFailure, type TransactionPart } from './transactional-producer.ts'
import { untilAllIsVisible, untilEndIs } from './visible.ts'

type Holding = {
  readonly name: string
  readonly owner: Owner
  readonly producer: TransactionalProducer
  readonly client: KafkaClient
  readonly ledger: Ledger
  /** Tells other processes that the name has changed hands. */
  readonly announce: () => Promise<void>
  /** Throws `unknown_topic` and `closed`. */
  readonly find: (address: PartitionAddress) => Promise<unknown>
  readonly patienceMs: number
}

/** Makes the row to be written of the one that it replaces. */
type MakeRow = (before: LedgerClaimRow | undefined) => LedgerClaimRow

/** `cause`: the last failure on the way. `offsets`: of the first record of each part, if they were committed. */
type Outcome = {
  readonly end: End
  readonly row: LedgerClaimRow
  readonly offsets: readonly number[]
  readonly cause: unknown
}

/** A node that does not answer holds a release up no longer; it goes on behind, and the claim expires if it fails. */
const RELEASE_MS = 1_200
/** Longer than a dead owner's transaction can stand open before the next owner ends it. */
const VISIBLE_MS = 90_000

export class KafkaHeldClaim extends OwnClaim {
  private readonly holding: Holding
  /** As last committed; before the name is taken, as its contender has judged it. */
  private row: LedgerClaimRow | undefined
  private start: CommitState['step'] = 'initialise'
  private readonly turns = new SerialQueue()
  private released: Promise<void> | undefined

  constructor(holding: Holding, judged: LedgerClaimRow | undefined) {
    super(holding.name, (judged?.epoch ?? 0) + 1)
    this.holding = holding
    this.row = judged
  }

  get isReleased(): boolean {
    return this.released !== undefined
  }

  /** Becomes the owner. Throws `fenced` where another contender was faster, and what `transact` throws. Not repeated. */
  async take(patience: Patience): Promise<void> {
    const { client, owner, patienceMs } = this.holding
    const makeRow: MakeRow = (before) => ({
      epoch: this.epoch,
      transaction: 0,
      owner,
      positions: before?.positions ?? {},
      wrote: before?.wrote ?? [],
    })
    // After a failure the name is judged anew: its owner may have come back meanwhile.
    const { end, row, cause } = await this.commit([], makeRow, patience, false)
    if (end === 'unknown') {
      // The row may be on record, with a name that nobody holds: others would wait for it to expire.
      this.row = row
      await this.release().catch(() => undefined)
    }
    if (end !== 'committed') throw this.lose(this.failureOf(end, cause))
    await untilAllIsVisible(client, row.wrote, forMs(patienceMs, patience.signal))
  }

  async position(address: PartitionAddress): Promise<number | undefined> {
    await this.holding.find(address)
    return this.row?.positions[partitionKey(address)]
  }

  /** Writes all parts and moves positions. Returns the first offset of each part. */
  transact(parts: readonly TransactionPart[], moves: readonly Position[]): Promise<readonly number[]> {
    return this.turns.run(async () => {
      if (this.released) throw this.lose(new JournalError('fenced', `${this.name}: epoch ${this.epoch} was released`))
      const positions = Object.fromEntries(moves.map((move) => [partitionKey(move), move.offset]))
      const places = new Map(parts.map(({ address }) => [partitionKey(address), address]))
      const offsets = await this.commitNext(parts, forMs(this.holding.patienceMs), (row) => ({
        ...row,
        positions: { ...row.positions, ...positions },
        wrote: parts.length > 0 ? Array.from(places.values()) : row.wrote,
      }))
      await this.untilVisible(parts, offsets)
      return offsets
    })
  }

  /** Tries for 1.2 s. */
  release(): Promise<void> {
    this.released ??= atMost(RELEASE_MS, this.giveUp())
    return this.released
  }

  private async giveUp(): Promise<void> {
    const { ledger, announce, name } = this.holding
    try {
      const wasOurs = await this.turns.run(async () => {
        if (this.lost.aborted) return false
        const patience = forMs(RELEASE_MS)
        await this.commitNext([], patience, (row) => ({ ...row, owner: null }))
        // Only what is on record can be taken over by those who hear of it.
        while (performance.now() < patience.until) {
          const row = await ledger.claim(name, patience).catch(() => undefined)
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

  /** Commits `parts` with the owner's next row. What takes the claim away, loses it. */
  private async commitNext(
    parts: readonly TransactionPart[],
    patience: Patience,
    change: (row: LedgerClaimRow) => LedgerClaimRow,
  ): Promise<readonly number[]> {
    // A claim that is handed out has been taken, and so has a row.
    const row = this.row as LedgerClaimRow
    const after = { ...change(row), transaction: row.transaction + 1 }
    const { end, offsets, cause } = await this.commit(parts, () => after, patience, true)
    if (end === 'committed') return offsets
    const failure = this.failureOf(end, cause)
    throw end === 'fenced' || end === 'unknown' ? this.lose(failure) : failure
  }

  /** Takes the steps of `commit-rules.ts`. */
  private async commit(
    parts: readonly TransactionPart[],
    makeRow: MakeRow,
    patience: Patience,
    repeats: boolean,
  ): Promise<Outcome> {
    const { name, producer, ledger, patienceMs } = this.holding
    const before = this.row
    let state: CommitState = { step: this.start, inDoubt: false }
    let row = makeRow(before)
    let offsets: readonly number[] = []
    let cause: unknown
    // What is in doubt has time of its own to be found out.
    let settling = patience

    const take = async ({ step, inDoubt }: CommitState): Promise<News> => {
      const within = inDoubt ? settling : patience
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
      settling = forMs(patienceMs, patience.signal)
      return error.isPassing ? 'unsure' : 'unsure for good'
    }
    for (;;) {
      const news = this.lost.aborted ? 'lost' : await take(state).catch(fail)
      const reached = next(state, news, !repeats || performance.now() >= patience.until)
      if (typeof reached !== 'string') {
        state = reached
        continue
      }
      this.start = reached === 'committed' && producer.isReady ? 'write' : 'look'
      if (reached === 'committed') this.row = row
      return { end: reached, row, offsets: offsets.slice(0, parts.length), cause }
    }
  }

  private failureOf(end: Exclude<End, 'committed'>, cause: unknown): Error {
    const error = toJournalError(cause)
    if (end === 'fenced') return new JournalError('fenced', `${this.name}: epoch ${this.epoch} is over`)
    if (end === 'unknown') return new JournalError('outcome_unknown', `transaction under ${this.name}`, { cause })
    if (end === 'refused' || error instanceof JournalError) return error as Error
    return new JournalError('unavailable', `transaction under ${this.name}`, { cause })
  }

  /** So that whoever is told of the commit can read it. */
  private async untilVisible(parts: readonly TransactionPart[], offsets: readonly number[]): Promise<void> {
    const patience = forMs(VISIBLE_MS)
    const ends = parts.map(({ address, batch }, i) =>
      untilEndIs(this.holding.client, address, (offsets[i] ?? 0) + countOf(batch), patience),
    )
    await Promise.all(ends).catch((cause) => {
      throw this.lose(new JournalError('outcome_unknown', `${this.name}: committed, but not to be seen`, { cause }))
    })
  }
}
