import { describe, expect, it } from 'vitest'
import { Acceptor } from '../../ingest/accept/accept.ts'
import { approve } from '../../ingest/accept/held.ts'
import { rejectedDrafts } from '../../ingest/accept/rejected.ts'
import { emptyTally } from '../../ingest/accept/tally.ts'
import { heldInputs, newestRejected, rejectedInput, rejectedInputs } from '../../ingest/quarantine.ts'
import { inOrderOfRelease } from '../../ingest/read/items.ts'
import type { Document, Item } from '../../ingest/source.ts'
import { openTestJournal, valuesOf } from '../support/journal.ts'
import { testDocument, testSeries } from '../support/releases.ts'

const index = testSeries()
const figure = (period: string, printed: string, on?: string): Item => ({
  kind: 'figure',
  series: index,
  period,
  figures: { value: { printed } },
  ...(on ? { released: { on, basis: 'publisher' as const } } : {}),
  location: `period ${period}`,
})
const monthly = (count: number, times = 1): Item[] =>
  Array.from({ length: count }, (_, i) => figure(`2024-${String(i + 1).padStart(2, '0')}`, String((100 + i) * times)))

const document = (sha: string, over: Partial<Document> = {}): Document => ({
  ...testDocument,
  sha256: sha.repeat(64),
  retrievedAt: '2025-12-31T12:00:00.000Z',
  ...over,
})
const at = (day: string) => () => Date.parse(`${day}T12:00:00Z`)
const personAndReason = { by: 'ada', because: 'the office counts in thousands now' }

