import type { Render } from '../../api/answer.ts'
import { nextTurn, type Time } from '../../base/time.ts'
import { Acceptor } from '../../ingest/accept/accept.ts'
import type { Journal } from '../../journal/journal.ts'
import type { SchemaRegistry } from '../../journal/registry.ts'
import { TypedJournal } from '../../journal/typed.ts'
import type { CheckpointStore } from '../../processors/checkpoint.ts'
import { runProcessors } from '../../processors/main.ts'
import { Projector } from '../../projections/projector.ts'
import type { ReadModel } from '../../projections/read-model.ts'
import { views } from '../../projections/views/index.ts'
import { type EventsStream, eventsStream } from '../../streams/events/index.ts'
import type { MemoryJournal } from '../support/memory-journal/client.ts'
import type { MemoryServer } from '../support/memory-journal/server.ts'
import { timeAndChance } from '../support/memory-journal/time.ts'
import type { MemoryReadModel } from '../support/memory-read-model.ts'
import type { SimulatedTime } from '../support/simulated-time.ts'
import { loggedVintages } from './logged-vintages.ts'
import { ProcessTime } from './process-time.ts'
import { openRestApi, type RestApi } from './rest-api.ts'

/** Retention of events: so short that it overtakes readers within a run. */
export const EVENTS_RETENTION_MS = 400

export type NodeOptions = {
  /** The process's own name. */
  readonly name: string
  readonly machine: string
  readonly time: SimulatedTime
  readonly server: MemoryServer
  readonly readModel: MemoryReadModel
  readonly registry: SchemaRegistry
  readonly render: Render
  /** Puts something between the node and its journal. */
  readonly wrap: (journal: Journal) => Journal
  /** Checkpoints of the machine. They survive its processes. */
  readonly checkpoints: Map<string, Checkpoint>
  /** Called when a part of the node ends with a failure, which in the service ends the process. */
  readonly onFailure: (node: WorldNode, error: unknown) => void
}

type Checkpoint = Parameters<CheckpointStore['save']>[2]

/** A process of the service: accept, processors, projectors, the stream of events and the figures of REST, as the program composes them. */
export class WorldNode {
  readonly name: string
  readonly machine: string
  readonly time: ProcessTime
  readonly client: MemoryJournal
  readonly #options: NodeOptions
  readonly #ending = new AbortController()
  #acceptor: Acceptor | undefined
  #stream: EventsStream | undefined
  #api: RestApi | undefined
  #work: Promise<unknown> = Promise.resolve()
  #isOver = false

  constructor(options: NodeOptions) {
    this.#options = options
    this.name = options.name
    this.machine = options.machine
    this.time = new ProcessTime(options.time)
    this.client = options.server.open({ machine: options.machine, time: timeAndChance(this.time) })
    this.#work = this.#run().catch((error) => {
      if (!this.#isOver) options.onFailure(this, error)
    })
  }

  /** Undefined until the node has opened the journal, and after its end. */
  get acceptor(): Acceptor | undefined {
    return this.#isOver ? undefined : this.#acceptor
  }

  get stream(): EventsStream | undefined {
    return this.#isOver ? undefined : this.#stream
  }

  get api(): RestApi | undefined {
    return this.#isOver ? undefined : this.#api
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Ends the process as SIGKILL does. */
  kill(): void {
    this.#isOver = true
    this.time.kill()
    this.client.kill()
  }

  /** Ends the process as SIGTERM does: it finishes what it is doing, and releases its claims. */
  async end(): Promise<void> {
    this.#isOver = true
    this.#ending.abort(new Error('the node ends'))
    await this.#work
    await this.client.close()
  }

  async #run(): Promise<void> {
    const { time } = this
    const { registry, readModel, checkpoints, wrap, render } = this.#options
    const { signal } = this.#ending
    const journal = await TypedJournal.open(wrap(this.client), registry, undefined, { events: EVENTS_RETENTION_MS })
    this.#acceptor = new Acceptor(journal, time)
    this.#stream = eventsStream({
      journal,
      signal,
      time,
      ringBytes: 20_000,
      blockBytes: 40_000,
      blockSize: 16,
      warmOffsets: 16,
      framesAtOnce: 32,
      pace: { burstFrames: 8, burstScanned: 32, checkpointRecords: 16, behindRecords: 16 },
    })
    this.#api = openRestApi({ journal, time, signal, vintages: loggedVintages(readModel), render })
    const tables = answeredIn(time, readModel.ofProcess())
    await Promise.all([
      this.#stream.done,
      this.#api.done,
      runProcessors({ journal, checkpoints: machineCheckpoints(checkpoints, time), signal, time }),
      ...views.map((view) => new Projector(view, { journal, readModel: tables, time }).run(signal)),
    ])
  }
}

/** The read models as a process sees them: while it is stopped, answers wait for it. */
function answeredIn(time: Time, readModel: ReadModel): ReadModel {
  const received = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer
    } finally {
      await nextTurn(time)
    }
  }
  return {
    prepare: (view, journal) => received(readModel.prepare(view, journal)),
    insert: (...block) => received(readModel.insert(...block)),
    watermarks: (table) => received(readModel.watermarks(table)),
    watermark: (...place) => received(readModel.watermark(...place)),
    awaitInserts: (...of) => received(readModel.awaitInserts(...of)),
    awaitInsertOf: (...of) => received(readModel.awaitInsertOf(...of)),
  }
}

/** Keeps copies, because a file does not change with the state that was written to it. */
const machineCheckpoints = (kept: Map<string, Checkpoint>, time: Time): CheckpointStore => ({
  async load(processor, partition, version) {
    await nextTurn(time)
    const saved = kept.get(`${processor}/${partition}`)
    return saved?.version === version ? structuredClone(saved) : undefined
  },
  async save(processor, partition, checkpoint) {
    const copy = structuredClone(checkpoint)
    await nextTurn(time)
    kept.set(`${processor}/${partition}`, copy)
  },
})
