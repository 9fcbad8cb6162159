import type { CalendarNotice } from '../contracts/calendar.ts'
import { dataSchema } from '../contracts/event-data.ts'
import type { CalendarChange, Signal } from '../contracts/records.ts'
import { derivedId } from './ids.ts'

/** Signal of a change of the calendar that stands at `offset` of its topic. */
export function calendarSignal(recorded: CalendarChange, offset: number): Signal {
  const { change, country, indicator, series, period, expected_on, expected_at, reason, recorded_at } = recorded
  const type = `calendar.release.${change}`
  const subject = `${country}/${indicator}/${period}`
  const expected_on_basis =
    expected_on === null ? null : recorded.expected_on_basis === 'publisher' ? 'publisher' : 'lag'
  const data: CalendarNotice = {
    country,
    indicator,
    series,
    period,
    expected_on,
    expected_on_basis,
    expected_at,
    reason,
  }
  return {
    // With the offset, because a release may be cancelled again after it was restored.
    signal_id: derivedId('sig', type, subject, String(offset)),
    key: `${country}.${indicator}`,
    type,
    family: 'calendar',
    country,
    subject,
    time: recorded_at,
    dataschema: dataSchema('CalendarNotice'),
    data: JSON.stringify(data),
  }
}
