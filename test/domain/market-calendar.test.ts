import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type MarketCode, markets } from '../../contracts/instruments.ts'
import { addOpenTime, fxSession, sessionAt } from '../../domain/market-calendar.ts'
import { at, iso } from '../support/ticks.ts'

const HOUR = 3_600_000
const spanAt = (market: MarketCode, instant: string) => {
  const { market_session, since, until } = sessionAt(market, at(instant))
  return [market_session, iso(since), iso(until)]
}

/** What a clock in New York shows, and the hours as people say them: no boundary is computed here. */
const clock = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  weekday: 'short',
  hour: '2-digit',
  hourCycle: 'h23',
})
function isOpenByTheClock(market: MarketCode, instant: number): boolean {
  const shown = Object.fromEntries(clock.formatToParts(instant).map(({ type, value }) => [type, value]))
  const hour = Number(shown.hour)
  const opens = market === 'FX' ? 17 : 18
  if (shown.weekday === 'Sat') return false
  if (shown.weekday === 'Sun') return hour >= opens
  if (shown.weekday === 'Fri') return hour < 17
  return market === 'FX' || hour !== 17
}

const market = fc.constantFrom(...(Object.keys(markets) as MarketCode[]))
const instant = fc.integer({ min: at('1999-12-01T00:00:00Z'), max: at('2040-01-01T00:00:00Z') })

describe('sessionAt', () => {
  it.each([
    // New York is at UTC-5 in January, UTC-4 in July.
    ['2026-01-16T21:59:59Z', 'open'],
    ['2026-01-16T22:00:00Z', 'closed'],
    ['2026-01-17T12:00:00Z', 'closed'],
    ['2026-01-18T21:59:59Z', 'closed'],
    ['2026-01-18T22:00:00Z', 'open'],
    ['2026-07-17T20:59:59Z', 'open'],
    ['2026-07-17T21:00:00Z', 'closed'],
    ['2026-07-19T21:00:00Z', 'open'],
    ['2026-07-21T03:00:00Z', 'open'],
  ])('at %s foreign exchange is %s', (instant, session) => expect(fxSession(new Date(instant))).toBe(session))

  it('gives the week of foreign exchange and its weekend', () => {
    expect(spanAt('FX', '2026-01-14T12:00:00Z')).toEqual([
      'open',
      '2026-01-11T22:00:00.000Z',
      '2026-01-16T22:00:00.000Z',
    ])
    expect(spanAt('FX', '2026-01-17T12:00:00Z')).toEqual([
      'closed',
      '2026-01-16T22:00:00.000Z',
      '2026-01-18T22:00:00.000Z',
    ])
  })
  it('closes commodities for an hour a day and from Friday to Sunday', () => {
    expect(spanAt('COMMODITIES', '2026-01-14T21:59:59.999Z')).toEqual([
      'open',
      '2026-01-13T23:00:00.000Z',
      '2026-01-14T22:00:00.000Z',
    ])
    expect(spanAt('COMMODITIES', '2026-01-14T22:00:00Z')).toEqual([
      'closed',
      '2026-01-14T22:00:00.000Z',
      '2026-01-14T23:00:00.000Z',
    ])
    expect(spanAt('COMMODITIES', '2026-01-16T22:00:00Z')).toEqual([
      'closed',
      '2026-01-16T22:00:00.000Z',
      '2026-01-18T23:00:00.000Z',
    ])
  })
  it.each([
    ['spring', '2026-03-08T12:00:00Z', '2026-03-06T22:00:00.000Z', '2026-03-08T21:00:00.000Z'],
    ['autumn', '2026-11-01T12:00:00Z', '2026-10-30T21:00:00.000Z', '2026-11-01T22:00:00.000Z'],
  ])('moves with the clocks of New York in %s', (_, during, since, until) => {
    expect(spanAt('FX', during)).toEqual(['closed', since, until])
  })
  it('is what the clock in New York says, and its ends are where that changes', () => {
    fc.assert(
      fc.property(market, instant, (code, now) => {
        const { market_session, since, until } = sessionAt(code, now)
        const isOpen = market_session === 'open'
        expect(since <= now && now < until).toBe(true)
        for (const inside of [since, now, until - 1]) expect(isOpenByTheClock(code, inside)).toBe(isOpen)
        for (const outside of [since - 1, until]) expect(isOpenByTheClock(code, outside)).toBe(!isOpen)
        expect(sessionAt(code, until).since).toBe(until)
        expect(sessionAt(code, since - 1).until).toBe(since)
      }),
    )
  })
})

describe('addOpenTime', () => {
  it('passes over the weekend, the break of an hour, and the change of clocks', () => {
    expect(iso(addOpenTime('FX', at('2026-01-16T21:30:00Z'), HOUR))).toBe('2026-01-18T22:30:00.000Z')
    expect(iso(addOpenTime('COMMODITIES', at('2026-01-14T21:30:00Z'), HOUR))).toBe('2026-01-14T23:30:00.000Z')
    expect(iso(addOpenTime('FX', at('2026-03-06T21:30:00Z'), HOUR))).toBe('2026-03-08T21:30:00.000Z')
    expect(iso(addOpenTime('FX', at('2026-10-30T20:30:00Z'), HOUR))).toBe('2026-11-01T22:30:00.000Z')
  })
  it('counts from the opening what begins in closed time, and is up at the opening what would be at a close', () => {
    expect(iso(addOpenTime('FX', at('2026-01-17T12:00:00Z'), 1))).toBe('2026-01-18T22:00:00.001Z')
    expect(iso(addOpenTime('FX', at('2026-01-16T21:00:00Z'), HOUR))).toBe('2026-01-18T22:00:00.000Z')
  })
  it('has exactly that much open time behind it, and ends in open time', () => {
    const hours = fc.integer({ min: 1, max: 300 })
    const start = instant.map((ms) => ms - (ms % HOUR))
    fc.assert(
      fc.property(market, start, hours, (code, from, count) => {
        const end = addOpenTime(code, from, count * HOUR - 1) + 1
        let open = 0
        for (let hour = from; hour < end; hour += HOUR) if (isOpenByTheClock(code, hour)) open++
        expect(open).toBe(count)
        expect(isOpenByTheClock(code, addOpenTime(code, from, count * HOUR))).toBe(true)
      }),
      { numRuns: 60 },
    )
  })
})
