import { type ServedTick, ticksOperation } from '../../contracts/candles.ts'
import { SIMULATOR, simulatedSource } from '../../contracts/instruments.ts'
import { ProblemError } from '../../contracts/problems.ts'
import { decodeTickCursor, encodeTickCursor, type TickCursor } from '../../domain/price-cursor.ts'
import { issueTime } from '../../domain/snapshot-lifetime.ts'
import { type Answer, caching, type Render } from '../answer.ts'
import { linked, nextLink } from '../csv.ts'
import type { ApiDeps } from '../deps.ts'
import { type Handlers, handler } from '../execute.ts'
import { servedPair } from '../price-pair.ts'
import { instantText, type PriceInput, type PricePage, pricePage, tooMany } from '../price-range.ts'
import { behindSnapshot, placeOfTicks } from '../snapshot-cursor.ts'

const OPERATION = ticksOperation.id

type Deps = Pick<ApiDeps, 'ticks' | 'prices' | 'lineage' | 'clock'>
type Page = PricePage<TickCursor>

/** Before every tick. */
const BEGIN = [Number.MIN_SAFE_INTEGER, 0, 0] as const

/** Pages through the ticks of a quoted pair. All pages show the ticks that were recorded when the first one was read. */
export const tickHandlers = (deps: Deps, render: Render): Handlers => ({
  [OPERATION]: handler<PriceInput, Page>({
    needsSlot: true,
    ask: (input) => pricePage(input, decodeTickCursor, deps, placeOfTicks),
    answer: (page) => answerPage(deps, render, page),
  }),
})

async function answerPage(deps: Deps, render: Render, page: Page): Promise<Answer> {
  const { ticks, lineage, clock } = deps
  const { symbol, cursor, limit, csv } = page
  requireQuoted(deps, symbol)
  const newest = await ticks.newest(symbol)
  if (cursor && newest && newest.offset < cursor.snapshot) throw behindSnapshot()
  const snapshot = cursor?.snapshot ?? newest?.offset
  const recordedAt = cursor?.recordedAt ?? (newest ? Date.parse(newest.recordedAt) : undefined)

  const { first, last } = cursor ?? page
  const range = { first: first ?? Number.MIN_SAFE_INTEGER, last: last ?? Number.MAX_SAFE_INTEGER }
  const after = cursor?.after ?? BEGIN
  // Reads one more than is shown, to learn whether there is a next page.
  const found = snapshot === undefined ? [] : await ticks.page(symbol, { ...range, snapshot, after, limit: limit + 1 })
  const shown = found.slice(0, limit)
  const lastShown = found.length > limit ? shown.at(-1) : undefined
  if (lastShown && page.isWhole) throw tooMany('ticks', lastShown.position[0], '')
  const next_cursor = lastShown
    ? encodeTickCursor({
        journal: lineage.nameOf(placeOfTicks({ symbol, snapshot: snapshot ?? 0 })),
        symbol,
        first,
        last,
        snapshot: snapshot ?? 0,
        recordedAt: recordedAt ?? 0,
        after: lastShown.position,
        issuedAt: cursor?.issuedAt ?? issueTime(clock().getTime()),
      })
    : null
  const headers = shown.some(({ source }) => source === SIMULATOR) ? simulatedSource : {}
  const body = ({ observed_at, price, source, recorded_at }: ServedTick): ServedTick => ({
    observed_at,
    price,
    source,
    recorded_at,
  })
  const cacheControl = cursor ? caching.snapshot : caching.price
  const rest = { symbol, next_cursor, as_of: recordedAt === undefined ? null : instantText(recordedAt) }
  if (!csv) return render.list(OPERATION, shown, body, rest, cacheControl, headers)
  const path = ticksOperation.path.replace('{symbol}', symbol)
  const links = linked(nextLink(path, limit, next_cursor, csv))
  return render.csv(csv, OPERATION, shown, body, cacheControl, { ...headers, ...links })
}

/** Refuses a pair that no source quotes, because it never has ticks, and names the pairs from which it is computed. */
function requireQuoted({ prices }: Deps, symbol: string): void {
  const { base, quote } = servedPair(symbol)
  const [route] = prices.routes(base, quote)
  const legs = route ? [...route.over, ...route.under] : []
  if (!route || (legs.length === 1 && route.over.length === 1)) return
  const detail = `${symbol} has no ticks, because no source quotes it: it is computed from ${legs.join(' and ')}. Ask for the ticks of those, or for the candles of ${symbol}.`
  throw new ProblemError('pair_not_quoted', detail)
}
