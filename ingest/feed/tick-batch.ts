import type { Topic } from '../../contracts/topics.ts'
import type { Write } from '../../journal/journal.ts'
import type { Draft, TypedJournal } from '../../journal/typed.ts'

/** A record that waits to be written. `weight` is its share of the writer's memory, counted in ticks. */
export type Pending =
  | { readonly topic: 'ticks'; readonly partition: number; readonly draft: Draft<'ticks'>; readonly weight: number }
  | {
      readonly topic: 'quarantine'
      readonly partition: 0
      readonly draft: Draft<'quarantine'>
      readonly weight: number
    }

/** Ids of a batch's records for one partition, in order. */
export type Share = { readonly topic: Topic; readonly partition: number; readonly ids: readonly string[] }

/**
 * Splits a batch into one write per partition, in order; `at` (UTC milliseconds) becomes the time of recording. The
 * casts are safe because all drafts of a share have the topic of its first.
 */
export function sharesOf(
  journal: TypedJournal,
  batch: readonly Pending[],
  at: number,
): readonly (Share & { readonly write: Write })[] {
  const recorded_at = new Date(at).toISOString()
  const shares = Map.groupBy(batch, ({ topic, partition }) => `${topic}/${partition}`)
  return [...shares.values()].flatMap((share) => {
    const [first] = share
    if (!first) return []
    const ids = share.map(({ draft }) => draft.id)
    const { topic, partition } = first
    const drafts = share.map(({ draft }) => ({ ...draft, value: { ...draft.value, recorded_at }, at }))
    const write =
      topic === 'ticks'
        ? journal.writeOf('ticks', partition, drafts as Draft<'ticks'>[])
        : journal.writeOf('quarantine', partition, drafts as Draft<'quarantine'>[])
    return [{ topic, partition, ids, write }]
  })
}
