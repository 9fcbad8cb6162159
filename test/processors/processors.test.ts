import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Lineage } from '../../domain/lineage.ts'
import { periodsOfYear } from '../../domain/period.ts'
import { Acceptor } from '../../ingest/accept/accept.ts'
import type { Item } from '../../ingest/source.ts'
import type { Draft, TypedJournal } from '../../journal/typed.ts'
import { fileCheckpoints } from '../../processors/checkpoint.ts'
import { derivationsProcessor } from '../../processors/derivations/process.ts'
import { eventsProcessor } from '../../processors/events/process.ts'
import { type Fault, faultyJournal } from '../support/faulty-journal.ts'
import { openTestJournal, recordsOf, valuesOf } from '../support/journal.ts'
import { firstGeneration } from '../support/lineage.ts'
import { whileProcessing } from '../support/processing.ts'
import { flowSeries, testDocument, testSeries } from '../support/releases.ts'
import { priceTick } from '../support/ticks.ts'

const years = ['2021', '2022', '2023']
const figures = (bump = 0): Item[] =>
  [testSeries(), flowSeries('trade-exports'), flowSeries('trade-imports'), testSeries({ country: 'CAN' })].flatMap(
    (series) =>
      years
        .flatMap((year) => periodsOfYear('M', year))
        .map((period, i) => ({
          kind: 'figure' as const,
          series,
          period,
          figures: { value: { printed: String(100 + ((i * 7 + bump * (i % 5)) % 40)) } },
          location: `row ${i}`,
        })),
  )

const contentOf = async (journal: TypedJournal) => ({
  derived: (await valuesOf(journal, 'releases'))
    .filter(({ series }) => series.derivation !== '')
    .map(({ release_id, figures: f }) => [release_id, f]),
  sequences: (await valuesOf(journal, 'events')).map(({ sequence }) => sequence),
  /** Ids of events without predictions, whose number depends on how the releases were split into publications. */
  events: (await valuesOf(journal, 'events')).filter(({ family }) => family !== 'predictions').map(({ id }) => id),
})

const denseFromOne = (sequences: readonly number[]) => sequences.map((_, i) => i + 1)

