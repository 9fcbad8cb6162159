import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { Claim, Journal, NewRecord, PartitionAddress, StoredRecord, Write } from '../../../journal/journal.ts'
import {
  COMPACTED,
  type JournalHarness,
  KEPT,
  plain,
  readAll,
  readAllValues,
  record,
  TRUNCATED,
} from './journal-world.ts'

type Step = {
  kind: 'append' | 'transact' | 'truncate'
  writes: { log: number; keys: (string | null)[] }[]
  /** Draws where to truncate, and the size of the records. */
  at: number
}

/** Sizes of records: adapters may store small and large ones in different ways. */
const PADDINGS = [0, 0, 300, 3_000]

const writeArbitrary = fc.record({
  log: fc.nat(2),
  keys: fc.array(fc.constantFrom(null, 'a', 'b', 'c'), { minLength: 1, maxLength: 5 }),
})

export const historyArbitrary: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('append', 'append', 'transact', 'transact', 'truncate'),
    writes: fc.array(writeArbitrary, { minLength: 1, maxLength: 3 }),
    at: fc.nat(),
  }),
  { minLength: 1, maxLength: 12 },
)

/** Everything in log 0 but the hole behind a transaction goes with log 1; then it is truncated itself. */
export const startsAtAHole: Step[] = [
  { kind: 'transact', writes: [{ log: 0, keys: [null] }], at: 0 },
  { kind: 'append', writes: [{ log: 1, keys: [null] }], at: 0 },
  { kind: 'truncate', writes: [], at: 1 },
  { kind: 'append', writes: [{ log: 0, keys: [null] }], at: 0 },
  { kind: 'truncate', writes: [], at: 0 },
]

type ModelLog = { address: PartitionAddress; compacted: boolean; start: number; end: number; records: StoredRecord[] }

/** Does the same to the journal and to a model of it: arrays. */
export class History {
  readonly claim: Claim
  readonly #journal: Journal
  readonly #harness: JournalHarness
  readonly #logs: ModelLog[] = []
  #time = 0

  constructor(journal: Journal, harness: JournalHarness, claim: Claim) {
    this.#journal = journal
    this.#harness = harness
    this.claim = claim
  }

  /** Logs 0 and 1 can be truncated; log 2 is compacted, where that can be foreseen. */
  async begin(): Promise<void> {
    const [truncated, other] = [`contract-${randomUUID()}`, `contract-${randomUUID()}`]
    const compacted = this.#harness.compactsAtOnce ?? false
    await this.#journal.ensureTopics({
      [truncated]: { ...TRUNCATED, partitions: 2 },
      [other]: compacted ? COMPACTED : KEPT,
    })
    const addresses = [0, 1].map((partition) => ({ topic: truncated, partition }))
    for (const address of addresses) this.#logs.push({ address, compacted: false, start: 0, end: 0, records: [] })
    this.#logs.push({ address: { topic: other, partition: 0 }, compacted, start: 0, end: 0, records: [] })
  }

  async take({ kind, writes, at }: Step): Promise<void> {
    if (kind === 'truncate') return this.#truncate(at)
    const planned = writes.map(({ log, keys }) => {
      const records = keys.map((key) => {
        const padding = 'x'.repeat(PADDINGS[at % PADDINGS.length] ?? 0)
        return record(`${this.#time} ${padding}`, { key, timestamp: this.#time++ * 1_000 })
      })
      return { model: this.#logs[log] as ModelLog, records }
    })
    const parts = kind === 'append' ? planned.slice(0, 1) : planned
    const asWrites: Write[] = parts.map(({ model, records }) => ({ ...model.address, records }))
    const [write] = asWrites
    const answers =
      kind === 'append'
        ? [await this.#journal.append(write as Write)]
        : await this.#journal.transact(this.claim, asWrites)
    expect(answers).toEqual(parts.map(({ model, records }) => ({ firstOffset: this.#apply(model, records) })))
    if (kind === 'transact') for (const model of new Set(parts.map(({ model }) => model))) model.end++
  }

  async compare(): Promise<void> {
    for (const { address, start, end, records } of this.#logs) {
      expect(await this.#journal.bounds(address)).toEqual({ start, end })
      for (let offset = start; offset <= end; offset++) {
        const expected = records.filter((known) => known.offset >= offset)
        const read = await readAll(this.#journal, address, offset, { maxRecords: 1 + (offset % 4) })
        expect(read.records.map(plain)).toEqual(expected.map(plain))
        expect(read.end).toBe(end)
        const values = await readAllValues(this.#journal, address, offset, { maxRecords: 1 + (offset % 4) })
        expect(values).toEqual(expected.map(({ offset, value }) => [offset, Buffer.from(value).toString()]))
      }
      for (const { timestamp } of [...records, { timestamp: this.#time * 1_000 }]) {
        for (const time of [timestamp, timestamp - 500]) {
          const first = records.find((known) => known.timestamp >= time)
          expect(await this.#journal.offsetForTime(address, time)).toBe(first?.offset ?? end)
        }
      }
      const outside = [end + 1, ...(start > 0 ? [start - 1] : [])]
      for (const offset of outside) {
        await expect(this.#journal.read(address, offset)).rejects.toMatchObject({ code: 'offset_out_of_range' })
        await expect(this.#journal.readValues(address, offset, () => {})).rejects.toMatchObject({
          code: 'offset_out_of_range',
        })
      }
    }
  }

  #apply(log: ModelLog, records: readonly NewRecord[]): number {
    const first = log.end
    for (const written of records) {
      if (log.compacted && written.key !== null) log.records = log.records.filter(({ key }) => key !== written.key)
      log.records.push({ ...written, offset: log.end++ })
    }
    return first
  }

  async #truncate(at: number): Promise<void> {
    const log = this.#logs[at % 2] as ModelLog
    const kept = log.records[at % Math.max(1, log.records.length)]
    if (!this.#harness.truncate || !kept) return
    await this.#harness.truncate(log.address, kept.offset)
    // Retention goes by age and so may reach other partitions as well: take their starts over, and check what is left.
    for (const other of this.#logs) {
      const { start } = await this.#journal.bounds(other.address)
      expect(start).toBeGreaterThanOrEqual(other.start)
      other.start = start
      other.records = other.records.filter(({ offset }) => offset >= start)
    }
    // The start itself may be a little lower: at a hole that was left because readers might stand before it.
    expect(log.records[0]).toBe(kept)
  }
}
