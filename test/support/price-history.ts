import type { Tick } from '../../contracts/records.ts'
import { intervalNumber } from '../../domain/candle-interval.ts'
import type { LastPrice } from '../../domain/dated-prices.ts'
import { compareDecimals } from '../../domain/decimal.ts'
import type { PairRoute } from '../../projections/views/candles/crossed.ts'
import type { CandleQueries } from '../../projections/views/candles/query.ts'
import type { TickPosition, TickQueries } from '../../projections/views/ticks/query.ts'

type Kept = { readonly tick: Tick; readonly position: TickPosition }
type Range = Parameters<CandleQueries['quoted']>[1]

/** Ticks in memory, and what the read models answer about them, by the plainest means. */
export class PriceHistory {
  readonly #kept: Kept[] = []

  /** Adds ticks in order of arrival; timers count for nothing. */
  add(...ticks: readonly Tick[]): void {
    for (const tick of ticks) {
      if (tick.kind !== 'price') continue
      this.#kept.push({ tick, position: [Date.parse(tick.observed_at), this.#kept.length * 2, 0] })
    }
  }

  /** The last price of each symbol and source before an instant, UTC milliseconds. */
  lastBefore(end: number): LastPrice[] {
    const last = new Map<string, Kept>()
    for (const kept of this.#kept.filter(({ tick }) => Date.parse(tick.observed_at) < end)) {
      const key = `${kept.tick.symbol} ${kept.tick.source}`
      if (kept.tick.observed_at >= (last.get(key)?.tick.observed_at ?? '')) last.set(key, kept)
    }
    return [...last.keys()].sort().flatMap((key) => {
      const { symbol, source, price, observed_at } = last.get(key)?.tick ?? {}
      return symbol && source && price && observed_at ? [{ symbol, source, price, observed_at }] : []
    })
  }

  readonly ticks: TickQueries = {
    newest: async (symbol) => {
      const newest = this.#kept.findLast(({ tick }) => tick.symbol === symbol)
      return newest && { offset: newest.position[1], recordedAt: newest.tick.recorded_at }
    },
    page: async (symbol, { snapshot, first, last, after, limit }) =>
      this.#of(symbol)
        .filter(
          ({ position }) =>
            position[1] <= snapshot && position[0] >= first && position[0] <= last && isAfter(position, after),
        )
        .map(({ tick: { source, price, observed_at, recorded_at }, position }) => {
          return { source, price, observed_at, recorded_at, position }
        })
        .slice(0, limit),
  }

  readonly candles: CandleQueries = {
    lastPrices: async () => this.lastBefore(Number.POSITIVE_INFINITY),
    extents: async (symbols, since = Number.NEGATIVE_INFINITY) =>
      new Map(
        symbols.flatMap((symbol) => {
          const kept = this.#of(symbol).filter(({ position: [at] }) => at >= Math.floor(since / 60_000) * 60_000)
          const times = kept.map(({ position }) => position[0])
          const oldest = Math.floor(Math.min(...times) / 60_000) * 60_000
          const sources = [...new Set(kept.map(({ tick }) => tick.source))].sort()
          return times.length === 0 ? [] : [[symbol, { oldest, newest: Math.max(...times), sources }] as const]
        }),
      ),
    quoted: async (symbols, range) =>
      sliced(
        range,
        symbols.flatMap((symbol) =>
          [...this.#best(symbol, range)].map(([number, kept]) => ({
            symbol,
            number,
            source: kept[0]?.tick.source ?? '',
            ...folded(kept),
          })),
        ),
      ),
    crossed: async (routes, range) => {
      const all = routes.flatMap((route) => this.#crossed(route, range))
      const isFirst = ({ route, number }: (typeof all)[number], n: number) =>
        all.findIndex((other) => other.route.symbol === route.symbol && other.number === number) === n
      return sliced(range, all.filter(isFirst))
    },
  }

  #crossed(route: PairRoute, range: Range) {
    const legs = [...route.over, ...route.under].map((symbol) => this.#best(symbol, range))
    const numbers = [...(legs[0]?.keys() ?? [])].filter((number) => legs.every((leg) => leg.has(number)))
    return numbers.flatMap((number) => {
      const minutes = legs.map((leg) => byMinute(leg.get(number) ?? []))
      const common = [...(minutes[0]?.keys() ?? [])].filter((minute) => minutes.every((leg) => leg.has(minute)))
      const candles = common.map((minute) => minutes.map((leg) => folded(leg.get(minute) ?? [])))
      const [first, last] = [candles.at(0), candles.at(-1)]
      if (!first || !last) return []
      const members = legs.length > 1 ? (['open', 'close'] as const) : (['open', 'close', 'high', 'low'] as const)
      const used = common.flatMap((minute) => minutes.flatMap((leg) => leg.get(minute) ?? []))
      return {
        route,
        number,
        open: first.map(({ open }) => open),
        close: last.map(({ close }) => close),
        extremes: candles.flatMap((each) => members.map((member) => each.map((leg) => leg[member]))),
        ticks: used.length,
        sources: [...new Set(used.map(({ tick }) => tick.source))].sort(),
      }
    })
  }

  /** Ticks of a symbol by the source's time, then in order of arrival. */
  #of(symbol: string): Kept[] {
    return this.#kept
      .filter(({ tick }) => tick.symbol === symbol)
      .sort(({ position: a }, { position: b }) => a[0] - b[0] || a[1] - b[1])
  }

  /** For each interval the ticks of its best source. */
  #best(symbol: string, { interval, from, to, sources }: Range): Map<number, Kept[]> {
    const rank = ({ tick: { source } }: Kept): number => sources.indexOf(source)
    const read = this.#of(symbol).filter((each) => rank(each) >= 0)
    const numbered = Map.groupBy(read, ({ position }) => intervalNumber(interval, position[0]))
    const within = [...numbered].filter(([number]) => number >= from && number < to)
    return new Map(
      within.map(([number, kept]) => {
        const best = Math.min(...kept.map(rank))
        return [number, kept.filter((each) => rank(each) === best)]
      }),
    )
  }
}

const sliced = <R extends { readonly number: number }>({ to, limit }: Range, found: readonly R[]) => ({
  found: found.toSorted((a, b) => a.number - b.number).slice(0, limit),
  scannedTo: to,
})

const byMinute = (kept: readonly Kept[]) => Map.groupBy(kept, ({ position }) => Math.floor(position[0] / 60_000))

function folded(kept: readonly Kept[]) {
  const prices = kept.map(({ tick }) => tick.price)
  const sorted = prices.toSorted((a, b) => compareDecimals(a, b) || a.length - b.length)
  const [open = '', close = '', high = '', low = ''] = [prices[0], prices.at(-1), sorted.at(-1), sorted[0]]
  return { open, high, low, close, ticks: prices.length }
}

const isAfter = (a: TickPosition, b: TickPosition): boolean => (a[0] - b[0] || a[1] - b[1] || a[2] - b[2]) > 0
