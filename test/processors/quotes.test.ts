import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FEED, marketOf, SIMULATOR } from '../../contracts/instruments.ts'
import type { Quote, Session, Tick } from '../../contracts/records.ts'
import { topics } from '../../contracts/topics.ts'
import type { QuoteState } from '../../domain/decide-quote.ts'
import { sessionAt } from '../../domain/market-calendar.ts'
import { Acceptor } from '../../ingest/accept.ts'
import { partitionOf, type TypedJournal } from '../../journal/typed.ts'
import { fileCheckpoints } from '../../processors/checkpoint.ts'
import { quotesProcessor } from '../../processors/quotes/process.ts'
import { runProcessor } from '../../processors/runtime.ts'
import { openTestJournal, recordsOf, until, valuesOf } from '../support/journal.ts'
import { logOf, PARTITION, replay, valuesIn, withTimers } from '../support/quotes-replay.ts'
import { testDocument } from '../support/releases.ts'
import { at, iso, NOON, priceTick, timerTick } from '../support/ticks.ts'

const HOUR = 3_600_000
const FX_CLOSE = at('2026-01-16T22:00:00.000Z')
const FX_OPEN = at('2026-01-18T22:00:00.000Z')
const written = (...ticks: Tick[]) => replay(logOf(ticks)).written

describe('a signal', () => {
  const body = (...ticks: Tick[]) => valuesIn(written(...ticks), 'signals').at(-1)
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
    return [...(quotesProcessor.timers?.(state, now) ?? [])].map((timer) => timer.tick(now).value)
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

/** Times that pass between ticks: within the quoting interval, within a source's time, over breaks and weekends. */
const gap = fc.oneof(
  fc.integer({ min: -20, max: 300 }),
  fc.integer({ min: 1_000, max: 70_000 }),
  fc.integer({ min: HOUR, max: 80 * HOUR }),
)
const happening = fc.record({
  gap,
  /** How old a price is when it comes. */
  age: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 90 * HOUR })),
  source: fc.constantFrom(SIMULATOR, FEED, FEED, 'ECB', 'TEST'),
  symbol: fc.constantFrom('XAU-USD', 'EUR-USD'),
  price: fc.constantFrom('100', '101', '109', '125', '126', '150'),
  timer: fc.constantFrom('none', 'none', 'none', 'symbol', 'FX'),
})
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never
const ticksOf = (happenings: readonly Happening[]): Tick[] => {
  let now = at('2026-03-04T12:00:00.000Z')
  return happenings.map(({ gap: passed, age, source, symbol, price, timer }) => {
    now += passed
    if (timer !== 'none') return timerTick(timer === 'FX' ? 'FX' : symbol, now - age, now)
    return priceTick(price, { source, symbol, recorded: now, observed: now - age })
  })
}
const ticks = fc.array(happening, { minLength: 1, maxLength: 60 }).map(ticksOf)
const steps = fc.array(fc.record({ size: fc.integer({ min: 0, max: 20 }), restart: fc.boolean() }), { maxLength: 12 })

describe('whatever ticks come', () => {
  it('a replay writes the same, in whatever batches it is read and wherever it starts anew', () => {
    fc.assert(
      fc.property(
        ticks.map((list) => logOf(withTimers(list))),
        steps,
        (log, plan) => {
          const once = replay(log)
          const again = replay(log, plan)
          for (const topic of ['signals', 'sessions', 'quarantine'] as const)
            expect(valuesIn(again.written, topic)).toEqual(valuesIn(once.written, topic))
          const quotes = new Map(
            valuesIn(again.written, 'quotes').map((quote) => [`${quote.symbol} ${quote.tick_offset}`, quote]),
          )
          expect([...quotes.values()]).toEqual(valuesIn(once.written, 'quotes'))
          expect(again.state).toEqual(once.state)
        },
      ),
      { numRuns: 300 },
    )
  })
  it('a quote is one source’s price as that source gave it', () => {
    fc.assert(
      fc.property(ticks, (list) => {
        const given = new Set(
          list.map(({ symbol, source, price, observed_at }) => `${symbol} ${source} ${price} ${observed_at}`),
        )
        for (const { symbol, source, price, observed_at } of valuesIn(written(...list), 'quotes'))
          expect(given).toContain(`${symbol} ${source} ${price} ${observed_at}`)
      }),
    )
  })
  it('no quote grows stale in closed time', () => {
    fc.assert(
      fc.property(ticks, (list) => {
        const outputs = written(...withTimers(list.sort((a, b) => (a.recorded_at < b.recorded_at ? -1 : 1))))
        for (const { type, subject, time } of valuesIn(outputs, 'signals')) {
          if (type !== 'prices.instrument.stale') continue
          expect(sessionAt(marketOf(subject), at(time)).market_session).toBe('open')
        }
      }),
    )
  })
  it('stale and recovered take turns, and are what the quotes say', () => {
    fc.assert(
      fc.property(ticks, (list) => {
        const outputs = written(...withTimers(list))
        for (const symbol of ['XAU-USD', 'EUR-USD']) {
          const quotes = valuesIn(outputs, 'quotes').filter((quote) => quote.symbol === symbol)
          const turns = quotes.flatMap(({ stale }, i) => (i > 0 && stale !== quotes[i - 1]?.stale ? [stale] : []))
          const signals = valuesIn(outputs, 'signals').filter(({ key }) => key === symbol)
          expect(signals.map(({ type }) => type === 'prices.instrument.stale')).toEqual(turns)
          expect(new Set(signals.map(({ signal_id }) => signal_id)).size).toBe(signals.length)
        }
      }),
    )
  })
  it('quotes of a symbol that say only a price are 200 ms apart', () => {
    const stateOf = ({ state }: Quote) => JSON.parse(state) as QuoteState
    fc.assert(
      fc.property(ticks, (list) => {
        const last = new Map<string, Quote>()
        for (const quote of valuesIn(written(...list), 'quotes')) {
          const before = last.get(quote.symbol)
          last.set(quote.symbol, quote)
          if (!before || before.source !== quote.source || before.stale !== quote.stale) continue
          if (JSON.stringify(stateOf(before).suspects) !== JSON.stringify(stateOf(quote).suspects)) continue
          expect(Math.abs(stateOf(quote).at - stateOf(before).at)).toBeGreaterThanOrEqual(200)
        }
      }),
    )
  })
})

