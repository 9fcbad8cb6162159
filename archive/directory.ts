import { randomUUID } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { link, mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode, errorMessage } from '../base/errors.ts'
import { assertObjectName, type ByteRange, type ObjectListing, type ObjectStore, ObjectStoreError } from './objects.ts'

/** Folder of files that are being written: on the file system of the objects, so a rename is atomic, and in no listing. */
export const UNFINISHED_FOLDER = 'unfinished'

/** Keeps objects as files below a directory, which is created if it is missing. */
export class DirectoryStore implements ObjectStore {
  readonly address: string
  /** Folders known to be durable. */
  readonly #folders = new Set<string>()

  constructor(directory: string) {
    this.address = directory
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    await this.#naming(name, this.#write(name, bytes, rename))
  }

  putIfAbsent(name: string, bytes: Uint8Array): Promise<boolean> {
    const write = async () => {
      try {
        await this.#write(name, bytes, async (unfinished, path) => {
          await link(unfinished, path)
          await unlink(unfinished)
        })
        return true
      } catch (error) {
        if (errorCode(error) === 'EEXIST') return false
        throw error
      }
    }
    return this.#naming(name, write())
  }

  get(name: string, range?: ByteRange): Promise<Uint8Array | undefined> {
    return this.#naming(name, this.#read(name, range))
  }

  async #read(name: string, range?: ByteRange): Promise<Uint8Array | undefined> {
    const file = await ifThere(open(this.#path(name), 'r'))
    if (!file) return undefined
    try {
      if (!range) return await file.readFile()
      const bytes = Buffer.alloc(Math.max(range.end - range.start, 0))
      let read = 0
      while (read < bytes.length) {
        const { bytesRead } = await file.read(bytes, read, bytes.length - read, range.start + read)
        if (bytesRead === 0) break
        read += bytesRead
      }
      return bytes.subarray(0, read)
    } finally {
      await file.close()
    }
  }

  async size(name: string): Promise<number | undefined> {
    return (await this.#naming(name, this.#stat(name)))?.size
  }

  async *list(folder: string): AsyncGenerator<ObjectListing> {
    const reading = ifThere(readdir(join(this.address, folder), { withFileTypes: true }))
    const entries = (await this.#naming(folder, reading)) ?? []
    for (const entry of entries.sort(byObjectName)) {
      const name = folder + entry.name
      if (name === UNFINISHED_FOLDER) continue
      if (entry.isDirectory()) yield* this.list(`${name}/`)
      // A file that was deleted since is not listed.
      else if (entry.isFile()) {
        const found = await this.#naming(name, ifThere(stat(join(this.address, name))))
        if (found) yield { name, bytes: found.size, modified: found.mtimeMs }
      }
    }
  }

  async delete(name: string): Promise<void> {
    await this.#naming(name, this.#delete(name))
  }

  async sweep(before: number): Promise<void> {
    await this.#naming(UNFINISHED_FOLDER, this.#sweep(before))
  }

  async #delete(name: string): Promise<void> {
    const path = this.#path(name)
    if ((await ifThere(unlink(path).then(() => true))) === true) await syncFolder(dirname(path))
  }

  async #stat(name: string) {
    return ifThere(stat(this.#path(name)))
  }

  async #sweep(before: number): Promise<void> {
    const folder = join(this.address, UNFINISHED_FOLDER)
    for (const name of (await ifThere(readdir(folder))) ?? []) {
      const path = join(folder, name)
      const found = await ifThere(stat(path))
      if (found && found.mtimeMs < before) await ifThere(unlink(path))
    }
  }

  async close(): Promise<void> {}

  #path(name: string): string {
    assertObjectName(name)
    return join(this.address, name)
  }

  async #write(name: string, bytes: Uint8Array, place: (from: string, to: string) => Promise<void>): Promise<void> {
    const path = this.#path(name)
    const unfinished = join(this.address, UNFINISHED_FOLDER, randomUUID())
    await this.#makeFolder(dirname(unfinished))
    await this.#makeFolder(dirname(path))
    const file = await open(unfinished, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
      await file.close()
      await place(unfinished, path)
    } catch (error) {
      this.#folders.clear()
      await file.close().catch(() => undefined)
      await ifThere(unlink(unfinished))
      throw error
    }
    await syncFolder(dirname(path))
  }

  async #makeFolder(folder: string): Promise<void> {
    if (this.#folders.has(folder)) return
    await makeFolder(folder)
    this.#folders.add(folder)
  }

  /** Turns an error of the file system into an ObjectStoreError that names the file or folder. */
  async #naming<T>(name: string, task: Promise<T>): Promise<T> {
    try {
      return await task
    } catch (cause) {
      if (errorCode(cause) === undefined || cause instanceof RangeError) throw cause
      throw new ObjectStoreError(`${join(this.address, name)}: ${errorMessage(cause)}`, { cause })
    }
  }
}

/**
 * Creates a folder with its parents, durably: its name is on disk once its parent is. Not by Node's recursive mkdir, which
 * never returns below /proc, and says of a read-only place that there is no such file.
 */
async function makeFolder(folder: string): Promise<void> {
  const isNew = await makeOneFolder(folder).catch(async (error) => {
    const parent = dirname(folder)
    if (errorCode(error) !== 'ENOENT' || parent === folder) throw error
    await makeFolder(parent)
    return makeOneFolder(folder)
  })
  if (isNew) await syncFolder(dirname(folder))
}

/** Returns false if there is one. */
async function makeOneFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 })
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

/** Puts a folder where its name sorts as the names of the objects in it do. */
const sortKey = (entry: Dirent): string => (entry.isDirectory() ? `${entry.name}/` : entry.name)
const byObjectName = (a: Dirent, b: Dirent): number => (sortKey(a) < sortKey(b) ? -1 : 1)

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Undefined if a file or folder is not there. */
async function ifThere<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}
