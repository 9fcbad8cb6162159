import { describe, expect, it } from 'vitest'
import type { Quote } from '../../contracts/records.ts'
import { PricesStream } from '../../streams/prices/index.ts'
import { startStreams } from './support.ts'

/** How a subscriber learns that prices are made up, though the messages are those of real ones. */
const SATURDAY = '2026-11-21T12:00:00.000Z'
const quote = (symbol: string, source: string): Quote => ({
  symbol,
  price: '2',
  source,
  observed_at: SATURDAY,
  stale: false,
  tick_partition: 0,
  tick_offset: 1,
  state: '{}',
})

describe('the prices stream of a demonstration', () => {
  it.each([
    ['simulator', 'simulator', 'simulated'],
    ['TEST', undefined, 'closed'],
  ])('on prices of %s has the source %s at the handshake and the session %s', async (source, named, session) => {
    const stream = new PricesStream({ clock: () => new Date(SATURDAY) })
    for (const symbol of ['EUR-USD', 'XAU-USD']) stream.apply(quote(symbol, source))
    stream.loaded({ isAway: () => false })
    const { connect } = await startStreams([stream])
    const client = connect('prices')
    const upgraded = new Promise<Record<string, unknown>>((resolve) =>
      client.socket.once('upgrade', ({ headers }) => resolve(headers)),
    )
    expect((await upgraded)['almanac-source']).toBe(named)
    await client.seen('ready')
    client.send({ action: 'subscribe', fx: [{ base: 'EUR', currencies: ['USD'] }] })
    const [message] = await client.seen('fx')
    expect(message).toEqual({
      type: 'fx',
      base: 'EUR',
      market_session: session,
      rate: { currency: 'USD', rate: '2', timestamp: SATURDAY, stale: false },
    })
  })
})
