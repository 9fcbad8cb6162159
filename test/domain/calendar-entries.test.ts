import { describe, expect, it } from 'vitest'
import type { CalendarChange, Series } from '../../contracts/records.ts'
import { shiftPeriod } from '../../domain/period.ts'
import { flowSeries, testSeries } from '../support/releases.ts'
import { cpi, DrawnCalendar, elsewhere, small } from './drawn-calendar.ts'

const [exports, imports] = [flowSeries('trade-exports'), flowSeries('trade-imports')]
const noon = (day: string): string => `${day}T12:00:00.000Z`

/** A calendar in which everything is recorded at noon of its day. */
function calendar() {
  const drawn = new DrawnCalendar()
  const on = (day: string) => {
    drawn.now = Date.parse(noon(day))
  }
  const figure = (series: Series, period: string, day: string, value: string | null = '100') => {
    on(day)
    drawn.figure(series, period, value, day)
  }
  const say = (change: CalendarChange['change'], period: string, day: string, of = cpi) => {
    on(day)
    drawn.say({ change, country: of.country, indicator: of.indicator, period }, null)
  }
  const announce = (day: string, days: readonly string[]) => {
    on(day)
    drawn.announce(days, ['USA/cpi'])
  }
  const entries = (day: string, indicator = 'cpi') => {
    on(day)
    return drawn.kept.entries(drawn.now).filter((entry) => entry.indicator === indicator)
  }
  const entry = (period: string, day: string, indicator?: string) =>
    entries(day, indicator).filter((one) => one.period === period)
  return { figure, say, announce, entries, entry }
}

/** January to March, each ten days after its end: the usual lag is ten days. */
function begun(...all: readonly Series[]) {
  const begun = calendar()
  for (const series of all.length > 0 ? all : [cpi]) {
    begun.figure(series, '2024-01', '2024-02-10')
    begun.figure(series, '2024-02', '2024-03-10')
    begun.figure(series, '2024-03', '2024-04-10')
  }
  return begun
}
const shown = (entries: ReturnType<ReturnType<typeof calendar>['entries']>) =>
  entries.map(({ period, status, day }) => [period, status, day])

describe('a pending release', () => {
  it('is late from the end of its day at the publisher on, and the next one is expected since the newest record', () => {
    expect(begun().entries('2024-05-20').slice(3)).toMatchObject([
      // Midnight in New York.
      { period: '2024-04', status: 'late', day: '2024-05-10', days_late: 10, changed_at: '2024-05-11T04:00:00.000Z' },
      { period: '2024-05', status: 'expected', day: '2024-06-10', days_late: 0, changed_at: noon('2024-04-10') },
    ])
    expect(begun().entries('2024-05-10').slice(3)).toMatchObject([
      { period: '2024-04', status: 'expected', changed_at: noon('2024-04-10') },
    ])
  })

  it('is what it is since days were announced, something was said of its indicator, or an input was recorded', () => {
    const announced = begun()
    announced.announce('2024-04-11', ['2024-05-14'])
    expect(announced.entries('2024-04-20').at(-1)).toMatchObject({
      day: '2024-05-14',
      changed_at: noon('2024-04-11'),
    })
    const said = begun()
    said.say('never_published', '2024-02', '2024-04-12')
    expect(said.entries('2024-04-20').at(-1)).toMatchObject({ period: '2024-04', changed_at: noon('2024-04-12') })
    const computed = begun(exports, imports)
    computed.figure(exports, '2024-04', '2024-05-03')
    expect(computed.entries('2024-05-04', 'trade').at(-1)).toMatchObject({
      period: '2024-04',
      status: 'expected',
      changed_at: noon('2024-05-03'),
    })
  })

  it('is none that was cancelled', () => {
    const cancelled = begun()
    cancelled.say('cancelled', '2024-04', '2024-04-20')
    expect(shown(cancelled.entries('2024-05-20')).slice(3)).toEqual([
      ['2024-04', 'cancelled', '2024-05-10'],
      ['2024-05', 'expected', '2024-06-10'],
    ])
  })

  it('comes last if it has no day', () => {
    const undated = begun()
    undated.figure(small, '2024-03', '2024-04-11')
    expect(shown(undated.entries('2024-04-20'))).toEqual([
      ['2024-01', 'published', '2024-02-10'],
      ['2024-02', 'published', '2024-03-10'],
      ['2024-03', 'published', '2024-04-10'],
      ['2024-03', 'published', '2024-04-11'],
      ['2024-04', 'expected', '2024-05-10'],
      ['2024-04', 'expected', null],
    ])
  })
})

