import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { crc32 } from 'node:zlib'

type Checkpoint = {
  /** Of the processor's code: another version's checkpoint is not used. */
  readonly version: number
  /** The next offset to process of each input topic. */
  readonly offsets: Readonly<Record<string, number>>
  /** Plain data: what `structuredClone` takes. */
  readonly state: unknown
}

/** Keeps processor states so that a start replays only the tail. Losing one costs time, never truth. */
export interface CheckpointStore {
  load(processor: string, partition: number, version: number): Promise<Checkpoint | undefined>
  save(processor: string, partition: number, checkpoint: Checkpoint): Promise<void>
}

/** One file a processor and partition; replaced whole, so that a crash leaves the older one. Bound to one journal. */
export function fileCheckpoints(directory: string, journalId: string): CheckpointStore {
  const fileOf = (processor: string, partition: number) => join(directory, `${processor}-${partition}.checkpoint`)
  return {
    async load(processor, partition, version) {
      const bytes = await readFile(fileOf(processor, partition)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
      if (!bytes || bytes.length < 4 || bytes.readUInt32LE(0) !== crc32(bytes.subarray(4))) return undefined
      const saved = deserialize(bytes.subarray(4)) as Checkpoint & { journal: string }
      return saved.journal === journalId && saved.version === version && saved.offsets ? saved : undefined
    },
    async save(processor, partition, checkpoint) {
      await mkdir(directory, { recursive: true })
      const body = serialize({ ...checkpoint, journal: journalId })
      const sum = Buffer.alloc(4)
      sum.writeUInt32LE(crc32(body))
      const file = fileOf(processor, partition)
      const handle = await open(`${file}.new`, 'w')
      try {
        await handle.writev([sum, body])
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(`${file}.new`, file)
    },
  }
}
