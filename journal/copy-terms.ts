/** Decides whether a copy may begin or go on, from the records that source and target keep of it. Pure. */
import type { Generation } from '../contracts/generations.ts'

export type SourceSide = {
  readonly id: string
  /** `Journal.generations` of the copy. That of a backup has one more, because what was backed up may have gone on. */
  readonly generations: readonly Generation[]
  /** The copy that was begun last, and its destination. */
  readonly copy: { readonly id: string; readonly to: string } | undefined
  readonly isMoved: boolean
  /** End of each partition, by the target's `topic/partition`. */
  readonly ends: Readonly<Record<string, number>>
}

type TargetSide = {
  readonly id: string
  readonly copy?: {
    readonly id: string
    readonly registry: string
    /** Ends of the source's partitions when the copy was finished; absent until then. */
    readonly ends?: Readonly<Record<string, number>>
  }
}

/** `begin`: the target is empty. `done`: the target has everything. */
type Terms = 'begin' | 'go on' | 'done'

export class CopyRefusedError extends Error {
  override readonly name = 'CopyRefusedError'
}

/**
 * Compares what both sides know of the copy. `registry` is the address of the target's schema registry, or `''` for the
 * released schemas. Throws CopyRefusedError where the copy must not go on.
 */
export function termsOf(source: SourceSide, target: TargetSide | undefined, registry: string): Terms {
  if (!target) {
    if (!source.isMoved) return 'begin'
    throw new CopyRefusedError(`journal ${source.id} has moved to ${source.copy?.to}; the target has no copy of it`)
  }
  if (target.id !== source.id) throw new CopyRefusedError(`the target already holds another journal, ${target.id}`)
  const { copy } = target
  if (!copy || copy.id !== source.copy?.id)
    throw new CopyRefusedError(
      `the target already holds journal ${source.id}, from a copy that the source has no record of: the source may be a restored backup`,
    )
  if (copy.ends) {
    const more = Object.entries(source.ends).find(([key, end]) => end !== (copy.ends?.[key] ?? 0))
    if (!more) return 'done'
    const detail = `${more[0]} ended at ${copy.ends[more[0]] ?? 0}, now at ${more[1]}`
    throw new CopyRefusedError(`journal ${source.id} was written to after it had been copied: ${detail}`)
  }
  if (copy.registry === registry) return 'go on'
  const name = (url: string) => (url === '' ? 'the released schemas' : `the schema registry ${url}`)
  throw new CopyRefusedError(`the copy was begun with ${name(copy.registry)}; it can't go on with ${name(registry)}`)
}
