import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { generateAddressKey, generateKey } from '../../access/key.ts'
import { keyInPasted } from '../../console/browser/pasted-key.js'

const key = generateKey('live', randomBytes)
const other = generateKey('test', randomBytes)
const readOnly = generateAddressKey(randomBytes)

describe('a pasted key', () => {
  it.each([
    ['alone', key],
    ['with space around it', `  ${key}\n`],
    ['in quotes', `"${key}"`],
    ['in other quotes', `“${key}”`],
    ['after its scheme', `Bearer ${key}`],
    ['as a header', `Authorization: Bearer ${key}`],
    ['in quotes with its scheme', `'Bearer ${key}'`],
    ['as a line of JSON', `  "pro": "${key}",`],
    ['as a line of a shell', `export ALMANAC_KEY=${key}`],
    ['twice', `${key} ${key}`],
  ])('%s is that key', (_name, pasted) => expect(keyInPasted(pasted)).toEqual({ key }))

  it('that only clients with a key in their address take is left to the service to refuse', () => {
    expect(keyInPasted(` "${readOnly}", `)).toEqual({ key: readOnly })
    expect(keyInPasted(`bearer '${readOnly}'`)).toEqual({ key: readOnly })
  })

  it('is none where there are several, or none', () => {
    expect(keyInPasted(`{"free":"${key}","pro":"${other}"}`)).toEqual({ fault: 'These are 2 keys. Paste one of them.' })
    for (const pasted of ['', ' ', '""', 'Bearer ', 'my key', 'schlüssel', 'a-b'])
      expect(keyInPasted(pasted), pasted).toEqual({
        fault: expect.stringMatching(/^This is no API key: .* 45 letters/),
      })
    expect(key).toHaveLength(45)
  })
})
