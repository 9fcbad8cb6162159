import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { Quote } from '../../contracts/records.ts'
import { PricesStream } from '../../streams/prices/index.ts'
import { timeWith } from '../support/wall-clock.ts'
import { type Client, startStreams } from './support.ts'

async function sourceAtHandshake(client: Client): Promise<unknown> {
  const [{ headers }] = await once(client.socket, 'upgrade')
  return headers['almanac-source']
}

/** How a subscriber learns that prices are made up, though the messages are those of real ones. */
const SATURDAY = '2026-11-21T12:00:00.000Z'
const quote = (symbol: string, source: string, stale = false): Quote => ({
  symbol,
  price: '2',
  source,
  observed_at: SATURDAY,
  stale,
  tick_partition: 0,
  tick_offset: 1,
  state: '{}',
})

describe('the prices stream of a demonstration', () => {
  it.each([
    ['simulator', 'simulator', 'simulated'],
    ['TEST', undefined, 'closed'],
  ])('on prices of %s has the source %s at the handshake and the session %s', async (source, named, session) => {
    const stream = new PricesStream({ time: timeWith(() => Date.parse(SATURDAY)) })
    for (const symbol of ['EUR-USD', 'XAU-USD']) stream.apply(quote(symbol, source))
    stream.loaded({ isAway: () => false })
    const { connect } = await startStreams([stream])
    const client = connect('prices')
    expect(await sourceAtHandshake(client)).toBe(named)
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

  it('says it to a client that connects before the first simulated quote', async () => {
    const stream = new PricesStream({ time: timeWith(() => Date.parse(SATURDAY)), isSimulatorFed: true })
    stream.loaded({ isAway: () => false })
    const { connect } = await startStreams([stream])
    expect(await sourceAtHandshake(connect('prices'))).toBe('simulator')
  })

  it('says it as long as a price that it left behind may be sent', async () => {
    const stream = new PricesStream({ time: timeWith(() => Date.parse(SATURDAY)) })
    stream.apply(quote('XAU-USD', 'simulator', true))
    stream.loaded({ isAway: () => false })
    const { connect } = await startStreams([stream])
    expect(await sourceAtHandshake(connect('prices'))).toBe('simulator')
  })
})
