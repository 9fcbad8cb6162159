import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'

/** Whether a path leads to a directory or into it, through whatever links. Neither needs to exist. */
export const leadsInto = (path: string, directory: string): boolean =>
  `${resolveLinks(path)}${sep}`.startsWith(`${resolveLinks(directory)}${sep}`)

/** The path without links, as far as it exists. */
function resolveLinks(path: string): string {
  const absolute = resolve(path)
  if (existsSync(absolute)) return realpathSync(absolute)
  const parent = dirname(absolute)
  return parent === absolute ? absolute : join(resolveLinks(parent), basename(absolute))
}
