import type { Topic } from '../../contracts/topics.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import type { CheckpointStore } from '../../processors/checkpoint.ts'
import { type ProcessorsOptions, runProcessors } from '../../processors/main.ts'
import { until } from './journal.ts'

/** Runs all processors until `work` is done and they have taken in everything, then stops them. */
export async function whileProcessing(
  journal: TypedJournal,
  checkpoints: CheckpointStore,
  work: () => Promise<void>,
  options: Pick<ProcessorsOptions, 'onCorrected'> = {},
) {
  const stop = new AbortController()
  const positions = new Map<string, number>()
  const running = runProcessors({
    journal,
    checkpoints,
    signal: stop.signal,
    ...options,
    onProgress: (name, partition, { topic, position }) => positions.set(`${name}/${topic}/${partition}`, position),
  })
  await Promise.race([
    running,
    (async () => {
      await work()
      await until('processors are caught up', async () => {
        const ends = async (topic: Topic, partition = 0) => (await journal.bounds(topic, partition)).end
        const releases = await ends('releases')
        if (positions.get('derivations/releases/0') !== releases || positions.get('events/releases/0') !== releases)
          return false
        if (positions.get('events/signals/0') !== (await ends('signals'))) return false
        for (let partition = 0; partition < 6; partition++) {
          if ((positions.get(`quotes/ticks/${partition}`) ?? -1) < (await ends('ticks', partition))) return false
        }
        return true
      })
    })(),
  ])
  stop.abort()
  await running
}
