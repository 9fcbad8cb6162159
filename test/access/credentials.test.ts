import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readBearer, readBearerOrBasic } from '../../access/credentials.ts'
import { generateAddressKey, generateKey } from '../../access/key.ts'

const key = generateKey('live', randomBytes)
const basic = (pair: string, scheme = 'Basic') => `${scheme} ${Buffer.from(pair).toString('base64')}`
const scheme = fc.mixedCase(fc.constant('basic'))
const names = fc.string().filter((text) => !text.includes(':'))

describe('HTTP Basic', () => {
  it('has the key as user name or as password, beside anything', () => {
    fc.assert(
      fc.property(scheme, names, fc.string(), (scheme, name, password) => {
        expect(readBearerOrBasic(basic(`${key}:${password}`, scheme))).toEqual({ key })
        expect(readBearerOrBasic(basic(`${name}:${key}`, scheme))).toEqual({ key })
        expect(readBearerOrBasic(basic(`${key}:${key}`, scheme))).toEqual({ key })
      }),
    )
  })

  it('is read in its one exact spelling of base64 only', () => {
    const exact = Buffer.from(`${key}:`).toString('base64')
    const notExact = ['=', '!', ' ', '\t', '-', '_'].map((other) => exact.slice(0, 8) + other + exact.slice(8))
    for (const text of [...notExact, exact.replace(/=+$/, '.'), `${exact}=`, `${exact},`, '', key])
      expect(readBearerOrBasic(`Basic ${text}`), text).toEqual({ fault: expect.stringContaining('base64') })
    expect(readBearerOrBasic(`Basic  ${exact} `)).toEqual({ key })
  })

  it.for([
    ['without a key', 'x:y', 'are not an API key'],
    ['of nothing', ':', 'are not an API key'],
    ['with part of a key', `${key.slice(1)}:`, 'are not an API key'],
    ['without a colon', key, 'base64 of'],
    ['with two keys', `${key}:${generateKey('test', randomBytes)}`, 'two different keys'],
  ] as const)('is refused with the reason, and without the key: a pair %s', ([, pair, says]) => {
    const read = readBearerOrBasic(basic(pair))
    expect(read).toEqual({ fault: expect.stringContaining(says) })
    expect(JSON.stringify(read)).not.toContain(key.slice(9, 30))
  })

  it('hands a read-only key on, to be refused by name', () => {
    const short = generateAddressKey(randomBytes)
    expect(readBearerOrBasic(basic(`${short}:`))).toEqual({ key: short })
  })

  it('is not accepted where Bearer alone is, which is said', () => {
    expect(readBearer(basic(`${key}:`))).toEqual({ fault: expect.stringContaining('GET and HEAD only') })
    expect(readBearer(`Digest ${key}`)).toEqual({ fault: expect.stringContaining('not "Bearer <API_KEY>"') })
    for (const read of [readBearer, readBearerOrBasic]) expect(read(`bEARER ${key}`)).toEqual({ key })
  })
})
