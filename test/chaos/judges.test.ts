import { describe, expect, it } from 'vitest'
import { held, Ledger, printed } from './drive/figures.ts'
import type { EventValue, Line, RejectedValue, ReleaseValue, SignalValue, TickValue } from './journal-lines.ts'
import { candlesOf } from './judge/candles.ts'
import { judgeEvents, judgeReceived } from './judge/events.ts'
import { judgeQuota } from './judge/quota.ts'
import { expectedDerived, judgeReleases } from './judge/releases.ts'
import { expectedTables, judgeTables } from './judge/tables.ts'
import { judgeTicks } from './judge/ticks.ts'
import { randomOf } from './random.ts'

/** Each judge is shown a journal that is right, then the same with one thing wrong, which it must notice. */

const ledger = new Ledger()
const random = randomOf(7)
for (let file = 0; file < 40; file++) ledger.nextFile(random)

const line = <V>(topic: string, offset: number, value: V, headers: Record<string, string> = {}): Line<V> => ({
  topic,
  partition: 0,
  offset,
  headers,
  value,
})

function release(
  offset: number,
  place: string,
  figures: Record<string, string>,
  revises: string | null,
  derivation = '',
) {
  const [country = '', indicator = '', period = ''] = place.split('/')
  const series = { id: `${country}.${indicator}.TEST`, indicator, country, derivation }
  const value: ReleaseValue = {
    release_id: `rel_${offset}`,
    series,
    period,
    figures,
    revises,
    late: false,
    redates: null,
  }
  return line('releases', offset, value)
}

/** Records that the service would have written; offsets have holes, as they do in the journal. */
function releasesOf(from: Ledger): Line<ReleaseValue>[] {
  const lines: Line<ReleaseValue>[] = []
  for (const [place, chain] of from.chains)
    for (const [i, tenths] of chain.entries()) {
      const revises = i === 0 ? null : (lines.at(-1)?.value.release_id ?? '')
      lines.push(release(3 * lines.length, place, { value: held(place.split('/')[1] ?? '', tenths) }, revises))
    }
  for (const [place, figures] of expectedDerived(from))
    lines.push(release(3 * lines.length, place, { ...figures }, null, 'derived'))
  return lines
}

const releases = releasesOf(ledger)
const signals = [
  line<SignalValue>('signals', 4, { signal_id: 'sig_1', type: 'prices.instrument.stale', subject: 'XAU-USD' }),
]
const causes = [...releases, ...signals]
const events = causes.map((cause, i): Line<EventValue> => {
  const { topic, partition, offset } = cause
  const isRevision = 'revises' in cause.value && cause.value.revises !== null
  const data = JSON.stringify('figures' in cause.value ? cause.value.figures : {})
  const type = isRevision ? 'economics.release.revised' : 'economics.release.published'
  const value = { sequence: i + 1, id: `evt_${i + 1}`, type, subject: `${topic}`, data }
  return line('events', 2 * i, value, { cause: `${topic}/${partition}/${offset}` })
})

const tick = (offset: number, number: number, source = 'feed'): Line<TickValue> =>
  line('ticks', offset, {
    kind: 'price',
    symbol: 'XAU-USD',
    source,
    price: `100.${String(number).padStart(3, '0')}1`,
    observed_at: new Date(Date.UTC(2026, 0, 1) + number * 7_000).toISOString(),
  })
const sentOf = ({ value }: Line<TickValue>) => ({
  symbol: value.symbol,
  price: value.price,
  observedAt: value.observed_at,
})
const ticks = [0, 1, 2, 3, 4, 5, 6, 7].map((number) => tick(2 * number, number))
const timer = line<TickValue>('ticks', 99, { kind: 'timer', symbol: 'FX', source: '', price: '', observed_at: '' })
const cut = { ticks: [...ticks.slice(0, 4), tick(0, 90)].map(sentOf), isOpen: false }
const open = { ticks: ticks.slice(4).map(sentOf), isOpen: true }

const rejected = (value: Partial<RejectedValue>): Line<RejectedValue> =>
  line('quarantine', 3, {
    input_id: 'a',
    source: 'feed',
    part: 1,
    reason: 'bad_date',
    retrieved_at: '',
    bytes: '',
    ...value,
  })

