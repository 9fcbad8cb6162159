import { expect, it } from 'vitest'
import type { CheckpointStore } from '../../processors/checkpoint.ts'
import type { Processor } from '../../processors/processor.ts'
import { rebuildState } from '../../processors/rebuild.ts'
import { openTestJournal } from '../support/journal.ts'
import { NOON, priceTick } from '../support/ticks.ts'

/** Remembers what it has seen of two topics. */
const counting: Processor<'ticks' | 'standings', string[]> = {
  name: 'counting',
  inputs: ['ticks', 'standings'],
  version: 1,
  init: () => [],
  process(state, { topic, offset }) {
    state.push(`${topic} ${offset}`)
    return []
  },
}

async function rebuilt(saved: { readonly ticks: number; readonly standings: number }, at: typeof saved) {
  const { journal } = await openTestJournal()
  for (let i = 0; i < 3; i++) {
    await journal.append('ticks', 0, [{ value: priceTick('1'), id: `${i}`, at: NOON }])
    const value = {
      kind: 'standing',
      symbol: 'XAU-USD',
      source: '',
      lapse: null,
      signal: null,
      recorded_at: '',
    } as const
    await journal.append('standings', 0, [{ value, id: `${i}`, at: NOON }])
  }
  const offsetsOf = async (topic: 'ticks' | 'standings') => {
    const offsets: number[] = []
    for await (const { records } of journal.readToEnd(topic, 0)) offsets.push(...records.map(({ offset }) => offset))
    return offsets
  }
  const offsets = { ticks: await offsetsOf('ticks'), standings: await offsetsOf('standings') }
  /** The position after so many records of a topic. */
  const after = (topic: 'ticks' | 'standings', count: number) =>
    offsets[topic][count] ?? (offsets[topic].at(-1) ?? 0) + 1
  const positionsOf = ({ ticks, standings }: typeof saved) => ({
    ticks: after('ticks', ticks),
    standings: after('standings', standings),
  })
  const checkpoints: CheckpointStore = {
    load: async () => ({ version: 1, offsets: positionsOf(saved), state: ['from the checkpoint'] }),
    save: async () => undefined,
  }
  const positions = new Map(Object.entries(positionsOf(at))) as Map<'ticks' | 'standings', number>
  return rebuildState(counting, { journal, checkpoints, partition: 0 }, positions)
}

it('a checkpoint is used, and what follows it is replayed up to the committed positions', async () => {
  const { state, isFromCheckpoint } = await rebuilt({ ticks: 1, standings: 2 }, { ticks: 3, standings: 2 })
  expect(isFromCheckpoint).toBe(true)
  expect(state).toEqual(['from the checkpoint', expect.stringMatching(/^ticks/), expect.stringMatching(/^ticks/)])
})

it.each([
  ['the first input', { ticks: 3, standings: 1 }],
  ['the second input', { ticks: 1, standings: 3 }],
])('a checkpoint that is ahead of the committed position of %s is not used', async (_, saved) => {
  const { state, isFromCheckpoint } = await rebuilt(saved, { ticks: 2, standings: 2 })
  expect(isFromCheckpoint).toBe(false)
  expect(state).toHaveLength(4)
})
