import type { Topic } from '../../contracts/topics.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { processorInputs } from '../../processors/main.ts'
import type { ProcessorProgress } from '../../processors/runtime.ts'

/** Input positions of the processors that run here. */
export class ProcessorPositions {
  readonly #positions = new Map<string, number>()

  onProgress(processor: string, partition: number, { topic, position }: ProcessorProgress): void {
    this.#positions.set(inputName(processor, partition, topic), position)
  }

  /** Forgets a processor that has stopped here: another process may run it now, whose positions are unknown here. */
  onStop(processor: string, partition: number): void {
    for (const input of processorInputs)
      if (input.processor === processor && input.partition === partition)
        this.#positions.delete(inputName(processor, partition, input.topic))
  }

  /** The inputs of those that run here, each with the offset that its processor reads next. */
  list(): readonly ((typeof processorInputs)[number] & { readonly position: number })[] {
    return processorInputs.flatMap((input) => {
      const position = this.#positions.get(inputName(input.processor, input.partition, input.topic))
      return position === undefined ? [] : [{ ...input, position }]
    })
  }

  /** Whether every processor runs here. */
  areOurs(): boolean {
    return this.list().length === processorInputs.length
  }

  /** Whether every input of every processor has been read to its end here. */
  async areAtEnd(journal: Pick<TypedJournal, 'bounds'>): Promise<boolean> {
    for (const { processor, partition, topic } of processorInputs) {
      const { end } = await journal.bounds(topic, partition)
      if ((this.#positions.get(inputName(processor, partition, topic)) ?? -1) < end) return false
    }
    return true
  }
}

const inputName = (processor: string, partition: number, topic: Topic): string => `${processor}/${partition}/${topic}`
