import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Release } from '../../contracts/records.ts'
import { figuresIdentity } from '../../domain/decide-release.ts'
import { derivations } from '../../domain/derive/derivations.ts'
import { nothingDerived, recordPrint } from '../../domain/derive/fold.ts'
import { derivedId } from '../../domain/ids.ts'
import { Lineage } from '../../domain/lineage.ts'
import { sameFigures } from '../../domain/prints.ts'
import { Acceptor } from '../../ingest/accept/accept.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { type CheckpointStore, fileCheckpoints } from '../../processors/checkpoint.ts'
import { derivationsProcessor } from '../../processors/derivations/process.ts'
import { eventsProcessor } from '../../processors/events/process.ts'
import type { Output, Processor } from '../../processors/processor.ts'
import { runProcessor } from '../../processors/runtime.ts'
import { type Document, dayByDay, documents, itemsOf } from '../support/dated-documents.ts'
import { type Fault, faultyJournal } from '../support/faulty-journal.ts'
import { openTestJournal, until, valuesOf } from '../support/journal.ts'
import { testDocument } from '../support/releases.ts'

const NOW = Date.parse('2026-06-01T00:00:00.000Z')

/**
 * Derivations as they were before figures followed from days: of the current inputs, with the day of the newest of
 * them, but none before that of the print on record.
 */
const formerDerivations: Processor<'releases', ReturnType<typeof nothingDerived>> = {
  name: 'derivations',
  inputs: ['releases'],
  version: 2,
  init: nothingDerived,
  process(state, { value: input, offset, partition, timestamp: at }) {
    if (input.series.derivation !== '' || input.late) return []
    const made: Release[] = []
    recordPrint(state, input)
    const changed = [input]
    for (let next = changed.shift(); next; next = changed.shift()) {
      const { series: changedSeries, period: changedPeriod } = next
      const figuresThatRead = derivations
        .filter((rule) => rule.reads(changedSeries))
        .flatMap((rule) => rule.figuresOf(state.prints, changedSeries, changedPeriod))
      for (const { series, period, inputs, compute } of figuresThatRead) {
        const result = compute(inputs)
        const known = state.prints.get(series.id)?.periods.get(period)
        const figures = result?.figures ?? {}
        if (!result || (known ? sameFigures(known.figures, figures) : !result.figures)) continue
        const newest = result.inputs.reduce((a, b) => (b.released_on > a.released_on ? b : a))
        const released_on = known && known.released_on > newest.released_on ? known.released_on : newest.released_on
        const revises = known?.release_id ?? null
        const release: Release = {
          release_id: derivedId('rel', ...figuresIdentity(series, period, revises, figures)),
          series,
          period,
          figures,
          published: figures,
          revises,
          released_on,
          released_on_basis: newest.released_on_basis,
          recorded_at: input.recorded_at,
          provenance: null,
          inputs: result.inputs.map((print) => print.release_id),
          late: false,
          redates: null,
          approval: null,
          voids: null,
        }
        recordPrint(state, release)
        made.push(release)
        changed.push(release)
      }
    }
    const common = { at, cause: { topic: 'releases', partition, offset } } as const
    return made.map(
      (value): Output => ({
        topic: 'releases',
        draft: { ...common, value, id: value.release_id, endsPublication: true },
      }),
    )
  },
}

/** Prints of derived figures as read models show them. */
async function printsIn(journal: TypedJournal): Promise<string[]> {
  const releases = await valuesOf(journal, 'releases')
  const gone = new Set(releases.flatMap(({ redates, voids }) => [redates, voids]))
  return releases
    .filter(({ series, release_id, voids }) => series.derivation !== '' && voids === null && !gone.has(release_id))
    .map(
      ({ series, period, released_on, figures }) => `${series.id} ${period} ${released_on} ${JSON.stringify(figures)}`,
    )
    .sort()
}

type Derivations = typeof formerDerivations | typeof derivationsProcessor

/**
 * Runs the derivations and the events until both have read everything. Returns the numbers of records that were
 * corrected.
 */
async function run(
  journal: TypedJournal,
  directory: string,
  derivations: Derivations,
  checkpoints = fileCheckpoints(join(directory, 'checkpoints'), new Lineage(journal)),
): Promise<number[]> {
  const stop = new AbortController()
  const corrected: number[] = []
  const positions = new Map<string, number>()
  const runOne = (processor: Processor<'releases', never>) =>
    runProcessor(processor, {
      journal,
      checkpoints,
      signal: stop.signal,
      onCorrected: (records) => corrected.push(records),
      onProgress: ({ topic, position }) => positions.set(`${processor.name}/${topic}`, position),
    })
  const running = Promise.all([derivations, eventsProcessor].map((each) => runOne(each as never)))
  await Promise.race([
    running,
    until('the processors are caught up', async () => {
      const { end } = await journal.bounds('releases', 0)
      return positions.get('derivations/releases') === end && positions.get('events/releases') === end
    }),
  ])
  stop.abort()
  await running
  return corrected
}

