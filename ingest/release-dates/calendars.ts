/** Name under which the schedule, the memory of publishers and the metrics know the calendars, as they know a source. */
export const RELEASE_DATES = 'release-dates'

/** One release of a publisher's calendar, and what comes out with it. A row here is all that a release needs. */
export type CalendarRelease = {
  /** Name of the release in the calendar; its number in FRED's. */
  readonly release: string
  /** Figures that come out with it, as COUNTRY/indicator, without those derived from them. */
  readonly covers: readonly string[]
}

export type PublisherCalendar = {
  readonly publisher: string
  readonly format: 'icalendar' | 'bea-json' | 'fred-json'
  readonly address: string
  /** IANA time zone of the publisher. Its days are days there. */
  readonly zone: string
  /** Text in `PRODID` that proves an iCalendar to be this one. */
  readonly producer?: string
  /** Time zones that the calendar calls by names of its own, as IANA names. */
  readonly zoneNames?: Readonly<Record<string, string>>
  readonly releases: readonly CalendarRelease[]
}

const NEW_YORK = 'America/New_York'

const prices = { covers: ['USA/cpi'] }
const labour = { covers: ['USA/unemployment', 'USA/labour-force-participation'] }
const output = { covers: ['USA/gdp', 'USA/gdp-volume'] }

/** Publishers' own calendars by name. `docs/schedule.md` repeats the table. */
export const publisherCalendars: Readonly<Record<string, PublisherCalendar>> = {
  bls: {
    publisher: 'U.S. Bureau of Labor Statistics',
    format: 'icalendar',
    address: 'https://www.bls.gov/schedule/news_release/bls.ics',
    zone: NEW_YORK,
    producer: 'Bureau of Labor Statistics',
    zoneNames: { 'US-Eastern': NEW_YORK },
    releases: [
      { release: 'Consumer Price Index', ...prices },
      { release: 'Employment Situation', ...labour },
    ],
  },
  bea: {
    publisher: 'U.S. Bureau of Economic Analysis',
    format: 'bea-json',
    address: 'https://apps.bea.gov/API/signup/release_dates.json',
    zone: NEW_YORK,
    releases: [
      { release: 'Gross Domestic Product', ...output },
      {
        release: 'U.S. International Trade in Goods and Services',
        covers: ['USA/trade-exports', 'USA/trade-imports'],
      },
    ],
  },
  fred: {
    publisher: 'Federal Reserve Bank of St. Louis',
    format: 'fred-json',
    address: 'https://api.stlouisfed.org/fred/release/dates',
    zone: NEW_YORK,
    releases: [
      { release: '10', ...prices },
      { release: '50', ...labour },
      { release: '53', ...output },
    ],
  },
}
