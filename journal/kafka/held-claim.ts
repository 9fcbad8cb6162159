/** A claim that is ours, and the transactions under it, one after the other. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Claim, JournalError, type PartitionAddress, type Position, partitionKey } from '../journal.ts'
import type { KafkaClient } from './client.ts'
import type { Heartbeats } from './heartbeats.ts'
import type { ClaimRow, Ledger } from './ledger.ts'
import { countOf } from './record-batch.ts'
import { atMost, forMs, isPassingFailure, type Patience, toJournalError } from './retry.ts'
import { type TransactionalProducer, TransactionFailure, type TransactionPart } from './transactional-producer.ts'
import { untilEndIs } from './visible.ts'

export type Holding = {
  readonly name: string
  readonly row: ClaimRow
  readonly producer: TransactionalProducer
  readonly client: KafkaClient
  readonly ledger: Ledger
  readonly beats: Pick<Heartbeats, 'announce'>
  /** Throws `unknown_topic` and `closed`. */
  readonly find: (address: PartitionAddress) => Promise<unknown>
  readonly patienceMs: number
}

/** A node that does not answer holds a release up no longer; it goes on behind, and the claim expires if it fails. */
const RELEASE_MS = 1_200
/** Longer than a dead owner's transaction can stand open before the next owner ends it. */
const VISIBLE_MS = 90_000

export class HeldClaim implements Claim {
  readonly name: string
  readonly epoch: number
  readonly lost: AbortSignal
  private readonly holding: Holding
  private readonly leave: () => void
  private readonly losing = new AbortController()
  /** As last committed. */
  private row: ClaimRow
  private last: Promise<unknown> = Promise.resolve()
  private released: Promise<void> | undefined

  /** `leave` is called when it is ours no more, perhaps more than once. */
  constructor(holding: Holding, leave: () => void) {
    this.holding = holding
    this.name = holding.name
    this.epoch = holding.row.epoch
    this.row = holding.row
    this.lost = this.losing.signal
    this.leave = leave
  }

  async position(address: PartitionAddress): Promise<number | undefined> {
    await this.holding.find(address)
    return this.row.positions[partitionKey(address)]
  }

  /** Writes all parts and moves positions. Returns the first offset of each part. */
  transact(parts: readonly TransactionPart[], moves: readonly Position[]): Promise<number[]> {
    return this.inTurn(async () => {
      if (this.released) throw this.lose(new JournalError('fenced', `${this.name}: epoch ${this.epoch} was released`))
      const patience = forMs(this.holding.patienceMs)
      const positions = { ...this.row.positions }
      for (const move of moves) positions[partitionKey(move)] = move.offset
      const places = new Map(parts.map(({ address }) => [partitionKey(address), address]))
      const wrote = parts.length > 0 ? Array.from(places.values()) : this.row.wrote
      const offsets = await this.commit(parts, { ...this.row, positions, wrote }, patience)
      await this.untilVisible(parts, offsets)
      return offsets
    })
  }

  /** Gives the name to whoever waits for it, trying for 1.2 s. Releasing again, or after a loss, does nothing. */
  release(): Promise<void> {
    this.released ??= atMost(RELEASE_MS, this.giveUp())
    return this.released
  }

  /** Ownership is over: taken by somebody newer, or spent by a transaction whose outcome is unknown. Returns the reason. */
  lose(reason: JournalError): JournalError {
    this.losing.abort(reason)
    this.leave()
    return reason
  }

  private async giveUp(): Promise<void> {
    const { ledger, beats, name } = this.holding
    try {
      await this.inTurn(async () => {
        if (this.lost.aborted) return
        const patience = forMs(RELEASE_MS)
        await this.commit([], { ...this.row, owner: null }, patience)
        // Only what is on record can be taken over by those who hear of it.
        while (performance.now() < patience.until) {
          const row = await ledger.claim(name, patience).catch(() => undefined)
          if (row?.epoch !== this.epoch || !row.owner) break
          await sleep(1)
        }
      })
    } finally {
      this.leave()
    }
    await beats.announce(name)
  }

  private inTurn<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.last.then(task)
    this.last = turn.catch(() => undefined)
    return turn
  }

  /**
   * Commits `parts` together with the claim's next row, which tells afterwards whether it has been done. A transaction
   * that has failed is first decided: initialising ends it one way or the other, and the row says which.
   */
  private async commit(parts: readonly TransactionPart[], next: ClaimRow, patience: Patience): Promise<number[]> {
    const { ledger, producer, name, patienceMs } = this.holding
    const row: ClaimRow = { ...next, transaction: this.row.transaction + 1 }
    const all = [...parts, ledger.claimPart(name, row)]
    let inDoubt: readonly number[] | undefined
    for (;;) {
      const code = inDoubt ? 'outcome_unknown' : 'fenced'
      if (this.lost.aborted) throw new JournalError(code, `${name}: epoch ${this.epoch} is over`)
      try {
        if (!producer.isReady) {
          const found = await this.initialise(inDoubt ? forMs(patienceMs) : patience, inDoubt !== undefined)
          if (inDoubt && found.transaction === row.transaction) {
            this.row = row
            return inDoubt.slice(0, parts.length)
          }
          if (inDoubt && performance.now() > patience.until)
            throw new JournalError('unavailable', `the transaction under ${name} was not committed in time`)
          inDoubt = undefined
        }
        const offsets = await producer.run(all, patience)
        this.row = row
        return offsets.slice(0, parts.length)
      } catch (error) {
        if (error instanceof JournalError) throw error
        const failed = error instanceof TransactionFailure ? error : undefined
        const cause = failed ? failed.cause : error
        if (failed) inDoubt = failed.committing
        // What is in doubt is looked up once more when time is over.
        const hasTime = performance.now() < patience.until || (failed !== undefined && inDoubt !== undefined)
        if (hasTime && (isPassingFailure(cause) || failed?.isOver)) continue
        if (!inDoubt) throw toJournalError(cause)
        throw this.lose(new JournalError('outcome_unknown', `transaction under ${name}`, { cause }))
      }
    }
  }

  /**
   * Makes the producer ready again, unless the claim is somebody else's: looks before, so as not to shut out the new owner,
   * and afterwards, when nobody can change it any more. Returns the row as it stands.
   */
  private async initialise(patience: Patience, isInDoubt: boolean): Promise<ClaimRow> {
    await this.mustBeOurs(patience, isInDoubt)
    await this.holding.producer.initialise(patience)
    return this.mustBeOurs(patience, isInDoubt)
  }

  private async mustBeOurs(patience: Patience, isInDoubt: boolean): Promise<ClaimRow> {
    const row = await this.holding.ledger.claim(this.name, patience)
    if (row?.epoch === this.epoch) return row
    const code = isInDoubt ? 'outcome_unknown' : 'fenced'
    throw this.lose(new JournalError(code, `${this.name}: epoch ${this.epoch}, now ${row?.epoch}`))
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
