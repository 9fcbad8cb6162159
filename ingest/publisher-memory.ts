import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Type, Value } from '#typebox'
import { readIfThere, replaceFile } from '../base/whole-file.ts'

/** A service's memory of a publisher's answers to one dataset, so that it need not ask for the same again. */

/** A publisher's own marks of one answer, and when it was read whole, UTC milliseconds. */
const Validators = Type.Object({
  etag: Type.Optional(Type.String()),
  lastModified: Type.Optional(Type.String()),
  readAt: Type.Integer({ minimum: 0 }),
})
export type Validators = Type.Static<typeof Validators>

const Names = Type.Array(Type.String())
const Stored = Type.Object({
  /** Generation of the journal, and program that read the answers. For another one they are not known. */
  readBy: Type.String(),
  /** By address, without secrets. */
  validators: Type.Record(Type.String(), Validators),
  /** When the publisher last answered, UTC milliseconds. */
  checkedAt: Type.Integer({ minimum: 0 }),
  /** Datasets of the series in the answers. */
  series: Type.Optional(Type.Array(Type.Object({ source: Type.String(), dataset: Type.String() }))),
  structure: Type.Optional(Type.Object({ always: Names, sometimes: Names })),
  /** What has changed in the structure since a person last accepted it, and when that began. */
  change: Type.Optional(Type.Object({ at: Type.Integer({ minimum: 0 }), appeared: Names, gone: Names })),
})
export type DatasetMemory = Type.Static<typeof Stored>

type UnacceptedChange = NonNullable<DatasetMemory['change']> & { readonly source: string; readonly dataset: string }

export type PublisherMemory = {
  /** Undefined for a dataset that was never asked for, and for a memory that cannot be read. */
  load(source: string, dataset: string): Promise<DatasetMemory | undefined>
  save(source: string, dataset: string, memory: DatasetMemory): Promise<void>
  /** Datasets whose structure has changed and was not accepted yet, by name. */
  changed(): Promise<readonly UnacceptedChange[]>
}

/** Keeps one file a dataset, so that no two processes write to the same one: a dataset is read by one at a time. */
export function publisherFiles(directory: string): PublisherMemory {
  const pathOf = (source: string, dataset: string) =>
    join(directory, encodeURIComponent(source), `${encodeURIComponent(dataset)}.json`)
  const files: PublisherMemory = {
    async load(source, dataset) {
      const stored = await readIfThere(pathOf(source, dataset))
      try {
        const value: unknown = JSON.parse(String(stored ?? ''))
        return Value.Check(Stored, value) ? value : undefined
      } catch {
        // Cut or empty. The dataset is asked for whole.
        return undefined
      }
    },
    async save(source, dataset, memory) {
      const path = pathOf(source, dataset)
      await mkdir(dirname(path), { recursive: true })
      await replaceFile(path, JSON.stringify(memory), `${path}.${process.pid}.new`)
    },
    async changed() {
      const paths = await readdir(directory, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return []
        throw error
      })
      const found = paths.sort().map(async (path) => {
        const [, source, dataset] = /^([^/]+)\/([^/]+)\.json$/.exec(path)?.map(decodeURIComponent) ?? []
        if (source === undefined || dataset === undefined) return []
        const change = (await files.load(source, dataset))?.change
        return change ? [{ source, dataset, ...change }] : []
      })
      return (await Promise.all(found)).flat()
    },
  }
  return files
}

/**
 * Takes the structure of a dataset as known. Returns false if no change of it waits to be accepted. A run that goes on
 * meanwhile may bring the change back; it can be accepted again.
 */
export async function acceptStructure(memory: PublisherMemory, source: string, dataset: string): Promise<boolean> {
  const known = await memory.load(source, dataset)
  if (!known?.change) return false
  const { change: _, ...rest } = known
  await memory.save(source, dataset, rest)
  return true
}
