import { readdirSync } from 'node:fs'
import { mkdir, mkdtemp, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** A directory that looks like a clone in which nothing has been started yet, for commands as documents print them. */
export async function makeClone(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'almanac-clone-'))
  for (const name of readdirSync(root))
    if (name !== 'var' && name !== '.git') await symlink(join(root, name), join(home, name))
  await mkdir(join(home, 'var'), { mode: 0o700 })
  return home
}
