import type { AccessEngine, Table, TicketRow } from '../../access/embedded/engine.ts'
import type { TimeAndChance } from './memory-journal/time.ts'

/** What may become of a commit, beside being durable within some ms. */
export const commitAnswers = [
  /** Nothing is written, as on a full disk. */
  'failed',
  /** The commit takes up to `longestMs`, and other processes wait for it. */
  'slow',
] as const
type CommitAnswer = (typeof commitAnswers)[number]

type MemoryAccessOptions = TimeAndChance & {
  readonly longestMs: number
  readonly rates: Partial<Record<CommitAnswer, number>>
}

/** A change of a count that a transaction has decided on. */
export type CountChange = { readonly row: string; readonly calls: number }
/** Called with the changes of counts of each transaction. What it returns is called once that was committed, or has failed. */
export type WatchCounts = (changes: readonly CountChange[]) => (isCommitted: boolean) => void

const tables = ['quota', 'revocations', 'leases', 'tickets'] as const
type TableName = (typeof tables)[number]
type Rows = Record<TableName, Map<string, unknown>>

const USUAL_COMMIT_MS = 8

/**
 * The engine of the access store in memory. Transactions of all processes come one after the other. What a process has not
 * committed is lost when it is killed, and a process that is stopped within a transaction keeps the others waiting, as in LMDB.
 */
export class MemoryAccessStore {
  /** May be replaced at any time. */
  rates: MemoryAccessOptions['rates']
  readonly fired = new Map<CommitAnswer, number>()
  readonly #options: MemoryAccessOptions
  #rows: Rows = { quota: new Map(), revocations: new Map(), leases: new Map(), tickets: new Map() }
  /** Rows as the transaction sees them that is being decided; undefined outside of one. */
  #deciding: Rows | undefined
  /** Changes of counts by the transaction that is being decided. */
  #changes: CountChange[] = []
  #owner: MemoryAccessEngine | undefined
  readonly #waiting: { readonly engine: MemoryAccessEngine; readonly run: () => void }[] = []

  constructor(options: MemoryAccessOptions) {
    this.#options = options
    this.rates = options.rates
  }

  /** Opens the store for a process with this time. */
  open(process: TimeAndChance, watch: WatchCounts = () => () => undefined): MemoryAccessEngine {
    return new MemoryAccessEngine(this, process, watch)
  }

  /** The count of each account and month, as it would be found after a crash. */
  get counts(): ReadonlyMap<string, unknown> {
    return this.#rows.quota
  }

  get(table: TableName): Map<string, unknown> {
    return (this.#deciding ?? this.#rows)[table]
  }

  /** Calls `run` once no other process is within a transaction. */
  lock(engine: MemoryAccessEngine, run: () => void): void {
    this.#waiting.push({ engine, run })
    this.#next()
  }

  unlock(engine: MemoryAccessEngine): void {
    if (this.#owner === engine) this.#owner = undefined
    this.#next()
  }

  /** Ends the process's transaction, if it has one, and its place in the queue. */
  drop(engine: MemoryAccessEngine): void {
    const kept = this.#waiting.filter((waiting) => waiting.engine !== engine)
    this.#waiting.splice(0, this.#waiting.length, ...kept)
    this.unlock(engine)
  }

  /** Runs `group` and returns its result with the function that commits its writes. */
  decide<T>(group: () => T): { readonly result: T; readonly changes: readonly CountChange[]; commit(): void } {
    const rows = copyOf(this.#rows)
    this.#deciding = rows
    this.#changes = []
    const commit = () => {
      this.#rows = rows
    }
    try {
      return { result: group(), changes: this.#changes, commit }
    } finally {
      this.#deciding = undefined
    }
  }

  nested<T>(decide: () => T): T {
    const before = copyOf(this.#deciding ?? this.#rows)
    const { length } = this.#changes
    try {
      return decide()
    } catch (error) {
      if (this.#deciding) Object.assign(this.#deciding, before)
      this.#changes.length = length
      throw error
    }
  }

  put(table: TableName, key: string, value: unknown): void {
    if (table === 'quota')
      this.#changes.push({ row: key, calls: Number(value) - Number(this.get(table).get(key) ?? 0) })
    this.get(table).set(key, value)
  }

  drawCommit(): { readonly ms: number; readonly hasFailed: boolean } {
    const { random, longestMs } = this.#options
    let left = random()
    const drawn = commitAnswers.find((answer) => {
      left -= this.rates[answer] ?? 0
      return left < 0
    })
    if (drawn) this.fired.set(drawn, (this.fired.get(drawn) ?? 0) + 1)
    const ms = random() * (drawn === 'slow' ? longestMs : USUAL_COMMIT_MS)
    return { ms, hasFailed: drawn === 'failed' }
  }

  #next(): void {
    if (this.#owner) return
    const next = this.#waiting.shift()
    if (!next) return
    this.#owner = next.engine
    next.run()
  }
}

/** The store as one process sees it. */
export class MemoryAccessEngine implements AccessEngine {
  readonly quota = this.#table<number>('quota')
  readonly revocations = this.#table<true>('revocations')
  readonly leases = this.#table<Readonly<Record<string, number>>>('leases')
  readonly tickets = this.#table<TicketRow>('tickets')
  readonly #store: MemoryAccessStore
  readonly #process: TimeAndChance

  readonly #watch: WatchCounts

  constructor(store: MemoryAccessStore, process: TimeAndChance, watch: WatchCounts) {
    this.#store = store
    this.#process = process
    this.#watch = watch
  }

  transaction<T>(group: () => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const store = this.#store
    const { after } = this.#process
    const tell = (answer: () => void) => {
      store.unlock(this)
      after(0, answer)
    }
    const decide = () => {
      try {
        const { result, changes, commit } = store.decide(group)
        const told = this.#watch(changes)
        const { ms, hasFailed } = store.drawCommit()
        after(ms, () => {
          told(!hasFailed)
          if (hasFailed) return tell(() => reject(new Error('the store in memory is full')))
          commit()
          tell(() => resolve(result))
        })
      } catch (error) {
        tell(() => reject(error))
      }
    }
    store.lock(this, () => void after(0, decide))
    return promise
  }

  nested<T>(decide: () => T): T {
    return this.#store.nested(decide)
  }

  async close(): Promise<void> {
    this.#store.drop(this)
  }

  /** Ends the process: what it has not committed is lost. Its time must have ended before. */
  kill(): void {
    this.#store.drop(this)
  }

  #table<V>(name: TableName): Table<V> {
    // Cast: each table has values of its own type only.
    const rows = () => this.#store.get(name) as Map<string, V>
    return {
      get: (key) => rows().get(key),
      doesExist: (key) => rows().has(key),
      put: (key, value) => this.#store.put(name, key, value),
      remove: (key) => rows().delete(key),
      getRange: () => Array.from(rows(), ([key, value]) => ({ key, value })),
      resetReadTxn: () => undefined,
    }
  }
}

const copyOf = (rows: Rows): Rows => ({
  quota: new Map(rows.quota),
  revocations: new Map(rows.revocations),
  leases: new Map(rows.leases),
  tickets: new Map(rows.tickets),
})
