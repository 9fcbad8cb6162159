import { createHash } from 'node:crypto'
import { AccessError } from '../../access/error.ts'
import { identityOf } from '../../access/identity.ts'
import { KeyTable } from '../../access/key-table.ts'
import { createKey, type Issued } from '../../access/keys.ts'
import { type Limits, plans as usualPlans } from '../../contracts/plans.ts'
import type { Plan } from '../../contracts/resources.ts'
import { commitAnswers, MemoryAccessStore } from '../support/memory-access.ts'
import { timeAndChance } from '../support/memory-journal/time.ts'
import { randomFrom } from '../support/random.ts'
import { SimulatedTime } from '../support/simulated-time.ts'
import type { AccessEvidence, CountWrite, OpenStream, QuotaCall, TicketTry } from './access-evidence.ts'
import { AccessNode, type Ticket } from './access-node.ts'
import { judgeAccess } from './judges/access.ts'
import type { Run } from './shrink.ts'

/** Faults of the world of access. A run has some of them. */
export const accessFaults = ['kill', 'restart', 'stop', 'clock_back', 'clock_forward', ...commitAnswers] as const
export type AccessFault = (typeof accessFaults)[number]

type AccessOutcome = {
  readonly complaints: readonly string[]
  /** Hash of all answers with their times. Equal for equal options. */
  readonly trace: string
  readonly fired: ReadonlyMap<string, number>
  readonly evidence: AccessEvidence
}

const limitsOf = (plan: Plan, callsPerMonth: number, concurrentStreams: number): Limits => ({
  ...usualPlans[plan],
  callsPerMonth,
  concurrentStreams,
  callsPerMinute: 600,
})
/** Small, so that a run reaches the limits. */
const plans: Readonly<Record<Plan, Limits>> = {
  free: limitsOf('free', 40, 1),
  basic: limitsOf('basic', 150, 2),
  pro: limitsOf('pro', 600, 3),
}
const planNames = ['free', 'basic', 'pro'] as const satisfies readonly Plan[]

const ACT_EVERY_MS = 120
const FAULT_EVERY_MS = 2_500
const RESTART_MS = 500
/** Longer than a lease lives. */
const LONGEST_STOP_MS = 20_000
const LONGEST_COMMIT_MS = 4_000
const LONGEST_CLOCK_STEP_MS = 40_000
const LEASE_MS = 15_000
/** Time that a process that ends gives the store. */
const STORE_TIMEOUT_MS = 2_000
const DAY_MS = 86_400_000
/** A month ends within the run. */
const JANUARY_ENDS = Date.UTC(2026, 1, 1)
const FOREVER_MS = 30 * DAY_MS

/** A run draws which of the kinds of faults it has. */
export async function runAccessWorld({ steps, ...options }: Run<AccessFault>): Promise<AccessOutcome> {
  return new AccessWorld(options).run(steps)
}

type Running = { node: AccessNode | undefined }

/** One to three processes of a machine that share a store: calls, tickets, streams and faults, all drawn from a seed. */
class AccessWorld {
  readonly #random: () => number
  readonly #faults: () => number
  readonly #kinds: readonly AccessFault[]
  readonly #time: SimulatedTime
  readonly #store: MemoryAccessStore
  readonly #keys = new KeyTable()
  readonly #issued: readonly Issued[]
  readonly #places: readonly Running[]
  readonly #trace = createHash('sha256')
  readonly #fired = new Map<string, number>()
  readonly #calls: QuotaCall[] = []
  readonly #tries: TicketTry[] = []
  readonly #streams: OpenStream[] = []
  readonly #stops: { process: number; from: number; to: number }[] = []
  readonly #writes: CountWrite[] = []
  readonly #returned: number[] = []
  readonly #clockForward: number[] = []
  readonly #failures: string[] = []
  readonly #tickets: Ticket[] = []
  #clockOffset = 0
  #isFaulty = true
  #processes = 0
  #ticketsIssued = 0