describe('the processors', () => {
  it('derive, announce and number every release, revisions too', async () => {
    const { journal, directory } = await openTestJournal()
    const acceptor = new Acceptor(journal)
    await whileProcessing(journal, fileCheckpoints(join(directory, 'c'), new Lineage(journal)), async () => {
      await acceptor.accept(testDocument, figures())
      await acceptor.accept(testDocument, figures(1))
    })
    const events = await valuesOf(journal, 'events')
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, i) => i + 1))
    // A figure of each day counts, so the first figures of this one are voided where the second ones follow.
    const releases = (await recordsOf(journal, 'releases')).filter(({ value }) => value.voids === null)
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
    expect(events.filter(({ family }) => family !== 'predictions').length).toBe(releases.length)
    const revised = events.find(
      ({ type, subject }) => type === 'economics.release.revised' && subject.startsWith('USA/cpi/'),
    )
    const data = JSON.parse(revised?.data ?? '{}')
    expect(data.previous.value).not.toBe(data.value)
    expect(
      releases
        .filter(({ value }) => value.series.derivation !== '')
        .every(({ headers }) => /^releases\/0\/\d+$/.test(headers.cause ?? '')),
    ).toBe(true)
  })

  it('announce figures without keeping where they come from', async () => {
    const { journal } = await openTestJournal()
    await new Acceptor(journal).accept(testDocument, figures())
    const state = eventsProcessor.init(0)
    for (const record of await recordsOf(journal, 'releases')) eventsProcessor.process(state, record)
    const kept = JSON.stringify(eventsProcessor.plain?.from(state))
    expect(kept).toContain('"2021-01"')
    expect(kept).not.toContain(testDocument.url)
  })

  it('give each input its outputs once, whatever becomes of their transactions', async () => {
    const clean = await openTestJournal()
    await whileProcessing(
      clean.journal,
      fileCheckpoints(join(clean.directory, 'c'), new Lineage(clean.journal)),
      async () => {
        await new Acceptor(clean.journal, { now: () => Date.parse('2026-01-10T00:00:00Z') }).accept(
          testDocument,
          figures(),
        )
      },
    )
    const faults: Fault[] = [
      'ok',
      'unknown_but_written',
      'ok',
      'unknown_and_not_written',
      'unavailable',
      'ok',
      'unknown_but_written',
      'unknown_and_not_written',
    ]
    let turn = 0
    let journalWithFaults: ReturnType<typeof faultyJournal> | undefined
    const faulty = await openTestJournal((real) => {
      journalWithFaults = faultyJournal(real, () => faults[turn++] ?? 'ok')
      return journalWithFaults
    })
    await whileProcessing(
      faulty.journal,
      fileCheckpoints(join(faulty.directory, 'c'), new Lineage(faulty.journal)),
      async () => {
        const acceptor = new Acceptor(faulty.journal, { now: () => Date.parse('2026-01-10T00:00:00Z') })
        for (const item of figures()) await acceptor.accept(testDocument, [item])
      },
    )
    expect(journalWithFaults?.fired).toMatchObject({
      unknown_but_written: 2,
      unknown_and_not_written: 2,
      unavailable: 1,
    })
    const [a, b] = [await contentOf(clean.journal), await contentOf(faulty.journal)]
    expect(new Map(b.derived as [string, unknown][])).toEqual(new Map(a.derived as [string, unknown][]))
    expect(b.derived.length).toBe(a.derived.length)
    expect(b.sequences).toEqual(denseFromOne(b.sequences))
    expect(b.events.length).toBe(a.events.length)
    expect(new Set(b.events)).toEqual(new Set(a.events))
  })

  it('go on from the log start where retention has overtaken them', async () => {
    const AT = Date.parse('2026-01-10T00:00:00Z')
    const DAY = 86_400_000
    const ticks = (from: number, count: number): Draft<'ticks'>[] =>
      Array.from({ length: count }, (_, i) => {
        const at = from + i
        return { value: priceTick(String(i + 1), { symbol: 'XAU-USD', recorded: at }), id: `tick-${at}`, at }
      })
    const followed: number[] = []
    let overtake = async (): Promise<void> => undefined
    const { journal, directory } = await openTestJournal((real) =>
      Object.assign(
        faultyJournal(real, () => 'ok'),
        {
          async *follow(...[address, offset, signal, options]: Parameters<typeof real.follow>) {
            if (address.topic.endsWith('ticks') && address.partition === 0) {
              followed.push(offset)
              if (followed.length === 2) await overtake()
            }
            yield* real.follow(address, offset, signal, options)
          },
        },
      ),
    )
    const checkpoints = fileCheckpoints(join(directory, 'c'), new Lineage(journal))
    await whileProcessing(journal, checkpoints, async () => {
      await journal.append('ticks', 0, ticks(AT, 10))
    })
    await journal.append('ticks', 0, ticks(AT + 10, 5))
    await journal.append('ticks', 0, ticks(AT + 40 * DAY, 3))
    // Retention deletes between the start of the processor and its first read.
    overtake = () => journal.retain(AT + 40 * DAY)
    await whileProcessing(journal, checkpoints, async () => undefined)
    const { start } = await journal.bounds('ticks', 0)
    expect(start).toBeGreaterThan(10)
    // The position lies before what was read: a tick that is not believed yet holds it back.
    expect(followed).toEqual([0, expect.any(Number), start])
  })

  it('end where their position lies behind the end of their input, which no retry mends', async () => {
    const { journal, directory } = await openTestJournal((real) =>
      Object.assign(
        faultyJournal(real, () => 'ok'),
        {
          follow(...[address, offset, signal, options]: Parameters<typeof real.follow>) {
            const isFirst = address.topic.endsWith('ticks') && address.partition === 0
            return real.follow(address, isFirst ? offset + 1 : offset, signal, options)
          },
        },
      ),
    )
    const checkpoints = fileCheckpoints(join(directory, 'c'), new Lineage(journal))
    await expect(whileProcessing(journal, checkpoints, async () => undefined)).rejects.toThrow('offset_out_of_range')
  })

  it('go on where they were after a stop, from a checkpoint or without one', async () => {
    for (const keepCheckpoint of [true, false]) {
      const { journal, directory } = await openTestJournal()
      const acceptor = new Acceptor(journal, { now: () => Date.parse('2026-01-10T00:00:00Z') })
      const half = figures().length / 2
      await whileProcessing(journal, fileCheckpoints(join(directory, 'c'), new Lineage(journal)), async () => {
        await acceptor.accept(testDocument, figures().slice(0, half))
      })
      const checkpoints = fileCheckpoints(join(directory, keepCheckpoint ? 'c' : 'elsewhere'), new Lineage(journal))
      expect((await checkpoints.load('derivations', 0, derivationsProcessor.version)) !== undefined).toBe(
        keepCheckpoint,
      )
      await whileProcessing(journal, checkpoints, async () => {
        await acceptor.accept(testDocument, figures().slice(half))
      })
      const whole = await openTestJournal()
      await whileProcessing(
        whole.journal,
        fileCheckpoints(join(whole.directory, 'c'), new Lineage(whole.journal)),
        async () => {
          const other = new Acceptor(whole.journal, { now: () => Date.parse('2026-01-10T00:00:00Z') })
          await other.accept(testDocument, figures().slice(0, half))
          await other.accept(testDocument, figures().slice(half))
        },
      )
      const [a, b] = [await contentOf(journal), await contentOf(whole.journal)]
      expect(new Set(a.derived.map(([id]) => id))).toEqual(new Set(b.derived.map(([id]) => id)))
      expect(a.events.length).toBe(b.events.length)
      expect(a.sequences).toEqual(denseFromOne(a.sequences))
    }
  })

  it('do not use a checkpoint of another journal, history or version, or with a byte changed', async () => {
    const { directory } = await openTestJournal()
    const store = fileCheckpoints(join(directory, 'c'), firstGeneration('journal-1'))
    await store.save('p', 0, { version: 1, offsets: { releases: 7 }, state: new Map([['a', 1]]) })
    expect(await store.load('p', 0, 1)).toMatchObject({ offsets: { releases: 7 }, state: new Map([['a', 1]]) })
    expect(await store.load('p', 0, 2)).toBeUndefined()
    expect(await fileCheckpoints(join(directory, 'c'), firstGeneration('journal-2')).load('p', 0, 1)).toBeUndefined()
    for (const [end, isUsed] of [
      [7, true],
      [6, false],
    ] as const) {
      const generations = [{ id: 'b', branch: { event: 1, ends: { 'releases/0': end } } }]
      const restored = fileCheckpoints(join(directory, 'c'), new Lineage({ id: 'journal-1', generations }))
      expect((await restored.load('p', 0, 1)) !== undefined).toBe(isUsed)
    }
    const { readFile, writeFile } = await import('node:fs/promises')
    const file = join(directory, 'c', 'p-0.checkpoint')
    const bytes = await readFile(file)
    bytes[bytes.length - 3] = (bytes.at(-3) ?? 0) ^ 1
    await writeFile(file, bytes)
    expect(await store.load('p', 0, 1)).toBeUndefined()
  })
})
