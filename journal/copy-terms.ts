/** Whether a copy may be begun, or gone on with: what both sides know of it must fit. Pure. */

export type SourceSide = {
  readonly id: string
  /** The copy that was last begun, and where to. */
  readonly copy: { readonly id: string; readonly to: string } | undefined
  readonly isMoved: boolean
  /** Where each partition ends, by the target's `topic/partition`. */
  readonly ends: Readonly<Record<string, number>>
}

type TargetSide = {
  readonly id: string
  readonly copy?: {
    readonly id: string
    readonly registry: string
    /** As the source's were when the copy was finished. */
    readonly ends?: Readonly<Record<string, number>>
  }
}

/** `begin`: there is nothing at the target. `done`: all of it is there. */
type Terms = 'begin' | 'go on' | 'done'

export class CopyRefusedError extends Error {
  override readonly name = 'CopyRefusedError'
}

/** Throws CopyRefusedError. `registry`: the one that the copied values are to name their schemas in. */
export function termsOf(source: SourceSide, target: TargetSide | undefined, registry: string): Terms {
  if (!target) {
    if (!source.isMoved) return 'begin'
    throw new CopyRefusedError(`journal ${source.id} has moved to ${source.copy?.to}; there is nothing of it here`)
  }
  if (target.id !== source.id) throw new CopyRefusedError(`there is another journal already, ${target.id}`)
  const { copy } = target
  if (!copy || copy.id !== source.copy?.id)
    throw new CopyRefusedError(
      `journal ${source.id} is there already, by a copy of which this one knows nothing: it may be a restored backup, or have gone another way since`,
    )
  if (copy.ends) {
    const more = Object.entries(source.ends).find(([place, end]) => end !== (copy.ends?.[place] ?? 0))
    if (!more) return 'done'
    const detail = `${more[0]} ended at ${copy.ends[more[0]] ?? 0}, now at ${more[1]}`
    throw new CopyRefusedError(`journal ${source.id} was copied, and has gone on by itself since: ${detail}`)
  }
  if (copy.registry === registry) return 'go on'
  const name = (url: string) => (url === '' ? 'the schemas of the release' : url)
  throw new CopyRefusedError(`the copy was begun with ${name(copy.registry)}, not ${name(registry)}`)
}
