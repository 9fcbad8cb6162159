/**
 * A model of Kafka and of nodes that own a name by the product's rules, in simulated time: requests and answers are lost or
 * late, clocks drift, nodes stop or die. The rules are the product's own; what they stand on is modelled here, without the
 * sequence numbers of a failed transaction, which Kafka takes for repeats (K2).
 */
import { type CommitState, type End, type News, next, rowNews } from '../../../journal/kafka/commit-rules.ts'
import type { LedgerClaimRow } from '../../../journal/kafka/ledger.ts'
import { Attention, contenderAct, isSuperseded, standingOf } from '../../../journal/ownership.ts'

const EXPIRY_MS = 8_000
const REQUEST_MS = 700
const PATIENCE_MS = 5_000
const LISTEN_MS = 500
const PLACE = 'input/0'

export type Settings = {
  readonly nodes: number
  /** The share of requests that are lost, have their answer lost, or arrive after they were given up. */
  lossRate: number
  /** The greatest share by which a node's clock goes wrong. */
  readonly drift: number
  readonly random: () => number
}

export class Model {
  now = 0
  readonly settings: Settings
  readonly nodes: Node[] = []
  readonly broker: Broker
  readonly #events: { readonly at: number; readonly order: number; readonly run: () => void }[] = []
  #order = 0

  constructor(settings: Settings) {
    this.settings = settings
    this.broker = new Broker(this)
    for (let i = 0; i < settings.nodes; i++) this.nodes.push(new Node(this, `${i}`))
  }

  at(ms: number, run: () => void): void {
    this.#events.push({ at: ms, order: this.#order++, run })
  }

  /** The node that owns the name and knows it. */
  get owner(): Node | undefined {
    return this.nodes.find(({ owns }) => owns)
  }

  /** Throws where an epoch is written over a greater one. */
  run(untilMs: number): void {
    while (this.now < untilMs) {
      const soonest = this.#events.reduce((a, b) => (b.at < a.at || (b.at === a.at && b.order < a.order) ? b : a))
      this.#events.splice(this.#events.indexOf(soonest), 1)
      this.now = soonest.at
      soonest.run()
    }
  }

  between(least: number, most: number): number {
    return least + this.settings.random() * (most - least)
  }
}

type Written = { readonly id: string; readonly node: string; readonly epoch: number; readonly number: number }
type Part = { readonly row: LedgerClaimRow; readonly record?: Written }
type Reply = 'ok' | 'shut out'

/** One transactional id, one row, one partition, and the heartbeats. */
class Broker {
  readonly records: Written[] = []
  readonly beats: { readonly name: string; readonly owns: boolean; readonly isChange: boolean }[] = []
  /** Each row that was committed, and from when on it can be read. */
  readonly rows: { readonly row: LedgerClaimRow; readonly from: number }[] = []
  readonly takes: { readonly at: number; readonly row: LedgerClaimRow; readonly robbed: string | undefined }[] = []
  readonly #model: Model
  #producer = 0
  #sequence = 0
  #open: Part | undefined

  constructor(model: Model) {
    this.#model = model
  }

  /** Shuts every other producer out, and waits for the markers of what was committed. */
  initialise(): number {
    this.#open = undefined
    this.#sequence = 0
    for (const [i, { row }] of this.rows.entries()) this.rows[i] = { row, from: 0 }
    return ++this.#producer
  }

