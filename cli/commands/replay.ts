import { once } from 'node:events'
import { Archive } from '../../archive/archive.ts'
import { ArchiveError } from '../../archive/errors.ts'
import { readableFrom, readBehind } from '../../archive/read-behind.ts'
import { program } from '../../contracts/program.ts'
import { type Topic, topics } from '../../contracts/topics.ts'
import type { Config } from '../../infra/config.ts'
import { mergeByArrival, mergeByTime } from '../../journal/merge-partitions.ts'
import type { JournalRecord, TypedJournal } from '../../journal/typed.ts'
import { parsed } from '../arguments.ts'
import { type Command, UsageError } from '../command.ts'
import { openJournal, openObjectStore } from '../parts.ts'

type AnyRecord = JournalRecord<Topic>

export const command: Command = {
  summary: 'Prints the records of a topic as NDJSON, from any offset',
  usage: `${program} replay TOPIC [--partition N [--from OFFSET] [--to OFFSET]] [--key KEY] [--follow]

TOPIC is one of ${Object.keys(topics).join(', ')}. Prints one JSON object for each record:
{"topic","partition","offset","key","timestamp","headers","value"}. Without --partition it prints all partitions of the
topic, merged by record time (equal times: lower partition first; records of one partition keep their order). An offset
belongs to a partition: with a topic of several partitions, --from and --to need --partition. --from is inclusive (default:
the first record kept), --to is exclusive (default: the end at the time of the call). With ALMANAC_ARCHIVE, records that
the journal has deleted are read from the archive. The same range gives the same bytes while its records are kept:
retention drops old ones, and compacted topics drop replaced ones.
With --follow it goes on for ever, and new records of several partitions are printed in the order of their arrival.`,
  async run(args, config) {
    const { values, positionals } = parsed(args, {
      partition: { type: 'string' },
      from: { type: 'string' },
      to: { type: 'string' },
      key: { type: 'string' },
      follow: { type: 'boolean', default: false },
    })
    const [name, ...rest] = positionals
    if (name === undefined || rest.length > 0 || !Object.hasOwn(topics, name)) {
      throw new UsageError(`name one topic of ${Object.keys(topics).join(', ')}`)
    }
    // Cast: checked above.
    const topic = name as Topic
    const { partitions: partitionCount } = topics[topic]
    const partition = wholeNumber(values.partition, '--partition')
    if (partition !== undefined && partition >= partitionCount) {
      throw new UsageError(`${topic} has partitions 0 to ${partitionCount - 1}`)
    }
    const from = wholeNumber(values.from, '--from')
    const to = wholeNumber(values.to, '--to')
    if (partition === undefined && partitionCount > 1 && (from !== undefined || to !== undefined)) {
      throw new UsageError(
        `${topic} has ${partitionCount} partitions with offsets of their own: add --partition 0 to ${partitionCount - 1}`,
      )
    }
    if (from !== undefined && to !== undefined && from > to) {
      throw new UsageError(`--from ${from} is greater than --to ${to}`)
    }
    const journal = await openJournal(config)
    const source: Source = { journal, archive: await openArchiveOf(config), topic }
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort())
    // The reader of the output, such as `head`, has closed the pipe: that ends the command and is no error.
    process.stdout.on('error', () => stop.abort())
    // Keeps the process alive: waiting at the tail alone does not.
    const alive = setInterval(() => undefined, 60_000)
    try {
      const selected =
        partition === undefined ? Array.from({ length: partitionCount }, (_, index) => index) : [partition]
      const ranges = await Promise.all(selected.map((index) => rangeOf(source, index, { from, to })))
      for await (const record of records(source, ranges, values.follow, stop.signal)) {
        if (stop.signal.aborted) break
        if (values.key !== undefined && record.key !== values.key) continue
        if (!process.stdout.write(`${lineOf(record)}\n`)) await drained(stop.signal)
      }
    } finally {
      stop.abort()
      clearInterval(alive)
      await source.archive?.store.close()
      await journal.close()
    }
    return 0
  },
}

