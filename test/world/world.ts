import { createHash } from 'node:crypto'
import type { Render } from '../../api/answer.ts'
import { isPassing, type Write } from '../../journal/journal.ts'
import { localRegistry } from '../../journal/registry.ts'
import { views } from '../../projections/views/index.ts'
import { timeAndChance } from '../support/memory-journal/time.ts'
import { type Arrival, MemoryReadModel } from '../support/memory-read-model.ts'
import { randomFrom } from '../support/random.ts'
import { SimulatedTime } from '../support/simulated-time.ts'
import type { Evidence } from './evidence.ts'
import { drawnInsertRates, drawnJournalRates, FaultCounts, type FaultKind, faultKinds } from './faults.ts'
import { inFormerRelease } from './former-release.ts'
import { judgeAll } from './judges/all.ts'
import { Machine } from './machine.ts'
import { type NodeOptions, WorldNode } from './node.ts'
import { Publications } from './publications.ts'
import { Publisher } from './publisher.ts'
import { madeRenderer } from './rest-api.ts'
import { RestClient } from './rest-client.ts'
import type { Run } from './shrink.ts'
import { StreamClient } from './stream-client.ts'
import { TOPIC_PREFIX, WorldJournal } from './world-journal.ts'

export type Outcome = {
  /** Sentences about broken promises. */
  readonly complaints: readonly string[]
  /** Hash of everything that was written and delivered, with its time. Equal for equal runs. */
  readonly trace: string
  readonly fired: FaultCounts
  /** Tasks that ran, those after the faults included. */
  readonly steps: number
  readonly evidence: Evidence
}

/** Times are short, because some 2,000 steps are only some seconds. */
const CLAIM_EXPIRY_MS = 500
const LONGEST_DELAY_MS = 500
const ACT_EVERY_MS = 30
const ASK_EVERY_MS = 15
const QUIET_ASK_EVERY_MS = 75
/** Time for answers once nothing fails. */
const ANSWER_MS = 50
const FAULT_EVERY_MS = 80
/** Longest time after the faults until everything has arrived. */
const QUIET_MS = 300_000
const CHECK_EVERY_MS = 500
const RESTART_MS = 300
const LONGEST_CLOCK_STEP_MS = 60_000
const MOST_CLIENTS = 5
const FOREVER_MS = Number.MAX_SAFE_INTEGER

const registry = localRegistry()

/** `steps` is the number of tasks that run before the faults end. A run draws which of the kinds of faults it has. */
export async function runWorld(run: Run<FaultKind>): Promise<Outcome> {
  return new World(run, await madeRenderer()).run()
}

/** One journal, one to three nodes on it, publishers and clients; all of it drawn from a seed. */
class World {
  readonly #render: Render
  readonly #random: () => number
  readonly #faults: () => number
  readonly #steps: number
  readonly #kinds: readonly FaultKind[]
  readonly #time: SimulatedTime
  readonly #journal: WorldJournal
  readonly #newReadModel: () => MemoryReadModel
  #readModel: MemoryReadModel
  readonly #publisher: Publisher
  readonly #machines: Machine[] = []
  readonly #clients: StreamClient[] = []
  readonly #rest: RestClient
  readonly #fullClients = new Set<StreamClient>()
  readonly #publications: Publications
  readonly #failures: string[] = []
  readonly #fired = new FaultCounts()
  readonly #trace = createHash('sha256')
  #isFaulty = true
  #processes = 0
  /** Number of faults that have begun and not ended. */
  #lasting = 0

