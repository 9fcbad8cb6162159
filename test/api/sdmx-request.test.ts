import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rawRequest } from '../../api/sdmx/raw-request.ts'

/** Characters of keys and filters, and others that an address can have. */
const text = fc.string({ unit: fc.constantFrom(...'ABz09._-+*,:~[]()% &=é'), minLength: 1, maxLength: 12 })
/** The same as clients write it: all of it encoded, or nothing but what an address cannot have. */
const sparingly = (given: string): string => given.replace(/[^A-Za-z0-9._\-+*,:~[\]()]/g, encodeURIComponent)

test('an address is read alike however much of it is encoded, with a slash at its end or without', () => {
  const parts = fc.array(text, { minLength: 1, maxLength: 5 })
  const names = fc.uniqueArray(text, { maxLength: 4 })
  fc.assert(
    fc.property(parts, names, text, fc.boolean(), fc.boolean(), (path, fields, value, isEncoded, hasSlash) => {
      const encode = isEncoded ? encodeURIComponent : sparingly
      const query = fields.map((name) => `${encode(name)}=${encode(value)}`).join('&')
      const url = `/sdmx/2.1/${path.map(encode).join('/')}${hasSlash ? '/' : ''}${query === '' ? '' : `?${query}`}`
      const read = rawRequest(url, '/sdmx/2.1')
      expect(read.path).toEqual(path)
      expect(Object.entries(read.query).sort()).toEqual(fields.map((name) => [name, value]).sort())
    }),
  )
})

test('a parameter that is given twice keeps both values', () => {
  expect(rawRequest('/sdmx/3.0/data?c[REF_AREA]=USA&c%5BREF_AREA%5D=DEU&asOf', '/sdmx/3.0')).toEqual({
    path: ['data'],
    query: { 'c[REF_AREA]': ['USA', 'DEU'], asOf: '' },
  })
})
