import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EventRecord, Release, Series } from '../../contracts/records.ts'
import { addDays } from '../../domain/day.ts'
import { deriveInOrder, nothingDerived } from '../../domain/derive/fold.ts'
import { FigureBoard } from '../../domain/figure-board.ts'
import { periodsOfYear } from '../../domain/period.ts'
import { eventOfRelease } from '../../domain/release-event.ts'
import { ReleaseIndex } from '../../domain/release-index.ts'
import { cpi, type Document, dayByDay, documents, print, publicationsOf } from '../support/dated-documents.ts'
import { flowSeries } from '../support/releases.ts'

/** Derives from documents, of which as many publications are read together. */
function read(documents: readonly Document[], together = 1): Release[] {
  const state = nothingDerived()
  const releases: Release[] = []
  const publications = publicationsOf(documents)
  for (let i = 0; i < publications.length; i += together) {
    const published = publications.slice(i, i + together)
    const derived = deriveInOrder(state, published)
    releases.push(...published.flatMap((publication, j) => [...publication, ...(derived[j] ?? [])]))
  }
  return releases
}

/**
 * The prints of derived figures as read models show them: in the order of their days, without voided and redated ones.
 */
function printsOf(releases: readonly Release[]): string[] {
  const gone = new Set(releases.flatMap(({ redates, voids }) => [redates, voids]))
  return releases
    .filter(({ series, release_id, voids }) => series.derivation !== '' && voids === null && !gone.has(release_id))
    .map(
      ({ series, period, released_on, released_on_basis, figures }) =>
        `${series.id} ${period} ${released_on} ${released_on_basis} ${JSON.stringify(figures)}`,
    )
    .sort()
}

/** What is current of derived figures according to a fold that passes over late releases. */
function currentOf(releases: readonly Release[]): string[] {
  const board = new FigureBoard()
  for (const release of releases) board.apply(release)
  return [...board.releases()]
    .filter(({ series }) => series.derivation !== '')
    .map(
      ({ series, period, released_on, figures }) => `${series.id} ${period} ${released_on} ${JSON.stringify(figures)}`,
    )
    .sort()
}

/** The last print of each figure. */
function newestOf(prints: readonly string[]): string[] {
  const newest = new Map<string, string>()
  for (const print of prints) newest.set(print.split(' ').slice(0, 2).join(' '), print.replace(' publisher', ''))
  return [...newest.values()].sort()
}

function eventsOf(releases: readonly Release[]): EventRecord[] {
  const board = new FigureBoard()
  return releases.flatMap((release, i) => eventOfRelease(board, release, i + 1) ?? [])
}

describe('the prints of a derived figure', () => {
  // 2025-01 to 2026-01, each on the 15th of the next month, then two revisions and two further months.
  const months = [...periodsOfYear('M', '2025'), '2026-01', '2026-02']
  const file0 = months
    .slice(0, 13)
    .map((period, i) => print(cpi, period, `${months[i + 1]}-15`, String(period === '2026-01' ? 104 : 101 + i)))
  const file1 = [print(cpi, '2025-01', '2026-03-15', '102'), print(cpi, '2026-02', '2026-03-15', '105')]
  const file2 = [print(cpi, '2026-01', '2026-04-15', '103.5'), print(cpi, '2026-03', '2026-04-15', '106')]
  const files = [file0, file1, file2]
  const yearOverYear = (releases: readonly Release[]) =>
    printsOf(releases)
      .filter((line) => line.includes('inflation.') && line.includes(' 2026-01 '))
      .map((line) => `${line.split(' ')[2]} ${/year_over_year":"([^"]*)/.exec(line)?.[1]}`)

  it.each([
    ['oldest first', [0, 1, 2]],
    ['the second file last', [0, 2, 1]],
    ['newest first', [2, 1, 0]],
    ['the first file last', [1, 2, 0]],
  ])('are those of the days of its inputs, read %s', (_, order) => {
    const releases = read(order.map((i) => files[i] ?? []))
    expect(yearOverYear(releases)).toEqual(['2026-02-15 3.0', '2026-03-15 2.0', '2026-04-15 1.5'])
    expect(currentOf(releases)).toEqual(newestOf(printsOf(releases)))
  })

  it('are the same if all files are one', () => {
    expect(printsOf(read([files.flat()]))).toEqual(printsOf(read(files)))
  })

  it('lose one that never was true, by a record that names it, without an event', () => {
    const releases = read([file0, file2, file1])
    const voids = releases.filter((release) => release.voids !== null)
    expect(voids).toHaveLength(1)
    const voided = releases.find(({ release_id }) => release_id === voids[0]?.voids)
    expect(voided).toMatchObject({ period: '2026-01', released_on: '2026-04-15', figures: { year_over_year: '2.5' } })
    expect(voids[0]).toMatchObject({ late: true, redates: null, figures: {} })
    const rates = eventsOf(releases)
      .filter(({ subject }) => subject === 'MNE/inflation/2026-01')
      .map(({ type, data }) => `${type} ${JSON.parse(data).year_over_year}`)
    expect(rates).toEqual([
      'economics.release.published 3.0',
      'economics.release.revised 2.5',
      'economics.release.revised 1.5',
    ])
  })

  it('go, with the event of a withdrawal, if none was ever complete', () => {
    const [exports, imports] = [flowSeries('trade-exports'), flowSeries('trade-imports')]
    const both = [print(imports, '2025-11', '2026-01-02', '2'), print(exports, '2025-11', '2026-01-08', '5')]
    const gone = [print(imports, '2025-11', '2026-01-03', null)]
    const releases = read([both, gone])
    expect(printsOf(releases)).toEqual([])
    expect(currentOf(releases)).toEqual([])
    const ofTrade = eventsOf(releases).filter(({ subject }) => subject === 'USA/trade/2025-11')
    expect(ofTrade.map(({ type }) => type)).toEqual(['economics.release.published', 'economics.release.withdrawn'])
    expect(JSON.parse(ofTrade[1]?.data ?? '{}')).toMatchObject({ previous: { balance: '3' } })
  })
})

