import { cbsMapping } from '../map/publishers/cbs.ts'
import { LFS, QNA } from '../map/publishers/oecd.ts'
import { publisherCalendars, RELEASE_DATES } from '../release-dates/calendars.ts'
import { DATASET as LONG_CPI } from '../sources/bis/parse.ts'
import { datasetOf } from '../sources/comtrade/parse.ts'
import { fredSeries } from '../sources/fred/parse.ts'
import { worldBankIndicators } from '../sources/world-bank/figure.ts'
import { type Asking, nextAsking } from './asking.ts'
import { type AnnouncedDays, ReleaseDays } from './release-days.ts'
import type { Job } from './schedule.ts'

const NEW_YORK = 'America/New_York'

/** FRED's copies of figures that the BLS or the BEA publishes at 8:30 on days that they announce. */
const takenOver = (datasets: readonly string[], covers: readonly string[], office: string): Asking => ({
  source: 'fred',
  datasets,
  zone: NEW_YORK,
  pattern: '45 8,10 * * *',
  workingDays: { holidays: 'none' },
  announced: { covers, otherwise: '30 7 * * 6' },
  leastApart: 1,
  why: `The ${office} publishes at 8:30; FRED follows within minutes, now and then within two hours.`,
})

const atEightThirty = [
  takenOver(['UNRATE', 'CIVPART'], ['USA/unemployment'], 'BLS'),
  takenOver(['CPIAUCSL', 'CPIAUCNS'], ['USA/cpi'], 'BLS'),
  takenOver(['GDP', 'GDPC1'], ['USA/gdp'], 'BEA'),
]

/** The table of times that `docs/schedule.md`, `almanac schedule` and both schedules use. */
export const timetable: readonly Asking[] = [
  {
    source: 'ecb',
    datasets: ['eurofxref-daily'],
    zone: 'Europe/Berlin',
    pattern: '15 16,17 * * *',
    workingDays: { holidays: 'TARGET' },
    leastApart: 0.5,
    why: 'Published about 16:00 on every day that TARGET is open; once more an hour later, for days on which it is late.',
  },
  ...atEightThirty,
  {
    source: 'fred',
    datasets: Object.keys(fredSeries).filter((id) => !atEightThirty.some(({ datasets }) => datasets.includes(id))),
    zone: NEW_YORK,
    pattern: '30 7 * * 6',
    leastApart: 24,
    why: 'Figures of other publishers, which FRED takes over some days after them, once a month or a quarter.',
  },
  {
    source: 'oecd',
    datasets: [QNA, LFS],
    zone: 'Europe/Paris',
    pattern: '0 13 * * 4',
    leastApart: 24,
    why: 'Monthly and quarterly, published about noon on varying weekdays; 60 downloads an hour are allowed.',
  },
  {
    source: 'dosm',
    datasets: ['lfs_month', 'trade_headline'],
    zone: 'Asia/Kuala_Lumpur',
    pattern: '30 12 * * *',
    workingDays: { holidays: 'none' },
    leastApart: 12,
    why: 'Published at 12:00, each once a month, on days that vary; a request is some 10 kB.',
  },
  {
    source: 'ons',
    datasets: ['MGSX', 'YBHA', 'ABMI', 'BOKG', 'BOKH'],
    zone: 'Europe/London',
    pattern: '15 7 * * *',
    workingDays: { holidays: 'none' },
    leastApart: 12,
    why: 'Published at 7:00, each once a month, on days that vary; a request is some 30 kB.',
  },
  {
    source: 'cbs',
    datasets: Object.keys(cbsMapping.datasets),
    zone: 'Europe/Amsterdam',
    pattern: '45 6 * * *',
    workingDays: { holidays: 'none' },
    leastApart: 12,
    why: 'Published at 6:30, each once a month, on days that vary; a request is below 1 MB.',
  },
  {
    source: 'bis',
    datasets: [LONG_CPI],
    zone: 'Europe/Zurich',
    pattern: '0 12 * * 5',
    leastApart: 24,
    why: 'Updated once a month, usually in its last week, on a day that varies; the whole dataset is one download.',
  },
  {
    source: 'pink-sheet',
    datasets: ['pink-sheet'],
    zone: NEW_YORK,
    pattern: '0 14 * * *',
    workingDays: { holidays: 'none', nth: [2, 3, 5] },
    leastApart: 12,
    why: 'Published on the second working day of the month; asked again on the third and fifth, since holidays delay it.',
  },
  {
    source: 'world-bank',
    datasets: Object.keys(worldBankIndicators),
    zone: NEW_YORK,
    pattern: '0 6 1,15 * *',
    leastApart: 24,
    why: 'The World Development Indicators change a few times a year, on days not announced; each answer is some MB.',
  },
  {
    source: 'comtrade',
    datasets: [datasetOf('M')],
    zone: NEW_YORK,
    pattern: '0 5 * * 1',
    leastApart: 24,
    why: 'Countries report throughout the month; without a key, every period of two years is a call of its own.',
  },
  {
    source: 'comtrade',
    datasets: [datasetOf('A')],
    zone: NEW_YORK,
    pattern: '0 6 1 * *',
    leastApart: 24,
    why: 'Countries report a year throughout the one after it.',
  },
  {
    source: RELEASE_DATES,
    datasets: Object.keys(publisherCalendars),
    zone: NEW_YORK,
    pattern: '0 6 * * *',
    workingDays: { holidays: 'none' },
    leastApart: 12,
    why: 'Publishers’ own calendars; a release may be put off on any day, and the first ones come at 8:30.',
  },
]

