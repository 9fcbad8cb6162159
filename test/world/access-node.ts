import type { Access } from '../../access/access.ts'
import { AccessEnvironment } from '../../access/embedded/environment.ts'
import { accessOn } from '../../access/embedded/open.ts'
import { AccessError } from '../../access/error.ts'
import { identityOf } from '../../access/identity.ts'
import type { KeyTable } from '../../access/key-table.ts'
import type { Quota } from '../../access/quota.ts'
import { type Admission, StreamDoor } from '../../access/stream-door.ts'
import type { Limits } from '../../contracts/plans.ts'
import type { AccessKey } from '../../contracts/records.ts'
import type { Plan } from '../../contracts/resources.ts'
import type { MemoryAccessEngine, MemoryAccessStore, WatchCounts } from '../support/memory-access.ts'
import { timeAndChance } from '../support/memory-journal/time.ts'
import type { SimulatedTime } from '../support/simulated-time.ts'
import type { CountWrite, OpenStream, QuotaCall, TicketTry } from './access-evidence.ts'
import { ProcessTime } from './process-time.ts'

/** How often a server looks whether its streams may go on, as `streams/server.ts` does. */
const STANDING_MS = 250
const ORIGIN = 'https://app.example.com'

export type Ticket = { readonly n: number; readonly text: string; readonly issuedAt: number }

type AccessNodeOptions = {
  readonly number: number
  readonly time: SimulatedTime
  readonly store: MemoryAccessStore
  readonly keys: Pick<KeyTable, 'find' | 'standing'>
  readonly plans: Readonly<Record<Plan, Limits>>
  /** ms that the machine's clock is ahead of the true time. */
  readonly clockOffset: number
  readonly calls: QuotaCall[]
  readonly writes: CountWrite[]
  readonly tries: TicketTry[]
  readonly streams: OpenStream[]
  readonly note: (...facts: readonly (string | number)[]) => void
  readonly onFailure: (error: unknown) => void
}

/** A process with the door of streams and the quota of calls over the store that all processes of a machine share. */
export class AccessNode {
  readonly time: ProcessTime
  readonly access: Access
  readonly number: number
  readonly #options: AccessNodeOptions
  readonly #engine: MemoryAccessEngine
  readonly #door: StreamDoor
  readonly #quota: Pick<Quota, 'take' | 'refund'>
  readonly #ending = new AbortController()
  readonly #open = new Map<Admission, OpenStream>()
  /** The ticket of the try that is being made: the door passes on its text only. */
  readonly #tickets = new Map<string, Ticket>()
  readonly #granted: { readonly key: AccessKey; readonly at: number }[] = []
  #isOver = false

