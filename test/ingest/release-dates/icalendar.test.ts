import { describe, expect, it } from 'vitest'
import { publisherCalendars } from '../../../ingest/release-dates/calendars.ts'
import { readCalendar } from '../../../ingest/release-dates/read-calendar.ts'
import { blsCalendar, CPI, eastern, JOBS } from './documents.ts'

const bls = publisherCalendars.bls ?? expect.fail('there is no calendar bls')
const read = (text: string) => readCalendar(bls, { bytes: Buffer.from(text) })
const timesOf = (text: string) => read(text).flatMap(({ times }) => times)

describe('an iCalendar of the BLS', () => {
  it('gives the dates of each known release in order, in UTC, summer and winter', () => {
    const text = blsCalendar(
      [CPI, eastern('20261210T083000')],
      ['Employment Situation of Veterans', eastern('20260428T100000')],
      ['State Employment and Unemployment (Monthly)', eastern('20260729T100000')],
      [JOBS, eastern('20260807T083000')],
      [CPI, eastern('20260812T083000')],
    )
    expect(read(text)).toEqual([
      {
        release: CPI,
        covers: ['USA/cpi'],
        dates: ['2026-08-12', '2026-12-10'],
        times: ['2026-08-12T12:30:00.000Z', '2026-12-10T13:30:00.000Z'],
      },
      {
        release: JOBS,
        covers: ['USA/unemployment', 'USA/labour-force-participation'],
        dates: ['2026-08-07'],
        times: ['2026-08-07T12:30:00.000Z'],
      },
    ])
  })

  it('is read with folded titles, with CRLF, and with the period in the title', () => {
    const folded = blsCalendar(['Consumer Price Ind\n ex for Sept\n ember 2026', eastern('20261014T083000')])
    for (const text of [folded, folded.replaceAll('\n', '\r\n')])
      expect(read(text)).toMatchObject([{ release: CPI, dates: ['2026-10-14'] }])
  })

  it('leaves out cancelled events, and earlier versions of an event', () => {
    const text = blsCalendar(
      [CPI, eastern('20261014T083000'), 'STATUS:CANCELLED'],
      [CPI, eastern('20261015T083000'), 'STATUS:CONFIRMED'],
      [CPI, eastern('20261112T083000'), 'UID:moved', 'SEQUENCE:1'],
      [CPI, eastern('20261113T083000'), 'UID:moved', 'SEQUENCE:2'],
    )
    expect(read(text)).toMatchObject([{ dates: ['2026-10-15', '2026-11-13'] }])
  })

  it('counts a repeated event once, and refuses two times of a release on one day', () => {
    const same = [CPI, eastern('20261014T083000')] as const
    expect(timesOf(blsCalendar(same, same))).toEqual(['2026-10-14T12:30:00.000Z'])
    expect(() => read(blsCalendar(same, [CPI, eastern('20261014T100000')]))).toThrow(
      expect.objectContaining({
        reason: 'two_times',
        location: 'event 2',
        message: `${CPI} has two times on one day: 2026-10-14T12:30:00.000Z and 2026-10-14T14:00:00.000Z.`,
      }),
    )
  })

  it('takes UTC, a zone of the time zone database, and no zone, which is the publisher’s', () => {
    const text = blsCalendar(
      [CPI, ':20260112T133000Z'],
      [CPI, ';VALUE=DATE-TIME:20260212T133000Z'],
      [CPI, ';TZID=Europe/Berlin:20260312T133000'],
      [CPI, ':20260412T083000'],
      [CPI, ';TZID="US-Eastern":20260512T233000'],
    )
    expect(read(text)).toMatchObject([
      {
        dates: ['2026-01-12', '2026-02-12', '2026-03-12', '2026-04-12', '2026-05-12'],
        times: [
          '2026-01-12T13:30:00.000Z',
          '2026-02-12T13:30:00.000Z',
          '2026-03-12T12:30:00.000Z',
          '2026-04-12T12:30:00.000Z',
          '2026-05-13T03:30:00.000Z',
        ],
      },
    ])
  })

  it('gives days alone if one date has no time', () => {
    const text = blsCalendar([CPI, ';VALUE=DATE:20261014'], [CPI, eastern('20261110T083000')])
    expect(read(text)).toMatchObject([{ dates: ['2026-10-14', '2026-11-10'], times: [] }])
  })

  it('converts times that the clocks skip or repeat as RFC 5545 says', () => {
    expect(timesOf(blsCalendar([CPI, eastern('20260308T023000')]))).toEqual(['2026-03-08T07:30:00.000Z'])
    expect(timesOf(blsCalendar([CPI, eastern('20261101T013000')]))).toEqual(['2026-11-01T05:30:00.000Z'])
    expect(timesOf(blsCalendar([CPI, eastern('20261101T023000')]))).toEqual(['2026-11-01T07:30:00.000Z'])
    expect(timesOf(blsCalendar([CPI, eastern('20260308T013000')]))).toEqual(['2026-03-08T06:30:00.000Z'])
  })

  it.each([
    ['unknown_time_zone', 'event 1, Consumer Price Index', [CPI, ';TZID=Mars/Base:20261014T083000']],
    ['bad_date', 'event 1, Consumer Price Index', [CPI, ';VALUE=DATE:20260231']],
    ['bad_date', 'event 1, Consumer Price Index', [CPI, eastern('20261014T253000')]],
    ['bad_date', 'event 1, Consumer Price Index', [CPI, ':20261014']],
    ['bad_date', '', [CPI, ':soon']],
    ['bad_date', '', [CPI, ':20261014T123000+0000']],
    ['bad_date', '', [CPI, ':20261014T123000Z,20261114T123000Z']],
    ['bad_date', '', [CPI, ';TZID="+05:00";VALUE=DATE-TIME:20261014T083000\n  -0400']],
    ['bad_date', '', [CPI, ';VALUE=DATE:20261014x']],
    ['recurring_event', 'event 1', [CPI, eastern('20261014T083000'), 'RRULE:FREQ=MONTHLY']],
    ['recurring_event', 'event 1', [CPI, eastern('20261014T083000'), 'RDATE:20261114T083000Z']],
    ['no_known_release', '', ['Producer Price Index', eastern('20261014T083000')]],
    ['no_known_release', '', [CPI, eastern('20261014T083000'), 'STATUS:CANCELLED']],
  ] as const)('is refused as %s, at %j', (reason, location, event) => {
    expect(() => read(blsCalendar([event[0], event[1], ...event.slice(2)]))).toThrow(
      expect.objectContaining({ name: 'DocumentError', reason, location }),
    )
  })

  const whole = blsCalendar([CPI, eastern('20261014T083000')])
  it.each([
    ['html_page', '<!DOCTYPE html><html><head><title>Access Denied</title></head></html>', '"Access Denied"'],
    ['wrong_format', '{"error_message":"bad"}', 'JSON'],
    ['wrong_format', 'date,release\n2026-10-14,CPI\n', 'a table with the columns date, release'],
    ['malformed_document', whole.replace('END:VCALENDAR\n', ''), 'began but did not end'],
    ['malformed_document', whole.slice(0, whole.indexOf('VERSION') + 4), 'VERS'],
    ['malformed_document', whole + whole, 'more than one'],
    ['other_calendar', whole.replace(/PRODID:.*/, 'PRODID:-//Acme//Holidays//EN'), '-//Acme//Holidays//EN'],
    ['other_calendar', whole.replace(/PRODID:.*\n/, ''), 'Bureau of Labor Statistics'],
    ['empty', ' \n', 'no text'],
    ['wrong_encoding', 'BEGIN:VCALENDAR\n\0', 'NUL'],
  ])('is not %s: %j', (reason, text, said) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({ name: 'DocumentError', reason, message: expect.stringContaining(said) }),
    )
  })

  it('is refused if one of its lines, unfolded, would keep the library busy', () => {
    for (const parameter of [';a=b', ';a=b\r\n ']) {
      const text = whole.replace('VERSION', `X-LONG${parameter.repeat(20_000)}:x\nVERSION`)
      expect(() => read(text)).toThrow(
        expect.objectContaining({ reason: 'malformed_document', message: expect.stringContaining('X-LONG;a=b') }),
      )
    }
    const long = whole.replace('VERSION', `DESCRIPTION:${'word\n  '.repeat(10_000)}\nVERSION`)
    expect(read(long)).toEqual(read(whole))
    // Takes minutes if a line is looked at from each of its characters on.
    const many = whole.replace('VERSION', `${`DESCRIPTION:${'x'.repeat(60_000)}\n`.repeat(60)}VERSION`)
    expect(read(many)).toEqual(read(whole))
  })

  it('is refused beyond its limit on bytes, and whatever else breaks the library', () => {
    const large = whole.replace('END:VCALENDAR', `X-LONG:${'x'.repeat(4 * 1024 * 1024)}\nEND:VCALENDAR`)
    expect(() => read(large)).toThrow(expect.objectContaining({ reason: 'too_large' }))
    for (const odd of [
      'BEGIN:VCALENDAR\nEND:VCALENDAR\nEND:VCALENDAR\nX:1\n',
      'BEGIN:VCALENDAR\nconstructor:x\nEND:X\n',
    ])
      expect(() => read(odd)).toThrow(expect.objectContaining({ name: 'DocumentError' }))
  })
})