const readAll = async (journal: TypedJournal, all: readonly Document[]) => {
  const acceptor = new Acceptor(journal, { now: () => NOW })
  for (const document of all) if (document.length > 0) await acceptor.accept(testDocument, itemsOf(document))
}
const [drawn] = fc.sample(documents, { numRuns: 1, seed: 8 })
if (!drawn) throw new Error('nothing drawn')

async function truth(): Promise<string[]> {
  const { journal, directory } = await openTestJournal()
  await readAll(journal, dayByDay(drawn?.documents ?? []))
  await run(journal, directory, derivationsProcessor)
  return printsIn(journal)
}

it('recomputes once what a release before derived by the order of reading, without an event', async () => {
  const { journal, directory } = await openTestJournal()
  await readAll(journal, drawn.inOrder)
  await run(journal, directory, formerDerivations)
  const expected = await truth()
  expect(await printsIn(journal)).not.toEqual(expected)
  const eventsBefore = await valuesOf(journal, 'events')

  const [corrected, ...again] = await run(journal, directory, derivationsProcessor)
  expect(corrected).toBeGreaterThan(10)
  expect(again).toEqual([])
  expect(await printsIn(journal)).toEqual(expected)
  expect(await valuesOf(journal, 'events')).toEqual(eventsBefore)

  const { end } = await journal.bounds('releases', 0)
  expect(await run(journal, directory, derivationsProcessor)).toEqual([])
  expect(await run(journal, join(directory, 'without-checkpoints'), derivationsProcessor)).toEqual([])
  expect((await journal.bounds('releases', 0)).end).toBe(end)
})

it.each<Fault[]>([['unknown_but_written'], ['unknown_and_not_written'], ['unavailable', 'unknown_but_written']])(
  'recomputes once, whatever becomes of its transactions: %s',
  async (...faults) => {
    let isFaulty = false
    const { journal, directory } = await openTestJournal((real) =>
      faultyJournal(real, () => (isFaulty ? (faults.shift() ?? 'ok') : 'ok')),
    )
    await readAll(journal, drawn.inOrder)
    await run(journal, directory, formerDerivations)
    isFaulty = true
    await run(journal, directory, derivationsProcessor)
    expect(faults).toEqual([])
    expect(await printsIn(journal)).toEqual(await truth())
    const ids = (await valuesOf(journal, 'releases')).map(({ release_id }) => release_id)
    expect(new Set(ids).size).toBe(ids.length)
  },
)

it('ends a recomputation that is stopped, and the next start finishes it', async () => {
  const stop = new AbortController()
  let stopsAtWrite = false
  const { journal, directory } = await openTestJournal((real) =>
    faultyJournal(real, () => {
      if (stopsAtWrite) stop.abort()
      return 'ok'
    }),
  )
  await readAll(journal, drawn.inOrder)
  await run(journal, directory, formerDerivations)
  stopsAtWrite = true
  const checkpoints = fileCheckpoints(join(directory, 'checkpoints'), new Lineage(journal))
  await runProcessor(derivationsProcessor, { journal, checkpoints, signal: stop.signal })
  stopsAtWrite = false
  await run(journal, directory, derivationsProcessor)
  expect(await printsIn(journal)).toEqual(await truth())
})

it('recomputes again in a journal that a restore has set back before it, beside a checkpoint of another node', async () => {
  const before = async () => {
    const opened = await openTestJournal()
    await readAll(opened.journal, drawn.inOrder)
    await run(opened.journal, opened.directory, formerDerivations)
    return opened
  }
  const { journal, directory } = await before()
  const { end } = await journal.bounds('releases', 0)
  const kept = fileCheckpoints(join(directory, 'kept'), new Lineage(journal))
  let isSaved = false
  const onlyTheFirst: CheckpointStore = {
    load: async () => undefined,
    async save(processor, ...rest) {
      if (processor !== 'derivations' || isSaved) return
      isSaved = true
      await kept.save(processor, ...rest)
    },
  }
  await run(journal, directory, derivationsProcessor, onlyTheFirst)
  expect(isSaved).toBe(true)

  const restored = await before()
  const generations = [{ id: 'b', branch: { event: 1, ends: { 'releases/0': end } } }]
  const ofOtherNode = fileCheckpoints(join(directory, 'kept'), new Lineage({ id: journal.id, generations }))
  await run(restored.journal, restored.directory, derivationsProcessor, ofOtherNode)
  expect(await printsIn(restored.journal)).toEqual(await truth())
})
