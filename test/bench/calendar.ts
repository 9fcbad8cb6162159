/** The release calendar and a scrape of it after one more record, beside a calendar that is made whole, in 65 years of months. */
import { calendarOf } from '../../api/release-calendar.ts'
import { StatementBoard } from '../../domain/calendar-statements.ts'
import { FigureBoard } from '../../domain/figure-board.ts'
import { shiftPeriod } from '../../domain/period.ts'
import { ReleaseDatesBoard } from '../../domain/release-dates.ts'
import { ReleaseIndex } from '../../domain/release-index.ts'
import { Grown } from '../support/growth.ts'
import { type Cost, costOf, type Measure, median } from './measure.ts'

const MONTHS = 780
/** Releases of a journal whose figures are all revised once more, on average. */
const A_REVISION = 7_000
const RELEASES = Number(process.env.ALMANAC_BENCH_RECORDS ?? 100_000)
const ROUNDS = 12

export async function bench(): Promise<Measure[]> {
  const grown = new Grown()
  const deps = {
    figures: new FigureBoard(),
    releaseIndex: new ReleaseIndex(),
    statements: new StatementBoard(),
    releaseDates: new ReleaseDatesBoard(),
    clock: () => new Date('2026-10-25T12:00:00Z'),
  }
  const apply = (releases: ReturnType<Grown['releases']>) => {
    for (const release of releases) {
      deps.figures.apply(release)
      deps.releaseIndex.apply(release)
    }
  }
  apply(grown.releases(MONTHS, Math.ceil(RELEASES / A_REVISION)))
  const kept = calendarOf(deps)
  const entries: Cost[] = []
  const scrape: Cost[] = []
  const whole: Cost[] = []
  await kept.entries()
  for (let round = 0; round < ROUNDS; round++) {
    const after = shiftPeriod('2026-10', round)
    apply(grown.published('USA', '2026-09', after, 90 + round))
    scrape.push(await costOf(kept.pending))
    entries.push(await costOf(kept.entries))
    whole.push(await costOf(calendarOf(deps).entries))
  }
  const of = (rounds: readonly Cost[], kind: keyof Cost) => median(rounds.map((cost) => cost[kind]))
  const row = (name: string, ours: readonly Cost[]): Measure => ({
    name: `${name}, ${deps.releaseIndex.count.toLocaleString('en')} releases`,
    ours: of(ours, 'clock') * 1e3,
    ceiling: of(whole, 'clock') * 1e3,
    unit: 'ms',
    cpu: { ours: of(ours, 'cpu') * 1e6, ceiling: of(whole, 'cpu') * 1e6 },
  })
  return [row('calendar after a record', entries), row('scrape after a record', scrape)]
}
