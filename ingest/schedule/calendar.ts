import { Cron } from 'croner'
import { cbsMapping } from '../mapping/publishers/cbs.ts'
import { LFS, QNA } from '../mapping/publishers/oecd.ts'
import { publisherCalendars, RELEASE_DATES } from '../release-dates/calendars.ts'
import { DATASET as LONG_CPI } from '../sources/bis/parse.ts'
import { datasetOf } from '../sources/comtrade/parse.ts'
import { fredSeries } from '../sources/fred/series.ts'
import { worldBankIndicators } from '../sources/world-bank/indicators.ts'
import type { Job } from './schedule.ts'
import { type Holidays, isWorkingDay, workingDayOfMonth } from './working-days.ts'

/** Times at which a publisher is asked. `docs/schedule.md`, `almanac schedule` and both schedules use this table. */
export type Asking = {
  /** Key of `openSources`, or `release-dates` for publishers' calendars. */
  readonly source: string
  readonly datasets: readonly string[]
  /** IANA time zone of the publisher, whose release times are local, daylight saving included. */
  readonly zone: string
  /** Cron pattern of five fields, in local time of `zone`. */
  readonly pattern: string
  /** Restricts `pattern` to working days; with `nth`, to these working days of the month. */
  readonly workingDays?: { readonly holidays: Holidays; readonly nth?: readonly number[] }
  /** Shortest time between two runs, in hours, also after a late or retried run. */
  readonly leastApart: number
  readonly why: string
}

const NEW_YORK = 'America/New_York'
const atEightThirty = ['UNRATE', 'CIVPART', 'CPIAUCSL', 'CPIAUCNS', 'GDP', 'GDPC1']

