import { describe, expect, it } from 'vitest'
import { currencies } from '../../contracts/instruments.ts'
import { readPairs } from '../../streams/prices/subscription.ts'

const pairs = (message: object) => {
  const read = readPairs({ action: 'subscribe', ...message })
  return 'refused' in read ? `${read.refused}: ${read.detail}` : read.map(({ base, quote: q }) => `${base}-${q}`)
}

describe('a subscribe message of prices', () => {
  it.each([
    ['is empty', {}, []],
    [
      'names pairs',
      { commodities: [{ commodity: 'XAU', currency: 'USD' }], fx: [{ base: 'EUR', currencies: ['USD'] }] },
      ['XAU-USD', 'EUR-USD'],
    ],
    ['names a pair twice', { commodities: Array(2).fill({ commodity: 'XAU', currency: 'USD' }) }, ['XAU-USD']],
    ['has no currencies of a base', { fx: [{ base: 'EUR', currencies: [] }] }, []],
    [
      'names 20 pairs and one',
      { commodities: Array(21).fill({ commodity: 'XAU', currency: 'USD' }) },
      'invalid_frame: /commodities must not have more than 20 items.',
    ],
    [
      'names 5 bases and one',
      { fx: Array(6).fill({ base: 'EUR', currencies: [] }) },
      'invalid_frame: /fx must not have more than 5 items.',
    ],
    [
      'has a misspelt member',
      { commodity: [] },
      'invalid_frame: Unknown field /commodity. Known: action, commodities, fx.',
    ],
    [
      'has a start',
      { start: '2026-09-01' },
      'invalid_frame: Unknown field /start. This stream has no history: /v1/prices/{symbol}/ticks has past prices.',
    ],
    [
      'names 65 currencies',
      { fx: [{ base: 'EUR', currencies: Array(65).fill('USD') }] },
      'invalid_frame: /fx/0/currencies must not have more than 64 items.',
    ],
    [
      'has a cursor',
      { cursor: 'x' },
      'invalid_frame: Unknown field /cursor. This stream has no history: /v1/prices/{symbol}/ticks has past prices.',
    ],
    [
      'has an unknown member further down',
      { fx: [{ base: 'EUR', only: [] }] },
      'invalid_frame: Unknown field /fx/0/only. Known: base, currencies.',
    ],
    ['has a wrong type', { fx: 'EUR' }, 'invalid_frame: /fx must be array.'],
    [
      'has an unserved commodity, and before it a currency',
      {
        commodities: [
          { commodity: 'XAU', currency: 'QQQ' },
          { commodity: 'GOO', currency: 'USD' },
        ],
      },
      'commodity_not_supported: /commodities/1/commodity is no commodity that is served here.',
    ],
    [
      'has an unserved currency',
      { commodities: [{ commodity: 'XAU', currency: 'QQQ' }] },
      'currency_not_supported: /commodities/0/currency is no currency that is served here.',
    ],
    [
      'has an unserved base',
      { fx: [{ base: 'xyz' }] },
      'currency_not_supported: /fx/0/base is no currency that is served here.',
    ],
    [
      'has the base among its currencies',
      { fx: [{ base: 'EUR', currencies: ['USD', 'EUR'] }] },
      'currency_not_supported: /fx/0/currencies/1 is no currency that is served here.',
    ],
    [
      'uses a name that objects have by nature',
      { commodities: [{ commodity: 'constructor', currency: 'USD' }] },
      'commodity_not_supported: /commodities/0/commodity is no commodity that is served here.',
    ],
  ])('that %s', (_, message, expected) => expect(pairs(message)).toEqual(expected))

  it('takes all of a base where one of its entries names none', () => {
    const all = pairs({ fx: [{ base: 'EUR', currencies: ['USD'] }, { base: 'EUR' }] })
    expect(new Set(all)).toEqual(new Set(currencies.filter((code) => code !== 'EUR').map((code) => `EUR-${code}`)))
  })
})