/** Where records are read: the journal, and behind it the archive, if there is one. */
type Source = { readonly journal: TypedJournal; readonly archive: Archive | undefined; readonly topic: Topic }

/** Opens the archive that ALMANAC_ARCHIVE names. Undefined if there is none. */
async function openArchiveOf({ archive }: Config): Promise<Archive | undefined> {
  if (!archive) return undefined
  const store = await openObjectStore(archive.address)
  return Archive.open(store).catch(async (error) => {
    await store.close()
    if (error instanceof ArchiveError && error.code === 'no_archive') return undefined
    throw error
  })
}

/** Offsets of one partition to print: `from` inclusive, `to` exclusive, `end` the partition's end when asked. */
interface OffsetRange {
  readonly partition: number
  readonly from: number
  readonly to: number
  readonly end: number
}

async function rangeOf(
  { journal, archive, topic }: Source,
  partition: number,
  asked: { readonly from: number | undefined; readonly to: number | undefined },
): Promise<OffsetRange> {
  const { start: kept, end } = await journal.bounds(topic, partition)
  const start = await readableFrom(archive, topic, partition, kept)
  const from = asked.from ?? start
  const held = `${topic}/${partition} holds offsets ${start} to ${end - 1}`
  if (from < start || from > end) throw new UsageError(`--from ${from}: ${held}`)
  if (asked.to !== undefined && asked.to < from) throw new UsageError(`--to ${asked.to}: ${held}`)
  return { partition, from, to: asked.to ?? Number.POSITIVE_INFINITY, end }
}

async function* records(
  source: Source,
  ranges: readonly OffsetRange[],
  follow: boolean,
  signal: AbortSignal,
): AsyncGenerator<AnyRecord> {
  yield* mergeByTime(ranges.map((range) => past(source, range)))
  if (follow) yield* mergeByArrival(ranges.map((range) => tail(source, range, signal)))
}

/** Records of a range up to the partition's end when it was asked. */
async function* past(
  { journal, archive, topic }: Source,
  { partition, from, to, end }: OffsetRange,
): AsyncGenerator<AnyRecord> {
  const until = Math.min(to, end)
  for await (const { records } of readBehind(journal, archive, topic, partition, { from, to: until }))
    for (const record of records) if (record.offset < until) yield record
}

/** Records of a range after the partition's end when it was asked. */
async function* tail(
  { journal, topic }: Source,
  { partition, from, to, end }: OffsetRange,
  signal: AbortSignal,
): AsyncGenerator<AnyRecord> {
  if (to <= end) return
  for await (const batch of journal.follow(topic, partition, Math.max(from, end), signal)) {
    for (const record of batch.records) if (record.offset < to) yield record
    if (batch.next >= to) return
  }
}

const lineOf = ({ topic, partition, offset, key, timestamp, headers, value }: AnyRecord): string =>
  JSON.stringify({ topic, partition, offset, key, timestamp, headers, value }, bytesAsBase64)

/** Waits until the reader of the output has caught up. When `signal` aborts, the wait ends without an error. */
const drained = (signal: AbortSignal): Promise<unknown> =>
  once(process.stdout, 'drain', { signal }).catch(() => undefined)

const wholeNumber = (text: string | undefined, option: string): number | undefined => {
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`${option} takes a whole number, not ${JSON.stringify(text)}`)
  return Number(text)
}

/** Bytes (a rejected document) as base64; a Buffer's own `toJSON` has run before a replacer sees the value. */
const bytesAsBase64 = (_: string, value: unknown): unknown => {
  const data =
    (value as { type?: string; data?: number[] } | null)?.type === 'Buffer'
      ? (value as { data: number[] }).data
      : undefined
  return data ? Buffer.from(data).toString('base64') : value
}