const filesOnly = 'Files only.'
const workbooks = 'Files only, because their address changes with each release.'

/** Datasets that are not scheduled, and why. `almanac ingest` reads them. */
export const byHand: Readonly<Record<string, string>> = {
  'ecb/eurofxref-hist-90d': 'Holds eurofxref-daily and days behind it: for filling a journal once.',
  'ecb/eurofxref-hist': 'Holds eurofxref-daily and all days since 1999: for filling a journal once.',
  'ecb/EXR': 'The same rates from the data API, in a far larger answer.',
  'oecd/QGDP': 'No longer served by the publisher; files only.',
  'oecd/HUR': 'No longer served by the publisher; files only.',
  'eurostat/UNE_RT_M': 'Checked as JSON-stat, and the publisher is asked for SDMX-CSV, so it is requested by hand.',
  'eurostat/NAMQ_10_GDP': 'Its growth was checked against no recorded document yet, so it is requested by hand.',
  'ilo/UNE_DEAP_SEX_AGE_RT_Q':
    'Checked as a table of the data explorer, and the publisher is asked for CSV with codes, so it is requested by hand.',
  'unctad/US.TradeMerchTotal': filesOnly,
  'world-bank/DXGSRMRCHNSCD': filesOnly,
  'world-bank/DXGSRMRCHSACD': filesOnly,
  'world-bank/DMGSRMRCHNSCD': filesOnly,
  'world-bank/DMGSRMRCHSACD': filesOnly,
  'dosm/gdp_qtr_nominal': filesOnly,
  'dosm/gdp_qtr_real_sa': filesOnly,
  'singstat/GDP-chained-2015-dollars-quarterly-SA': filesOnly,
  'singstat/M015651': 'Changes a few times a year, on days that vary, so it is requested by hand.',
  'singstat/M213751': 'Published once a month, on days that vary, so it is requested by hand.',
  'destatis/61111': filesOnly,
  'insee/SERIES_BDM': 'Checked as CSV, and the publisher is asked for SDMX, so it is requested by hand.',
  'bls/CU': 'FRED has it within minutes, with all of its history.',
  'bls/LN': 'FRED has it within minutes, with all of its history.',
  'abs/6202.0': workbooks,
  'abs/5206.0': workbooks,
  'abs/LF': 'Checked as SDMX-JSON, and the publisher is asked for SDMX-CSV, so it is requested by hand.',
  'statcan/36-10-0104-01': filesOnly,
  'statcan/14-10-0287-01':
    'All vectors are asked for from their first month, and recorded answers are of ten years, so it is requested by hand.',
  'statcan/18-10-0004-01':
    'All vectors are asked for from their first month, and recorded answers are of ten years, so it is requested by hand.',
  'census/FTD': filesOnly,
}

/** Pause between two datasets of one source, ms. A process asks a source for one dataset at a time. */
export const PAUSE_MS = 2_000

type ScheduledJob = Job & {
  readonly asking: Asking
  /** Days that are announced for what the job asks for; undefined if none are on record. */
  announced(): AnnouncedDays | undefined
}

/** Returns one job per source and dataset. `days` may change later: the jobs then have other times. */
export const scheduledJobs = (
  days: Pick<ReleaseDays, 'of'> = new ReleaseDays(),
  askings: readonly Asking[] = timetable,
): readonly ScheduledJob[] =>
  askings.flatMap((asking) => {
    const announced = () => asking.announced && days.of(asking.announced.covers)
    return asking.datasets.map((dataset) => ({
      name: `${asking.source}/${dataset}`,
      asking,
      announced,
      leastApartMs: asking.leastApart * 3_600_000,
      next: (after: number) => nextAsking(asking, after, announced()),
    }))
  })

/** Splits a job's name into source and dataset. A dataset's name may have slashes, a source's has none. */
export function datasetOfJob(name: string): { readonly source: string; readonly dataset: string } {
  const slash = name.indexOf('/')
  return { source: name.slice(0, slash), dataset: name.slice(slash + 1) }
}