export const calendar: readonly Asking[] = [
  {
    source: 'ecb',
    datasets: ['eurofxref-daily'],
    zone: 'Europe/Berlin',
    pattern: '15 16,17 * * *',
    workingDays: { holidays: 'TARGET' },
    leastApart: 0.5,
    why: 'Published about 16:00 on every day that TARGET is open; once more an hour later, for days on which it is late.',
  },
  {
    source: 'fred',
    datasets: atEightThirty,
    zone: NEW_YORK,
    pattern: '45 8,10 * * *',
    workingDays: { holidays: 'none' },
    leastApart: 1,
    why: 'The BLS and the BEA publish at 8:30; FRED follows within minutes, now and then within two hours.',
  },
  {
    source: 'fred',
    datasets: Object.keys(fredSeries).filter((id) => !atEightThirty.includes(id)),
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
    datasets: ['MGSX', 'BOKG', 'BOKH'],
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

const unchecked = 'Checked against no recorded document yet, so it is requested by hand.'

const filesOnly = 'Files only.'
const workbooks = 'Files only, because their address changes with each release.'

/** Datasets that are not scheduled, and why. `almanac ingest` reads them. */
export const byHand: Readonly<Record<string, string>> = {
  'ecb/eurofxref-hist-90d': 'Holds eurofxref-daily and days behind it: for filling a journal once.',
  'ecb/eurofxref-hist': 'Holds eurofxref-daily and all days since 1999: for filling a journal once.',
  'ecb/EXR': 'The same rates from the data API, in a far larger answer.',
  'oecd/QGDP': 'No longer served by the publisher; files only.',
  'oecd/HUR': 'No longer served by the publisher; files only.',
  'oecd/DSD_PRICES@DF_PRICES_ALL': unchecked,
  'oecd/DSD_NAMAIN1@DF_QNA': unchecked,
  'eurostat/PRC_HICP_MIDX': 'No longer updated by the publisher.',
  'eurostat/PRC_HICP_MINR': unchecked,
  'eurostat/UNE_RT_M': unchecked,
  'eurostat/NAMQ_10_GDP': 'Its growth was checked against no recorded document yet, so it is requested by hand.',
  'imf/CPI': filesOnly,
  'dosm/lfs_month_sa': unchecked,
  'dosm/cpi_headline': filesOnly,
  'dosm/gdp_qtr_nominal': filesOnly,
  'dosm/gdp_qtr_real_sa': filesOnly,
  'ons/MGWG': unchecked,
  'ons/D7BT': unchecked,
  'ons/YBHA': unchecked,
  'ons/ABMI': unchecked,
  'singstat/GDP-chained-2015-dollars-quarterly-SA': filesOnly,
  'singstat/M015651': 'Changes a few times a year, on days that vary, so it is requested by hand.',
  'singstat/M213751': unchecked,
  'destatis/61111': filesOnly,
  'insee/SERIES_BDM': 'Checked as CSV, and the publisher is asked for SDMX, so it is requested by hand.',
  'bls/CU': 'FRED has it within minutes, with all of its history.',
  'bls/LN': unchecked,
  'abs/6202.0': workbooks,
  'abs/5206.0': workbooks,
  'abs/LF': unchecked,
  'abs/ANA_AGG': unchecked,
  'statcan/36-10-0104-01': filesOnly,
  'statcan/14-10-0287-01': 'Checked as CSV, and the publisher is asked for JSON, so it is requested by hand.',
  'statcan/18-10-0004-01': unchecked,
  'census/FTD': filesOnly,
  'bea/T10105': filesOnly,
  'bea/T10106': filesOnly,
  'statsnz/HLFQ': filesOnly,
  'sbj/0004052037': filesOnly,
  'sbj/0003427113': filesOnly,
  'sbj/0003005865': filesOnly,
}

/** Pause between two datasets of one source, ms. A process asks a source for one dataset at a time. */
export const PAUSE_MS = 2_000

/** Returns the first time after `after` at which the publisher is asked; both in UTC milliseconds. */
export function nextAsking({ pattern, zone, workingDays }: Asking, after: number): number {
  const cron = new Cron(pattern, { timezone: zone, mode: '5-part' })
  for (let at = cron.nextRun(new Date(after)); at; at = cron.nextRun(at)) {
    if (!workingDays || isAsked(localDay(at, zone), workingDays)) return at.getTime()
  }
  throw new RangeError(`${pattern} in ${zone} has no time after ${new Date(after).toISOString()}`)
}

function isAsked(day: string, { holidays, nth }: NonNullable<Asking['workingDays']>): boolean {
  return nth ? nth.includes(workingDayOfMonth(day, holidays) ?? 0) : isWorkingDay(day, holidays)
}

/** Returns one job per source and dataset. */
export const calendarJobs = (askings: readonly Asking[] = calendar): readonly (Job & { readonly asking: Asking })[] =>
  askings.flatMap((asking) =>
    asking.datasets.map((dataset) => ({
      name: `${asking.source}/${dataset}`,
      asking,
      leastApartMs: asking.leastApart * 3_600_000,
      next: (after: number) => nextAsking(asking, after),
    })),
  )

/** Splits a job's name into source and dataset. A dataset's name may have slashes, a source's has none. */
export function datasetOfJob(name: string): { readonly source: string; readonly dataset: string } {
  const slash = name.indexOf('/')
  return { source: name.slice(0, slash), dataset: name.slice(slash + 1) }
}

/** Short text of the times for the docs and the command, such as `15 16,17 * * *, TARGET days`. */
export function whenOf({ pattern, workingDays }: Asking): string {
  if (!workingDays) return pattern
  const days = workingDays.holidays === 'TARGET' ? 'TARGET days' : 'working days'
  return `${pattern}, ${days}${workingDays.nth ? ` ${workingDays.nth.join(', ')} of the month` : ''}`
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** Day of an instant in a time zone, `YYYY-MM-DD`. */
function localDay(at: Date, timeZone: string): string {
  const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
  clocks.set(timeZone, clock)
  return clock.format(at)
}
