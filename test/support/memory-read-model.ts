import { ClickHouseFailure } from '../../projections/clickhouse.ts'
import type { ReadModel } from '../../projections/read-model.ts'
import { realTime, type TimeAndChance } from './memory-journal/time.ts'

/** Outcomes of an insert beside success. Those of a client whose connection is cut are `outcome_unknown` to it. */
export const insertAnswers = [
  /** `unavailable`, and nothing was written. */
  'refused',
  'unknown_but_written',
  'unknown_and_not_written',
  /** The server is killed while it renames the part into place: it keeps the token, and the rows are lost. */
  'lost_at_the_rename',
  /** The connection is cut. The insert is listed as running and its token is noted. Its rows land up to `longestMs` later. */
  'runs_on',
  /** The connection is cut, and the insert has not arrived yet: nothing lists it until it lands. */
  'held_up',
  /** Written, and the answer takes up to `longestMs`. */
  'late',
] as const
type InsertAnswer = (typeof insertAnswers)[number]

type MemoryReadModelOptions = Partial<TimeAndChance> & {
  readonly rates?: Partial<Record<InsertAnswer, number>>
  readonly longestMs?: number
}

type StoredRow = Readonly<Record<string, unknown>> & { readonly _partition: number; readonly _offset: number }
type Table = {
  readonly rows: StoredRow[]
  /** One of each row. */
  readonly arrivals: Arrival[]
  readonly tokens: Set<string>
  /** By run, when its process had last read the watermarks before its first insert. */
  readonly looks: Map<string, number>
}
/** The run of the projector that sent a row, when it was stored, and when its run had looked what was there. UTC ms. */
export type Arrival = { readonly run: string; readonly storedAt: number; readonly lookedAt: number }

const LOOK_AGAIN_MS = 25

/**
 * Read models in memory: blocks that are stored whole or not at all, tokens that drop a repeated block, a list of running
 * inserts. It waits and draws only by `TimeAndChance`. Tables have no TTL and no partitions of their own.
 */
export class MemoryReadModel implements ReadModel {
  /** May be replaced at any time. */
  rates: Partial<Record<InsertAnswer, number>>
  readonly fired = new Map<InsertAnswer, number>()
  readonly #time: TimeAndChance
  readonly #longestMs: number
  readonly #tables = new Map<string, Table>()
  readonly #running = new Set<{ readonly table: string; readonly token: string }>()

  constructor({
    now = realTime.now,
    after = realTime.after,
    random = realTime.random,
    rates = {},
    longestMs = 2_000,
  }: MemoryReadModelOptions = {}) {
    this.#time = { now, after, random }
    this.rates = rates
    this.#longestMs = longestMs
  }

  /** Rows of a table, in order of storing, with the columns of the view: what is written twice is there twice. */
  rowsOf(table: string): readonly StoredRow[] {
    return this.#tables.get(table)?.rows ?? []
  }

  /** How each row came, in the order of `rowsOf`. The run is the first part of the insert's token. */
  arrivalsOf(table: string): readonly Arrival[] {
    return this.#tables.get(table)?.arrivals ?? []
  }

  /** The same tables for one process, so that its rows are noted with its own looks and not with those of another process. */
  ofProcess(): ReadModel {
    const looks = new Map<string, number>()
    return {
      prepare: (view) => this.prepare(view),
      insert: (table, columns, body, token) => this.insert(table, columns, body, token, looks.get(table)),
      watermarks: async (table) => {
        const watermarks = await this.watermarks(table)
        looks.set(table, this.#time.now())
        return watermarks
      },
      watermark: (...place) => this.watermark(...place),
      awaitInserts: (...of) => this.awaitInserts(...of),
      awaitInsertOf: (...of) => this.awaitInsertOf(...of),
    }
  }

  async prepare({ name }: { readonly name: string }): Promise<void> {
    await this.#pause(0)
    if (!this.#tables.has(name)) this.#tables.set(name, { rows: [], arrivals: [], tokens: new Set(), looks: new Map() })
  }

  async insert(
    table: string,
    columns: readonly string[],
    body: readonly Uint8Array[],
    token: string,
    lookedAt = 0,
  ): Promise<void> {
    const lines = Buffer.concat(body).toString().trimEnd().split('\n')
    await this.#pause(0)
    const answer = this.#draw()
    const delayMs = this.#time.random() * this.#longestMs
    const { rows, arrivals, tokens, looks } = this.#table(table)
    const run = token.slice(0, token.indexOf(':'))
    if (!looks.has(run)) looks.set(run, lookedAt)
    const note = (): boolean => {
      if (tokens.has(token)) return false
      tokens.add(token)
      return true
    }
    const place = () => {
      for (const line of lines) {
        const cells = JSON.parse(line) as unknown[]
        // Cast: a projector's columns begin with the position.
        rows.push(Object.fromEntries(columns.map((column, i) => [column, cells[i]])) as StoredRow)
        arrivals.push({ run, storedAt: this.#time.now(), lookedAt: looks.get(run) ?? 0 })
      }
    }
    const land = () => {
      if (note()) place()
    }
    switch (answer) {
      case undefined:
        return land()
      case 'late':
        land()
        return this.#pause(delayMs)
      case 'refused':
        throw new ClickHouseFailure('unavailable', 'the read model in memory refuses')
      case 'unknown_but_written':
        land()
        break
      case 'lost_at_the_rename':
        tokens.add(token)
        break
      case 'runs_on': {
        if (!note()) break
        const running = { table, token }
        this.#running.add(running)
        this.#time.after(delayMs, () => {
          place()
          this.#running.delete(running)
        })
        break
      }
      case 'held_up':
        this.#time.after(delayMs, land)
        break
      case 'unknown_and_not_written':
        break
    }
    throw new ClickHouseFailure('outcome_unknown', 'the answer of the read model in memory was lost')
  }

  async watermarks(table: string): Promise<Map<number, number>> {
    await this.#pause(0)
    const greatest = new Map<number, number>()
    for (const { _partition, _offset } of this.#table(table).rows)
      greatest.set(_partition, Math.max(_offset, greatest.get(_partition) ?? -1))
    return greatest
  }

  async watermark(table: string, partition: number, after: number): Promise<number> {
    const greatest = (await this.watermarks(table)).get(partition) ?? -1
    return greatest >= after ? greatest : -1
  }

  awaitInserts(table: string, signal: AbortSignal): Promise<void> {
    return this.#awaitNone((insert) => insert.table === table, signal)
  }

  awaitInsertOf(token: string, signal: AbortSignal): Promise<void> {
    return this.#awaitNone((insert) => insert.token === token, signal)
  }

  async #awaitNone(isMeant: (insert: { table: string; token: string }) => boolean, signal: AbortSignal): Promise<void> {
    while ([...this.#running].some(isMeant)) {
      signal.throwIfAborted()
      await this.#pause(LOOK_AGAIN_MS)
    }
  }

  #draw(): InsertAnswer | undefined {
    let left = this.#time.random()
    for (const answer of insertAnswers) {
      left -= this.rates[answer] ?? 0
      if (left >= 0) continue
      this.fired.set(answer, (this.fired.get(answer) ?? 0) + 1)
      return answer
    }
    return undefined
  }

  #table(name: string): Table {
    const table = this.#tables.get(name)
    if (!table) throw new ClickHouseFailure('rejected', `there is no table ${name}`, { code: '60' })
    return table
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.#time.after(ms, resolve))
  }
}
