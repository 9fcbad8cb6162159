import { hash } from 'node:crypto'
import type { Topic } from '../../contracts/topics.ts'
import { UndecodableRecord } from '../../journal/codec.ts'
import { startPast } from '../../journal/journal.ts'
import { type PortableBatch, type PortableRecord, portableDecoder } from '../../journal/portable-records.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { rangeName } from '../chain-entry.ts'
import { HASH } from '../digest.ts'
import type { ObjectStore } from '../objects.ts'
import type { ExportedRecord, FileEncoder, FileStart } from './encoder.ts'
import { encoderFor } from './encoder-for.ts'
import { type ExportedFile, type ExportedPartition, type ExportManifest, writeManifest } from './manifest.ts'
import { type ExportFormat, type ExportQuestion, looksIntoValues, selects } from './question.ts'

/** A file ends with the record that reaches one of these limits, so that its memory is bounded. */
type FileLimits = { readonly records: number; readonly valueBytes: number }
const DEFAULT_LIMITS: FileLimits = { records: 100_000, valueBytes: 16_000_000 }

const READ_LIMITS = { maxRecords: 10_000, maxBytes: 4_000_000 }

/** Retention has deleted records that an export was still to read, or a record has no value that its format can hold. */
export class ExportError extends Error {
  override readonly name = 'ExportError'
}

export type ExportProgress = Pick<ExportedPartition, 'topic' | 'partition' | 'from' | 'to'> & {
  /** Offset up to which the partition has been read. */
  readonly at: number
  /** Records selected so far, in all partitions. */
  readonly records: number
}

export type ExportOptions = {
  readonly journal: Pick<TypedJournal, 'readPortable'>
  readonly store: ObjectStore
  readonly signal: AbortSignal
  readonly onProgress?: (progress: ExportProgress) => void
  readonly limits?: FileLimits
}

/**
 * Writes the files that a manifest does not name yet, and returns the complete manifest. Partition by partition, the
 * range and the limits alone decide where a file ends. So after a kill at any point the same files follow. Throws
 * ExportError, and the signal's reason.
 */
export async function runExport(manifest: ExportManifest, options: ExportOptions): Promise<ExportManifest> {
  const { store } = options
  const encoder = await encoderFor(manifest.question.format)
  let current = manifest
  for (const index of manifest.partitions.keys()) {
    const others = current.partitions.reduce((sum, { records }, at) => sum + (at === index ? 0 : records), 0)
    // Cast: `index` is one of the partitions'.
    for await (const partition of newFiles(
      current.partitions[index] as ExportedPartition,
      manifest.question,
      encoder,
      options,
      others,
    )) {
      current = { ...current, partitions: current.partitions.with(index, partition) }
      await writeManifest(store, current)
    }
  }
  if (!current.complete) {
    current = { ...current, complete: true }
    await writeManifest(store, current)
  }
  await store.sweep(Number.POSITIVE_INFINITY)
  return current
}

/** Writes the files of a partition that are missing, and yields the partition after each one, and at its end. */
async function* newFiles(
  exported: ExportedPartition,
  question: ExportQuestion,
  encoder: (start: FileStart) => FileEncoder,
  { journal, store, signal, onProgress, limits = DEFAULT_LIMITS }: ExportOptions,
  others: number,
): AsyncGenerator<ExportedPartition> {
  const { topic, partition, from, to } = exported
  const select = selection(exported, question)
  let state = exported
  let file = new OpenFile(state, question, encoder)
  for (let at = state.next; at < to; ) {
    signal.throwIfAborted()
    const batch = await readKept(journal, topic, partition, at)
    for (const record of select(batch)) {
      file.add(record)
      if (file.records < limits.records && file.valueBytes < limits.valueBytes) continue
      state = withFile(state, await file.write(store, record.offset + 1))
      yield state
      file = new OpenFile(state, question, encoder)
    }
    await file.flush()
    at = Math.min(batch.next, to)
    onProgress?.({ topic, partition, from, to, at, records: others + state.records + file.records })
  }
  if (file.records > 0) yield withFile(state, await file.write(store, to))
  else if (state.next < to) yield { ...state, next: to }
}

const withFile = (state: ExportedPartition, file: ExportedFile): ExportedPartition => ({
  ...state,
  next: file.to,
  records: state.records + file.records,
  files: [...state.files, file],
})

async function readKept(
  journal: ExportOptions['journal'],
  topic: Topic,
  partition: number,
  at: number,
): Promise<PortableBatch> {
  try {
    return await journal.readPortable(topic, partition, at, READ_LIMITS)
  } catch (error) {
    const start = startPast(at, error)
    if (start === undefined) throw error
    const detail = `retention has deleted offsets ${at} to ${start - 1} of ${topic}/${partition} before they were exported`
    throw new ExportError(`${detail}: export into another directory, which begins at what is kept`, { cause: error })
  }
}

/** Returns a function that yields the records of a batch which an export selects, with their values. */
function selection({ topic, partition, to }: ExportedPartition, { filters, format }: ExportQuestion) {
  const isSelected = selects(topic, filters)
  const decode = valueDecoder(topic, partition, !readsAvro.has(format) || looksIntoValues(filters))
  return function* ({ records }: PortableBatch): Generator<ExportedRecord> {
    for (const record of records) {
      if (record.offset >= to) return
      const value = decode(record)
      if (isSelected(record, value)) yield { ...record, value }
    }
  }
}

/** Formats whose encoders take the values in Avro. Parquet holds also those that do not decode. */
const readsAvro: ReadonlySet<ExportFormat> = new Set(['parquet', 'arrow', 'ndjson'])

/** Decodes values if they are needed. */
function valueDecoder(topic: Topic, partition: number, isNeeded: boolean): (record: PortableRecord) => unknown {
  if (!isNeeded) return () => null
  const decode = portableDecoder(topic)
  return (record) => {
    try {
      return decode(record)
    } catch (error) {
      throw asExportError(error, `${topic}/${partition} offset ${record.offset}: `)
    }
  }
}

/** What to do about a record that does not decode. Any other error stays. */
function asExportError(error: unknown, place = ''): unknown {
  if (!(error instanceof UndecodableRecord)) return error
  const detail = `${place}${error.message}; only --format parquet without filters exports its bytes`
  return new ExportError(detail, { cause: error })
}

/** A file of the partition that begins where the exported ones end. */
class OpenFile {
  readonly #partition: ExportedPartition
  readonly #extension: string
  readonly #encoder: FileEncoder
  #waiting: ExportedRecord[] = []
  records = 0
  valueBytes = 0

  constructor(partition: ExportedPartition, { format }: ExportQuestion, encoder: (start: FileStart) => FileEncoder) {
    this.#partition = partition
    this.#extension = format
    this.#encoder = encoder({ topic: partition.topic, partition: partition.partition, from: partition.next })
  }

  add(record: ExportedRecord): void {
    this.#waiting.push(record)
    this.records++
    this.valueBytes += record.body.length
  }

  async flush(): Promise<void> {
    if (this.#waiting.length === 0) return
    const records = this.#waiting
    this.#waiting = []
    try {
      await this.#encoder.add(records)
    } catch (error) {
      throw asExportError(error)
    }
  }

  async write(store: ObjectStore, to: number): Promise<ExportedFile> {
    await this.flush()
    const bytes = await this.#encoder.finish()
    const { topic, partition, next: from } = this.#partition
    const name = `${topic}/${partition}/${rangeName({ from, to })}.${this.#extension}`
    await store.put(name, bytes)
    return { name, from, to, records: this.records, bytes: bytes.length, sha256: hash(HASH, bytes) }
  }
}
