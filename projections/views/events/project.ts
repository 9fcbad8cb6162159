import { RELEASED_ON } from '../../../journal/layout.ts'
import { rowPerRecord } from '../../view.ts'

/**
 * The public event journal. `recorded_at` is the record's time in the journal, `released_on` the day of the release that caused
 * the event.
 */
export const events = rowPerRecord({
  name: 'events',
  topic: 'events',
  table: new URL('./table.sql', import.meta.url),
  addsColumns: true,
  marker: { sequence: 0, time: 0, recorded_at: 0 },
  cells: {
    sequence: ({ sequence }) => sequence,
    id: ({ id }) => id,
    type: ({ type }) => type,
    source: ({ source }) => source,
    family: ({ family }) => family,
    country: ({ country }) => country,
    subject: ({ subject }) => subject,
    time: ({ time }) => time,
    dataschema: ({ dataschema }) => dataschema,
    data: ({ data }) => data,
    recorded_at: (_, { timestamp }) => timestamp,
    released_on: (_, { headers }) => headers[RELEASED_ON] ?? '',
  },
})