  constructor({ seed, steps, kinds }: Run<FaultKind>, render: Render) {
    this.#render = render
    this.#random = randomFrom(seed)
    this.#faults = randomFrom(seed + 0x9e3779b9)
    this.#steps = steps
    // Each kind is drawn, whether it is allowed or not, so that leaving out one changes as little as possible. Restores came
    // later than the first rows of the corpus, and take no draw from the others.
    const restores = randomFrom(seed + 6)
    const draws = (kind: FaultKind) => (kind === 'restore' ? restores : this.#faults)() < 0.6
    this.#kinds = faultKinds.filter((kind) => draws(kind) && kinds.includes(kind))
    this.#time = new SimulatedTime(randomFrom(seed + 1))
    const time = timeAndChance(this.#time)
    const latency = randomFrom(seed + 2)
    const slowest = Math.floor(this.#random() * 30)
    const journalRates = drawnJournalRates(this.#faults)
    const insertRates = drawnInsertRates(this.#faults)
    this.#journal = new WorldJournal({
      server: {
        id: `world-${seed}`,
        ...time,
        random: randomFrom(seed + 3),
        rates: this.#kinds.includes('journal_answers') ? journalRates : {},
        latencyMs: () => (latency() < 0.7 ? 0 : latency() * slowest),
        longestMs: LONGEST_DELAY_MS,
        claimExpiryMs: CLAIM_EXPIRY_MS,
      },
      monotonic: () => this.#time.monotonic(),
      now: () => this.#time.now(),
      onWritten: ({ topic, partition, offset, timestamp, headers }, { key, value }) =>
        this.#note('written', topic, partition, offset, key, value, timestamp, JSON.stringify(headers)),
    })
    const chance = randomFrom(seed + 4)
    this.#newReadModel = () =>
      new MemoryReadModel({
        ...time,
        random: chance,
        rates: this.#kinds.includes('insert_answers') ? insertRates : {},
        longestMs: LONGEST_DELAY_MS,
      })
    this.#readModel = this.#newReadModel()
    this.#publisher = new Publisher(randomFrom(seed + 5))
    this.#publications = new Publications({
      time: this.#time,
      anyNode: () => this.#anyNode(),
      onAcknowledged: (sha256) => this.#note('acknowledged', sha256),
      onFailure: (text) => this.#failures.push(text),
    })
    const asking = randomFrom(seed + 7)
    this.#rest = new RestClient({
      random: asking,
      time: this.#time,
      anyNode: () => this.#one(this.#machines, asking)?.node,
      onAnswer: (answer) => this.#note('answer', JSON.stringify(answer)),
      onFailure: (text) => this.#failures.push(text),
    })
    const nodes = 1 + Math.floor(this.#random() * 3)
    for (let i = 1; i <= nodes; i++) this.#machines.push(new Machine(`machine ${i}`))
  }

