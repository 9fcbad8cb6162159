import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { backoffMs } from '../../ingest/feed/backoff.ts'
import { parseMessage } from '../../ingest/feed/message.ts'
import { RejectFilter } from '../../ingest/feed/reject-filter.ts'

const time = '2026-11-21T10:00:00.123Z'

describe('A feed message', () => {
  it('gives a price with the very digits of its text, as string or number', () => {
    const text = `[{"symbol":"EUR-USD","price":"1.0840","time":"${time}"},
      {"symbol":"XAU-USD","price":4071.123456789012345670,"time":"2026-11-21T11:00:00.1234567+01:00","venue":"X"}]`
    expect(parseMessage(text)).toEqual([
      { kind: 'price', symbol: 'EUR-USD', printed: '1.0840', observedAt: time, location: '' },
      { kind: 'price', symbol: 'XAU-USD', printed: '4071.123456789012345670', observedAt: time, location: '' },
    ])
  })

  it.each(['{"type":"heartbeat"}', '{}', '[]'])('%s is no price and no fault', (text) => {
    expect(parseMessage(text)).toEqual([])
  })

  it.each([
    ['{"symbol":"EUR-USD","price":', 'malformed_json'],
    ['17', 'not_an_object'],
    ['[[]]', 'not_an_object'],
    [`{"price":1,"time":"${time}"}`, 'missing_member'],
    [`{"symbol":"EUR-USD","price":null,"time":"${time}"}`, 'missing_member'],
    [`{"symbol":7,"price":1,"time":"${time}"}`, 'bad_member'],
    [`{"symbol":"EUR-USD","price":{"v":1},"time":"${time}"}`, 'bad_member'],
    ['{"symbol":"EUR-USD","price":1,"time":"2026-11-21T10:00:00"}', 'bad_date'],
    ['{"symbol":"EUR-USD","price":1,"time":"2026-02-30T10:00:00Z"}', 'bad_date'],
    ['{"symbol":"EUR-USD","price":1,"time":1732183200}', 'bad_date'],
  ])('%s is rejected as %s, and the others of its array go on', (text, reason) => {
    expect(parseMessage(text)).toMatchObject([{ kind: 'reject', reason }])
    if (reason === 'malformed_json') return
    const good = `{"symbol":"EUR-USD","price":1,"time":"${time}"}`
    expect(parseMessage(`[${good},${text},${good}]`).map(({ kind }) => kind)).toEqual(['price', 'reject', 'price'])
  })

  it('never throws, whatever comes', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => Array.isArray(parseMessage(text))))
  })
})

describe('backoffMs', () => {
  it('grows to its cap and is drawn from the whole of it', () => {
    const backoff = { baseMs: 100, capMs: 1_000 }
    expect([0, 1, 2, 3, 4, 5_000].map((attempt) => backoffMs(attempt, 0.999_99, backoff))).toEqual([
      99, 199, 399, 799, 999, 999,
    ])
    expect(backoffMs(9, 0, backoff)).toBe(0)
  })
})

describe('RejectFilter', () => {
  it('keeps an input once, and so many a minute', () => {
    const filter = new RejectFilter(2)
    filter.learn('old')
    expect(['old', 'a', 'a', 'b', 'c'].map((id) => filter.decide(id, 1_000))).toEqual([
      'known',
      'keep',
      'known',
      'keep',
      'over_budget',
    ])
    expect(['c', 'd', 'e'].map((id) => filter.decide(id, 61_000))).toEqual(['keep', 'keep', 'over_budget'])
  })
})
