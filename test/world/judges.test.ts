import { describe, expect, it } from 'vitest'
import type { Evidence } from './evidence.ts'
import { judgeAll } from './judges/all.ts'
import { type Forged, soundEvidence } from './sound-evidence.ts'

type Fault = {
  readonly judge: string
  readonly what: string
  readonly plant: (evidence: Forged<Evidence>) => void
  /** Whether it is a fault only once everything must have arrived. */
  readonly later?: true
}

const recordOf = ({ records }: Forged<Evidence>, topic: string, n: number) =>
  records.filter((record) => record.topic === topic)[n] as Forged<Evidence>['records'][number]
const drop = ({ records }: Forged<Evidence>, record: Forged<Evidence>['records'][number]) =>
  records.splice(records.indexOf(record), 1)
const spanOf = ({ streams }: Forged<Evidence>, client: number, span: number) =>
  streams[client]?.spans[span] as Forged<Evidence>['streams'][number]['spans'][number]
const rowsOf = ({ tables }: Forged<Evidence>, table: string) =>
  tables[table] as { row: Record<string, unknown>; run: string; storedAt: number; lookedAt: number }[]

const changeRow = (e: Forged<Evidence>, table: string, n: number, columns: Record<string, unknown>) =>
  Object.assign(rowsOf(e, table)[n]?.row ?? {}, columns)
/** Adds the first row once more, as `run` would write it, with other `columns`. */
const repeatRow = (
  e: Forged<Evidence>,
  table: string,
  run: string,
  columns: Record<string, unknown> = {},
  lookedAt = 0,
) => {
  const [first] = rowsOf(e, table)
  rowsOf(e, table).push({ row: { ...first?.row, ...columns }, run, storedAt: 2_000, lookedAt })
}

const answerOf = ({ answers }: Forged<Evidence>, n: number) => answers[n] as Forged<Evidence>['answers'][number]
/** Adds an answer like one that is there, which came later. */
const answerAgain = (
  e: Forged<Evidence>,
  n: number,
  asked: number,
  over: Partial<Forged<Evidence>['answers'][number]>,
) => e.answers.push({ ...answerOf(e, n), askedAt: asked, answeredAt: asked + 1, ...over })