  async run(): Promise<Outcome> {
    for (const machine of this.#machines) this.#start(machine)
    this.#repeat(ACT_EVERY_MS, this.#random, () => this.#act())
    this.#rest.askOn(() => (this.#isFaulty ? ASK_EVERY_MS : QUIET_ASK_EVERY_MS))
    this.#repeat(FAULT_EVERY_MS, this.#faults, () => this.#fail())
    const isBroken = () => this.#failures.length > 0
    await this.#time.runUntil(() => this.#time.tasksRun >= this.#steps || isBroken(), FOREVER_MS)
    const early = judgeAll(this.#evidence(), false)
    if (early.length > 0) return this.#outcome(early)
    this.#endFaults()
    let complaints: string[]
    let isOver: boolean
    const deadline = this.#time.monotonic() + QUIET_MS
    do {
      await this.#time.advance(CHECK_EVERY_MS)
      isOver = this.#publications.hasRestated() && this.#lasting === 0
      complaints = judgeAll({ ...this.#evidence(), finalAnswers: [] }, true)
      if (isOver && complaints.length === 0) complaints = await this.#askInTheEnd()
    } while ((complaints.length > 0 || !isOver) && !isBroken() && this.#time.monotonic() < deadline)
    // What was delayed has landed by then, and must not have changed anything.
    if (complaints.length === 0) await this.#time.advance(2 * LONGEST_DELAY_MS)
    return this.#outcome(judgeAll(this.#evidence(), true))
  }

  #outcome(complaints: readonly string[]): Outcome {
    const evidence = this.#evidence()
    for (const [name, rows] of Object.entries(evidence.tables)) this.#note('table', name, JSON.stringify(rows))
    this.#fired.addAnswers(this.#journal.server.answers, this.#readModel)
    return { complaints, trace: this.#trace.digest('hex'), fired: this.#fired, steps: this.#time.tasksRun, evidence }
  }

  #evidence(): Evidence {
    return {
      records: this.#journal.records,
      documents: this.#publications.stated,
      streams: this.#clients.map(({ history }) => history),
      answers: this.#rest.answers,
      finalAnswers: this.#rest.finalAnswers,
      tables: Object.fromEntries(views.map(({ name }) => [name, this.#rowsOf(name)])),
      eventStarts: this.#journal.eventStarts,
      failures: this.#failures,
    }
  }

  #rowsOf(table: string): Evidence['tables'][string] {
    const arrivals = this.#readModel.arrivalsOf(table)
    // Cast: each row has one.
    return this.#readModel.rowsOf(table).map((row, i) => ({ row, ...(arrivals[i] as Arrival) }))
  }

  #note(...facts: readonly (string | number | null | Uint8Array)[]): void {
    this.#trace.update(`${this.#time.monotonic()}`)
    for (const fact of facts) this.#trace.update('|').update(fact instanceof Uint8Array ? fact : `${fact}`)
  }

  /** Runs a task again and again until the faults end, `everyMs` apart on average. */
  #repeat(everyMs: number, random: () => number, task: () => void): void {
    this.#time.timer(1 + 2 * random() * everyMs, () => {
      if (!this.#isFaulty) return
      task()
      this.#repeat(everyMs, random, task)
    })
  }

  #start(machine: Machine): void {
    machine.node = new WorldNode({
      name: `process ${++this.#processes}`,
      machine: machine.name,
      time: this.#time,
      server: this.#journal.server,
      readModel: this.#readModel,
      registry,
      render: this.#render,
      checkpoints: machine.checkpoints,
      wrap: this.#drawnRelease(),
      onFailure: (node, error) => {
        // A start may fail because the journal does not answer. All else that ends a node is a fault of it.
        if (!isPassing(error)) this.#failures.push(`${machine.name} ended: ${(error as Error).stack ?? error}`)
        node.kill()
        this.#startLater(machine)
      },
    })
  }

  /** The release that a process starts with: this one, or the one before it. */
  #drawnRelease(): NodeOptions['wrap'] {
    const isFormer = this.#faults() < 0.5 && this.#isFaulty && this.#kinds.includes('former_release')
    if (!isFormer) return (journal) => journal
    const topicOf = ({ topic }: Write) => topic.slice(TOPIC_PREFIX.length)
    return (journal) => inFormerRelease(journal, topicOf, (n) => this.#fired.add('former_release', n))
  }

  #startLater(machine: Machine): void {
    machine.node = undefined
    machine.ending = undefined
    this.#time.timer(RESTART_MS, () => this.#start(machine))
  }

  /** A node that runs, or undefined if none is drawn. A stopped one may be drawn: its clients cannot see that. */
  #anyNode(): WorldNode | undefined {
    return this.#one(this.#machines, this.#random)?.node
  }

