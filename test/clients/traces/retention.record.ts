import { it, onTestFinished } from 'vitest'
import { plans } from '../../../contracts/plans.ts'
import { Lineage } from '../../../domain/lineage.ts'
import { cursorAt } from '../../../domain/served-event.ts'
import { loadConfig } from '../../../infra/config.ts'
import { openEmbeddedJournal } from '../../../journal/embedded/journal.ts'
import { localRegistry } from '../../../journal/registry.ts'
import { TypedJournal } from '../../../journal/typed.ts'
import { eventsStream } from '../../../streams/events/index.ts'
import { startStreams } from '../../streams/support.ts'
import { temporaryDirectory } from '../../support/journal.ts'
import { eventNumber } from '../../support/journal-records.ts'
import { Recorder, readAll } from './recorder.ts'

const DAY = 86_400_000

/** The real streams over a journal that has let go of its first events. */
async function trimmed(limits = plans) {
  const { retention } = loadConfig({ ALMANAC_EVENTS_RETENTION_DAYS: '1' })
  const bytes = await openEmbeddedJournal({ dir: await temporaryDirectory() })
  const journal = await TypedJournal.open(bytes, localRegistry(), 'almanac.', retention)
  const append = (from: number, to: number, at: number) =>
    journal.append(
      'events',
      0,
      Array.from({ length: to - from }, (_, i) => eventNumber(from + i)).map((value) => ({ value, id: value.id, at })),
    )
  for (let i = 0; i < 300; i += 100) await append(i, i + 100, Date.now() - 3 * DAY)
  // A transaction of its own: retention lets go of whole ones.
  await append(300, 320, Date.now())
  await journal.retain(Date.now())
  const stop = new AbortController()
  const events = eventsStream({ journal, signal: stop.signal })
  onTestFinished(async () => {
    stop.abort()
    await events.done
    await journal.close()
  })
  await events.caughtUp
  const streams = await startStreams([events], limits)
  const { key } = streams.newKey('pro')
  return { journal, options: { streamsUrl: streams.base.replace('http', 'ws'), key } }
}

it('a cursor that has expired, fatal and resumed', async () => {
  const { journal, options } = await trimmed()
  const cursor = cursorAt(new Lineage(journal), 150)
  const fatal = new Recorder()
  await readAll(fatal.client(options).events({ ...fatal.tuning, cursor }))
  fatal.write('cursor-expired-fatal', 'A cursor whose events are no longer kept ends the stream', { cursor })
  const resumed = new Recorder()
  const stream = resumed.client(options).events({ ...resumed.tuning, cursor, onLostPlace: 'resume' })
  void readAll(stream)
  await resumed.sees('"caught_up"')
  stream.stop()
  resumed.write(
    'cursor-expired-resumed',
    'A cursor whose events are no longer kept, and the stream goes on at the earliest',
    { cursor, on_lost_place: 'resume' },
  )
})

it('a quota that is used up', async () => {
  const { options } = await trimmed({ ...plans, pro: { ...plans.pro, callsPerMonth: 1 } })
  const first = new Recorder()
  const used = first.client(options).events(first.tuning)
  void readAll(used)
  await first.reaches('streaming')
  used.stop()
  const recorder = new Recorder()
  const stream = recorder.client(options).events(recorder.tuning)
  void readAll(stream)
  await recorder.sees('"quota_unavailable"')
  stream.stop()
  recorder.write('quota-used-up', 'The month has no call left: the next attempt waits at least a minute')
})