describe('a release that will not come', () => {
  it('stands on its expected day with what was said of it', () => {
    const said = begun()
    said.say('cancelled', '2024-04', '2024-04-20')
    expect(said.entry('2024-04', '2024-04-25')).toMatchObject([
      {
        status: 'cancelled',
        day: '2024-05-10',
        expected_on: '2024-05-10',
        published_on: null,
        release_id: null,
        days_late: null,
        reason: 'no survey',
        stated_at: noon('2024-04-20'),
        changed_at: noon('2024-04-20'),
      },
    ])
  })

  it('stands on the day of its cancellation, or at the end of its period, if no day is known', () => {
    const said = calendar()
    said.figure(cpi, '2024-02', '2024-03-10')
    said.say('cancelled', '2024-03', '2024-04-20')
    said.say('never_published', '2024-04', '2024-05-20')
    expect(shown(said.entries('2024-05-25')).slice(1)).toEqual([
      ['2024-03', 'cancelled', '2024-04-20'],
      ['2024-04', 'never_published', '2024-04-30'],
      ['2024-05', 'expected', null],
    ])
  })

  it('is one of a period before the first figure in no case', () => {
    const said = begun()
    said.say('never_published', '2023-12', '2024-04-20')
    expect(said.entry('2023-12', '2024-04-25')).toEqual([])
  })

  it('is also what is computed from it, since anything behind it was recorded', () => {
    const said = begun(exports, imports)
    said.say('cancelled', '2024-04', '2024-04-20', exports)
    said.figure(imports, '2024-04', '2024-05-10')
    expect(said.entry('2024-04', '2024-05-11', 'trade')).toMatchObject([
      {
        status: 'cancelled',
        reason: 'needs trade-exports of 2024-04, which was cancelled: no survey',
        stated_at: noon('2024-04-20'),
        changed_at: noon('2024-05-10'),
      },
    ])
  })

  it('is one whose figure was withdrawn, if that was said of it', () => {
    const said = begun()
    said.figure(cpi, '2024-02', '2024-04-15', null)
    said.say('never_published', '2024-02', '2024-04-20')
    expect(said.entry('2024-02', '2024-04-25')).toMatchObject([{ status: 'never_published', published_on: null }])
  })
})

describe('a published release', () => {
  it('is that of another series after the newest of the best one', () => {
    const published = begun()
    published.figure(elsewhere, '2024-04', '2024-05-12')
    expect(published.entry('2024-04', '2024-05-20')).toMatchObject([
      { status: 'published', series: elsewhere.id, published_on: '2024-05-12', days_late: 2 },
    ])
  })

  it('is what it is since it was recorded, or something was said of it', () => {
    const published = begun()
    expect(published.entry('2024-02', '2024-04-25')).toMatchObject([
      { status: 'published', changed_at: noon('2024-03-10'), stated_at: null, reason: null },
    ])
    published.say('cancelled', '2024-02', '2024-04-25')
    expect(published.entry('2024-02', '2024-04-26')).toMatchObject([
      { status: 'published', changed_at: noon('2024-04-25'), stated_at: null, reason: null },
    ])
  })

  it('says when its figure was withdrawn, unless another series answers', () => {
    const withdrawn = begun()
    withdrawn.figure(cpi, '2024-02', '2024-04-15', null)
    expect(withdrawn.entry('2024-02', '2024-04-25')).toMatchObject([
      {
        status: 'published',
        published_on: '2024-03-10',
        reason: 'withdrawn on 2024-04-15',
        stated_at: noon('2024-04-15'),
        changed_at: noon('2024-04-15'),
      },
    ])
    withdrawn.figure(elsewhere, '2024-02', '2024-04-18')
    expect(withdrawn.entry('2024-02', '2024-04-25')).toMatchObject([
      { status: 'published', series: elsewhere.id, published_on: '2024-04-18', reason: null, stated_at: null },
    ])
  })

  it('that came after all has an entry, also in a document that brought the whole past at once', () => {
    const whole = calendar()
    whole.say('never_published', '2022-12', '2024-04-01')
    whole.say('never_published', '2023-12', '2024-04-01')
    whole.say('never_published', '2024-01', '2024-04-02')
    whole.say('never_published', '2024-02', '2024-04-03')
    whole.say('restored', '2024-02', '2024-04-04')
    for (let period = '2022-12'; period <= '2024-03'; period = shiftPeriod(period, 1))
      whole.figure(cpi, period, '2024-05-10')
    // The day on which the other figures came out is not known.
    const published = (indicator?: string) =>
      whole
        .entries('2024-05-10', indicator)
        .filter(({ status }) => status === 'published')
        .map(({ period, published_on }) => [period, published_on])
        .sort()
    expect(published()).toEqual([
      ['2022-12', '2024-05-10'],
      ['2023-12', '2024-05-10'],
      ['2024-01', '2024-05-10'],
      ['2024-03', '2024-05-10'],
    ])
    // Inflation of February also needs the index of January.
    expect(published('inflation')).toEqual([
      ['2023-12', '2024-05-10'],
      ['2024-01', '2024-05-10'],
      ['2024-03', '2024-05-10'],
    ])
  })

  it('is only of figures that are served, and that may be shown', () => {
    const volume = testSeries({ indicator: 'gdp-volume', frequency: 'Q', unit: 'USD' })
    const kept = calendar()
    kept.figure(volume, '2024-Q1', '2024-04-25')
    expect(kept.entries('2024-04-25', 'gdp-volume')).toEqual([])
    const china = flowSeries('trade-exports', { country: 'CHN' })
    kept.figure(china, '2024-01', '2024-03-10')
    expect(kept.entries('2024-04-25', 'trade-exports')).toEqual([])
  })
})