const faults: readonly Fault[] = [
  { judge: 'failures', what: 'a node that ended', plant: ({ failures }) => failures.push('TEST') },
  {
    judge: 'documents',
    what: 'a document that is never acknowledged',
    plant: ({ documents }) => {
      for (const document of documents) document.isAcknowledged = false
    },
    later: true,
  },
  { judge: 'offsets', what: 'an offset twice', plant: (e) => (recordOf(e, 'ticks', 1).offset = 0) },
  {
    judge: 'offsets',
    what: 'a record twice in the second partition',
    plant: (e) => e.records.push({ ...recordOf(e, 'ticks', 2), offset: 9 }),
  },
  {
    judge: 'offsets',
    what: 'an event before its cause',
    plant: (e) => (recordOf(e, 'events', 1).headers.cause = 'releases/0/99'),
  },
  {
    judge: 'prints',
    what: 'a print that nobody stated',
    plant: (e) => (recordOf(e, 'releases', 3).value.figures = { value: '101.5' }),
  },
  { judge: 'prints', what: 'a lost print', plant: (e) => drop(e, recordOf(e, 'releases', 1)), later: true },
  {
    judge: 'prints',
    what: 'a print with another day that was stated, too',
    plant: (e) => {
      e.documents[1]?.figures.push({ series: 'USA.cpi', period: '2025-01', on: '2025-04-15', value: '101' })
      recordOf(e, 'releases', 3).value.released_on = '2025-04-15'
    },
    later: true,
  },
  {
    judge: 'derived',
    what: 'a lost derived print',
    plant: (e) => drop(e, recordOf(e, 'releases', 6)),
    later: true,
  },
  {
    judge: 'derived',
    what: 'a wrong rate',
    plant: (e) => ((recordOf(e, 'releases', 6).value.figures as Record<string, string>).year_to_date = '2.1'),
    later: true,
  },
  {
    judge: 'prints',
    what: 'a withdrawal that nobody stated',
    plant: (e) => (recordOf(e, 'releases', 3).value.figures = {}),
  },
  { judge: 'prints', what: 'a lost withdrawal', plant: (e) => drop(e, recordOf(e, 'releases', 7)), later: true },
  {
    judge: 'derived',
    what: 'a figure that is not withdrawn with what it is computed from',
    plant: (e) => drop(e, recordOf(e, 'releases', 8)),
    later: true,
  },
  {
    judge: 'as of',
    what: 'no row of a withdrawal',
    plant: (e) => rowsOf(e, 'vintages').splice(7, 1),
    later: true,
  },
  {
    judge: 'as of',
    what: 'a row of a later day',
    plant: (e) => changeRow(e, 'vintages', 3, { released_on: '2025-04-02' }),
    later: true,
  },
  {
    judge: 'answers',
    what: 'a figure that was never written',
    plant: (e) => Object.assign(answerOf(e, 2).entries[0] ?? {}, { value: '101.5' }),
  },
  { judge: 'answers', what: 'a lost print', plant: (e) => answerOf(e, 3).entries.shift() },
  { judge: 'answers', what: 'prints in another order', plant: (e) => answerOf(e, 3).entries.reverse() },
  {
    judge: 'answers',
    what: 'the day of another print',
    plant: (e) => Object.assign(answerOf(e, 4).entries[0] ?? {}, { released_on: '2025-05-01' }),
  },
  {
    judge: 'answers',
    what: 'what came after the day',
    plant: (e) => (answerOf(e, 4).entries = answerOf(e, 2).entries),
  },
  { judge: 'answers', what: 'a second rate that is missing', plant: (e) => answerOf(e, 7).entries.splice(1, 1) },
  {
    judge: 'answers',
    what: 'a figure before it was written',
    plant: (e) => Object.assign(answerOf(e, 2), { askedAt: 14, answeredAt: 15 }),
  },
  {
    judge: 'answers',
    what: 'an older figure than the process had before',
    plant: (e) => answerAgain(e, 0, 60, {}),
  },
  {
    judge: 'answers',
    what: 'an older history than another process had before',
    plant: (e) => answerAgain(e, 3, 60, { process: 'process 2', entries: answerOf(e, 3).entries.slice(0, 1) }),
  },
  {
    judge: 'answers',
    what: 'no figure where there is one',
    plant: (e) => answerAgain(e, 4, 60, { status: 404, code: 'no_complete_publication', entries: [] }),
  },
  {
    judge: 'answers',
    what: 'no evidence of a day on which there is',
    plant: (e) => (answerOf(e, 6).code = 'no_dated_evidence'),
  },
  {
    judge: 'answers',
    what: 'a withdrawn figure in the end',
    plant: (e) => {
      const [first] = e.finalAnswers
      Object.assign(first?.answer ?? {}, { status: 200, code: null, entries: [{ period: '2025-01' }] })
    },
    later: true,
  },
  {
    judge: 'answers',
    what: 'a second question that is not answered in the end',
    plant: (e) => {
      const [, second] = e.finalAnswers
      if (second) second.answer = undefined
    },
    later: true,
  },
  {
    judge: 'answers',
    what: 'a history without its withdrawals in the end',
    plant: (e) => {
      const told = e.finalAnswers[1]?.answer
      if (told) told.entries = told.entries.filter(({ value }) => value !== null)
    },
    later: true,
  },
  {
    judge: 'events',
    what: 'a gap in the sequence',
    plant: (e) => (recordOf(e, 'events', 3).value.sequence = 5),
  },
  {
    judge: 'events',
    what: 'a second event of a release',
    plant: (e) => {
      const { writtenAt, ...event } = recordOf(e, 'events', 2)
      e.records.push({ ...event, writtenAt, offset: 9, value: { ...event.value, sequence: 5 } })
    },
  },
  {
    judge: 'events',
    what: 'an event of a late release',
    plant: (e) => (recordOf(e, 'events', 2).headers.cause = 'releases/0/4'),
  },
  {
    judge: 'events',
    what: 'events in another order',
    plant: (e) => {
      const [one, other] = [recordOf(e, 'events', 0), recordOf(e, 'events', 1)]
      const { cause = '' } = one.headers
      one.headers.cause = other.headers.cause ?? ''
      other.headers.cause = cause
    },
  },
  {
    judge: 'events',
    what: 'no event of a derived release',
    plant: (e) => drop(e, recordOf(e, 'events', 8)),
    later: true,
  },
  {
    judge: 'streams',
    what: 'a gap after a reconnection',
    plant: (e) => spanOf(e, 0, 1).events.shift(),
  },
  {
    judge: 'streams',
    what: 'an event again after a reconnection',
    plant: (e) => spanOf(e, 0, 1).events.unshift(...spanOf(e, 0, 0).events.slice(1)),
  },
  { judge: 'streams', what: 'events in another order', plant: (e) => spanOf(e, 0, 0).events.reverse() },
  { judge: 'streams', what: 'an unseen event', plant: (e) => spanOf(e, 0, 1).events.pop(), later: true },
  {
    judge: 'streams',
    what: 'an event beside the filter',
    plant: (e) => spanOf(e, 1, 0).events.push(...spanOf(e, 0, 0).events.slice(1)),
  },
  {
    judge: 'streams',
    what: 'an event that came after a client asked for the latest',
    plant: (e) => {
      spanOf(e, 1, 0).events.pop()
    },
    later: true,
  },
  {
    judge: 'streams',
    what: 'a gap that retention does not explain',
    plant: (e) => ((e.eventStarts[1] as { start: number }).start = 2),
  },
  {
    judge: 'streams',
    what: 'a gap that the client was not told of',
    plant: (e) => (spanOf(e, 2, 1).from = 'cursor'),
  },
  {
    judge: 'streams',
    what: 'other data',
    plant: (e) => ((spanOf(e, 0, 1).events[1] as { data: unknown }).data = { n: 5 }),
  },
  ...['vintages', 'events', 'ticks', 'quarantine'].flatMap((table): Fault[] => [
    {
      judge: 'tables',
      what: `a second row of ${table} for one record`,
      plant: (e) => repeatRow(e, table, 'run 2', { _index: 1 }),
    },
    {
      judge: 'tables',
      what: `an equal row of ${table} from the same run`,
      plant: (e) => repeatRow(e, table, 'run 1'),
    },
    {
      judge: 'tables',
      what: `an equal row of ${table} from a run that had seen it`,
      plant: (e) => repeatRow(e, table, 'run 2', {}, 1_500),
    },
    { judge: 'tables', what: `no last row of ${table}`, plant: (e) => rowsOf(e, table).pop(), later: true },
    {
      judge: 'tables',
      what: `a row of ${table} without a record`,
      plant: (e) => repeatRow(e, table, 'run 1', { _offset: 99 }),
    },
  ]),
  { judge: 'tables', what: 'a gap before the watermark', plant: (e) => rowsOf(e, 'events').splice(1, 1) },
  {
    judge: 'tables',
    what: 'another value',
    plant: (e) => changeRow(e, 'vintages', 1, { figures: { value: '100.1' } }),
  },
  {
    judge: 'prices',
    what: 'a price that nobody stated',
    plant: (e) => (recordOf(e, 'ticks', 2).value.price = '1.2'),
  },
  {
    judge: 'prices',
    what: 'an older price behind a newer one',
    plant: (e) => (recordOf(e, 'ticks', 1).value.observed_at = '2026-01-05T00:00:00.001Z'),
  },
  { judge: 'prices', what: 'a lost price', plant: (e) => drop(e, recordOf(e, 'ticks', 2)), later: true },
  { judge: 'prices', what: 'an old quote', plant: (e) => (recordOf(e, 'quotes', 1).value.price = '1.2'), later: true },
  {
    judge: 'quarantine',
    what: 'an input without a fault',
    plant: (e) => (recordOf(e, 'quarantine', 0).value.location = 'row 1'),
  },
  { judge: 'quarantine', what: 'a lost input', plant: (e) => drop(e, recordOf(e, 'quarantine', 0)), later: true },
]

const judgesOf = (evidence: Forged<Evidence>, isQuiet: boolean): string[] =>
  // Cast: the same type, but for what may be changed.
  judgeAll(evidence as Evidence, isQuiet).map((complaint) => complaint.split(':')[0] ?? '')

describe('the judges of the world', () => {
  it('find no fault in a sound run', () => {
    expect(judgeAll(soundEvidence() as Evidence, false)).toEqual([])
    expect(judgeAll(soundEvidence() as Evidence, true)).toEqual([])
  })
  it('let an equal row of another run of the projector pass', () => {
    const evidence = soundEvidence()
    repeatRow(evidence, 'ticks', 'run 2')
    expect(judgeAll(evidence as Evidence, true)).toEqual([])
  })
  it.each(faults)('$judge: $what', ({ judge, plant, later }) => {
    const evidence = soundEvidence()
    plant(evidence)
    expect(judgesOf(evidence, true)).toContain(judge)
    if (later) expect(judgesOf(evidence, false)).not.toContain(judge)
    else expect(judgesOf(evidence, false)).toContain(judge)
  })
})
