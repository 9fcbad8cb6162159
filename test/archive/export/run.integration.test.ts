import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DirectoryStore } from '../../../archive/directory.ts'
import { ArrowEncoder } from '../../../archive/export/arrow.ts'
import { readManifest, writeManifest } from '../../../archive/export/manifest.ts'
import { exportFormats } from '../../../archive/export/question.ts'
import { runExport } from '../../../archive/export/run.ts'
import { newManifest } from '../../../cli/export-range.ts'
import { decodeEventCursor } from '../../../domain/cursor.ts'
import type { TypedJournal } from '../../../journal/typed.ts'
import { openEmbeddedTestJournal } from '../../support/embedded-journal.ts'
import { recordsOf, temporaryDirectory } from '../../support/journal.ts'
import { eventNumber } from '../../support/journal-records.ts'
import { NOON, priceTick } from '../../support/ticks.ts'
import { bytesOf, exported, questionOf, SMALL_FILES } from '../support/exports.ts'

const TICKS = 40
const symbols = ['XAU-USD', 'EUR-USD', 'BRENT-USD']

async function filledJournal(): Promise<TypedJournal> {
  const { journal } = await openEmbeddedTestJournal()
  for (let n = 0; n < TICKS; n++) {
    const value = priceTick(`${n}.5`, { symbol: symbols[n % 3] ?? '', recorded: NOON + n, source: n < 20 ? 'A' : 'B' })
    await journal.append('ticks', n % 4 === 0 ? 1 : 0, [{ value, id: `tck_${n}`, at: NOON + n }])
    const event = eventNumber(n)
    await journal.append('events', 0, [{ value: event, id: event.id, at: NOON + n }])
  }
  return journal
}

/** A directory whose writer dies at the put of this number: before the object is there, or just after. */
class DyingStore extends DirectoryStore {
  #left: number
  readonly #after: boolean

  constructor(directory: string, puts: number, after: boolean) {
    super(directory)
    this.#left = puts
    this.#after = after
  }

