import { expect, it } from 'vitest'
import { counted } from '../../cli/counted.ts'

it.each([
  [0, '0 records'],
  [1, '1 record'],
  [2_400, '2,400 records'],
])('counts %d', (n, said) => {
  expect(counted(n, 'record')).toBe(said)
})
it('takes an irregular plural', () => {
  expect([counted(1, 'entry', 'entries'), counted(8, 'entry', 'entries')]).toEqual(['1 entry', '8 entries'])
})
