import { join } from 'node:path'
import { expect, it } from 'vitest'
import { FEED } from '../../contracts/instruments.ts'
import type { Session } from '../../contracts/records.ts'
import { topics } from '../../contracts/topics.ts'
import { Lineage } from '../../domain/lineage.ts'
import { settleMs } from '../../domain/source-price.ts'
import { Acceptor } from '../../ingest/accept/accept.ts'
import { partitionOf } from '../../journal/layout.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { fileCheckpoints } from '../../processors/checkpoint.ts'
import { outagesProcessor } from '../../processors/outages/process.ts'
import { quotesProcessor } from '../../processors/quotes/process.ts'
import { runProcessor } from '../../processors/runtime.ts'
import { openTestJournal, recordsOf, until, valuesOf } from '../support/journal.ts'
import { replayStandings } from '../support/outage-run.ts'
import { replay, valuesIn } from '../support/quotes-replay.ts'
import { testDocument } from '../support/releases.ts'
import { at, iso } from '../support/ticks.ts'
import { timeWith } from '../support/wall-clock.ts'

const HOUR = 3_600_000
const FX_CLOSE = at('2026-01-16T22:00:00.000Z')
const FX_OPEN = at('2026-01-18T22:00:00.000Z')

/** Runs the processor on all partitions until stopped; `read` says how far it has got. */
function start(journal: TypedJournal, directory: string, now: () => number) {
  const controller = new AbortController()
  const { signal } = controller
  const checkpoints = fileCheckpoints(join(directory, 'c'), new Lineage(journal))
  const time = timeWith(now)
  const read = Array.from({ length: topics.ticks.partitions }, () => 0)
  const running = Promise.all([
    runProcessor(outagesProcessor, { journal, checkpoints, signal, time }),
    ...read.map((_, partition) => {
      const onProgress = ({ position }: { position: number }) => {
        read[partition] = position
      }
      return runProcessor(quotesProcessor, { journal, checkpoints, signal, partition, time, onProgress })
    }),
  ])
  return {
    read,
    async stop() {
      controller.abort()
      await running
    },
  }
}

it('a journal’s quotes, signals, sessions and quarantine are what a replay of its ticks gives', async () => {
  const { journal, directory } = await openTestJournal()
  let now = FX_CLOSE - 10_000
  const acceptor = new Acceptor(journal, { now: () => now })
  const accept = (printed: string) =>
    acceptor.accept({ ...testDocument, source: FEED }, [
      { kind: 'price', symbol: 'EUR-USD', printed, observedAt: iso(now), location: '' },
    ])
  const quote = async () => (await valuesOf(journal, 'quotes')).find(({ symbol }) => symbol === 'EUR-USD')
  const types = async () => (await valuesOf(journal, 'signals')).map(({ key, type }) => `${key} ${type}`)

  let processor = start(journal, directory, () => now)
  await until('both markets have a session', async () => (await valuesOf(journal, 'sessions')).length === 2)
  await accept('1.10')
  await until('a first quote', async () => (await quote())?.price === '1.10')
  now += 50
  await accept('1.11')
  const partition = partitionOf('ticks', 'EUR-USD')
  await until('the pending tick is read', async () => {
    const { end } = await journal.bounds('ticks', partition)
    return (processor.read[partition] ?? 0) >= end
  })
  await processor.stop()
  expect((await quote())?.price).toBe('1.10')

  processor = start(journal, directory, () => now)
  now += 150
  await until('the pending price, read again, is quoted by its timer', async () => (await quote())?.price === '1.11')
  now += 1_000
  await accept('4.99')
  await until('the outlier is held', async () => ((await quote())?.state ?? '').includes('4.99'))
  now = FX_CLOSE
  await until('both markets have closed', async () => (await types()).length === 2)
  await processor.stop()

  now = FX_OPEN + 2 * HOUR
  processor = start(journal, directory, () => now)
  await until('both have opened', async () => (await types()).length === 4)
  const isStale = async () => (await valuesOf(journal, 'standings')).some(({ source }) => source === '')
  await until('the price is stale', isStale)
  now += settleMs(FEED)
  await until('it is told', async () => (await types()).length === 5)
  await accept('4.98')
  await until('a new price is believed', async () => (await quote())?.price === '4.98')
  await until('its recovery is told', async () => (await types()).length === 6)
  await processor.stop()

  expect((await types()).sort()).toEqual([
    'COMMODITIES prices.session.closed',
    'COMMODITIES prices.session.opened',
    'EUR-USD prices.instrument.recovered',
    'EUR-USD prices.instrument.stale',
    'FX prices.session.closed',
    'FX prices.session.opened',
  ])
  const outputs = []
  for (let from = 0; from < topics.ticks.partitions; from++) {
    const log = await recordsOf(journal, 'ticks', from)
    if (log.length > 0) outputs.push(...replay(log).written)
  }
  const byId = <T extends { signal_id?: string; input_id?: string }>(list: readonly T[]) =>
    list.map((value) => [value.signal_id ?? value.input_id, value]).sort()
  const standings = await recordsOf(journal, 'standings')
  expect(byId(await valuesOf(journal, 'signals'))).toEqual(
    byId([...valuesIn(outputs, 'signals'), ...replayStandings(standings)]),
  )
  const written = standings.map(({ value }) => value).filter(({ kind }) => kind === 'standing')
  expect(written).toEqual(valuesIn(outputs, 'standings'))
  expect(byId(await valuesOf(journal, 'quarantine'))).toEqual(byId(valuesIn(outputs, 'quarantine')))
  expect(valuesIn(outputs, 'quarantine')).toHaveLength(1)
  expect(await quote()).toEqual(valuesIn(outputs, 'quotes').at(-1))
  const lastOf = (sessions: readonly Session[]) => new Map(sessions.map((session) => [session.market, session]))
  expect(lastOf(await valuesOf(journal, 'sessions'))).toEqual(lastOf(valuesIn(outputs, 'sessions')))
})
