import { randomUUID } from 'node:crypto'
import { afterEach, expect, onTestFinished, vi } from 'vitest'
import type {
  Journal,
  JournalErrorCode,
  NewRecord,
  PartitionAddress,
  ReadLimits,
  ReadOptions,
  StoredRecord,
  TopicSettings,
  ValueRun,
} from '../../../journal/journal.ts'
import { UNTIL_MS } from '../../support/patience.ts'

export type JournalHarness = {
  /** A further client of the same journal. The suite closes it. */
  readonly open: () => Promise<Journal>
  /** Moves the start of a partition to a record's offset: by retention, by an administrator's call. */
  readonly truncate?: (address: PartitionAddress, offset: number) => Promise<void>
  /** Older records of a key go in the very commit that supersedes them, rather than some time later. */
  readonly compactsAtOnce?: boolean
  /** How many random histories are compared with the model. */
  readonly histories: number
}

/** Checks what compaction leaves: at once, or when a broker's cleaner has come round, which on a busy machine takes its while. */
export const afterCompaction = ({ compactsAtOnce }: JournalHarness, check: () => Promise<void>): Promise<void> =>
  compactsAtOnce ? check() : vi.waitFor(check, { timeout: UNTIL_MS })

export const KEPT: TopicSettings = { partitions: 1, cleanup: 'delete', retentionMs: null }
/** A truncated topic's records may be as old as the harness likes: their times count from 0. */
export const TRUNCATED: TopicSettings = { partitions: 1, cleanup: 'delete', retentionMs: 1_000 }
export const COMPACTED: TopicSettings = { partitions: 1, cleanup: 'compact', retentionMs: null }

export const record = (text: string, rest: Partial<NewRecord> = {}): NewRecord => ({
  key: null,
  value: Buffer.from(text),
  timestamp: 1_700_000_000_000,
  headers: {},
  ...rest,
})

export const textsOf = (records: readonly NewRecord[]) => records.map(({ value }) => Buffer.from(value).toString())

/** Reads from `offset` to the end as of the last batch. */
export async function readAll(journal: Journal, address: PartitionAddress, offset = 0, options?: ReadOptions) {
  const records: StoredRecord[] = []
  for (;;) {
    const batch = await journal.read(address, offset, options)
    records.push(...batch.records)
    offset = batch.next
    if (batch.next === batch.end) return { records, end: batch.end }
  }
}

/** The values from `offset` to the end, as text, each with its offset. */
export async function readAllValues(journal: Journal, address: PartitionAddress, from: number, limits?: ReadLimits) {
  const values: [number, string][] = []
  for (let at = from; ; ) {
    const take = ({ bytes, offsets, from, to }: ValueRun) => {
      for (const [i, offset] of offsets.entries()) values.push([offset, bytes.toString('utf8', from[i], to[i])])
    }
    const { next, end } = await journal.readValues(address, at, take, limits)
    if (next === end) return values
    at = next
  }
}

export const failsWith = (code: JournalErrorCode) =>
  expect.objectContaining({ name: 'JournalError', code, message: expect.stringContaining(code) })

export const never = (): AbortSignal => {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  return stop.signal
}

export async function firstOf<T>(values: AsyncIterable<T>): Promise<T | undefined> {
  for await (const value of values) return value
  return undefined
}

/** A record whose bytes compare by content, whatever class they are of. */
export const plain = ({ value, ...rest }: StoredRecord) => ({ ...rest, value: Buffer.from(value).toString('base64') })

export const claimName = () => `claim-${randomUUID()}`

/** Clients of a harness's journal, and topics with names of their own. */
export type JournalWorld = ReturnType<typeof journalWorld>

/** Opens clients, and closes them after each test of the file or describe that calls it. */
export function journalWorld(harness: JournalHarness) {
  const opened: Journal[] = []

  afterEach(async () => {
    for (const journal of opened.splice(0)) await journal.close()
  })

  async function open(): Promise<Journal> {
    const journal = await harness.open()
    opened.push(journal)
    return journal
  }

  async function createTopic(journal: Journal, settings: TopicSettings): Promise<string> {
    const topic = `contract-${randomUUID()}`
    await journal.ensureTopics({ [topic]: settings })
    return topic
  }

  async function openWith(settings: TopicSettings): Promise<{ journal: Journal; address: PartitionAddress }> {
    const journal = await open()
    return { journal, address: { topic: await createTopic(journal, settings), partition: 0 } }
  }

  return { open, createTopic, openWith }
}
