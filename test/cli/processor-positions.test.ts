import { expect, it } from 'vitest'
import { ProcessorPositions } from '../../cli/processes/processor-positions.ts'
import { processorInputs } from '../../processors/main.ts'

const END = 10
const journal = { bounds: async () => ({ start: 0, end: END }) }

it('processors are ours as long as this process runs each of them, and at the end once each has read all', async () => {
  const positions = new ProcessorPositions()
  const tell = (position: number) => {
    for (const { processor, partition, topic } of processorInputs)
      positions.onProgress(processor, partition, { topic, position, caughtUp: position >= END })
  }
  expect(positions.areOurs()).toBe(false)
  tell(END - 1)
  expect([positions.areOurs(), await positions.areAtEnd(journal)]).toEqual([true, false])
  // Its claim is lost: whoever has it now goes on, and nothing more is told here.
  const { processor, partition } = processorInputs[0] ?? expect.unreachable()
  positions.onStop(processor, partition)
  expect(positions.areOurs()).toBe(false)
  tell(END)
  expect([positions.areOurs(), await positions.areAtEnd(journal)]).toEqual([true, true])
  const last = processorInputs.at(-1) ?? expect.unreachable()
  positions.onStop(last.processor, last.partition)
  expect([positions.areOurs(), await positions.areAtEnd(journal)]).toEqual([false, false])
})
