import type { RecordOf, Topic } from '../contracts/topics.ts'
import type { TypedJournal } from '../journal/typed.ts'
import type { CheckpointStore } from './checkpoint.ts'
import type { InputRecord, Processor } from './processor.ts'

/** The next offset to process, for each input topic. */
export type Positions<I extends Topic> = Map<I, number>

type PartitionContext = {
  readonly journal: TypedJournal
  readonly checkpoints: CheckpointStore
  readonly partition: number
}

/** A state, and whether a checkpoint was used for it. */
type Rebuilt<S> = { readonly state: S; readonly isFromCheckpoint: boolean }

/** Rebuilds the state before the records at `positions`. */
export async function rebuildState<I extends Topic, S>(
  processor: Processor<I, S>,
  context: PartitionContext,
  positions: Positions<I>,
): Promise<Rebuilt<S>> {
  const rebuilt = processor.stateFrom
    ? { state: await restoreFromTopics(processor, context), isFromCheckpoint: false }
    : await replayInputs(processor, context, positions)
  const { state } = rebuilt
  if (processor.tail) {
    const newest = await context.journal.newest(processor.tail.topic, 0)
    if (newest) processor.tail.resume(state, newest.value)
  }
  if (processor.recorded) {
    const newest = new Map<string | null, RecordOf<Topic>>()
    for await (const { records } of context.journal.readToEnd(processor.recorded.topic, 0))
      for (const { key, value } of records) newest.set(key, value)
    processor.recorded.resume(state, newest.values())
  }
  return rebuilt
}

async function restoreFromTopics<I extends Topic, S>(
  processor: Processor<I, S>,
  { journal, partition }: PartitionContext,
): Promise<S> {
  const state = processor.init(partition)
  for (const [topic, restore] of Object.entries(processor.stateFrom ?? {})) {
    // A cast, because `Object.entries` forgets which record belongs to which topic.
    const take = restore as (state: S, record: RecordOf<Topic>, partition: number) => void
    for await (const batch of journal.readToEnd(topic as Topic, 0)) {
      for (const record of batch.records) take(state, record.value, partition)
    }
  }
  return state
}

/**
 * Replays from the newest checkpoint that is not ahead of the committed positions. The outputs of replayed records are
 * already on record, so they are dropped.
 */
async function replayInputs<I extends Topic, S>(
  processor: Processor<I, S>,
  { journal, checkpoints, partition }: PartitionContext,
  positions: Positions<I>,
): Promise<Rebuilt<S>> {
  const saved = await checkpoints.load(processor.name, partition, processor.version)
  const usable = saved && processor.inputs.every((topic) => (saved.offsets[topic] ?? 0) <= (positions.get(topic) ?? 0))
  // A cast, because a checkpoint of this version holds the state of this processor.
  const state = usable ? (processor.plain?.to(saved.state) ?? (saved.state as S)) : processor.init(partition)
  for (const topic of processor.inputs) {
    const { start, end } = await journal.bounds(topic, partition)
    const position = positions.get(topic) ?? 0
    const { recall } = processor
    const replayEnd = recall ? end : position
    for (let at = Math.max(usable ? (saved.offsets[topic] ?? 0) : 0, start); at < replayEnd; ) {
      const batch = await journal.read(topic, partition, at)
      for (const record of batch.records) {
        if (record.offset >= replayEnd) break
        // A cast, because TypeScript does not tie the type of a record to its topic.
        if (recall) recall.take(state, record as InputRecord<I>, record.offset < position)
        else processor.process(state, record as InputRecord<I>)
      }
      at = batch.next
    }
  }
  return { state, isFromCheckpoint: usable === true }
}

export async function saveCheckpoint<I extends Topic, S>(
  processor: Processor<I, S>,
  { journal, checkpoints, partition }: PartitionContext,
  positions: Positions<I>,
  state: S,
): Promise<void> {
  if (processor.stateFrom) return
  const plain = processor.plain ? processor.plain.from(state) : state
  const { name, version, inputs, recall } = processor
  const offsets = Object.fromEntries(positions)
  const endOf = async (topic: I) => [topic, (await journal.bounds(topic, partition)).end] as const
  const reaches = recall && Object.fromEntries(await Promise.all(inputs.map(endOf)))
  await checkpoints.save(name, partition, { version, offsets, state: plain, ...(reaches && { reaches }) })
}