  constructor({ seed, kinds }: Omit<Run<AccessFault>, 'steps'>) {
    this.#random = randomFrom(seed)
    this.#faults = randomFrom(seed + 0x9e3779b9)
    // Each kind is drawn, whether it is allowed or not, so that leaving out one changes as little as possible.
    this.#kinds = accessFaults.filter((kind) => this.#faults() < 0.6 && kinds.includes(kind))
    this.#time = new SimulatedTime(randomFrom(seed + 1), JANUARY_ENDS - this.#random() * 120_000)
    const rates = { failed: this.#has('failed') ? 0.05 : 0, slow: this.#has('slow') ? 0.03 : 0 }
    const random = randomFrom(seed + 2)
    this.#store = new MemoryAccessStore({
      ...timeAndChance(this.#time),
      random,
      rates,
      longestMs: LONGEST_COMMIT_MS,
    })
    const bytes = (size: number) => Uint8Array.from({ length: size }, () => Math.floor(this.#random() * 256))
    this.#issued = planNames.map((plan) =>
      createKey({ kind: 'live', plan, owner: 'TEST', origins: [], expiresAt: null }, JANUARY_ENDS - DAY_MS, bytes),
    )
    for (const { record } of this.#issued) this.#keys.apply(record)
    const nodes = 1 + Math.floor(this.#random() * 3)
    this.#places = Array.from({ length: nodes }, () => ({ node: undefined }))
  }

  async run(steps: number): Promise<AccessOutcome> {
    for (const place of this.#places) this.#start(place)
    this.#repeat(ACT_EVERY_MS, this.#random, () => this.#act())
    this.#repeat(FAULT_EVERY_MS, this.#faults, () => this.#fail())
    await this.#time.runUntil(() => this.#time.tasksRun >= steps, FOREVER_MS)
    this.#isFaulty = false
    this.#store.rates = {}
    // Those that are stopped go on in their own time.
    await this.#time.advance(LONGEST_STOP_MS + LEASE_MS)
    const ended = Promise.all(this.#places.map(({ node }) => node && this.#end(node)))
    await this.#time.advance(LONGEST_COMMIT_MS)
    await ended
    const free = await this.#freeStreams()
    const evidence: AccessEvidence = {
      accounts: this.#issued.map(({ record }) => ({
        account: identityOf(record).account,
        callsPerMonth: plans[record.plan].callsPerMonth,
        streams: plans[record.plan].concurrentStreams,
      })),
      calls: this.#calls,
      counts: Object.fromEntries(Array.from(this.#store.counts, ([row, count]) => [row, Number(count)])),
      writes: this.#writes,
      returned: this.#returned,
      tries: this.#tries,
      streams: this.#streams,
      stops: this.#stops,
      clockForward: this.#clockForward,
      free,
      failures: this.#failures,
    }
    for (const [answer, count] of this.#store.fired) this.#fired.set(answer, count)
    this.#note('end', JSON.stringify([evidence.counts, free]))
    return { complaints: judgeAccess(evidence), trace: this.#trace.digest('hex'), fired: this.#fired, evidence }
  }

  #has(kind: AccessFault): boolean {
    return this.#kinds.includes(kind)
  }

  readonly #note = (...facts: readonly (string | number)[]): void => {
    this.#trace.update(`${this.#time.monotonic()}|${facts.join('|')}\n`)
  }

  #repeat(everyMs: number, random: () => number, task: () => void): void {
    this.#time.timer(1 + 2 * random() * everyMs, () => {
      if (!this.#isFaulty) return
      task()
      this.#repeat(everyMs, random, task)
    })
  }

  #start(place: Running): void {
    place.node = this.#newNode()
  }

  #newNode(): AccessNode {
    return new AccessNode({
      number: ++this.#processes,
      time: this.#time,
      store: this.#store,
      keys: this.#keys,
      plans,
      clockOffset: this.#clockOffset,
      calls: this.#calls,
      writes: this.#writes,
      tries: this.#tries,
      streams: this.#streams,
      note: this.#note,
      onFailure: (error) => this.#failures.push(`${(error as Error).stack ?? error}`),
    })
  }

