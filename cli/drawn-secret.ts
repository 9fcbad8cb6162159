import { randomBytes } from 'node:crypto'
import { chmod, open, readFile, rename, rm } from 'node:fs/promises'

/** A secret of a data directory, drawn when it is first asked for. Its file is readable by the service's user only. */
export async function drawnSecret(file: string): Promise<string> {
  const known = await readFile(file, 'utf8').catch(() => '') // none yet
  if (known.trim() !== '') {
    await chmod(file, 0o600)
    return known.trim()
  }
  const made = randomBytes(24).toString('base64url')
  await writePrivately(file, `${made}\n`)
  return made
}

/** Replaces a file atomically by one of mode 0600. */
export async function writePrivately(file: string, text: string): Promise<void> {
  const fresh = `${file}.${process.pid}`
  await rm(fresh, { force: true })
  const handle = await open(fresh, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(fresh, file)
}
