import { expect, it } from 'vitest'
import { publisherAges } from '../../console/browser/publisher-ages.js'

type Entry = Parameters<typeof publisherAges>[0][number]

const entry = (publisher: string, last_released_on: string, days_late: number | null, is_served = true) =>
  // Cast: of an entry of the catalogue these members are read.
  ({ publisher, last_released_on, last_recorded_at: `${last_released_on}T12:00:00Z`, days_late, is_served }) as Entry

it('the newest print of a publisher counts, and only what is served', () => {
  const ages = publisherAges([
    entry('B', '2026-03-01', null),
    entry('A', '2026-02-01', 3),
    entry('A', '2026-05-01', 0),
    entry('A', '2026-01-01', 9),
    entry('A', '2026-06-01', 9, false),
    entry('C', '2026-03-01', null, false),
  ])
  expect(ages).toEqual([
    { publisher: 'B', served: 1, newest: '2026-03-01', recorded: '2026-03-01T12:00:00Z', late: 0 },
    { publisher: 'A', served: 3, newest: '2026-05-01', recorded: '2026-05-01T12:00:00Z', late: 2 },
  ])
})
