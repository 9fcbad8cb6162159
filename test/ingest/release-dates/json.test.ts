import { describe, expect, it } from 'vitest'
import { publisherCalendars } from '../../../ingest/release-dates/calendars.ts'
import { readCalendar } from '../../../ingest/release-dates/read-calendar.ts'
import { beaDates, fredDates, GDP, TRADE } from './documents.ts'

const read = (name: string, text: string) =>
  readCalendar(publisherCalendars[name] ?? expect.fail(`there is no calendar ${name}`), { bytes: Buffer.from(text) })
const refusal = (reason: string, detail: string) =>
  expect.objectContaining({ name: 'DocumentError', reason, message: expect.stringContaining(detail) })

describe('the BEA’s release dates', () => {
  it('are read in order, each once, whatever the offset', () => {
    const text = beaDates({
      [GDP]: ['2026-11-25T13:30:00+00:00', '2024-01-25T08:30:00-05:00', '2026-10-29T12:30:00+00:00'],
      'Personal Income and Outlays': ['2026-10-30T12:30:00+00:00'],
      'U.S.\nInternational Trade in Goods and Services': ['2026-10-06T08:30:00-04:00', '2026-10-06T12:30:00+00:00'],
    })
    expect(read('bea', text)).toEqual([
      {
        release: GDP,
        covers: ['USA/gdp', 'USA/gdp-volume'],
        dates: ['2024-01-25', '2026-10-29', '2026-11-25'],
        times: ['2024-01-25T13:30:00.000Z', '2026-10-29T12:30:00.000Z', '2026-11-25T13:30:00.000Z'],
      },
      {
        release: TRADE,
        covers: ['USA/trade-exports', 'USA/trade-imports'],
        dates: ['2026-10-06'],
        times: ['2026-10-06T12:30:00.000Z'],
      },
    ])
  })

  it('have the day of Washington, whatever the offset of the text', () => {
    expect(read('bea', beaDates({ [GDP]: ['2026-10-29T02:00:00+00:00'] }))).toMatchObject([{ dates: ['2026-10-28'] }])
  })

  it.each([
    ['bad_date', 'no time with an offset', beaDates({ [GDP]: ['2026-10-29'] })],
    ['bad_date', '2026-02-31', beaDates({ [GDP]: ['2026-02-31T12:30:00+00:00'] })],
    ['bad_date', '""', beaDates({ [GDP]: [null] })],
    ['malformed_document', 'release_dates', JSON.stringify({ [GDP]: ['2026-10-29'], file_last_updated: 'x' })],
    ['no_known_release', GDP, beaDates({ 'Personal Income and Outlays': ['2026-10-30T12:30:00+00:00'] })],
    ['no_known_release', GDP, beaDates({ [GDP]: [] })],
    ['wrong_format', "JSON of the BEA's API", '{"BEAAPI":{"Results":{}}}'],
    ['wrong_format', 'not the BEA', '[]'],
    ['malformed_json', 'Not JSON', `${beaDates({ [GDP]: [] }).slice(0, 30)}`],
    ['malformed_json', 'twice', '{"file_last_updated":"x","file_last_updated":"y"}'],
    ['html_page', 'HTML', '<html><body>403 Forbidden</body></html>'],
  ])('are refused as %s, with %j', (reason, detail, text) => {
    expect(() => read('bea', text)).toThrow(refusal(reason, detail))
  })
})

describe('release dates of FRED', () => {
  it('are days, in order', () => {
    expect(read('fred', fredDates(50, ['2026-12-04', '2026-09-04', '2026-12-04']))).toEqual([
      {
        release: '50',
        covers: ['USA/unemployment', 'USA/labour-force-participation'],
        dates: ['2026-09-04', '2026-12-04'],
        times: [],
      },
    ])
  })

  it.each([
    ['truncated', '2 of 900 dates', fredDates(10, ['2026-09-11', '2026-10-14'], 900)],
    ['truncated', 'states no count', '{"release_dates":[]}'],
    ['truncated', '1 of many dates', fredDates(10, ['2026-09-11']).replace('"count":1', '"count":"many"')],
    ['bad_date', '2026-09-31', fredDates(10, ['2026-09-31'])],
    ['no_known_release', '10, 50, 53', fredDates(82, ['2026-09-11'])],
    ['no_known_release', '10, 50, 53', fredDates(10, [])],
    ['malformed_document', 'release_id', '{"count":1,"release_dates":[{"date":"2026-09-11"}]}'],
    ['wrong_format', "JSON of FRED's API", '{"realtime_start":"2026-01-01","observations":[]}'],
    ['wrong_format', 'an error message', '{"error_code":400,"error_message":"Bad Request."}'],
  ])('are refused as %s, with %j', (reason, detail, text) => {
    expect(() => read('fred', text)).toThrow(refusal(reason, detail))
  })
})
