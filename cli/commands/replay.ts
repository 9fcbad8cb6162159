import { once } from 'node:events'
import { Archive } from '../../archive/archive.ts'
import { ArchiveError } from '../../archive/errors.ts'
import { readableFrom, readableOffsetForTime, readBehind } from '../../archive/read-behind.ts'
import { program } from '../../contracts/program.ts'
import { type Topic, topics } from '../../contracts/topics.ts'
import { otherUnitHint } from '../../domain/other-unit.ts'
import type { Config } from '../../infra/config.ts'
import { mergeByArrival, mergeByTime } from '../../journal/merge-partitions.ts'
import { newestVersion, type PortableRecord, portableAs } from '../../journal/portable-records.ts'
import { RecordLines } from '../../journal/record-lines.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { tellingArchiveFaults } from '../archives.ts'
import { parsed } from '../arguments.ts'
import { type Command, complain, interruptSignal, UsageError } from '../command.ts'
import { looksLikeTime, noSuchOffset, type OffsetOrTime, offsetOrTime } from '../offset-or-time.ts'
import { openJournal, openObjectStore } from '../parts.ts'

type ReplayedRecord = PortableRecord & { readonly partition: number }

export const command: Command = {
  usage: `${program} replay TOPIC [--partition N] [--from OFFSET|TIME] [--to OFFSET|TIME] [--key KEY] [--follow]

TOPIC is one of ${Object.keys(topics).join(', ')}. Prints one JSON object for each record:
{"topic","partition","offset","key","timestamp","headers","value"}. Without --partition it prints all partitions of the
topic, merged by record time (equal times: lower partition first; records of one partition keep their order).

--from is inclusive (default: the first record kept), --to is exclusive (default: the end at the time of the call). Each takes an
offset, or a time: an instant such as 2026-11-01T08:00:00Z, or a date, which means its midnight in UTC. An offset belongs to
a partition, so with a topic of several partitions it needs --partition. A time means, in each partition, the first record
at or after it. Where a clock was set back, the records between two times may therefore include earlier and later ones.

With ALMANAC_ARCHIVE, records that the journal has deleted are read from the archive. The same range gives the same bytes
while its records are kept: retention drops old ones, and compacted topics drop replaced ones. With --follow it goes on for
ever, or until every partition has reached --to, and new records of several partitions are printed in the order of their
arrival.`,
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
    const from = values.from === undefined ? undefined : offsetOrTime(values.from, '--from')
    const to = values.to === undefined ? undefined : offsetOrTime(values.to, '--to')
    if (partition === undefined && partitionCount > 1 && [from, to].some(isOffset)) {
      throw new UsageError(
        `${topic} has ${partitionCount} partitions with offsets of their own: add --partition 0 to ${partitionCount - 1}, or use times${[values.from, values.to].map((text = '') => otherUnitHint(text)).join('')}`,
      )
    }
    if (from && to && isBefore(to, from))
      throw new UsageError(`--from ${values.from} is greater than --to ${values.to}`)
    const partitions =
      partition === undefined ? Array.from({ length: partitionCount }, (_, index) => index) : [partition]
    const asked = { topic, partitions, from, to, key: values.key, follow: values.follow }
    return tellingArchiveFaults(() => printRecords(config, asked))
  },
}

type Asked = {
  readonly topic: Topic
  readonly partitions: readonly number[]
  readonly from: OffsetOrTime | undefined
  readonly to: OffsetOrTime | undefined
  readonly key: string | undefined
  readonly follow: boolean
}

async function printRecords(config: Config, { topic, partitions, from, to, key, follow }: Asked): Promise<number> {
  const journal = await openJournal(config)
  let archive: Archive | undefined
  const stop = new AbortController()
  const interrupted = interruptSignal('interrupted: the output is not whole')
  interrupted.addEventListener('abort', () => stop.abort())
  // The reader of the output, such as `head`, has closed the pipe: that ends the command and is no error.
  process.stdout.on('error', () => stop.abort())
  // Keeps the process alive: waiting at the tail alone does not.
  const alive = setInterval(() => undefined, 60_000)
  try {
    archive = await openArchiveOf(config)
    archive?.assertOf(journal.id)
    const source: Source = { journal, archive, topic }
    const ranges = await Promise.all(partitions.map((index) => rangeOf(source, index, { from, to })))
    const text = new RecordLines(topic)
    let isEmpty = true
    for await (const batch of records(source, ranges, follow, stop.signal)) {
      for (const lines of linesOf(batch, key, text)) {
        if (stop.signal.aborted) break
        isEmpty = false
        if (!process.stdout.write(lines)) await drained(stop.signal)
      }
      if (stop.signal.aborted) break
    }
    // One that follows without an end is ended so.
    if (!follow || to !== undefined) interrupted.throwIfAborted()
    // Standard output is for records alone.
    if (isEmpty && !stop.signal.aborted)
      complain(`no record of ${topic} ${key === undefined ? '' : 'with this key '}is in this range`)
  } finally {
    stop.abort()
    clearInterval(alive)
    await archive?.store.close()
    await journal.close()
  }
  return 0
}

