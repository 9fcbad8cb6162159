import { createHash } from 'node:crypto'
import type { FigureOrigin } from '../../../ingest/source.ts'
import { copies, type RepositoryCopy } from './copies.ts'
import type { Recorded } from './recorded.ts'

/** Where the figures of a recorded file were taken from. Throws for a path that `copies` does not have. */
export function takenFrom(recorded: Recorded, path: string): FigureOrigin {
  const known = copies[path]
  if (!known) throw new Error(`copies.ts does not say which copy ${path} is.`)
  const { revision, on, made } = known
  const holder = `github.com/${repositoryOf(path)}`
  return {
    retrievedAt: null,
    sha256: made === 'typed' ? null : createHash('sha256').update(recorded.bytes(path)).digest('hex'),
    copy: { holder, url: addressOf(holder, path, known), revision, held_on: on, is_transcribed: made === 'typed' },
  }
}

/** The known facts about the copy at an address. */
export const copyAt = (url: string): RepositoryCopy | undefined => byAddress.get(url)

const repositoryOf = (path: string): string => path.slice(0, path.indexOf('/')).replace('+', '/')

const addressOf = (
  holder: string,
  file: string,
  { revision, path = file.slice(file.indexOf('/') + 1) }: RepositoryCopy,
): string => `https://${holder}/blob/${revision}/${encodeURI(path)}`

const byAddress: ReadonlyMap<string, RepositoryCopy> = new Map(
  Object.entries(copies).map(([path, known]) => [addressOf(`github.com/${repositoryOf(path)}`, path, known), known]),
)