  #one<T>(list: readonly T[], random: () => number): T | undefined {
    return list[Math.floor(random() * list.length)]
  }

  #act(): void {
    const draw = this.#random()
    if (draw < 0.3) this.#publications.publish(this.#publisher.figures())
    else if (draw < 0.5) this.#publications.publish(this.#publisher.prices(this.#time.now()))
    else if (draw < 0.55) this.#publications.repeat((all) => this.#one(all, this.#random))
    else if (draw < 0.65) this.#join()
    for (const client of this.#clients) {
      if (client.node && (client.node.isOver || (client.node.time.isStopped && this.#random() < 0.02))) client.leave()
      this.#connect(client)
      if (this.#fullClients.has(client) && this.#random() < 0.2) client.read()
    }
  }

  /** Asks about everything, once all that is written has arrived. Returns what the judges say of it. */
  async #askInTheEnd(): Promise<string[]> {
    this.#rest.askAboutAll()
    await this.#time.advance(ANSWER_MS)
    return judgeAll(this.#evidence(), true)
  }

  #connect(client: StreamClient): void {
    const node = client.node ? undefined : this.#anyNode()
    if (node) client.connect(node)
  }

  #join(): void {
    if (this.#clients.length >= MOST_CLIENTS) return
    const name = `client ${this.#clients.length + 1}`
    const client: StreamClient = new StreamClient({
      name,
      start: this.#random() < 0.6 ? 'earliest' : 'latest',
      countries: this.#random() < 0.4 ? ['USA', 'JPN'] : null,
      types: this.#random() < 0.3 ? ['economics.release.revised', 'economics.release.published'] : null,
      now: () => this.#time.monotonic(),
      isFull: () => this.#fullClients.has(client),
      onFrame: (frame) => this.#note(name, frame),
      onFailure: (text) => this.#failures.push(text),
    })
    this.#clients.push(client)
    this.#connect(client)
  }

  #fail(): void {
    const kind = this.#one(this.#kinds, this.#faults)
    const machine = this.#one(this.#machines, this.#faults)
    const ms = this.#faults() < 0.5 ? this.#faults() * 500 : this.#faults() * 3 * CLAIM_EXPIRY_MS
    const client = this.#one(this.#clients, this.#faults)
    const node = machine?.node
    if (kind === 'retention') this.#retain()
    else if (kind === 'restore') this.#backUp(ms)
    else if (kind === 'slow_client' && client) {
      this.#fired.add(kind)
      this.#fullClients.add(client)
      this.#until(ms, () => {
        this.#fullClients.delete(client)
        client.read()
      })
    } else if (kind === 'lost_connection' && client?.node) {
      this.#fired.add(kind)
      client.leave()
    } else if (machine && node) this.#failNode(kind, machine, node, ms)
  }

  #failNode(kind: FaultKind | undefined, machine: Machine, node: WorldNode, ms: number): void {
    if (kind === 'kill') {
      node.kill()
      this.#startLater(machine)
    } else if (kind === 'restart') {
      if (node.time.isStopped) return
      machine.node = undefined
      machine.ending = node
      node.end().then(
        () => machine.ending === node && this.#startLater(machine),
        (error) => this.#failures.push(`${machine.name} did not end: ${error}`),
      )
    } else if (kind === 'stop') {
      node.time.stop()
      this.#until(ms, () => node.time.resume())
    } else if (kind === 'clock_step') node.time.setWallClock((2 * this.#faults() - 1) * LONGEST_CLOCK_STEP_MS)
    else if (kind === 'partition') {
      node.client.disconnect()
      this.#until(ms, () => node.client.reconnect())
    } else return
    this.#fired.add(kind)
  }

  /** Ends a fault after a time. */
  #until(ms: number, end: () => void): void {
    this.#lasting++
    this.#time.timer(ms, () => {
      this.#lasting--
      end()
    })
  }

  /** No further fault begins. Those that last end in their own time. */
  #endFaults(): void {
    this.#isFaulty = false
    this.#journal.server.answers.rates = {}
    this.#readModel.rates = {}
    this.#repeatQuietly()
  }

  /** Clients without a connection go on looking for a node. */
  #repeatQuietly(): void {
    this.#time.timer(ACT_EVERY_MS, () => {
      for (const client of this.#clients) {
        if (client.node?.isOver) client.leave()
        this.#connect(client)
      }
      this.#repeatQuietly()
    })
  }

  /** Deletes old events, but none that a backup has: the read models are filled again from what is restored. */
  #retain(): void {
    if (this.#journal.hasBackup) return
    const watermark = Math.max(-1, ...this.#readModel.rowsOf('events').map(({ _offset }) => _offset))
    this.#journal.retain(watermark, () => this.#fired.add('retention'))
  }

  /** Takes a backup, and restores it after a while. */
  #backUp(ms: number): void {
    const at = this.#time.monotonic()
    if (this.#journal.backUp()) this.#until(ms, () => this.#restore(at))
  }

  /**
   * All processes end, and machines and read models forget what is not in the backup. Publishers send again what was acknowledged
   * since.
   */
  #restore(backupAt: number): void {
    const [{ rates }, { answers }] = [this.#readModel, this.#journal.server]
    this.#failures.push(...judgeAll(this.#evidence(), false))
    for (const client of this.#clients) client.leave()
    for (const machine of this.#machines) if (machine.wipe()) this.#startLater(machine)
    this.#fired.addAnswers(answers, this.#readModel)
    const event = this.#journal.restore()
    this.#readModel = this.#newReadModel()
    this.#readModel.rates = rates
    this.#journal.server.answers.rates = answers.rates
    for (const client of this.#clients) client.restored(event)
    this.#rest.restored()
    this.#publications.restored(backupAt)
    this.#fired.add('restore')
    this.#note('restored', event)
  }
}