/** Runs the processor on all partitions until stopped; `read` says how far it has got. */
function start(journal: TypedJournal, directory: string, now: () => number) {
  const controller = new AbortController()
  const { signal } = controller
  const checkpoints = fileCheckpoints(join(directory, 'c'), journal.id)
  const read = Array.from({ length: topics.ticks.partitions }, () => 0)
  const running = Promise.all(
    read.map((_, partition) => {
      const onProgress = ({ position }: { position: number }) => {
        read[partition] = position
      }
      return runProcessor(quotesProcessor, { journal, checkpoints, signal, partition, now, onProgress })
    }),
  )
  return {
    read,
    async stop() {
      controller.abort()
      await running
    },
  }
}

it('a journal’s quotes, signals, sessions and quarantine are what a replay of its ticks gives', async () => {
  const { journal, directory } = await openTestJournal()
  let now = FX_CLOSE - 10_000
  const acceptor = new Acceptor(journal, () => now)
  const accept = (printed: string) =>
    acceptor.accept({ ...testDocument, source: FEED }, [
      { kind: 'price', symbol: 'EUR-USD', printed, observedAt: iso(now), location: '' },
    ])
  const quote = async () => (await valuesOf(journal, 'quotes')).find(({ symbol }) => symbol === 'EUR-USD')
  const types = async () => (await valuesOf(journal, 'signals')).map(({ key, type }) => `${key} ${type}`)

  let processor = start(journal, directory, () => now)
  await until('both markets have a session', async () => (await valuesOf(journal, 'sessions')).length === 2)
  await accept('1.10')
  await until('a first quote', async () => (await quote())?.price === '1.10')
  now += 50
  await accept('1.11')
  const partition = partitionOf('ticks', 'EUR-USD')
  await until('the pending tick is read', async () => {
    const { end } = await journal.bounds('ticks', partition)
    return (processor.read[partition] ?? 0) >= end
  })
  await processor.stop()
  expect((await quote())?.price).toBe('1.10')

  processor = start(journal, directory, () => now)
  now += 150
  await until('the pending price, read again, is quoted by its timer', async () => (await quote())?.price === '1.11')
  now += 1_000
  await accept('9.99')
  await until('the outlier is held', async () => ((await quote())?.state ?? '').includes('9.99'))
  now = FX_CLOSE
  await until('both markets have closed', async () => (await types()).length === 2)
  await processor.stop()

  now = FX_OPEN + 2 * HOUR
  processor = start(journal, directory, () => now)
  await until('both have opened, and the price is stale', async () => (await types()).length === 5)
  await accept('9.98')
  await until('a new price is believed', async () => (await quote())?.price === '9.98')
  await until('its recovery is told', async () => (await types()).length === 6)
  await processor.stop()

  expect((await types()).sort()).toEqual([
    'COMMODITIES prices.session.closed',
    'COMMODITIES prices.session.opened',
    'EUR-USD prices.instrument.recovered',
    'EUR-USD prices.instrument.stale',
    'FX prices.session.closed',
    'FX prices.session.opened',
  ])
  const outputs = []
  for (let from = 0; from < topics.ticks.partitions; from++) {
    const log = await recordsOf(journal, 'ticks', from)
    if (log.length > 0) outputs.push(...replay(log).written)
  }
  const byId = <T extends { signal_id?: string; input_id?: string }>(list: readonly T[]) =>
    list.map((value) => [value.signal_id ?? value.input_id, value]).sort()
  expect(byId(await valuesOf(journal, 'signals'))).toEqual(byId(valuesIn(outputs, 'signals')))
  expect(byId(await valuesOf(journal, 'quarantine'))).toEqual(byId(valuesIn(outputs, 'quarantine')))
  expect(valuesIn(outputs, 'quarantine')).toHaveLength(1)
  expect(await quote()).toEqual(valuesIn(outputs, 'quotes').at(-1))
  const lastOf = (sessions: readonly Session[]) => new Map(sessions.map((session) => [session.market, session]))
  expect(lastOf(await valuesOf(journal, 'sessions'))).toEqual(lastOf(valuesIn(outputs, 'sessions')))
})
