import { open, readFile, rename, rm } from 'node:fs/promises'
import { errorCode } from './errors.ts'

/** Reads a file; undefined if there is none. */
export async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Replaces a file in one step, so that a crash leaves the old one or the new one whole. Processes that may do so at once
 * each need a name of their own for `next`, the file until then.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array | readonly Uint8Array[],
  next = `${path}.new`,
): Promise<void> {
  const file = await open(next, 'w')
  try {
    await file.writeFile(content)
    await file.sync()
  } catch (error) {
    // On a full disk it would keep the room that others need.
    await rm(next, { force: true }).catch(() => undefined)
    throw error
  } finally {
    await file.close()
  }
  await rename(next, path)
}
