import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'

/** Whether a path leads to a directory or into it, through whatever links. Neither needs to exist. */
export const leadsInto = (path: string, directory: string): boolean =>
  `${realPlace(path)}${sep}`.startsWith(`${realPlace(directory)}${sep}`)

/** The path without links, as far as it exists. */
function realPlace(path: string): string {
  const place = resolve(path)
  if (existsSync(place)) return realpathSync(place)
  const parent = dirname(place)
  return parent === place ? place : join(realPlace(parent), basename(place))
}
