import { expect, it } from 'vitest'
import { timeUnderDay } from '../../console/browser/periods.js'

it('says the date of an instant if it is not that of its publisher’s day', () => {
  expect(timeUnderDay('2026-11-10T13:30:00.000Z', '2026-11-10')).toBe('13:30 UTC')
  expect(timeUnderDay('2026-11-26T23:30:00.000Z', '2026-11-27')).toBe('23:30 UTC on 26 Nov 2026')
})
