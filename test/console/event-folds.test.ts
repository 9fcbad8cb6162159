import { expect, it } from 'vitest'
import { isSameOutage, outageText } from '../../console/browser/event-folds.js'
import type { Event } from '../../contracts/events.ts'

const event = (type: string, time: string): Event => ({
  specversion: '1.0',
  id: 'evt_00000000000000000000000000',
  source: '/almanac/commodities',
  type,
  subject: 'XAU-USD',
  time: `2026-11-23T${time}.000Z`,
  datacontenttype: 'application/json',
  dataschema: 'urn:almanac:schema:SpotPrice',
  family: 'commodities',
  sequence: '00000000000000000001',
  data: {},
  cursor: 'v1.x',
})
const stale = event('prices.instrument.stale', '10:00:00')

it.each([
  ['prices.instrument.stale', '10:00:59', true],
  ['prices.instrument.recovered', '09:59:30', true],
  ['prices.instrument.stale', '10:01:01', false],
  ['prices.session.closed', '10:00:00', false],
])('%s at %s is of the outage of 10:00: %s', (type, time, isSame) =>
  expect(isSameOutage(stale, event(type, time))).toBe(isSame),
)

it('an outage says how many instruments, and from when to when', () => {
  const recovered = event('prices.instrument.recovered', '10:00:40')
  expect(outageText([recovered, stale, stale])).toEqual({
    what: '2 stale, 1 recovered',
    when: '23 Nov 2026 10:00:00 to 10:00:40 UTC',
  })
  const later = { ...recovered, time: '2026-11-24T00:00:05.000Z' }
  expect(outageText([stale, later]).when).toBe('23 Nov 2026 10:00:00 to 24 Nov 2026 00:00:05 UTC')
  expect(outageText([stale, stale])).toEqual({ what: '2 stale', when: '23 Nov 2026 10:00:00 UTC' })
})