  #one<T>(list: readonly T[], random = this.#random): T | undefined {
    return list[Math.floor(random() * list.length)]
  }

  #act(): void {
    const node = this.#one(this.#places)?.node
    const issued = this.#one(this.#issued)
    const draw = this.#random()
    const count = 1 + Math.floor(this.#random() * 6)
    if (!node || !issued) return
    const { key, record } = issued
    if (draw < 0.4) for (let i = 0; i < count; i++) node.call(record, plans[record.plan].callsPerMonth)
    else if (draw < 0.5) node.refund()
    else if (draw < 0.65) node.issue(record, ++this.#ticketsIssued, (ticket) => this.#tickets.push(ticket))
    else if (draw < 0.85) this.#useTicket()
    else if (draw < 0.92) node.enter({ key })
    else {
      const admission = this.#one(node.admissions)
      if (admission) node.leave(admission)
    }
  }

  /** Tries a ticket on one node or several at once, and keeps some of them for another try. */
  #useTicket(): void {
    const ticket = this.#one(this.#tickets.slice(-6))
    if (!ticket) return
    if (this.#random() < 0.5) this.#tickets.splice(this.#tickets.indexOf(ticket), 1)
    for (const { node } of this.#places) if (this.#random() < 0.7) node?.enter({ ticket })
  }

  #fail(): void {
    const kind = this.#one(this.#kinds, this.#faults)
    const place = this.#one(this.#places, this.#faults)
    const draw = this.#faults()
    const node = place?.node
    if (kind === 'clock_back' || kind === 'clock_forward') this.#setClock(kind, draw)
    else if (!place || !node) return
    else if (kind === 'kill') {
      node.kill()
      this.#startLater(place)
    } else if (kind === 'restart' && !node.time.isStopped) {
      place.node = undefined
      void this.#end(node).then(() => this.#startLater(place))
    } else if (kind === 'stop' && !node.time.isStopped) this.#stop(node, draw * LONGEST_STOP_MS)
    else return
    this.#fired.set(kind, (this.#fired.get(kind) ?? 0) + 1)
  }

  /** Ends a process. If the store does not answer in time, what the process had reserved may stay counted. */
  async #end(node: AccessNode): Promise<void> {
    const startedAt = this.#time.monotonic()
    await node.end().catch((error) => {
      if (!(error instanceof AccessError)) this.#failures.push(`a process did not end: ${error}`)
    })
    const endedAt = this.#time.monotonic()
    if (endedAt - startedAt < STORE_TIMEOUT_MS) this.#returned.push(node.number)
  }

  #startLater(place: Running): void {
    place.node = undefined
    this.#time.timer(RESTART_MS, () => this.#start(place))
  }

  #stop(node: AccessNode, ms: number): void {
    const stop = { process: node.number, from: this.#time.monotonic(), to: Number.POSITIVE_INFINITY }
    this.#stops.push(stop)
    node.time.stop()
    this.#time.timer(ms, () => {
      stop.to = this.#time.monotonic()
      node.time.resume()
    })
  }

  /** Sets the clock of the machine, which all processes share. */
  #setClock(kind: 'clock_back' | 'clock_forward', draw: number): void {
    const ms = (kind === 'clock_forward' ? 1 : -1) * draw * LONGEST_CLOCK_STEP_MS
    this.#clockOffset += ms
    for (const { node } of this.#places) node?.time.setWallClock(this.#clockOffset)
    if (kind === 'clock_forward') this.#clockForward.push(this.#time.monotonic())
  }

  /** How many streams of each account a new process can open before one is refused, within a lease's life. */
  async #freeStreams(): Promise<Record<string, number>> {
    const node = this.#newNode()
    const free: Record<string, number> = {}
    const open = async () => {
      for (const { record } of this.#issued) {
        const identity = identityOf(record)
        const { concurrentStreams } = plans[record.plan]
        free[identity.account] ??= 0
        const { outcome } = await node.access.leases.take(identity, concurrentStreams, node.time.now())
        if (outcome === 'granted') free[identity.account] = (free[identity.account] ?? 0) + 1
      }
    }
    // Leases that nobody could release end by themselves, but those of a clock that was set back only a term after the next attempt.
    for (const { record } of this.#issued) void node.access.leases.take(identityOf(record), 0, node.time.now())
    await this.#time.advance(LEASE_MS + 1_000)
    // Each round takes one, so that it needs one more than the largest plan has. Leases of the probe live as long as others.
    for (let round = 0; round < plans.pro.concurrentStreams + 1; round++) {
      const opened = open()
      await this.#time.advance(1_000)
      await opened
    }
    node.kill()
    return free
  }
}
