import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { crc32 } from 'node:zlib'
import { giveToOwner, makeDirectory } from '../base/lmdb/owner.ts'
import { readIfThere, replaceFile } from '../base/whole-file.ts'
import type { Lineage } from '../domain/lineage.ts'

type Checkpoint = {
  /** Version of the processor's code. The checkpoint of another version is not used. */
  readonly version: number
  /** The next offset to process of each input topic. */
  readonly offsets: Readonly<Record<string, number>>
  /**
   * Ends of the input topics up to which the state has what the processor wrote to them itself (`Processor.recall`). Absent
   * if it has nothing beyond `offsets`.
   */
  readonly reaches?: Readonly<Record<string, number>>
  /** Plain data that `structuredClone` can copy. */
  readonly state: unknown
}

/**
 * Keeps states, so that a start replays only the tail. A lost checkpoint costs time, but no data: `load` passes over one that is
 * damaged, of another version or history, or that this Node cannot read.
 */
export interface CheckpointStore {
  load(processor: string, partition: number, version: number): Promise<Checkpoint | undefined>
  save(processor: string, partition: number, checkpoint: Checkpoint): Promise<void>
}

/**
 * Keeps one file for each processor and partition, bound to one journal and its generations. A file is replaced as a
 * whole, so that a crash leaves the older one.
 */
export function fileCheckpoints(directory: string, lineage: Lineage): CheckpointStore {
  const placesOf = ({ offsets, reaches = offsets }: Checkpoint, partition: number) =>
    Object.entries(reaches).map(([topic, offset]) => ({ partition: `${topic}/${partition}`, offset }))
  const fileOf = (processor: string, partition: number) => join(directory, `${processor}-${partition}.checkpoint`)
  return {
    async load(processor, partition, version) {
      const bytes = await readIfThere(fileOf(processor, partition))
      const saved = bytes && stateIn(bytes)
      if (saved?.version !== version || !saved.offsets) return undefined
      return lineage.faultOf(saved.journal, ...placesOf(saved, partition)) ? undefined : saved
    },
    async save(processor, partition, checkpoint) {
      // First of all, because the caller may go on to change the state.
      const body = serialize({ ...checkpoint, journal: lineage.nameOf(...placesOf(checkpoint, partition)) })
      if (body.length > MAX_BYTES) throw new Error(`a checkpoint of ${body.length} bytes is too large to be read again`)
      const sum = Buffer.alloc(4)
      sum.writeUInt32LE(crc32(body))
      makeDirectory(directory)
      await replaceFile(fileOf(processor, partition), [sum, body])
      giveToOwner(fileOf(processor, partition))
    },
  }
}

/** Node reads no larger file at once. */
const MAX_BYTES = 2 ** 31 - 1 - 4

/** What `save` has written; undefined if the checksum is wrong, or the bytes are those of a newer Node. */
function stateIn(bytes: Buffer): (Checkpoint & { readonly journal: string }) | undefined {
  if (bytes.length < 4 || bytes.readUInt32LE(0) !== crc32(bytes.subarray(4))) return undefined
  try {
    return deserialize(bytes.subarray(4))
  } catch {
    return undefined
  }
}
