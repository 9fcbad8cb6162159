import fc from 'fast-check'
import { expect, it } from 'vitest'
import { keysIn, maskBytes, maskText, withoutKeys } from '../../ingest/mask.ts'

it('no key is left in a text, as it is or as in a query', () => {
  const url = new URL('https://example.org/?key=&x=1')
  url.searchParams.set('key', 'a+b/c d=')
  expect(maskText(`${url} said: a+b/c d= and abc`, ['a+b/c d=', ''])).toBe(
    'https://example.org/?key=***&x=1 said: *** and abc',
  )
})

it('bytes without a key are the same, and others lose it alone', () => {
  const key = fc.string({ minLength: 6, unit: fc.constantFrom('k', 'y', '7', '+') })
  const part = fc.uint8Array().filter((bytes) => !bytes.some((byte) => 'ky7+%'.includes(String.fromCharCode(byte))))
  fc.assert(
    fc.property(key, fc.array(part, { minLength: 1 }), (secret, parts) => {
      const joined = (text: string) => Buffer.concat(parts.flatMap((bytes) => [bytes, Buffer.from(text)]))
      expect(maskBytes(joined(secret), [secret])).toEqual(joined('***'))
      const without = Buffer.concat(parts)
      expect(maskBytes(without, [secret])).toEqual(without)
    }),
  )
})

it('a key that is short enough to be a part of a figure spoils none', () => {
  const bytes = Buffer.from('2024-01,1.2345')
  expect(maskBytes(bytes, ['1.234'])).toEqual(bytes)
})

it('a key in another alphabet is hidden in bytes, too', () => {
  const bytes = Buffer.concat([Buffer.from([0xff]), Buffer.from('said: потайной-ключ')])
  const shown = Buffer.concat([Buffer.from([0xff]), Buffer.from('said: ***')])
  expect(maskBytes(bytes, ['потайной-ключ'])).toEqual(shown)
})

it('finds the keys of an address, and takes no other part of it for one', () => {
  const keys = (address: string) => keysIn(new URL(address))
  expect(keys('wss://feed.example/prices?symbols=XAU-USD&format=json')).toEqual([])
  expect(keys('wss://feed.example/?apiKey=A+12345&access_token=B%2F6789&sig=&key=CPI&symbols=EUR-USD')).toEqual([
    'A+12345',
    'A 12345',
    'B%2F6789',
    'B/6789',
  ])
  // A client sends the login as base64.
  expect(keys('wss://almanac:p%40ss@feed.example')).toEqual(['p%40ss', 'p@ss', 'YWxtYW5hYzpwQHNz'])
  // Those of e-Stat and of the BEA.
  expect(keys('https://api.example/?appId=A12345&statsDataId=0003427113&UserID=B67890')).toEqual([
    'A12345',
    'A12345',
    'B67890',
    'B67890',
  ])
  // No client sends this login.
  expect(keys('https://a%zz:b@feed.example')).toEqual(['b', 'b', 'YSV6ejpi'])
  expect(keys('wss://KEY@feed.example')).toEqual(['KEY', 'KEY', 'S0VZOg=='])
})

it('an address is shown without its keys, and a path as it is', () => {
  expect(withoutKeys('https://reader:p%40ss@host.example/x.csv?token=abc+123&id=A1')).toBe(
    'https://reader:***@host.example/x.csv?token=***&id=A1',
  )
  for (const path of ['figures/gdp.csv', '/data/x?token=abcdef', 'x y.csv']) expect(withoutKeys(path)).toBe(path)
})
