import { describe, expect, it } from 'vitest'
import { FEED } from '../../contracts/instruments.ts'
import type { Session, Tick } from '../../contracts/records.ts'
import { topics } from '../../contracts/topics.ts'
import { quotesProcessor } from '../../processors/quotes/process.ts'
import { logOf, PARTITION, replay, transitionsIn, valuesIn } from '../support/quotes-replay.ts'
import { at, iso, NOON, priceTick, timerTick } from '../support/ticks.ts'

const HOUR = 3_600_000
const FX_CLOSE = at('2026-01-16T22:00:00.000Z')
const FX_OPEN = at('2026-01-18T22:00:00.000Z')
const written = (...ticks: Tick[]) => replay(logOf(ticks)).written

describe('the signal of a transition', () => {
  const body = (...ticks: Tick[]) => transitionsIn(written(...ticks)).at(-1)
  it('tells that a commodity is stale, with the body that REST serves', () => {
    const signal = body(priceTick('10.50', { source: FEED }), timerTick('XAU-USD', NOON + 60_000, NOON + 60_007))
    expect(signal).toEqual({
      signal_id: expect.stringMatching(/^sig_[0-9A-Z]{26}$/),
      key: 'XAU-USD',
      type: 'prices.instrument.stale',
      family: 'commodities',
      country: null,
      subject: 'XAU-USD',
      time: iso(NOON + 60_007),
      dataschema: 'urn:almanac:schema:SpotPrice',
      data: expect.any(String),
    })
    expect(JSON.parse(signal?.data ?? '')).toEqual({
      symbol: 'XAU-USD',
      price: '10.50',
      currency: 'USD',
      unit: 'troy_ounce',
      timestamp: iso(NOON),
      stale: true,
    })
  })
  it('tells that an exchange rate has recovered, with that one rate', () => {
    const rate = { source: FEED, symbol: 'EUR-USD' }
    const signal = body(
      priceTick('1.10', rate),
      timerTick('EUR-USD', NOON + 60_000),
      priceTick('1.20', { ...rate, recorded: NOON + HOUR }),
    )
    expect(signal).toMatchObject({ type: 'prices.instrument.recovered', family: 'fx', subject: 'EUR-USD' })
    expect(signal?.dataschema).toBe('urn:almanac:schema:FxRates')
    expect(JSON.parse(signal?.data ?? '')).toEqual({
      base: 'EUR',
      market_session: 'open',
      rates: [{ currency: 'USD', rate: '1.20', timestamp: iso(NOON + HOUR), stale: false }],
    })
  })
})

describe('a standing', () => {
  const DAY = 24 * HOUR
  const standings = (...ticks: Tick[]) =>
    valuesIn(written(...ticks), 'standings').map(({ source, lapse, recorded_at }) => ({ source, lapse, recorded_at }))
  const price = (recorded: number, source: string) => priceTick('100', { source, recorded })

  it('is recorded for the first quote, and again after a week without a change', () => {
    const days = Array.from({ length: 10 }, (_, day) => price(NOON + day * DAY, 'ECB'))
    expect(standings(...days)).toEqual(
      [0, 7].map((day) => ({ source: 'ECB', lapse: null, recorded_at: iso(NOON + day * DAY) })),
    )
  })
  it('says how the source was late, whether or not a timer told it', () => {
    const back = NOON + 90_000
    const lapse = { source: FEED, heard_at: iso(NOON), since: iso(NOON + 60_000) }
    const current = { source: FEED, lapse: null, recorded_at: iso(NOON) }
    expect(standings(price(NOON, FEED), price(back, FEED))).toEqual([
      current,
      { source: FEED, lapse, recorded_at: iso(back) },
    ])
    const timer = timerTick('XAU-USD', NOON + 60_000)
    expect(standings(price(NOON, FEED), timer, price(back, FEED))).toEqual([
      current,
      { source: '', lapse, recorded_at: iso(NOON + 60_000) },
      { source: FEED, lapse: null, recorded_at: iso(back) },
    ])
  })
  it('names the source that takes the place of a late one', () => {
    const late = [price(NOON, FEED), price(NOON + 1, 'ECB'), timerTick('XAU-USD', NOON + 60_000)]
    expect(standings(...late).map(({ source, lapse }) => [source, lapse?.source])).toEqual([
      [FEED, undefined],
      ['ECB', FEED],
    ])
  })
})