  write(producer: number, sequence: number, part: Part): Reply {
    if (producer !== this.#producer) return 'shut out'
    if (sequence === this.#sequence + 1) this.#open = part
    this.#sequence = Math.max(sequence, this.#sequence)
    return 'ok'
  }

  commit(producer: number): Reply {
    if (producer !== this.#producer) return 'shut out'
    if (this.#open) this.#append(this.#open)
    this.#open = undefined
    return 'ok'
  }

  row(): LedgerClaimRow | undefined {
    return this.rows.findLast(({ from }) => from <= this.#model.now)?.row
  }

  #append({ row, record }: Part): void {
    const before = this.rows.at(-1)?.row
    if (before && row.epoch < before.epoch) throw new Error(`epoch ${row.epoch} written over ${before.epoch}`)
    if (row.epoch !== (before?.epoch ?? 0)) {
      const nodeOf = (of: LedgerClaimRow | undefined) =>
        this.#model.nodes.find(({ name }) => name === of?.owner?.instance)
      const [owner, taker] = [nodeOf(before), nodeOf(row)]
      const isRobbed = owner && taker && owner !== taker && owner.wasSteady(taker.judgedAt)
      if (taker) taker.ownedSince = this.#model.now
      this.takes.push({ at: this.#model.now, row, robbed: isRobbed ? owner.name : undefined })
    }
    this.rows.push({ row, from: this.#model.now + this.#model.between(0, 30) })
    if (record) this.records.push(record)
  }
}

type Course<T = void> = Generator<number, T>
type Outcome = { readonly end: End; readonly row: LedgerClaimRow }

export class Node {
  readonly name: string
  /** What came of each transaction, by its id. */
  readonly outcomes = new Map<string, End>()
  isDead = false
  /** When it last found that it may take the name, and when the name became its own. */
  judgedAt = 0
  ownedSince = 0
  readonly #model: Model
  readonly #speed: number
  readonly #attention = new Attention(EXPIRY_MS, 2 * LISTEN_MS)
  #stoppedUntil = 0
  /** The epoch that it owns. */
  #epoch: number | undefined
  /** When its last beat that was acknowledged was sent, by its own clock. */
  #saidAt = 0
  /** When beats were acknowledged, by the model's clock. */
  readonly #signs: number[] = []
  #changes = 0
  #producer = 0
  #sequence = 0
  #attempts = 0

  constructor(model: Model, name: string) {
    this.#model = model
    this.name = name
    this.#speed = 1 + model.between(-model.settings.drift, model.settings.drift)
    for (const course of [this.#live(), this.#beat(), this.#listen()]) this.#resume(course, model.between(0, 500))
  }

  get owns(): boolean {
    return this.#epoch !== undefined && !this.isDead
  }

  /** It owns the name, and then gave signs of life far more often than the expiry asks for, for a while. */
  wasSteady(at: number): boolean {
    const from = Math.max(this.ownedSince, at - 2.5 * EXPIRY_MS)
    const signs = [from, ...this.#signs.filter((sign) => sign > from && sign < at), at]
    return this.owns && from <= at && signs.every((sign, i) => sign - (signs[i - 1] ?? sign) < EXPIRY_MS / 2)
  }

  die(): void {
    this.isDead = true
  }

  stop(ms: number): void {
    this.#stoppedUntil = this.#model.now + ms
  }

  get #clock(): number {
    return this.#model.now * this.#speed
  }

  #resume(course: Course, ms: number): void {
    this.#model.at(this.#model.now + ms, () => {
      if (this.isDead) return
      const stopped = this.#stoppedUntil - this.#model.now
      if (stopped > 0) return this.#resume(course, stopped)
      const { value, done } = course.next()
      if (!done) this.#resume(course, value)
    })
  }

  *#sleep(ms: number): Course {
    yield ms / this.#speed
  }

  /** Undefined: no answer came in time. `mayBeLate`: it may still be done afterwards. */
  *#request<T>(run: () => T, mayBeLate: boolean): Course<T | undefined> {
    const model = this.#model
    const [there, back] = [model.between(1, 15), model.between(1, 15)]
    const fault =
      model.settings.random() < model.settings.lossRate ? Math.floor(model.between(0, mayBeLate ? 3 : 2)) : 3
    const [requestLost, answerLost, late] = [0, 1, 2]
    let answer: T | undefined
    const arrival = model.now + there + (fault === late ? model.between(REQUEST_MS, 4 * REQUEST_MS) : 0)
    if (fault !== requestLost)
      model.at(arrival, () => {
        answer = run()
      })
    if (fault === requestLost || fault === answerLost || fault === late) {
      yield REQUEST_MS
      return undefined
    }
    yield there + back
    return answer
  }

  /** Asks until an answer comes, for a while. */
  *#persist<T>(run: () => T, mayBeLate: boolean): Course<T | undefined> {
    for (let times = 0; times < 3; times++) {
      const answer = yield* this.#request(run, mayBeLate)
      if (answer !== undefined) return answer
    }
    return undefined
  }

  *#live(): Course {
    for (;;) {
      let row = yield* this.#contend()
      this.#epoch = row.epoch
      let isSound = true
      while (this.#epoch === row.epoch && this.#model.settings.random() > 0.03) {
        yield* this.#sleep(this.#model.between(0, 400))
        const number = (row.positions[PLACE] ?? 0) + 1
        const after = { ...row, transaction: row.transaction + 1, positions: { [PLACE]: number } }
        const id = `${this.name}.${++this.#attempts}`
        const record = { id, node: this.name, epoch: row.epoch, number }
        const { end }: Outcome = yield* this.#commit(row, () => after, { isSound, repeats: true, record })
        this.outcomes.set(id, end)
        isSound = end === 'committed'
        if (isSound) row = after
        if (end === 'fenced' || end === 'unknown') this.#epoch = undefined
      }
      if (this.#epoch === row.epoch) {
        const released = { ...row, transaction: row.transaction + 1, owner: null }
        yield* this.#commit(row, () => released, { isSound, repeats: true })
        this.#epoch = undefined
        yield* this.#say(true)
      }
    }
  }

  *#contend(): Course<LedgerClaimRow> {
    let judged: LedgerClaimRow | undefined
    for (;;) {
      const seen = this.#changes
      const found = yield* this.#persist(() => ({ row: this.#model.broker.row() }), true)
      if (!found) continue
      const { row } = found
      const owner = row?.owner?.instance ?? ''
      if (row?.epoch !== judged?.epoch) this.#attention.hear(owner)
      judged = row
      const leftMs = this.#attention.leftMs(owner)
      const act = contenderAct(
        standingOf(row?.owner, this.name, () => 'unknown'),
        leftMs,
      )
      if (act === 'take') {
        this.judgedAt = this.#model.now
        const instance = { instance: this.name, host: this.name, process: NO_PROCESS }
        const rowOf = (before: LedgerClaimRow | undefined): LedgerClaimRow => ({
          epoch: (before?.epoch ?? 0) + 1,
          transaction: 0,
          owner: instance,
          positions: before?.positions ?? {},
          wrote: [],
        })
        const { end, row: taken } = yield* this.#commit(row, rowOf, { isSound: undefined, repeats: false })
        if (end === 'committed') {
          yield* this.#say(true)
          return taken
        }
        yield* this.#sleep(this.#model.between(0, 250))
      } else {
        const pause = Math.min(5_000, leftMs + 250)
        for (let waited = 0; waited < pause && this.#changes === seen; waited += 50) yield* this.#sleep(50)
      }
    }
  }

  /** As `owned-claim.ts` does it. `isSound` undefined: a take. */
  *#commit(
    before: LedgerClaimRow | undefined,
    after: (before: LedgerClaimRow | undefined) => LedgerClaimRow,
    { isSound, repeats, record }: { isSound: boolean | undefined; repeats: boolean; record?: Written },
  ): Course<Outcome> {
    const until = this.#clock + PATIENCE_MS
    let state: CommitState = { step: isSound === undefined ? 'initialise' : isSound ? 'write' : 'look', inDoubt: false }
    let row = after(before)
    for (;;) {
      const isLost = isSound !== undefined && this.#epoch !== row.epoch
      let news: News = 'lost'
      if (!isLost && state.step === 'write') news = yield* this.#write({ row, ...(record && { record }) })
      else if (!isLost && state.step === 'initialise') {
        const producer = yield* this.#persist(() => this.#model.broker.initialise(), true)
        if (producer) [this.#producer, this.#sequence] = [producer, 0]
        news = producer ? 'initialised' : 'failed'
      } else if (!isLost) {
        const found = yield* this.#persist(() => ({ row: this.#model.broker.row() }), true)
        news = found ? rowNews(found.row, before, row) : 'failed'
        if (news === 'before') row = after(found?.row)
      }
      const reached = next(state, news, !repeats || this.#clock >= until)
      if (typeof reached === 'string') return { end: reached, row }
      state = reached
    }
  }

  *#write(part: Part): Course<News> {
    const { broker } = this.#model
    const [producer, sequence] = [this.#producer, ++this.#sequence]
    const written = yield* this.#persist(() => broker.write(producer, sequence, part), true)
    if (written !== 'ok') return 'failed'
    // A connection keeps its order, so no commit arrives behind the next transaction.
    const committed = yield* this.#persist(() => broker.commit(producer), false)
    return committed === 'ok' ? 'written' : 'unsure'
  }

  *#beat(): Course {
    for (;;) {
      yield* this.#sleep(EXPIRY_MS / 5)
      if (!this.owns) this.#saidAt = this.#clock
      else if (this.#clock - this.#saidAt > EXPIRY_MS) this.#epoch = undefined
      if (!this.owns) continue
      const startedAt = this.#clock
      if (yield* this.#say(false)) {
        this.#saidAt = startedAt
        this.#signs.push(this.#model.now)
      }
    }
  }

  #say(isChange: boolean): Course<number | undefined> {
    const beat = { name: this.name, owns: this.owns, isChange }
    return this.#persist(() => this.#model.broker.beats.push(beat), true)
  }

  *#listen(): Course {
    for (let from = this.#model.broker.beats.length; ; ) {
      const startedAt = this.#clock
      yield* this.#sleep(this.#model.between(50, LISTEN_MS))
      const beats = yield* this.#request(() => this.#model.broker.beats.slice(from), true)
      if (!beats) continue
      this.#attention.listen(this.#clock - startedAt)
      from += beats.length
      for (const { name, owns } of beats) if (owns) this.#attention.hear(name)
      if (!beats.some(({ isChange }) => isChange)) continue
      this.#changes++
      const epoch = this.#epoch
      const found = yield* this.#persist(() => ({ row: this.#model.broker.row() }), true)
      if (epoch !== undefined && this.#epoch === epoch && isSuperseded(epoch, found?.row?.epoch))
        this.#epoch = undefined
    }
  }
}

const NO_PROCESS = { pid: 0, started: null, boot: null, namespace: null }
