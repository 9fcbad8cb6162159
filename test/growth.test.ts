import { describe, expect, it } from 'vitest'
import { calendarOf } from '../api/release-calendar.ts'
import type { Release } from '../contracts/records.ts'
import { StatementBoard } from '../domain/calendar-statements.ts'
import { FigureBoard } from '../domain/figure-board.ts'
import { ReleaseDatesBoard } from '../domain/release-dates.ts'
import { ReleaseIndex } from '../domain/release-index.ts'
import { dueChanges, nothingWatched, watchRelease } from '../domain/release-watch.ts'
import { Acceptor } from '../ingest/accept/accept.ts'
import {
  appendReleases,
  counted,
  documentsWithVintages,
  Grown,
  journalOf,
  processAll,
  startApi,
} from './support/growth.ts'
import { valuesOf } from './support/journal.ts'
import { testDocument, testSeries } from './support/releases.ts'

/**
 * Work after one more record, which must not grow with the journal. It is counted, because time depends on the machine. The
 * larger journal has ten times as many releases: histories that go back further, and more revisions of each figure.
 */
const sizes =
  process.env.ALMANAC_TEST_WHOLE === '1'
    ? [
        { months: 120, depth: 10 },
        { months: 400, depth: 30 },
      ]
    : [
        { months: 40, depth: 3 },
        { months: 120, depth: 10 },
      ]
const now = new Date('2026-10-25T12:00:00Z')

/** The releases of both journals, and what comes next. */
const journals = sizes.map(({ months, depth }) => {
  const grown = new Grown()
  return { releases: grown.releases(months, depth), next: grown.published('USA', '2026-09', '2026-10', 2) }
})

/** Counts the same work on both journals. */
async function onBoth(work: (releases: readonly Release[], next: readonly Release[]) => Promise<number>) {
  const counts = []
  for (const { releases, next } of journals) counts.push(await work(releases, next))
  const [few = 0, many = 0] = counts
  return { few, many }
}

/** The state in memory of a service that has read these releases, and the number of questions to it. */
function memoryOf(releases: readonly Release[]) {
  let asked = 0
  const [figures, releaseIndex] = [new FigureBoard(), new ReleaseIndex()]
  const apply = (release: Release) => {
    figures.apply(release)
    releaseIndex.apply(release)
  }
  for (const release of releases) apply(release)
  // The numbers of changes are compared, one for each year.
  const count = (method: string) => {
    if (method !== 'changes') asked++
  }
  const boards = {
    figures: counted(figures, count),
    releaseIndex: counted(releaseIndex, count),
    statements: counted(new StatementBoard(), count),
    releaseDates: counted(new ReleaseDatesBoard(), count),
  }
  return { apply, asked: () => asked, ...calendarOf({ ...boards, clock: () => now }) }
}

it('one journal has ten times as many releases as the other', () => {
  const [few = 0, many = 0] = journals.map(({ releases }) => releases.length)
  expect(few).toBeGreaterThan(1_000)
  expect(many).toBeGreaterThan(few * 9)
})