describe('implausible figures', () => {
  it('wait until a person approves them, and the approval is on record with them', async () => {
    const { journal } = await openTestJournal()
    const acceptor = new Acceptor(journal)
    await acceptor.accept(document('a'), monthly(10))
    const faults: string[] = []
    const wrong = [...monthly(10, 1_000), figure('2024-11', '111000')]
    const onFault = ({ reason, location }: { reason: string; location: string }) => faults.push(`${reason} ${location}`)
    expect(await acceptor.accept(document('b'), wrong, { onFault })).toMatchObject({ held: 11, revised: 0, new: 0 })
    expect(faults).toEqual([`held_scale ${index.id}, 2024-01 to 2024-11 (period 2024-01)`])
    expect(await valuesOf(journal, 'releases')).toHaveLength(10)
    // The same document again, read by another process, is held again and waits once.
    expect(await new Acceptor(journal).accept(document('b'), wrong)).toMatchObject({ held: 11 })
    const [held, ...others] = await heldInputs(journal)
    expect(others).toEqual([])
    if (!held) return expect.fail('nothing is held')
    const input = await rejectedInput(journal, held.input_id)
    if (!input) return expect.fail('the input is gone')

    expect(await approve(input, personAndReason, new Acceptor(journal))).toMatchObject({
      outcome: 'accepted',
      tally: { revised: 10, new: 1, held: 0 },
    })
    expect(await heldInputs(journal)).toEqual([])
    const [approval] = await newestRejected(journal, 1)
    expect(approval).toMatchObject({
      reason: 'approved',
      location: held.input_id,
      detail: 'ada: the office counts in thousands now',
    })
    const releases = await valuesOf(journal, 'releases')
    expect(releases.at(-1)).toMatchObject({ period: '2024-11', figures: { value: '111000' } })
    expect(releases.at(-1)?.provenance).toMatchObject({ sha256: 'b'.repeat(64), location: 'period 2024-11' })
    // Each release says that it was approved, but not by whom.
    expect(releases.map(({ approval }) => approval)).toEqual([
      ...Array.from({ length: 10 }, () => null),
      ...Array.from({ length: 11 }, () => ({
        held_for: 'held_scale',
        because: personAndReason.because,
        input_id: held.input_id,
      })),
    ])

    // Approving twice changes nothing, and the next document at the new scale is believed.
    const again = await approve(input, personAndReason, new Acceptor(journal))
    expect(again).toMatchObject({ tally: { unchanged: 11, revised: 0 } })
    expect(await newestRejected(journal, 9)).toHaveLength(2)
    expect(await acceptor.accept(document('c'), [figure('2024-12', '111500')])).toMatchObject({ new: 1, held: 0 })
  })

  it('are no others than those on record if they are rounded to them', async () => {
    const { journal } = await openTestJournal()
    const acceptor = new Acceptor(journal)
    const rounded = monthly(9).map((item, i) =>
      item.kind === 'figure' ? { ...item, figures: { value: { printed: `1.${i % 2}45`, decimals: 1 } } } : item,
    )
    expect(await acceptor.accept(document('a'), rounded.slice(0, 8))).toMatchObject({ new: 8, held: 0 })
    expect(await acceptor.accept(document('b'), rounded)).toMatchObject({ new: 1, unchanged: 8, held: 0 })
  })

  it('wait beside another source if their series has nothing else to be compared with', async () => {
    const { journal } = await openTestJournal()
    const acceptor = new Acceptor(journal)
    await acceptor.accept(document('a'), monthly(10))
    const { id: _, ...members } = index
    const other = testSeries({ ...members, source: 'OTHER' })
    const ofOther = (items: readonly Item[]) =>
      items.map((item) => (item.kind === 'figure' ? { ...item, series: other } : item))
    // 2023 is in no other source, so the nearest figure counts. What is believed says nothing about 2024.
    expect(await acceptor.accept(document('b'), ofOther([figure('2023-12', '9.9')]))).toMatchObject({ held: 1 })
    expect(await acceptor.accept(document('b'), ofOther([figure('2023-12', '99')]))).toMatchObject({ new: 1 })
    // Each figure has a date of its own, and all are held as one input.
    const wrong = ofOther(monthly(4, 0.1)).map((item, i) => ({
      ...item,
      released: { on: `2024-0${i + 2}-15`, basis: 'publisher' as const },
    }))
    expect(await acceptor.accept(document('c'), wrong)).toMatchObject({ new: 0, held: 4 })
    const [nearest, held, ...others] = await heldInputs(journal)
    expect(others).toEqual([])
    expect(nearest).toMatchObject({
      reason: 'held_contradiction',
      detail: `value: The first or last value is about 0.099 times the nearest of ${index.id}.`,
    })
    expect(held).toMatchObject({
      reason: 'held_jump',
      detail: expect.stringContaining('value: 2024-01 is 10, after 99 (2023-12)'),
    })
    const input = held && (await rejectedInput(journal, held.input_id))
    if (!input) return expect.fail('the input is gone')
    expect(await approve(input, personAndReason, acceptor)).toMatchObject({ outcome: 'accepted', tally: { new: 4 } })
    // From then on the series is judged by its own record.
    expect(await acceptor.accept(document('d'), ofOther([figure('2024-05', '10.5')]))).toMatchObject({
      new: 1,
      held: 0,
    })
  })

  it('are held one by one if only some are, and the others are accepted', async () => {
    const { journal } = await openTestJournal()
    const acceptor = new Acceptor(journal)
    const items = [...monthly(10), figure('2024-11', '1110'), figure('2024-12', '112')]
    expect(await acceptor.accept(document('a'), items)).toMatchObject({ new: 11, held: 1 })
    expect(await heldInputs(journal)).toMatchObject([
      { reason: 'held_jump', detail: expect.stringContaining('2024-11 is 1110, after 109') },
    ])
  })

  it('are held once if several of their members are implausible', async () => {
    const { journal } = await openTestJournal()
    const series = testSeries({ indicator: 'gdp-growth', unit: 'percent', frequency: 'Q' })
    const growth = (period: string, yearly: string, quarterly: string): Item => ({
      kind: 'figure',
      series,
      period,
      figures: { year_over_year: { printed: yearly }, quarter_over_quarter: { printed: quarterly } },
      location: period,
    })
    const calm = Array.from({ length: 12 }, (_, i) => growth(`${2020 + (i >> 2)}-Q${(i % 4) + 1}`, '2.1', `0.${i % 4}`))
    const items = [...calm, growth('2023-Q1', '300', '200')]
    expect(await new Acceptor(journal).accept(document('a'), items)).toMatchObject({ new: 12, held: 1 })
    expect(await heldInputs(journal)).toHaveLength(1)
  })

  it('are held with one sentence for all members that it is true of', async () => {
    const { journal } = await openTestJournal()
    const series = testSeries({ indicator: 'gdp-growth', unit: 'percent', frequency: 'Q' })
    const growth = (quarter: number, yearly: string): Item => ({
      kind: 'figure',
      series,
      period: `${2020 + (quarter >> 2)}-Q${(quarter % 4) + 1}`,
      figures: { year_over_year: { printed: yearly }, quarter_over_quarter: { printed: '0.5' } },
      location: '',
    })
    const items = Array.from({ length: 1_000 }, (_, i) => growth(i, i % 10 === 0 ? '-101' : '2'))
    await new Acceptor(journal).accept(document('a'), items)
    expect((await heldInputs(journal)).map(({ detail }) => detail)).toEqual([
      'year_over_year, quarter_over_quarter: 100 of 2,000 figures judged together are impossible for this indicator, so the document probably states something else.',
    ])
  })

  it('are rejected, not held, if they cannot be', async () => {
    const { journal } = await openTestJournal()
    const items = [...monthly(10), figure('2024-11', '-111')]
    expect(await new Acceptor(journal).accept(document('a'), items)).toMatchObject({ new: 10, held: 0, rejected: 1 })
    expect(await newestRejected(journal, 1)).toMatchObject([{ reason: 'figure_out_of_range' }])
    const [input] = await newestRejected(journal, 1)
    const kept = await rejectedInput(journal, input?.input_id ?? '')
    if (!kept) return expect.fail('the input is gone')
    expect(await approve(kept, personAndReason, new Acceptor(journal))).toEqual({ outcome: 'not_held' })
  })

  it('are dated by the day on which they were held, so an old approval changes no newer figure', async () => {
    const { journal } = await openTestJournal()
    await new Acceptor(journal, { now: at('2026-01-01') }).accept(document('a'), monthly(10))
    await new Acceptor(journal, { now: at('2026-01-02') }).accept(document('b'), monthly(10, 10))
    await new Acceptor(journal, { now: at('2026-01-03') }).accept(document('c'), monthly(10, 100))
    const approver = new Acceptor(journal, { now: at('2026-01-09') })
    const [older, newer] = await heldInputs(journal)
    for (const input of [newer, older]) {
      const kept = await rejectedInput(journal, input?.input_id ?? '')
      if (!kept) return expect.fail('the input is gone')
      await approve(kept, personAndReason, approver)
    }
    const releases = (await valuesOf(journal, 'releases')).filter(({ period }) => period === '2024-01')
    expect(releases.map(({ figures, released_on, late }) => [figures.value, released_on, late])).toEqual([
      ['100', '2026-01-01', false],
      ['10000', '2026-01-03', false],
      ['1000', '2026-01-02', true],
    ])
  })

  it('do not take the place of figures that were read later on the same day', async () => {
    const { journal } = await openTestJournal()
    // Each reading at a time of its own: those of one millisecond count as equally late.
    let now = Date.parse('2026-01-05T12:00:00Z')
    const acceptor = new Acceptor(journal, { now: () => now++ })
    await acceptor.accept(document('a'), monthly(10))
    await acceptor.accept(document('b'), monthly(10, 10))
    await acceptor.accept(document('c'), [figure('2024-01', '100.5')])
    const currentOf = async () =>
      (await valuesOf(journal, 'releases')).findLast((r) => r.period === '2024-01' && !r.late)
    const [held] = await heldInputs(journal)
    const input = await rejectedInput(journal, held?.input_id ?? '')
    if (!input) return expect.fail('the input is gone')

    const faults: string[] = []
    const approved = await approve(input, personAndReason, acceptor, ({ detail }) => faults.push(detail))
    expect(approved).toMatchObject({ tally: { revised: 9, rejected: 1 } })
    expect(faults).toEqual([expect.stringContaining('2024-01 has other figures')])
    expect(await currentOf()).toMatchObject({ figures: { value: '100.5' } })

    // If they are right all the same, their document is read again.
    expect(await acceptor.accept(document('b'), monthly(10, 10))).toMatchObject({ held: 0, revised: 1, unchanged: 9 })
    expect(await currentOf()).toMatchObject({ figures: { value: '1000' } })
  })

  it('of a file without a date are held where they differ, if the record goes on after its end', async () => {
    const { journal } = await openTestJournal()
    const acceptor = new Acceptor(journal)
    const undated = { retrievedAt: null }
    const older = [...monthly(8), figure('2024-09', '108.4')]
    await acceptor.accept(document('a', undated), monthly(10))
    expect(await acceptor.accept(document('b', undated), older)).toMatchObject({ held: 1, unchanged: 8 })
    expect(await heldInputs(journal)).toMatchObject([{ reason: 'held_older' }])
    // A date tells that it is older, or an address that it is not, and a newer edition may revise.
    const dated = { ...undated, lastUpdated: '2025-01-01' }
    expect(await acceptor.accept(document('b', dated), older)).toMatchObject({ held: 0 })
    expect(await acceptor.accept(document('c', undated), [...older, figure('2024-10', '109')])).toMatchObject({
      held: 0,
    })
    expect(await acceptor.accept(document('d'), monthly(9))).toMatchObject({ held: 0, revised: 1 })
  })

  it('are told by all that a document states of a series, however many series it has', async () => {
    const { journal } = await openTestJournal()
    const acceptor = new Acceptor(journal)
    const countries = ['AUT', 'BEL', 'CHE', 'DEU', 'DNK', 'ESP', 'FIN', 'FRA', 'GBR', 'ITA', 'NLD', 'NOR', 'SWE']
    /** More figures than share a transaction: 13 series of 16 years and more. */
    const edition = (months: number, value: (month: number) => number): readonly Item[] =>
      inOrderOfRelease(
        countries.flatMap((country) =>
          Array.from({ length: months }, (_, month) => ({
            ...figure(
              `${2005 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`,
              String(value(month)),
            ),
            series: testSeries({ country }),
          })),
        ),
      )
    await acceptor.accept(
      document('a'),
      edition(192, (month) => 100 + month),
    )
    const revised = edition(193, (month) => 100 + month + (month === 40 ? 1 : 0))
    // A newer file without a date revises what is long past, and goes on after the record's end.
    expect(await acceptor.accept(document('b', { retrievedAt: null }), revised)).toMatchObject({
      held: 0,
      revised: countries.length,
      new: countries.length,
    })
  })

  it('wait again if a document comes again after it was approved and corrected', async () => {
    const { journal } = await openTestJournal()
    const acceptor = new Acceptor(journal, { now: at('2026-01-01') })
    await acceptor.accept(document('a'), monthly(10))
    const approveHeld = async (day: string) => {
      const [held, ...others] = await heldInputs(journal)
      expect(others).toEqual([])
      const input = await rejectedInput(journal, held?.input_id ?? '')
      if (!input) return expect.fail('nothing is held')
      return approve(input, personAndReason, new Acceptor(journal, { now: at(day) }))
    }
    for (const [sha, times, day] of [
      ['b', 1_000, '2026-01-02'],
      ['c', 1, '2026-01-03'],
      ['b', 1_000, '2026-01-04'],
    ] as const) {
      expect(await new Acceptor(journal, { now: at(day) }).accept(document(sha), monthly(10, times))).toMatchObject({
        held: 10,
      })
      expect(await approveHeld(day), day).toMatchObject({ tally: { revised: 10 } })
    }
    const approvals = await Array.fromAsync(rejectedInputs(journal, { reason: 'approved' }))
    expect(approvals.map(({ recorded_at }) => recorded_at.slice(0, 10))).toEqual([
      '2026-01-02',
      '2026-01-03',
      '2026-01-04',
    ])
    expect(await heldInputs(journal)).toEqual([])
  })

  it('are kept without the folder of a large file', async () => {
    const { journal } = await openTestJournal()
    const acceptor = new Acceptor(journal)
    await acceptor.accept(document('a'), monthly(10))
    const large = document('b', { file: { path: '/home/ada/secret/cpi.csv', size: 1 } })
    expect(await acceptor.accept(large, monthly(10, 1_000))).toMatchObject({ held: 10 })
    const [held] = await heldInputs(journal)
    const input = await rejectedInput(journal, held?.input_id ?? '')
    expect(JSON.parse(Buffer.from(input?.bytes ?? []).toString()).document).toMatchObject({ sha256: 'b'.repeat(64) })
    expect(Buffer.from(input?.bytes ?? []).toString()).not.toContain('secret')
    expect(input && (await approve(input, personAndReason, acceptor))).toMatchObject({ tally: { revised: 10 } })
  })

  it('wait in another entry if their document is read again and more of it is held by then', async () => {
    const { journal } = await openTestJournal()
    const acceptor = new Acceptor(journal)
    const undated = { retrievedAt: null }
    await acceptor.accept(document('a', undated), monthly(10))
    const older = monthly(8).map((item, i) => (i === 4 ? figure('2024-05', '104.4') : item))
    older.push(figure('2024-09', '108.4'))
    expect(await acceptor.accept(document('b', undated), older)).toMatchObject({ held: 2, unchanged: 7 })
    // July is corrected, so the document differs there, too.
    expect(await acceptor.accept(document('c'), [figure('2024-07', '106.4')])).toMatchObject({ revised: 1 })
    for (const again of [acceptor, new Acceptor(journal)])
      expect(await again.accept(document('b', undated), older)).toMatchObject({ held: 3, unchanged: 6 })
    const held = await heldInputs(journal)
    expect(held.map(({ location }) => location)).toEqual(
      Array.from({ length: 2 }, () => `${index.id}, 2024-05 to 2024-09 (period 2024-05)`),
    )
    const input = await rejectedInput(journal, held.at(-1)?.input_id ?? '')
    if (!input) return expect.fail('nothing is held')
    expect(await approve(input, personAndReason, acceptor)).toMatchObject({ tally: { revised: 3, rejected: 0 } })
  })

  it('wait in the entry that an earlier release made of them', async () => {
    const { journal } = await openTestJournal()
    const acceptor = new Acceptor(journal)
    await acceptor.accept(document('a'), monthly(10))
    const now = Date.now()
    const fault = { reason: 'held_scale', detail: '', location: `${index.id}, 2024-01 to 2024-10 (period 2024-01)` }
    const [former] = rejectedDrafts(document('b'), fault, Buffer.from('{}'), now, 10)
    if (!former) return expect.fail('no draft')
    await journal.append('quarantine', 0, [former])
    expect(await acceptor.accept(document('b'), monthly(10, 1_000))).toMatchObject({ held: 10 })
    expect((await heldInputs(journal)).map(({ input_id }) => input_id)).toEqual([former.value.input_id])
  })

  it('overturn nothing when they are approved again after other figures were approved', async () => {
    const { journal } = await openTestJournal()
    const acceptor = new Acceptor(journal, { now: at('2026-01-01') })
    await acceptor.accept(document('a'), monthly(10))
    const approveHeld = async () => {
      const [held] = await heldInputs(journal)
      const input = await rejectedInput(journal, held?.input_id ?? '')
      if (!input) return expect.fail('nothing is held')
      return { input, approved: await approve(input, personAndReason, acceptor) }
    }
    await acceptor.accept(document('b'), monthly(10, 1_000))
    const { input: mistake } = await approveHeld()
    await acceptor.accept(document('c'), monthly(10, 1.1))
    expect((await approveHeld()).approved).toMatchObject({ tally: { revised: 10 } })
    const before = await valuesOf(journal, 'releases')
    expect(await approve(mistake, personAndReason, acceptor)).toEqual({
      outcome: 'accepted',
      tally: { ...emptyTally(), unchanged: 10 },
    })
    expect(await valuesOf(journal, 'releases')).toEqual(before)
  })

  it('do not wait again if they are on record already', async () => {
    const { journal } = await openTestJournal()
    const dated = (times: number, on: string) =>
      monthly(10, times).map((item) => ({ ...item, released: { on, basis: 'publisher' } }) as Item)
    const acceptor = new Acceptor(journal)
    await acceptor.accept(document('a'), dated(1, '2025-01-01'))
    await acceptor.accept(document('b'), dated(10, '2025-02-01'))
    const [held] = await heldInputs(journal)
    const input = await rejectedInput(journal, held?.input_id ?? '')
    if (!input) return expect.fail('nothing is held')
    await approve(input, personAndReason, acceptor)
    // The older document contradicts what is current now, but brings nothing that is not on record.
    expect(await acceptor.accept(document('a'), dated(1, '2025-01-01'))).toMatchObject({ unchanged: 10, held: 0 })
    expect(await heldInputs(journal)).toEqual([])
  })

  it('do not wait again if only one of them is not on record, because it cannot be', async () => {
    const { journal } = await openTestJournal()
    const acceptor = new Acceptor(journal)
    const on = '2025-01-01'
    const older = [...monthly(10), figure('2024-11', '-1')].map((item) => ({
      ...item,
      released: { on, basis: 'publisher' },
    }))
    await acceptor.accept(
      document('b'),
      monthly(10, 10).map((item) => ({ ...item, released: { on: '2025-02-01', basis: 'publisher' } }) as Item),
    )
    // Cast: members of the union with another date are members again.
    expect(await acceptor.accept(document('a'), older as Item[])).toMatchObject({ held: 11 })
    const [held] = await heldInputs(journal)
    const input = await rejectedInput(journal, held?.input_id ?? '')
    if (!input) return expect.fail('nothing is held')
    expect(await approve(input, personAndReason, acceptor)).toMatchObject({ tally: { late: 10, rejected: 1 } })
    expect(await acceptor.accept(document('a'), older as Item[])).toMatchObject({ held: 0, unchanged: 10, rejected: 1 })
    expect(await heldInputs(journal)).toEqual([])
  })

  it('are held if a document withdraws most of a series, though each figure has a date of its own', async () => {
    const { journal } = await openTestJournal()
    const acceptor = new Acceptor(journal)
    const day = (i: number) => `2025-01-${String(i + 1).padStart(2, '0')}`
    const figures = Array.from({ length: 12 }, (_, i) =>
      figure(`2024-${String(i + 1).padStart(2, '0')}`, '100', day(i)),
    )
    // Cast: a figure without its value is a missing one.
    const missing = figures.map((item) => ({ ...item, figures: undefined, kind: 'missing' }) as unknown as Item)
    await acceptor.accept(document('a'), figures)
    expect(await acceptor.accept(document('b'), missing.slice(0, 11))).toMatchObject({ held: 0, withdrawn: 11 })
    expect(await acceptor.accept(document('a'), figures)).toMatchObject({ revised: 11 })
    expect(await acceptor.accept(document('c'), missing)).toMatchObject({ held: 12, withdrawn: 0 })
    const [held, ...others] = await heldInputs(journal)
    expect(others).toEqual([])
    const input = await rejectedInput(journal, held?.input_id ?? '')
    if (!input) return expect.fail('nothing is held')
    expect(await approve(input, personAndReason, acceptor)).toMatchObject({ tally: { withdrawn: 12 } })
  })

  it('are compared with earlier publications of the same document', async () => {
    const { journal } = await openTestJournal()
    const first = monthly(10).map((item) => ({ ...item, released: { on: '2025-02-01', basis: 'publisher' as const } }))
    const items = [...first, figure('2024-11', '1110', '2025-03-01'), figure('2024-11', '111', '2025-04-01')]
    // Cast: members of the union with another date are members again.
    expect(await new Acceptor(journal).accept(document('a'), items as Item[])).toMatchObject({ new: 11, held: 1 })
  })
})