describe('publications that are read together', () => {
  const [exports, imports] = [flowSeries('trade-exports'), flowSeries('trade-imports')]
  const days = Array.from({ length: 12 }, (_, i) => `2026-02-${String(i + 1).padStart(2, '0')}`)
  const revisions = (series: Series, first: number) =>
    days.map((day, i) => print(series, '2025-11', day, String(first + i)))
  const documents = [
    revisions(exports, 50),
    revisions(imports, 20).map((one, i) => ({ ...one, value: `${20 + 2 * i}` })),
  ]
  const isDerived = ({ series }: Release) => series.derivation !== ''

  it('give each derived print once, as if the documents had come day by day', () => {
    const made = read(documents, 24).filter(isDerived)
    expect(made).toEqual(read(dayByDay(documents)).filter(isDerived))
    expect(made.filter(({ series }) => series.indicator === 'trade')).toHaveLength(12)
  })

  it('leave no first print that revises one that never was', () => {
    const first = [
      print(imports, '2025-11', '2026-01-02', '2'),
      print(exports, '2025-11', '2026-01-08', '5'),
      print(exports, '2025-11', '2026-01-12', '6'),
    ]
    const second = [print(imports, '2025-11', '2026-01-03', null), print(imports, '2025-11', '2026-01-12', '2')]
    for (const together of [1, 5]) {
      const releases = read([first, second], together)
      const index = new ReleaseIndex()
      for (const release of releases) index.apply(release)
      const publications = index.series().flatMap((one) => (one.series.indicator === 'trade' ? one.publications : []))
      expect(publications).toMatchObject([{ period: '2025-11', released_on: '2026-01-12' }])
    }
  })

  it('end in the same prints as those that are read one by one, which gives many that never were true', () => {
    const oneByOne = read(documents)
    expect(printsOf(read(documents, 24))).toEqual(printsOf(oneByOne))
    expect(oneByOne.filter(({ voids }) => voids !== null).length).toBeGreaterThan(50)
  })
})

describe('a document of many days', () => {
  const [exports, imports] = [flowSeries('trade-exports'), flowSeries('trade-imports')]
  const periods = Array.from({ length: 50 }, (_, year) => periodsOfYear('M', String(1960 + year))).flat()
  const dayOf = (i: number) => addDays('2010-01-01', i)
  // All exports were revised on one late day.
  const known = periods.flatMap((period, i) => [
    print(exports, period, dayOf(i), '50'),
    print(exports, period, '2026-01-01', '51'),
  ])
  const others = periods.map((period, i) => print(imports, period, dayOf(i + 30), '20'))

  it('is derived with as many looks at figures as it has, and not with the square', () => {
    const state = nothingDerived()
    const [ofKnown, ofOthers] = [publicationsOf([known]), publicationsOf([known, others]).slice(-periods.length)]
    deriveInOrder(state, ofKnown)
    let looks = 0
    const { prints } = state
    const counting = new Proxy(prints, {
      get: (target, name) => {
        if (name === 'get') looks++
        const member = Reflect.get(target, name)
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
    const made = deriveInOrder({ ...state, prints: counting }, ofOthers).flat()
    expect(made.filter(({ series }) => series.indicator === 'trade').length).toBeGreaterThan(2 * periods.length)
    expect(looks).toBeLessThan(100 * periods.length)
  })
})

describe('derived prints of any documents', () => {
  it('follow from the days of their inputs, whatever the order of reading', () => {
    let voided = 0
    fc.assert(
      fc.property(documents, fc.integer({ min: 1, max: 8 }), ({ documents, inOrder }, together) => {
        const truth = read(dayByDay(documents))
        expect(truth.filter(({ late, redates, voids }) => late || redates !== null || voids !== null)).toEqual([])
        const releases = read(inOrder, together)
        expect(printsOf(releases)).toEqual(printsOf(truth))
        expect(currentOf(releases)).toEqual(currentOf(truth))
        expect(new Set(releases.map(({ release_id }) => release_id)).size).toBe(releases.length)
        voided += releases.filter(({ voids }) => voids !== null).length
        // What a consumer of events knows is what is current, and no event says again what it knows.
        const told = new Map<string, string>()
        for (const { subject, data } of eventsOf(releases)) {
          const { released_on: _, previous: __, ...body } = JSON.parse(data)
          expect(told.get(subject)).not.toBe(JSON.stringify(body))
          told.set(subject, JSON.stringify(body))
        }
        // The index knows one current release of each figure: that of the board.
        const [board, index] = [new FigureBoard(), new ReleaseIndex()]
        for (const release of releases) {
          board.apply(release)
          index.apply(release)
        }
        const current = releases.filter(({ release_id }) => index.current(release_id))
        expect(new Set(current)).toEqual(new Set(board.releases()))
        expect(index.series().reduce((sum, { observations }) => sum + observations, 0)).toBe(board.size)
        const prints = releases.filter(({ redates, voids }) => redates === null && voids === null).length
        const voids = releases.filter((release) => release.voids !== null).length
        expect(index.series().reduce((sum, { vintages }) => sum + vintages, 0)).toBe(prints - voids)
      }),
      { numRuns: 40 },
    )
    expect(voided).toBeGreaterThan(30)
  })
})
