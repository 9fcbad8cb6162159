import { SubscribePrices } from '../../contracts/frames.ts'
import { currencies, isCommodity, isCurrency } from '../../contracts/instruments.ts'
import { refuseHistoryPosition } from '../no-history.ts'
import { shapeCheck } from '../shape.ts'
import type { Refusal } from '../stream.ts'

/** A price to subscribe to: a commodity in a currency, or a base currency in another one. */
export type Pair = { readonly kind: 'commodity' | 'fx'; readonly base: string; readonly quote: string }

type Message = {
  readonly commodities?: readonly { readonly commodity: string; readonly currency: string }[]
  readonly fx?: readonly { readonly base: string; readonly currencies?: readonly string[] }[]
}

const faultOf = shapeCheck(SubscribePrices)

/**
 * The pairs of a subscribe message, each once. Checks shape and limits first, then commodities, then currencies. Entries of
 * the same base are merged. A base without `currencies` means all currencies, an empty list means none.
 */
export function readPairs(message: Readonly<Record<string, unknown>>): readonly Pair[] | Refusal {
  const fault = refuseHistoryPosition(message, '/v1/prices/{symbol}/ticks has past prices') ?? faultOf(message)
  if (fault) return fault
  // The shape check made it a `Message`.
  const { commodities = [], fx = [] } = message as Message
  const unserved = commodities.findIndex(({ commodity }) => !isCommodity(commodity))
  if (unserved >= 0) return notServed('commodity', `/commodities/${unserved}/commodity`)
  for (const [i, { currency }] of commodities.entries()) {
    if (!isCurrency(currency)) return notServed('currency', `/commodities/${i}/currency`)
  }
  for (const [i, { base, currencies: quotes = [] }] of fx.entries()) {
    if (!isCurrency(base)) return notServed('currency', `/fx/${i}/base`)
    const at = quotes.findIndex((quote) => !isCurrency(quote) || quote === base)
    if (at >= 0) return notServed('currency', `/fx/${i}/currencies/${at}`)
  }
  const spots = commodities.map(
    ({ commodity, currency }): Pair => ({ kind: 'commodity', base: commodity, quote: currency }),
  )
  const rates = fx.flatMap(({ base, currencies: quotes = allBut(base) }) =>
    quotes.map((quote): Pair => ({ kind: 'fx', base, quote })),
  )
  return [...new Map([...spots, ...rates].map((pair) => [nameOf(pair), pair])).values()]
}

export const nameOf = ({ base, quote }: Pair): string => `${base}-${quote}`

const allBut = (base: string): readonly string[] => currencies.filter((currency) => currency !== base)

const notServed = (what: 'commodity' | 'currency', where: string): Refusal => ({
  refused: `${what}_not_supported`,
  detail: `${where} is no ${what} that is served here.`,
})
