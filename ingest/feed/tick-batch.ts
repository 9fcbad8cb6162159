import type { Topic } from '../../contracts/topics.ts'
import type { Write } from '../../journal/journal.ts'
import type { Draft, TypedJournal } from '../../journal/typed.ts'

/** A record that waits to be written; `weight` is what it counts for in a writer's memory, a tick being 1. */
export type Pending =
  | { readonly topic: 'ticks'; readonly partition: number; readonly draft: Draft<'ticks'>; readonly weight: number }
  | {
      readonly topic: 'quarantine'
      readonly partition: 0
      readonly draft: Draft<'quarantine'>
      readonly weight: number
    }

/** The records of a batch that go to one partition, in order. */
export type Share = { readonly topic: Topic; readonly partition: number; readonly ids: readonly string[] }

/** One write a partition, in order, as recorded `at` (UTC milliseconds), with what each writes. */
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
        ? journal.write('ticks', partition, drafts as Draft<'ticks'>[])
        : journal.write('quarantine', partition, drafts as Draft<'quarantine'>[])
    return [{ topic, partition, ids, write }]
  })
}
