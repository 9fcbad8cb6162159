/** What the streams bench sends: quotes that change with each check, and events of a usual size. */
import { commodities } from '../../contracts/instruments.ts'
import type { EventRecord, Quote } from '../../contracts/records.ts'

const symbols = Object.keys(commodities).slice(0, 20)

export const subscribePrices = {
  action: 'subscribe',
  commodities: symbols.map((commodity) => ({ commodity, currency: 'USD' })),
}

/** Twenty quotes, none at the price it had in the check before. */
export const quotesOf = (check: number): Quote[] =>
  symbols.map((commodity, i) => ({
    symbol: `${commodity}-USD`,
    price: `${4_000 + i}.${100 + (check % 900)}`,
    source: 'TEST',
    observed_at: '2026-11-20T11:59:59.000Z',
    stale: false,
    tick_partition: 0,
    tick_offset: check,
    state: '{}',
  }))

/** An event as a release makes it, and `padding` bytes more. `sentUs`: of the machine's monotonic clock. */
export const eventOf = (sequence: number, sentUs = 0, padding = 0): EventRecord => ({
  sequence,
  id: `evt_${String(sequence).padStart(26, '0')}`,
  type: 'economics.release.published',
  source: '/almanac/inflation',
  family: 'inflation',
  country: 'USA',
  subject: 'USA/cpi/2026-09',
  time: '2026-11-20T12:00:00.000Z',
  dataschema: 'urn:almanac:schema:Cpi',
  data: JSON.stringify({
    sent_us: sentUs,
    country: 'USA',
    period: '2026-09',
    value: '325.412',
    unit: 'index',
    source: 'TEST',
    dataset: 'T1',
    seasonal_adjustment: 'not_seasonally_adjusted',
    base_period: '2015',
    frequency: 'M',
    released_on: '2026-10-15',
    recorded_at: '2026-10-15T12:30:00.000Z',
    revises: null,
    ...(padding > 0 && { padding: 'x'.repeat(padding) }),
  }),
})

export const monotonicUs = (): number => Math.round(Number(process.hrtime.bigint()) / 1_000)

/** Does `count` things, `perSecond` of them. Resolves with what came of all, or rejects with the first that failed. */
export function allAtRate<T>(perSecond: number, count: number, due: (n: number) => Promise<T>): Promise<T[]> {
  const { promise: failed, reject } = Promise.withResolvers<never>()
  const all: Promise<T>[] = []
  const begun = atRate(perSecond, count, (n) => {
    const one = due(n)
    one.catch(reject)
    all.push(one)
  })
  return Promise.race([failed, begun.then(() => Promise.all(all))])
}

/** Calls `due` for each of `count` things, `perSecond` of them, and resolves behind the last. Late ones follow at once. */
export async function atRate(perSecond: number, count: number, due: (n: number) => void): Promise<void> {
  const from = performance.now()
  const { promise, resolve } = Promise.withResolvers<void>()
  let done = 0
  const timer = setInterval(
    () => {
      const until = Math.min(count, Math.floor(((performance.now() - from) * perSecond) / 1_000))
      while (done < until) due(done++)
      if (done === count) resolve()
    },
    Math.max(1, 1_000 / perSecond),
  )
  await promise
  clearInterval(timer)
}
