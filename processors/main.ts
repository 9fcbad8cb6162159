import type { Time } from '../base/time.ts'
import { partitionsOf, type Topic } from '../contracts/topics.ts'
import type { TypedJournal } from '../journal/typed.ts'
import { calendarProcessor } from './calendar/process.ts'
import type { CheckpointStore } from './checkpoint.ts'
import { derivationsProcessor } from './derivations/process.ts'
import { eventsProcessor } from './events/process.ts'
import { outagesProcessor } from './outages/process.ts'
import { predictionsProcessor } from './predictions/process.ts'
import type { Processor } from './processor.ts'
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
export async function runProcessors(options: ProcessorsOptions): Promise<void> {
  const { onProgress, onStop, onRetry, onCorrected, ...parts } = options
  const run = <I extends Topic, S>(processor: Processor<I, S>, partition = 0): Promise<void> => {
    const { name } = processor
    return runProcessor(processor, {
      ...parts,
      partition,
      onProgress: (progress) => onProgress?.(name, partition, progress),
      onStop: () => onStop?.(name, partition),
      onRetry: (error) => onRetry?.(name, error),
      onCorrected: (records) => onCorrected?.(name, records),
    })
  }
  await Promise.all([
    run(derivationsProcessor),
    run(predictionsProcessor),
    run(calendarProcessor),
    run(outagesProcessor),
    run(eventsProcessor),
    ...tickPartitions.map((partition) => run(quotesProcessor, partition)),
  ])
}