describe('after one more record', () => {
  it('the calendar makes as few entries, and asks as little for them', async () => {
    const made: number[] = []
    const { few, many } = await onBoth(async (releases, next) => {
      const { apply, asked, entries } = memoryOf(releases)
      const known = new Set(await entries())
      const before = asked()
      for (const release of next) apply(release)
      made.push((await entries()).filter((entry) => !known.has(entry)).length)
      return asked() - before
    })
    expect(made[0]).toBeGreaterThan(0)
    expect(made[1]).toBe(made[0])
    expect(many).toBeLessThan(few * 1.2)
  })

  it('a scrape of the metrics asks as little, also the first one', async () => {
    const { few, many } = await onBoth(async (releases, next) => {
      const { apply, asked, pending } = memoryOf(releases)
      pending()
      for (const release of next) apply(release)
      expect(pending().length).toBeGreaterThan(0)
      return asked()
    })
    expect(many).toBeLessThan(few * 1.2)
  })

  it('the timers of the calendar read as few first prints', async () => {
    const { few, many } = await onBoth(async (releases) => {
      let read = 0
      const state = nothingWatched()
      for (const release of releases) watchRelease(state, release)
      for (const [id, track] of state.tracks) {
        const publications = new Proxy(track.publications, {
          get(all, index) {
            if (/^\d+$/.test(String(index))) read++
            // A cast: what is asked for is a member.
            return all[index as keyof typeof all]
          },
        })
        state.tracks.set(id, { ...track, publications })
      }
      expect(dueChanges(state, now.getTime()).length).toBeGreaterThan(0)
      return read
    })
    expect(many).toBeLessThan(few * 1.2)
  })

  it('the acceptor reads the releases of the countries that a document has', async () => {
    const { few, many } = await onBoth(async (releases) => {
      const { journal, readsOf } = await journalOf(releases)
      const document = (value: string) => [
        {
          kind: 'figure' as const,
          series: testSeries({ country: 'SGP' }),
          period: '2025-08',
          figures: { value: { printed: value } },
          released: { on: '2025-09-20', basis: 'publisher' as const },
          location: 'row 1',
        },
      ]
      const accept = (value: string) => new Acceptor(journal).accept(testDocument, document(value))
      expect(await accept('100.1')).toMatchObject({ new: 1 })
      return readsOf(async () => expect(await accept('100.2')).toMatchObject({ revised: 1 }))
    })
    expect([few, many]).toEqual([1, 1])
  })

  it('the processors start from their checkpoints', async () => {
    const { few, many } = await onBoth(async (releases) => {
      const { journal, directory, readsOf } = await journalOf(releases)
      expect(await readsOf(() => processAll(journal, directory))).toBeGreaterThanOrEqual(releases.length)
      return readsOf(() => processAll(journal, directory))
    })
    expect([few, many]).toEqual([0, 0])
  })

  it('the api starts from its checkpoint', async () => {
    const { few, many } = await onBoth(async (releases, next) => {
      const { journal, directory, readsOf } = await journalOf(releases)
      expect(await readsOf(() => startApi(journal, directory))).toBe(releases.length)
      await appendReleases(journal, next)
      return readsOf(() => startApi(journal, directory))
    })
    expect(few).toBeGreaterThan(0)
    expect(many).toBe(few)
  })
})

/** Histories of which one has ten times as many figures as the other, each with 20 vintages. */
const VINTAGES = 20
const histories =
  process.env.ALMANAC_TEST_WHOLE === '1'
    ? [
        { countries: 1, months: 280 },
        { countries: 4, months: 700 },
      ]
    : [
        { countries: 1, months: 36 },
        { countries: 1, months: 280 },
      ]

it('documents of many vintages leave each derived print once, and few that are void', async () => {
  const left = []
  for (const { countries, months } of histories) {
    const { journal, directory } = await journalOf([])
    const acceptor = new Acceptor(journal)
    for (const [i, figures] of documentsWithVintages(countries, months, VINTAGES).entries()) {
      const document = { ...testDocument, retrievedAt: now.toISOString(), sha256: String(i).padStart(64, '0') }
      expect(await acceptor.accept(document, figures)).toMatchObject({ rejected: 0, held: 0 })
    }
    await processAll(journal, directory)
    const releases = await valuesOf(journal, 'releases')
    const ingested = releases.filter(({ series }) => series.derivation === '').length
    const voided = releases.filter(({ voids }) => voids !== null).length
    left.push({ derived: (releases.length - ingested) / ingested, voided: voided / ingested })
  }
  const [few, many] = left
  expect(many?.derived).toBeLessThan((few?.derived ?? 0) * 1.2)
  expect(many?.derived).toBeLessThan(1)
  expect(many?.voided).toBeLessThan(0.1)
})
