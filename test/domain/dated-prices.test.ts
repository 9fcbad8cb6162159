import { expect, test } from 'vitest'
import { type LastPrice, pricesAt } from '../../domain/dated-prices.ts'

const last = (symbol: string, source: string, price: string, observed_at: string): LastPrice => ({
  symbol,
  source,
  price,
  observed_at,
})
const AT = Date.parse('2026-03-19T23:59:59.999Z')

test('the best source whose price is current at the instant has it, and crosses follow', () => {
  const board = pricesAt(AT, [
    last('EUR-USD', 'ECB', '1.1', '2026-03-19T15:15:00.000Z'),
    last('EUR-USD', 'simulator', '9', '2026-03-19T23:59:00.000Z'),
    last('XAU-USD', 'TEST', '4400', '2026-03-19T20:00:00.000Z'),
  ])
  expect(board.spot('XAU', 'EUR', new Date(AT))).toMatchObject({
    price: '4000',
    timestamp: '2026-03-19T15:15:00.000Z',
    stale: false,
  })
  expect(board.isSimulated('EUR', 'USD', new Date(AT))).toBe(false)
})

test('a price that is too old at the instant is stale, and was not before', () => {
  const prices = [last('EUR-USD', 'ECB', '1.1', '2026-03-02T15:15:00.000Z')]
  const staleAt = (at: number) =>
    pricesAt(at, prices)
      .fx('EUR', new Date(at))
      ?.rates.find((rate) => rate.currency === 'USD')
  expect(staleAt(AT)).toMatchObject({ rate: '1.1', stale: true })
  expect(staleAt(Date.parse('2026-03-02T23:59:59.999Z'))).toMatchObject({ stale: false })
})

test('without prices there is none', () => {
  expect(pricesAt(AT, []).spot('XAU', 'USD', new Date(AT))).toBeUndefined()
})
