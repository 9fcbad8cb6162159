/** Reading values in Avro, converted to the schema of this release. */
import type { Topic } from '../contracts/topics.ts'
import type { Codec } from './codec.ts'
import { type Batch, type ReadPosition, runOf, type StoredRecord, type ValueRun } from './journal.ts'

/** Passes the runs that `read` finds to `take`, where they lie if they need no conversion, and in their order. */
export async function readUpToDate<T extends Topic>(
  codec: Codec<T>,
  read: (take: (run: ValueRun) => void) => Promise<ReadPosition>,
  take: (run: ValueRun) => void,
): Promise<ReadPosition> {
  /** Runs from the first one on that has to be converted, copied, because a schema may have to be fetched for it. */
  const waiting: ValueRun[] = []
  const progress = await read((run) => {
    if (waiting.length === 0 && codec.areUpToDate(run)) take(run)
    else waiting.push({ ...run, bytes: Buffer.from(run.bytes) })
  })
  for (const { bytes, offsets, from, to } of waiting) {
    const records: Pick<StoredRecord, 'offset' | 'value'>[] = []
    for (const [i, at] of offsets.entries())
      records.push({ offset: at, value: await codec.upToDate(bytes.subarray(from[i], to[i])) })
    take(runOf(records))
  }
  return progress
}

export async function upToDateBatch<T extends Topic>(codec: Codec<T>, batch: Batch): Promise<Batch> {
  const records: StoredRecord[] = []
  for (const record of batch.records) {
    const value = codec.upToDate(record.value)
    if (value === record.value) records.push(record)
    else records.push({ ...record, value: await value })
  }
  return { ...batch, records }
}
