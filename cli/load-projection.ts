import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { errorMessage } from '../base/errors.ts'
import { shortHash } from '../projections/migrate.ts'
import type { UserProjection } from '../projections/user-projection.ts'
import { checkedProjection, type ProjectionFile } from '../projections/user-view.ts'
import { UsageError } from './command.ts'

/** Module that projections in a clone import as `almanac/projection`. */
const publicModule = join(import.meta.dirname, '../projections/user-projection.ts')

/** Loads the projection that a file exports by default. Throws UsageError, which names the file. */
export async function loadProjection(
  file: string,
): Promise<{ readonly projection: UserProjection; readonly source: ProjectionFile }> {
  const path = resolve(file)
  const text = await readFile(path, 'utf8').catch((cause) => {
    throw new UsageError(`${file} cannot be read: ${errorMessage(cause)}`, { cause })
  })
  const loaded: { readonly default?: unknown } = await import(pathToFileURL(path).href).catch((cause) => {
    throw new UsageError(`${file} cannot be loaded: ${loadingFault(cause)}`, { cause })
  })
  try {
    return { projection: checkedProjection(loaded.default, file), source: { file, hash: shortHash(text) } }
  } catch (error) {
    throw new UsageError(errorMessage(error), { cause: error })
  }
}

function loadingFault(error: unknown): string {
  const message = errorMessage(error)
  if (/Cannot find package 'almanac'|Package subpath '.\/projection'/.test(message))
    return `it is outside of this clone, where almanac/projection is not known. Import from '${publicModule}' instead`
  // The stack of a syntax error begins with its location.
  const [location = ''] = error instanceof SyntaxError ? (error.stack ?? '').split('\n') : []
  return /:\d+$/.test(location) ? `${message} (${location})` : message
}