  constructor(options: AccessNodeOptions) {
    this.#options = options
    this.number = options.number
    this.time = new ProcessTime(options.time)
    this.time.setWallClock(options.clockOffset)
    this.#engine = options.store.open(timeAndChance(this.time), recordedWrites(options))
    this.access = accessOn(new AccessEnvironment(this.#engine, this.time))
    this.#quota = recordedQuota(this.access.quota, options)
    const { keys, plans } = options
    this.#door = new StreamDoor({
      ...this.access,
      quota: this.#quota,
      tickets: { redeem: (ticket, now) => this.#redeem(ticket, now) },
      keys,
      plans,
      time: this.time,
    })
    this.#door.run(this.#ending.signal).catch(options.onFailure)
    this.time.every(STANDING_MS, () => {
      for (const admission of this.#open.keys()) if (this.#door.standing(admission) === 'revoked') this.leave(admission)
    })
  }

  get isOver(): boolean {
    return this.#isOver
  }

  get admissions(): readonly Admission[] {
    return [...this.#open.keys()]
  }

  /** Charges one call. */
  call(key: AccessKey, limit: number): void {
    const at = this.time.now()
    this.#attempt(async () => {
      const { outcome } = await this.#quota.take(identityOf(key), limit, at)
      if (outcome === 'granted') this.#granted.push({ key, at })
    })
  }

  /** Refunds the newest call that was granted and not yet refunded. */
  refund(): void {
    const granted = this.#granted.pop()
    if (granted) this.#quota.refund(identityOf(granted.key), granted.at)
  }

  /** Issues a ticket for events. */
  issue(key: AccessKey, n: number, issued: (ticket: Ticket) => void): void {
    const issuedAt = this.time.now()
    const request = { ...identityOf(key), stream: 'events' as const, origin: ORIGIN }
    this.#attempt(async () => {
      const decision = await this.access.tickets.issue(request, issuedAt)
      if (decision.outcome === 'issued') issued({ n, text: decision.ticket, issuedAt })
    })
  }

  /** Opens a stream with a ticket or a key. */
  enter(by: { readonly ticket: Ticket } | { readonly key: string }): void {
    const isTicket = 'ticket' in by
    if (isTicket) this.#tickets.set(by.ticket.text, by.ticket)
    const arrival = isTicket ? { ticket: by.ticket.text, origin: ORIGIN } : { authorization: `Bearer ${by.key}` }
    this.#attempt(async () => {
      const outcome = await this.#door.enter({ stream: 'events', ...arrival })
      if ('refused' in outcome) return this.#options.note('refused', outcome.refused)
      // A server that ends closes what it has just admitted.
      if (this.#isOver) return this.#door.leave(outcome)
      const { number, time, streams } = this.#options
      const to = Number.POSITIVE_INFINITY
      const stream: OpenStream = { account: outcome.account, process: number, from: time.monotonic(), to }
      streams.push(stream)
      this.#open.set(outcome, stream)
    })
  }

  /** Closes a stream. */
  leave(admission: Admission): void {
    const stream = this.#open.get(admission)
    if (!stream) return
    this.#open.delete(admission)
    stream.to = this.#options.time.monotonic()
    this.#attempt(() => this.#door.leave(admission))
  }

  /** Ends the process as SIGKILL does. */
  kill(): void {
    this.#isOver = true
    for (const stream of this.#open.values()) stream.to = this.#options.time.monotonic()
    this.time.kill()
    this.#engine.kill()
  }

  /** Ends the process as SIGTERM does. */
  async end(): Promise<void> {
    this.#isOver = true
    for (const stream of this.#open.values()) stream.to = this.#options.time.monotonic()
    this.#open.clear()
    await this.#door.close()
    this.#ending.abort(new Error('the process ends'))
    await this.access.close()
    this.time.kill()
  }

  #attempt(task: () => Promise<void>): void {
    task().catch((error) => {
      if (!(error instanceof AccessError)) this.#options.onFailure(error)
    })
  }

  async #redeem(text: string, now: number) {
    const { time, tries, note } = this.#options
    const { n: ticket, issuedAt } = this.#tickets.get(text) ?? { n: -1, issuedAt: now }
    const made: TicketTry = {
      ticket,
      issuedAt,
      triedAt: now,
      calledAt: time.monotonic(),
      answeredAt: Number.POSITIVE_INFINITY,
      outcome: undefined,
    }
    tries.push(made)
    try {
      const redemption = await this.access.tickets.redeem(text, now)
      made.outcome = redemption.ok ? 'redeemed' : redemption.why
      return redemption
    } catch (error) {
      made.outcome = 'failed'
      throw error
    } finally {
      made.answeredAt = time.monotonic()
      note('ticket', ticket, made.outcome ?? '')
    }
  }
}

/** Puts every change of a count on record that the process decides on. */
const recordedWrites =
  ({ number, time, writes }: AccessNodeOptions): WatchCounts =>
  (changes) => {
    const made = changes.map((change): CountWrite => {
      return { process: number, ...change, decidedAt: time.monotonic(), isCommitted: false }
    })
    writes.push(...made)
    return (isCommitted) => {
      for (const write of made) write.isCommitted = isCommitted
    }
  }

/** The quota, with every call on record as its process hears of it. */
function recordedQuota(quota: Quota, { number, time, calls, note }: AccessNodeOptions): Pick<Quota, 'take' | 'refund'> {
  const made = (kind: QuotaCall['kind'], account: string, now: number): QuotaCall => {
    const call: QuotaCall = {
      kind,
      process: number,
      account,
      month: new Date(now).toISOString().slice(0, 7),
      calledAt: time.monotonic(),
      answeredAt: Number.POSITIVE_INFINITY,
      outcome: undefined,
    }
    calls.push(call)
    return call
  }
  const answered = (call: QuotaCall, outcome: QuotaCall['outcome']) => {
    call.outcome = outcome
    call.answeredAt = time.monotonic()
    note(call.kind, call.account, outcome ?? '')
  }
  return {
    async take(identity, limit, now) {
      const call = made('take', identity.account, now)
      try {
        const decision = await quota.take(identity, limit, now)
        answered(call, decision.outcome === 'revoked' ? 'failed' : decision.outcome)
        return decision
      } catch (error) {
        answered(call, 'failed')
        throw error
      }
    },
    refund(identity, takenAt) {
      answered(made('refund', identity.account, takenAt), 'refunded')
      quota.refund(identity, takenAt)
    },
  }
}
