import { describe, expect, it } from 'vitest'
import { isWithdrawn } from '../../../domain/prints.ts'
import { Acceptor } from '../../../ingest/accept/accept.ts'
import { fred } from '../../../ingest/sources/fred/index.ts'
import { openTestJournal, valuesOf } from '../../support/journal.ts'
import { document, fixture, rejectsOf } from './fixture.ts'

// The figures are made up: they show how real-time periods are read.
const { parse } = fred()

/** A row of a document: the first day of its month, its value, and the days between which FRED had it. */
type Row = readonly [date: string, value: string, from: string, to: string]
const vintages = (rows: readonly Row[], head: object = {}) =>
  document(
    JSON.stringify({
      realtime_start: '1776-07-04',
      realtime_end: '9999-12-31',
      units: 'lin',
      output_type: 1,
      count: rows.length,
      offset: 0,
      limit: 100000,
      ...head,
      observations: rows.map(([date, value, realtime_start, realtime_end]) => ({
        realtime_start,
        realtime_end,
        date,
        value,
      })),
    }),
    { dataset: 'UNRATE' },
  )

const shown = (rows: readonly Row[], head: object = {}) =>
  [...parse(vintages(rows, head))].map((item) =>
    'series' in item ? [item.period, item.kind, item.released?.on, item.released?.basis].join(' ') : item.kind,
  )

const may: Row = ['2026-05-01', '4.3', '2026-06-05', '9999-12-31']
const endedJune: Row = ['2026-06-01', '4.1', '2026-07-02', '2026-07-14']

describe('a print that ended', () => {
  it('without a successor was withdrawn on the day after', () => {
    expect(shown([may, endedJune])).toEqual([
      '2026-05 figure 2026-06-05 copy',
      '2026-06 figure 2026-07-02 publisher',
      '2026-06 missing 2026-07-15 publisher',
    ])
  })

  it('is not served as current', async () => {
    const { journal } = await openTestJournal()
    const acceptor = new Acceptor(journal)
    const read = vintages([may, endedJune])
    expect(await acceptor.accept(read, parse(read))).toMatchObject({ new: 2, withdrawn: 1 })
    expect(await acceptor.accept(read, parse(read))).toMatchObject({ unchanged: 3 })
    const last = (await valuesOf(journal, 'releases')).findLast(({ period }) => period === '2026-06')
    expect(last && isWithdrawn(last)).toBe(true)
  })

  it('at the same time as the period of the request may stand on', () => {
    const window = { realtime_start: '2026-07-02', realtime_end: '2026-07-14' }
    expect(shown([endedJune], window)).toEqual(['2026-06 figure 2026-07-02 copy'])
    // Without a period of the request nothing is known after the last print.
    expect(shown([endedJune], { realtime_end: undefined })).toEqual(['2026-06 figure 2026-07-02 copy'])
  })

  it('before the next one began had no successor until then', () => {
    const next: Row = ['2026-06-01', '4.2', '2026-08-07', '9999-12-31']
    expect(shown([may, endedJune, next]).slice(1)).toEqual([
      '2026-06 figure 2026-07-02 publisher',
      '2026-06 missing 2026-07-15 publisher',
      '2026-06 figure 2026-08-07 publisher',
    ])
  })

  it('is followed by the next one on the day after, or by the statement that there is none', () => {
    for (const value of ['4.2', '.'])
      expect(shown([may, endedJune, ['2026-06-01', value, '2026-07-15', '9999-12-31']])).toHaveLength(3)
    expect([...parse(fixture('fred/GDP-vintages.json', { dataset: 'GDP' }))]).toHaveLength(34)
  })

  it('on the edge of a page may have a successor on another one', () => {
    const rows: Row[] = [endedJune, ['2026-07-01', '4.2', '2026-08-07', '2026-08-20']]
    const page = { offset: 10, limit: 2, count: 20 }
    expect(shown(rows, page).filter((line) => line.includes('missing'))).toEqual([])
    expect(shown(rows).filter((line) => line.includes('missing'))).toHaveLength(2)
  })

  it('in a document with a row that cannot be read may have its successor there', () => {
    const lines = shown([endedJune, may, ['2026-06-01', '4.2', '2026-07-32', '9999-12-31']])
    expect(lines).toEqual(['reject', '2026-05 figure 2026-06-05 copy', '2026-06 figure 2026-07-02 publisher'])
  })

  it('is not seen in vintages of single days', () => {
    const onDays: Row[] = ['2026-07-02', '2026-08-07'].map((day) => ['2026-05-01', '4.3', day, day])
    const period = { realtime_start: '2026-07-02', realtime_end: '2026-08-07' }
    expect(shown(onDays, period)).toEqual(['2026-05 figure 2026-07-02 copy', '2026-05 figure 2026-08-07 publisher'])
  })

  it.each(['2026-07-01', '2026-07-32'])('on %s, which is no day since it began, is rejected', (to) => {
    expect(rejectsOf(parse(vintages([['2026-06-01', '4.1', '2026-07-02', to]])))).toMatchObject([
      { reason: 'bad_date', detail: expect.stringContaining('realtime_end') },
    ])
  })
})

describe('first prints alone', () => {
  const first = vintages([may, endedJune], { output_type: 4 })
  const all = vintages([may, endedJune, ['2026-06-01', '4.2', '2026-07-15', '9999-12-31']])

  it('are current where they have not ended, and rejected where nothing says what followed', async () => {
    const { journal } = await openTestJournal()
    expect(await new Acceptor(journal).accept(first, parse(first))).toMatchObject({ new: 1, withdrawn: 0, rejected: 1 })
    expect((await valuesOf(journal, 'releases')).map(({ period }) => period)).toEqual(['2026-05'])
    expect(await valuesOf(journal, 'quarantine')).toMatchObject([
      { reason: 'not_current', detail: expect.stringContaining('until 2026-07-14') },
    ])
  })

  it('become known late where what followed is on record', async () => {
    const { journal } = await openTestJournal()
    const acceptor = new Acceptor(journal)
    const newest = vintages([['2026-06-01', '4.2', '2026-08-07', '2026-08-07']], { realtime_end: '2026-08-07' })
    await acceptor.accept(newest, parse(newest))
    expect(await acceptor.accept(first, parse(first))).toMatchObject({ new: 1, late: 1, rejected: 0 })
  })

  it('change nothing where all prints are on record', async () => {
    const { journal } = await openTestJournal()
    const acceptor = new Acceptor(journal)
    await acceptor.accept(all, parse(all))
    expect(await acceptor.accept(first, parse(first))).toMatchObject({ unchanged: 2, rejected: 0, withdrawn: 0 })
  })
})
