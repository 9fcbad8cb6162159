import { type CandleInterval, candlesOfPairsOperation, DEFAULT_INTERVAL, MAX_CANDLES } from '../../contracts/candles.ts'
import { simulatedSource } from '../../contracts/instruments.ts'
import { ProblemError } from '../../contracts/problems.ts'
import { intervalNumber, intervalStart, intervalsWithin } from '../../domain/candle-interval.ts'
import { type Answer, caching, type Render } from '../answer.ts'
import type { ApiDeps } from '../deps.ts'
import { type Handlers, handler, type OperationInput } from '../execute.ts'
import { refuseUnservedPairs } from '../price-pair.ts'
import { askedRange, instantText } from '../price-range.ts'
import { candleOf, type FoundCandle, isSimulated, knownPairs, readCandles } from '../read-candles.ts'
import { inTurns } from '../render.ts'

const OPERATION = candlesOfPairsOperation.id

/** Time in which steps of the reading are begun. The answer has 10 s. */
const BUDGET_MS = 5_000

type Deps = Pick<ApiDeps, 'candles' | 'prices' | 'pricesUntil'>

type PairsInput = OperationInput & {
  readonly query: {
    readonly symbol: readonly string[]
    readonly interval?: CandleInterval
    readonly start: string
    readonly end?: string
  }
}

/** `first` and `last` are UTC milliseconds, inclusive. */
type Question = {
  readonly symbols: readonly string[]
  readonly interval: CandleInterval
  readonly first: number
  readonly last: number
}

/** Serves the candles of several pairs in one range, whole. */
export const candlesOfPairsHandlers = (deps: Deps, render: Render): Handlers => ({
  [OPERATION]: handler<PairsInput, Question>({
    needsSlot: true,
    ask: ({ query }) => questionOf(query, deps.pricesUntil().getTime()),
    answer: (question) => answerQuestion(deps, render, question),
  }),
})

function questionOf({ symbol, interval = DEFAULT_INTERVAL, start, end }: PairsInput['query'], now: number): Question {
  const symbols = [...new Set(symbol)]
  refuseUnservedPairs(symbols)
  const { first, last } = askedRange({ start, ...(end === undefined ? {} : { end }) })
  const question = { symbols, interval, first: first ?? now, last: Math.min(last ?? now, now) }
  const { from, to } = intervalsWithin(interval, question.first, question.last)
  const size = symbols.length * (to - from)
  if (size <= MAX_CANDLES) return question
  const fitting = from + Math.floor(MAX_CANDLES / symbols.length) - 1
  const [begin, finish] = [from, fitting].map((number) => instantText(intervalStart(interval, number)))
  throw new ProblemError(
    'invalid_query',
    `the range may have ${size} candles (${symbols.length} × ${to - from} intervals of ${interval}), and at most ${MAX_CANDLES} come in one call: ask for a range such as start=${begin}&end=${finish}, for fewer pairs, or for a longer interval`,
  )
}

async function answerQuestion(
  deps: Deps,
  render: Render,
  { symbols, interval, first, last }: Question,
): Promise<Answer> {
  const pairs = await knownPairs(deps, symbols, first)
  const oldest = Math.min(...pairs.map((pair) => pair.oldest ?? last))
  const { from, to } = intervalsWithin(interval, first, last)
  const range = { interval, from: Math.max(from, intervalNumber(interval, oldest)), to }
  const { found, scannedTo } = await readCandles(deps, pairs, {
    ...range,
    limit: MAX_CANDLES,
    budgetMs: BUDGET_MS,
  })
  if (scannedTo < range.to) throw tooSlow(intervalStart(interval, scannedTo - 1))

  const byPair = Map.groupBy(found, ({ symbol }) => symbol)
  const body = (one: FoundCandle) => candleOf(interval, one)
  const bodies: object[] = []
  for (const { symbol, derived, newest } of pairs) {
    const candles = await inTurns(byPair.get(symbol) ?? [], body)
    bodies.push({ symbol, interval, derived, candles, as_of: newest === undefined ? null : instantText(newest) })
  }
  const headers = found.some(isSimulated) ? simulatedSource : {}
  return render.list(OPERATION, bodies, (one) => one, {}, caching.price, headers)
}

/** Refusal of a range that takes too long to read. It says where to cut it, in UTC milliseconds. */
const tooSlow = (last: number): ProblemError =>
  new ProblemError(
    'invalid_query',
    `the range takes too long to read in one call: send end=${instantText(last)} and then go on from there, or ask for fewer pairs`,
  )
