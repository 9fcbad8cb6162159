import { once } from 'node:events'
import { type Topic, topics } from '../../contracts/topics.ts'
import type { TypedBatch } from '../../journal/typed.ts'
import { parsed } from '../arguments.ts'
import { type Command, UsageError } from '../command.ts'
import { openJournal } from '../parts.ts'

export const command: Command = {
  summary: 'Prints the records of a topic as NDJSON, from any offset',
  usage: `almanac replay TOPIC [--partition N] [--from OFFSET] [--to OFFSET] [--key KEY] [--follow]

TOPIC is one of ${Object.keys(topics).join(', ')}. Prints one JSON object a record, in journal order:
{"topic","partition","offset","key","timestamp","headers","value"}. --from is inclusive (default: the log start), --to is
exclusive (default: the end as it is now). With --follow it goes on for ever. The same range gives the same bytes, always.`,
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
      throw new UsageError(`say one topic: ${Object.keys(topics).join(', ')}`)
    }
    const topic = name as Topic
    const partition = count(values.partition, '--partition') ?? 0
    if (partition >= topics[topic].partitions)
      throw new UsageError(`${topic} has partitions 0 to ${topics[topic].partitions - 1}`)
    const journal = await openJournal(config)
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort())
    // A reader that has seen enough (`| head`) closes the pipe: that is an end, not an error.
    process.stdout.on('error', () => stop.abort())
    // Waiting at the tail keeps no process alive by itself.
    const alive = setInterval(() => undefined, 60_000)
    try {
      const { start, end } = await journal.bounds(topic, partition)
      const from = count(values.from, '--from') ?? start
      const to = count(values.to, '--to') ?? (values.follow ? Number.POSITIVE_INFINITY : end)
      if (from < start || from > end)
        throw new UsageError(`--from ${from}: ${topic}/${partition} holds offsets ${start} to ${end - 1}`)
      const batches = values.follow
        ? journal.follow(topic, partition, from, stop.signal)
        : untilEnd(from, Math.min(to, end))
      for await (const batch of batches) {
        if (stop.signal.aborted) break
        for (const { offset, key, timestamp, headers, value } of batch.records) {
          if (offset >= to || (values.key !== undefined && key !== values.key)) continue
          const line = JSON.stringify({ topic, partition, offset, key, timestamp, headers, value }, bytesAsBase64)
          if (!process.stdout.write(`${line}\n`)) await drained(stop.signal)
        }
        if (batch.next >= to) break
      }
    } finally {
      clearInterval(alive)
      await journal.close()
    }
    return 0

    async function* untilEnd(from: number, end: number): AsyncGenerator<TypedBatch<Topic>> {
      for (let at = from; at < end; ) {
        const batch = await journal.read(topic, partition, at)
        yield batch
        at = batch.next
      }
    }
  },
}

/** Waits for the reader; ends also when there is none any more. */
const drained = (signal: AbortSignal): Promise<unknown> =>
  once(process.stdout, 'drain', { signal }).catch(() => undefined)

const count = (text: string | undefined, option: string): number | undefined => {
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
