import type { Example } from './example.ts'

const abs = {
  publisher: 'Australian Bureau of Statistics',
  url: 'https://www.abs.gov.au/statistics/economy/international-trade/international-trade-goods',
  licence: 'CC BY 4.0',
}
const recorded_at = '2026-10-17T09:00:00.000Z'
const figures = { exports: '47064000000', imports: '45400000000', balance: '1664000000' }

const gdp = { country: 'USA', indicator: 'gdp', series: 'USA.gdp.Q.FRED.GDP.USD.SA.annualized' }
const feed = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  '…',
  'BEGIN:VEVENT',
  'UID:cal_SMZ0P17VZ8N776HVYW6WMWPQTC@almanac',
  'DTSTART;VALUE=DATE:20261028',
  'SUMMARY:US: Gross domestic product at current prices\\, 2026-Q3 (expected)',
  '…',
  'END:VEVENT',
  'END:VCALENDAR',
]

const unstated = { stated_at: null, reason: null }

/** Examples of the calendar, from the bundled sample. */
export const calendarExamples: Readonly<Record<string, Example>> = {
  calendar_list: {
    query: { country: 'USA', indicator: 'gdp', start: '2026-07-01' },
    body: {
      entries: [
        {
          ...gdp,
          period: '2026-Q2',
          status: 'published',
          expected_on: '2026-07-28',
          expected_on_basis: 'lag',
          expected_at: null,
          published_on: '2026-07-30',
          published_on_basis: 'copy',
          release_id: 'rel_WN815WN3AREYRKRTKG7VKR9K4Y',
          ...unstated,
          days_late: 2,
        },
        {
          ...gdp,
          period: '2026-Q3',
          status: 'expected',
          expected_on: '2026-10-28',
          expected_on_basis: 'lag',
          expected_at: null,
          published_on: null,
          published_on_basis: null,
          release_id: null,
          ...unstated,
          days_late: 0,
        },
      ],
      next_cursor: null,
      as_of: recorded_at,
    },
  },
  calendar_ics: { query: { country: 'USA', indicator: 'gdp' }, body: feed.join('\r\n') },
}

/** The example of a release, from the bundled sample: a trade balance and the two flows that it is computed from. */
export const releaseExamples: Readonly<Record<string, Example>> = {
  releases_get: {
    params: { release_id: 'rel_YCBZ6RNMPSQ7V0NKYWTTB0G8PV' },
    body: {
      release_id: 'rel_YCBZ6RNMPSQ7V0NKYWTTB0G8PV',
      country: 'AUS',
      indicator: 'trade',
      series: {
        id: 'AUS.trade.M.ABS.A2718577A+A2718603V.AUD.SA.trade_from_flows',
        indicator: 'trade',
        country: 'AUS',
        frequency: 'M',
        source: 'ABS',
        dataset: 'A2718577A+A2718603V',
        unit: 'AUD',
        seasonal_adjustment: 'seasonally_adjusted',
        annualization: 'not_annualized',
        base_period: '',
        base_value: '',
        derivation: 'trade_from_flows',
      },
      period: '2026-04',
      figures,
      printed: null,
      revises: null,
      revised_by: null,
      released_on: '2026-08-10',
      released_on_basis: 'copy',
      recorded_at,
      late: false,
      redates: null,
      is_current: true,
      is_served: true,
      provenance: null,
      approval: null,
      derivation: 'trade_from_flows',
      inputs: [
        {
          release_id: 'rel_S54ET8FEBZJJ0RZRB5127676KA',
          indicator: 'trade-exports',
          period: '2026-04',
          figures: { value: figures.exports },
          provenance: {
            ...abs,
            retrieved_at: null,
            sha256: '3bad03de36d4939baaf7496412c4b37a681eab2f6c89e5832e686fd313c08bb0',
            location: 'line 334',
            copy: {
              holder: 'github.com/Allisterh/nowcasting-Australia',
              url: 'https://github.com/Allisterh/nowcasting-Australia/blob/896db43fe2bac63d3a8a980c2b04d6ce9a6474ba/nowcasting_v2/data_raw/export.csv',
              revision: '896db43fe2bac63d3a8a980c2b04d6ce9a6474ba',
              held_on: '2026-08-10',
              is_transcribed: false,
            },
            file: {
              name: 'trade-exports-AUS-abs.csv',
              sha256: 'cb893ec3cf3b7898ae2b020624a6214c209da77ad957fe79c52c8ed1c7a5a8a9',
            },
          },
          link: '/v1/releases/rel_S54ET8FEBZJJ0RZRB5127676KA',
        },
        {
          release_id: 'rel_E0VGAHGP3CC478KZ9NMY8MJN0C',
          indicator: 'trade-imports',
          period: '2026-04',
          figures: { value: figures.imports },
          provenance: {
            ...abs,
            retrieved_at: null,
            sha256: '49b87fca549182c76ac434906ee96548015aebfca38e617e76707a7b958a5719',
            location: 'line 334',
            copy: {
              holder: 'github.com/Allisterh/nowcasting-Australia',
              url: 'https://github.com/Allisterh/nowcasting-Australia/blob/b262941d4d690015bf9768f54a35f0fdf16d78a1/nowcasting_v2/data_raw/import.csv',
              revision: 'b262941d4d690015bf9768f54a35f0fdf16d78a1',
              held_on: '2026-06-11',
              is_transcribed: false,
            },
            file: {
              name: 'trade-imports-AUS-abs.csv',
              sha256: '0de29585d8974ce0b4e47d39827bfa7f138b101df32549dab09c6682b82b9a32',
            },
          },
          link: '/v1/releases/rel_E0VGAHGP3CC478KZ9NMY8MJN0C',
        },
      ],
      event: { id: 'evt_75X8VZ22V92VJ6J6F4CGVBCAH4', sequence: '00000000000000010704', time: recorded_at },
      link: '/v1/economics/AUS/trade?period=2026-04',
    },
  },
}