/** All but the item at a place. */
const without = <T>(list: readonly T[], place: number): T[] => list.toSpliced(place, 1)
const swapped = <T>(list: readonly T[], place: number): T[] =>
  list.toSpliced(place, 2, list[place + 1] as T, list[place] as T)

describe('releases', () => {
  it('pass as they were printed', () => expect(judgeReleases(releases, ledger)).toEqual([]))
  it.each([
    ['a lost figure', without(releases, 5)],
    [
      'a lost revision',
      without(
        releases,
        releases.findIndex(({ value }) => value.revises !== null),
      ),
    ],
    ['a lost derived figure', without(releases, releases.length - 1)],
    ['a figure twice', [...releases, { ...(releases[5] as Line<ReleaseValue>), offset: 90_000 }]],
    ['records out of order', swapped(releases, 5)],
    [
      'a wrong derived figure',
      releases.map((found, i) =>
        i === releases.length - 1
          ? release(found.offset, 'AUS/trade/2000-01', { exports: '1' }, null, 'derived')
          : found,
      ),
    ],
  ])('notices %s', (_, wrong) => expect(judgeReleases(wrong, ledger)).not.toEqual([]))
})

describe('events', () => {
  const wrongData = events.map((event, i) => (i === 9 ? { ...event, value: { ...event.value, data: '{}' } } : event))
  it('pass with one for each cause', () => expect(judgeEvents(events, releases, signals)).toEqual([]))

  const printed = release(0, 'AUS/cpi/2000-01', { value: '1' }, null)
  const withdrawn = release(1, 'AUS/cpi/2000-01', {}, 'rel_0')
  const back = release(2, 'AUS/cpi/2000-01', { value: '2' }, 'rel_1')
  const history = [3, 4].map((offset) => release(offset, 'AUS/cpi/2000-01', { value: '3' }, null))
  const [late, redated] = history.map(({ value, ...rest }, i) => ({
    ...rest,
    value: { ...value, late: i === 0, redates: i === 0 ? null : 'rel_2' },
  })) as [Line<ReleaseValue>, Line<ReleaseValue>]
  const eventsAre = (kinds: readonly string[]) =>
    kinds.map((kind, i): Line<EventValue> => {
      const type = `economics.release.${kind}`
      const data = JSON.stringify([printed, withdrawn, back, late][i]?.value.figures)
      return line(
        'events',
        i,
        { sequence: i + 1, id: `evt_${i}`, type, subject: '', data },
        { cause: `releases/0/${i}` },
      )
    })
  const all = [printed, withdrawn, back, late, redated]
  it('know a withdrawal and its end, and expect none of a late print or a corrected date', () => {
    expect(judgeEvents(eventsAre(['published', 'withdrawn', 'published']), all, [])).toEqual([])
    expect(judgeEvents(eventsAre(['published', 'revised', 'published']), all, [])).not.toEqual([])
    expect(judgeEvents(eventsAre(['published', 'withdrawn', 'revised']), all, [])).not.toEqual([])
    expect(judgeEvents(eventsAre(['published', 'withdrawn', 'published', 'published']), all, [])).not.toEqual([])
  })
  it.each([
    ['a lost event', without(events, 9)],
    ['a lost last event', events.slice(0, -1)],
    ['an event twice', [...events, events[3] as Line<EventValue>]],
    ['events out of order', swapped(events, 9)],
    ['an event with other figures', wrongData],
  ])('notices %s', (_, wrong) => expect(judgeEvents(wrong, releases, signals)).not.toEqual([]))

  const received = events.map(({ value }) => ({
    sequence: value.sequence,
    id: value.id,
    subject: value.subject,
    data: JSON.parse(value.data) as unknown,
  }))
  it('pass as a client received them', () => expect(judgeReceived('client', received, events)).toEqual([]))
  it.each([
    ['one that was dropped', without(received, 4)],
    ['the last one dropped', received.slice(0, -1)],
    ['one that came twice', received.toSpliced(4, 0, received[4] as (typeof received)[number])],
    ['two that changed places', swapped(received, 4)],
    ['one that the journal lacks', [...received, { sequence: 90_000, id: 'evt_x', subject: '', data: {} }]],
    ['one with other data', received.map((event, i) => (i === 4 ? { ...event, data: {} } : event))],
  ])('notices %s', (_, wrong) => expect(judgeReceived('client', wrong, events)).not.toEqual([]))
})