  override async put(name: string, bytes: Uint8Array): Promise<void> {
    this.#left--
    if (this.#left < 0 && !this.#after) throw new Error('killed')
    await super.put(name, bytes)
    if (this.#left < 0) throw new Error('killed')
  }
}

describe('an export', () => {
  it.each(exportFormats)('in %s gives the same bytes wherever it is stopped and run again', async (format) => {
    const journal = await filledJournal()
    const question = questionOf({
      topics: ['ticks', 'events'],
      format,
      from: { time: new Date(NOON + 3).toISOString() },
    })
    const whole = await exported(journal, question)
    const expected = await bytesOf(whole.directory, whole.manifest)
    expect(Object.keys(expected).length).toBeGreaterThan(9)
    const signal = new AbortController().signal
    // In one format everywhere; in the others at every fifth place, before and after the put by turns.
    const step = format === 'ndjson' ? 1 : 5
    for (let puts = 0; puts < 2 * Object.keys(expected).length; puts += step) {
      const directory = await temporaryDirectory()
      const store = new DirectoryStore(directory)
      await writeManifest(store, await newManifest(journal, question))
      const dying = new DyingStore(directory, Math.floor(puts / 2), puts % 2 === 1)
      const begun = (await readManifest(store)) ?? whole.manifest
      const options = { journal, signal, limits: SMALL_FILES }
      await runExport(begun, { ...options, store: dying }).catch((error) => expect(error.message).toBe('killed'))
      const left = (await readManifest(store)) ?? whole.manifest
      expect(await bytesOf(directory, await runExport(left, { ...options, store }))).toEqual(expected)
    }
  })

  it('holds exactly the records of any range and filter, with the range that each file covers', async () => {
    const journal = await filledJournal()
    const all = (await Promise.all([0, 1].map((partition) => recordsOf(journal, 'ticks', partition)))).flat()
    const some = (values: readonly string[]) =>
      fc.option(fc.subarray([...values], { minLength: 1 }), { nil: undefined })
    const time = fc.integer({ min: -2, max: TICKS + 2 })
    const drawn = fc.record({ times: fc.tuple(time, time), symbol: some(symbols), source: some(['A', 'B', 'C']) })
    await fc.assert(
      fc.asyncProperty(drawn, async ({ times, symbol, source }) => {
        const [from, to] = times.toSorted((a, b) => a - b) as [number, number]
        const at = (n: number) => ({ time: new Date(NOON + n).toISOString() })
        const filters = { ...(symbol && { symbol }), ...(source && { source }) }
        const { manifest, directory } = await exported(journal, questionOf({ from: at(from), to: at(to), filters }))
        const files = await bytesOf(directory, manifest)
        const lines = manifest.partitions.flatMap((partition) =>
          partition.files.flatMap(({ name, records }) => {
            const found = linesOf(files[name] ?? '')
            expect(found.length).toBe(records)
            return found
          }),
        )
        const wanted = all.filter(
          ({ timestamp, value }) =>
            timestamp >= NOON + from &&
            timestamp < NOON + to &&
            (!symbol || symbol.includes(value.symbol)) &&
            (!source || source.includes(value.source)),
        )
        expect(lines.map((line) => line.value)).toEqual(wanted.map(({ value }) => value))
        for (const { from, to, next, files } of manifest.partitions) {
          expect(next).toBe(to)
          let end = from
          for (const file of files) {
            expect(file.from).toBe(end)
            end = file.to
          }
          expect(end).toBeLessThanOrEqual(to)
        }
      }),
      { numRuns: 25 },
    )
  })

  it('ends in the cursor of the event after its last one, whatever it filters', async () => {
    const journal = await filledJournal()
    for (const to of [0, 1, 17, TICKS]) {
      const question = questionOf({ topics: ['events'], to: { offset: to }, filters: { country: ['FRA'] } })
      const { manifest } = await exported(journal, question)
      expect(decodeEventCursor(manifest.next_event ?? '')).toMatchObject({ journal: journal.id, sequence: to + 1 })
      const rest = questionOf({ topics: ['events'], from: { cursor: manifest.next_event ?? '' } })
      expect((await exported(journal, rest)).manifest.partitions).toMatchObject([
        { from: to, to: TICKS, records: TICKS - to },
      ])
    }
  })

  it('says so if retention deletes what it is still to read, and leaves nothing out in silence', async () => {
    const journal = await filledJournal()
    const manifest = await newManifest(journal, questionOf({}))
    await journal.retain(NOON + 60 * 86_400_000)
    const store = new DirectoryStore(await temporaryDirectory())
    const run = runExport(manifest, { journal, store, signal: new AbortController().signal })
    await expect(run).rejects.toThrow(/retention has deleted offsets 0 to \d+ of ticks\/0 before they were exported/)
  })

  it('is stopped by its signal, with the signal’s reason', async () => {
    const journal = await filledJournal()
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(exported(journal, questionOf({}), { signal })).rejects.toThrow('enough')
  })
})

describe('an Arrow file', () => {
  it('begins and ends with the magic of the format', async () => {
    const { journal } = await openEmbeddedTestJournal()
    await journal.append('ticks', 0, [{ value: priceTick('1.5'), id: 'a', at: NOON }])
    const encoder = new ArrowEncoder({ topic: 'ticks', partition: 0, from: 0 })
    const { records } = await journal.readPortable('ticks', 0, 0)
    encoder.add(records.map((record) => ({ ...record, value: priceTick('1.5') })))
    const bytes = Buffer.from(encoder.finish())
    expect([bytes.subarray(0, 6).toString(), bytes.subarray(-6).toString()]).toEqual(['ARROW1', 'ARROW1'])
  })
})

type Line = { readonly value: { readonly symbol: string } }
const linesOf = (base64: string): Line[] =>
  Buffer.from(base64, 'base64')
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