/** Lines that are written at once, because each write to a file or a pipe is a system call. */
const BYTES_AT_ONCE = 64 * 1024

/** The records of a batch as text, in pieces of whole lines; with `key`, only those that have it. */
function* linesOf(batch: readonly ReplayedRecord[], key: string | undefined, text: RecordLines): Generator<Buffer> {
  for (const record of batch) {
    if (key !== undefined && record.key !== key) continue
    text.add(record.partition, record)
    if (text.length >= BYTES_AT_ONCE) yield text.take()
  }
  if (text.length > 0) yield text.take()
}

const isOffset = (bound: OffsetOrTime | undefined): boolean => bound !== undefined && 'offset' in bound

/** Whether a bound lies before another one, as far as that can be told without looking. */
function isBefore(one: OffsetOrTime, other: OffsetOrTime): boolean {
  if ('offset' in one) return 'offset' in other && one.offset < other.offset
  return 'time' in other && one.time < other.time
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

/** Records of one partition to print. */
interface OffsetRange {
  readonly partition: number
  /** Inclusive. */
  readonly from: number
  /** Exclusive. Infinity for a time that no record has reached yet. */
  readonly to: number
  /** The first record at or after this time, UTC ms, ends the range. */
  readonly until: number
  /** The partition's end when the range was made. */
  readonly end: number
}

async function rangeOf(
  { journal, archive, topic }: Source,
  partition: number,
  asked: Pick<Asked, 'from' | 'to'>,
): Promise<OffsetRange> {
  const { start: kept, end } = await journal.bounds(topic, partition)
  const start = await readableFrom(journal, archive, topic, partition, kept)
  const offsetOf = (bound: OffsetOrTime) =>
    'offset' in bound ? bound.offset : readableOffsetForTime(journal, archive, topic, partition, bound.time)
  const from = asked.from ? await offsetOf(asked.from) : start
  const to = asked.to ? await offsetOf(asked.to) : Number.POSITIVE_INFINITY
  const available = `${topic}/${partition} holds offsets ${start} to ${end - 1}`
  if (isOffset(asked.from) && (from < start || from > end)) throw noSuchOffset('--from', from, available)
  if (isOffset(asked.to) && (to < from || (to > end && looksLikeTime(to)))) throw noSuchOffset('--to', to, available)
  const until = asked.to && 'time' in asked.to ? asked.to.time : Number.POSITIVE_INFINITY
  // A time that no record had reached: the range may go on behind the end.
  const isAhead = Number.isFinite(until) && to >= end
  return { partition, from, to: isAhead ? Number.POSITIVE_INFINITY : to, until, end }
}

async function* records(
  source: Source,
  ranges: readonly OffsetRange[],
  follow: boolean,
  signal: AbortSignal,
): AsyncGenerator<readonly ReplayedRecord[]> {
  yield* mergeByTime(ranges.map((range) => past(source, range)))
  if (follow) yield* mergeByArrival(ranges.map((range) => tail(source, range, signal)))
}

/** Records of a range up to the partition's end when it was asked. */
async function* past(
  { journal, archive, topic }: Source,
  { partition, from, to, end }: OffsetRange,
): AsyncGenerator<readonly ReplayedRecord[]> {
  const until = Math.min(to, end)
  for await (const { records } of readBehind(journal, archive, topic, partition, { from, to: until }))
    yield of(
      partition,
      records.filter(({ offset }) => offset < until),
    )
}

const of = (partition: number, records: readonly PortableRecord[]): readonly ReplayedRecord[] =>
  records.map((record) => ({ ...record, partition }))

/** Records of a range after the partition's end when it was asked. */
async function* tail(
  { journal, topic }: Source,
  { partition, from, to, until, end }: OffsetRange,
  signal: AbortSignal,
): AsyncGenerator<readonly ReplayedRecord[]> {
  if (to <= end) return
  const newest = newestVersion(topic)
  for await (const { records, next } of journal.followEncoded(topic, partition, Math.max(from, end), signal)) {
    const late = records.findIndex(({ timestamp }) => timestamp >= until)
    const wanted = (late < 0 ? records : records.slice(0, late)).filter(({ offset }) => offset < to)
    yield of(partition, portableAs(newest, wanted))
    if (late >= 0 || next >= to) return
  }
}

/** Waits until the reader of the output has caught up. When `signal` aborts, the wait ends without an error. */
const drained = (signal: AbortSignal): Promise<unknown> =>
  once(process.stdout, 'drain', { signal }).catch(() => undefined)

const wholeNumber = (text: string | undefined, option: string): number | undefined => {
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`${option} takes a whole number, not ${JSON.stringify(text)}`)
  return Number(text)
}