it('an outlier goes to quarantine with its tick and its place', () => {
  const wrong = priceTick('150', { source: FEED, recorded: NOON + 1 })
  const rejected = valuesIn(
    written(priceTick('100', { source: FEED }), wrong, priceTick('100', { source: FEED, recorded: NOON + 2 })),
    'quarantine',
  )
  expect(rejected).toHaveLength(1)
  expect(rejected[0]).toMatchObject({
    reason: 'outlier',
    source: FEED,
    location: `ticks/${PARTITION}/2`,
    part: 1,
    parts: 1,
  })
  expect(JSON.parse(Buffer.from(rejected[0]?.bytes ?? []).toString())).toEqual(wrong)
})

describe('market sessions', () => {
  const timersAt = (session: Session | undefined, now: number) => {
    const state = quotesProcessor.init(PARTITION)
    if (session) quotesProcessor.stateFrom?.sessions?.(state, session, PARTITION)
    return valuesIn(
      [...(quotesProcessor.timers?.(state, now) ?? [])].map((timer) => timer.tick(now)),
      'ticks',
    )
  }
  const open = {
    market: 'FX',
    market_session: 'open',
    since: '2026-01-11T22:00:00.000Z',
    tick_partition: PARTITION,
    tick_offset: 0,
  } as const

  it('are on record from the first start, without a signal', () => {
    const timers = timersAt(undefined, NOON)
    expect(timers).toEqual([timerTick('FX', at(open.since), NOON)])
    const outputs = written(...timers, ...timers)
    expect(valuesIn(outputs, 'sessions')).toEqual([{ ...open, tick_offset: 1 }])
    expect(valuesIn(outputs, 'signals')).toEqual([])
  })
  it('end by the calendar: nothing before, then one record and one signal, whatever comes twice', () => {
    expect(timersAt(open, FX_CLOSE - 1)).toEqual([])
    const close = timersAt(open, FX_CLOSE)
    expect(close).toEqual([timerTick('FX', FX_CLOSE)])
    const early = timerTick('FX', FX_CLOSE, FX_CLOSE - 1)
    const outputs = written(
      timerTick('FX', at(open.since), NOON),
      early,
      ...close,
      ...close,
      timerTick('FX', at(open.since), FX_OPEN),
    )
    expect(valuesIn(outputs, 'sessions')).toMatchObject([
      { market_session: 'open' },
      { market_session: 'closed', since: iso(FX_CLOSE) },
    ])
    const signals = valuesIn(outputs, 'signals')
    expect(signals).toMatchObject([
      {
        key: 'FX',
        type: 'prices.session.closed',
        family: 'fx',
        subject: 'FX',
        country: null,
        time: iso(FX_CLOSE),
        dataschema: 'urn:almanac:schema:MarketSessionChange',
      },
    ])
    expect(JSON.parse(signals[0]?.data ?? '')).toEqual({
      market: 'FX',
      name: 'Foreign exchange',
      market_session: 'closed',
      since: iso(FX_CLOSE),
      until: iso(FX_OPEN),
    })
  })
  it('that passed while nobody looked are told late, each and in order', () => {
    const now = at('2026-01-28T12:00:00.000Z')
    const outputs = written(timerTick('FX', at(open.since), NOON), ...timersAt(open, now))
    expect(valuesIn(outputs, 'signals').map(({ type, time, data }) => [type, time, JSON.parse(data).since])).toEqual([
      ['prices.session.closed', iso(now), '2026-01-16T22:00:00.000Z'],
      ['prices.session.opened', iso(now), '2026-01-18T22:00:00.000Z'],
      ['prices.session.closed', iso(now), '2026-01-23T22:00:00.000Z'],
      ['prices.session.opened', iso(now), '2026-01-25T22:00:00.000Z'],
    ])
  })
  it('are the business of one partition', () => {
    const [timer] = timersAt(undefined, NOON)
    const elsewhere = (PARTITION + 1) % topics.ticks.partitions
    expect(timer && replay(logOf([timer], elsewhere)).written).toEqual([])
  })
})