describe('ticks', () => {
  const written = (lines: readonly Line<TickValue>[], quarantine: readonly Line<RejectedValue>[] = []) => ({
    ticks: [lines],
    quarantine,
  })
  /** The tick as it was refused by a clock that far behind it. */
  const refused = ({ value: { symbol, price, observed_at } }: Line<TickValue>, behindMs: number) =>
    rejected({
      reason: 'price_in_future',
      retrieved_at: new Date(Date.parse(observed_at) - behindMs).toISOString(),
      bytes: Buffer.from(JSON.stringify({ symbol, printed: price, observedAt: observed_at })).toString('base64'),
    })
  it('pass, but for the last ones of a connection that was cut', () =>
    expect(judgeTicks(written([...ticks, timer]), [cut, open], [])).toEqual([]))
  it('pass where one that was ahead of a clock that was set back is in quarantine, and only then', () => {
    const [ahead, current] = [3_600_000, 1_000].map((ms) => refused(ticks[5] as Line<TickValue>, ms))
    const judged = (line: Line<RejectedValue> | undefined) =>
      judgeTicks(written(without(ticks, 5), line && [line]), [cut, open], [])
    expect(judged(ahead)).toEqual([])
    expect(judged(current)).not.toEqual([])
    expect(judged(undefined)).not.toEqual([])
  })
  const ofFile = tick(50, 50, 'TEST')
  it('pass as a file said them', () =>
    expect(judgeTicks(written([...ticks, ofFile]), [cut, open], [sentOf(ofFile)])).toEqual([]))
  it.each([
    ['one that is missing before others', without(ticks, 2)],
    ['the last one of the open connection missing', ticks.slice(0, -1)],
    ['one twice', [...ticks, tick(50, 3)]],
    ['one that was never sent', [...ticks, tick(50, 70)]],
    ['two that changed places', ticks.map((found, i) => (i === 5 ? tick(10, 6) : i === 6 ? tick(12, 5) : found))],
    ['one of a file that is missing', ticks, [sentOf(ofFile)]],
    ['one of a file twice', [...ticks, ofFile, { ...ofFile, offset: 52 }], [sentOf(ofFile)]],
  ])('notice %s', (_, wrong, acknowledged = []) =>
    expect(judgeTicks(written(wrong), [cut, open], acknowledged)).not.toEqual([]),
  )
})

describe('tables', () => {
  const quarantine = [rejected({})]
  const journal = { releases, events, ticks, quarantine, allTicks: ticks }
  const right = expectedTables(journal)
  it('pass as the journal says', () => expect(judgeTables(right, expectedTables(journal))).toEqual([]))
  for (const table of ['vintages', 'events', 'ticks', 'quarantine', 'candles'] as const) {
    it(`${table}: notices a row that is missing, twice, or another`, () => {
      const rows = right[table]
      const [first] = rows
      if (!first) throw new Error('the table is empty')
      const others = [without(rows, 0), [...rows, first], [{ ...first, id: 'x', figures: {} }, ...rows.slice(1)]]
      for (const other of others) expect(judgeTables(right, { ...right, [table]: other })).not.toEqual([])
    })
  }
  it('recomputes candles in the order of the sources’ own times', () => {
    const late = { ...tick(30, 1), value: { ...tick(30, 1).value, price: '9.5' } }
    expect(candlesOf([...ticks, late]).get('XAU-USD feed 2026-01-01T00:00 0')).toMatchObject({
      open: '100.0001',
      high: '100.0071',
      low: '9.5',
      close: '100.0071',
      ticks: 9,
      firstOffset: 0,
      lastOffset: 14,
    })
  })
})

it('quota: notices a call that was not counted, and more than a block too many', () => {
  expect(judgeQuota(10, { granted: 10, uncertain: 0 }, 0)).toEqual([])
  expect(judgeQuota(1_011, { granted: 10, uncertain: 1 }, 1)).toEqual([])
  expect(judgeQuota(9, { granted: 10, uncertain: 5 }, 1)).not.toEqual([])
  expect(judgeQuota(1_012, { granted: 10, uncertain: 1 }, 1)).not.toEqual([])
})

it('prints tenths as they are written', () => expect([printed(1070), printed(1234)]).toEqual(['107.0', '123.4']))
