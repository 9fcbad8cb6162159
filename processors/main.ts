import type { Time } from '../base/time.ts'
import { partitionsOf, type Topic } from '../contracts/topics.ts'
import type { TypedJournal } from '../journal/typed.ts'
import { calendarProcessor } from './calendar/process.ts'
import type { CheckpointStore } from './checkpoint.ts'
import { derivationsProcessor } from './derivations/process.ts'
import { eventsProcessor } from './events/process.ts'
import { outagesProcessor } from './outages/process.ts'
import { predictionsProcessor } from './predictions/process.ts'
import { quotesProcessor } from './quotes/process.ts'
import { type ProcessorProgress, runProcessor } from './runtime.ts'

export type ProcessorsOptions = {
  readonly journal: TypedJournal
  readonly checkpoints: CheckpointStore
  readonly signal: AbortSignal
  readonly time?: Time
  readonly onProgress?: (name: string, partition: number, progress: ProcessorProgress) => void
  readonly onStop?: (name: string, partition: number) => void
  readonly onRetry?: (name: string, error: unknown) => void
  readonly onCorrected?: (name: string, records: number) => void
}

const tickPartitions = partitionsOf('ticks')

/** Every input of every processor, one entry for each partition. */
export const processorInputs: readonly {
  readonly processor: string
  readonly partition: number
  readonly topic: Topic
}[] = [
  ...[derivationsProcessor, predictionsProcessor, calendarProcessor, outagesProcessor, eventsProcessor].flatMap(
    ({ name, inputs }) => inputs.map((topic) => ({ processor: name, partition: 0, topic })),
  ),
  ...tickPartitions.map((partition) => ({ processor: quotesProcessor.name, partition, topic: 'ticks' as const })),
]

/**
 * Runs every stream processor. Rejects if one fails with an error that no retry can mend. Processors of a second
 * process are standbys.
 */
export async function runProcessors({
  journal,
  checkpoints,
  signal,
  time,
  onProgress,
  onStop,
  onRetry,
  onCorrected,
}: ProcessorsOptions): Promise<void> {
  const shared = (name: string, partition: number) => ({
    journal,
    checkpoints,
    signal,
    partition,
    ...(time && { time }),
    onProgress: (progress: ProcessorProgress) => onProgress?.(name, partition, progress),
    onStop: () => onStop?.(name, partition),
    onRetry: (error: unknown) => onRetry?.(name, error),
    onCorrected: (records: number) => onCorrected?.(name, records),
  })
  await Promise.all([
    runProcessor(derivationsProcessor, shared('derivations', 0)),
    runProcessor(predictionsProcessor, shared('predictions', 0)),
    runProcessor(calendarProcessor, shared('calendar', 0)),
    runProcessor(outagesProcessor, shared('outages', 0)),
    runProcessor(eventsProcessor, shared('events', 0)),
    ...tickPartitions.map((partition) => runProcessor(quotesProcessor, shared('quotes', partition))),
  ])
}
