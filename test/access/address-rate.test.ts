import { expect, it } from 'vitest'
import { AddressRate } from '../../access/address-rate.ts'

it('an address has its calls a minute, and IPv6 addresses of one network share them', () => {
  const rate = new AddressRate(2)
  const take = (address: string, now = 0) => rate.take(address, now).allowed
  expect([take('192.0.2.1'), take('192.0.2.1'), take('192.0.2.1')]).toEqual([true, true, false])
  expect(take('192.0.2.2')).toBe(true)
  expect(take('192.0.2.1', 30_000)).toBe(true)
  expect([take('2001:db8::1'), take('2001:db8::2'), take('2001:db8::3')]).toEqual([true, true, false])
})

it('of many addresses the one that called longest ago is forgotten', () => {
  const rate = new AddressRate(1)
  const take = (i: number) => rate.take(`10.0.${i >> 8}.${i & 255}`, 0).allowed
  for (let i = 0; i < 10_000; i++) expect(take(i)).toBe(true)
  // Called again, so that it is not the oldest any more.
  expect(take(0)).toBe(false)
  expect(take(10_000)).toBe(true)
  expect([take(0), take(1)]).toEqual([false, true])
})
