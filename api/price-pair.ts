import { isCommodity, isCurrency } from '../contracts/instruments.ts'
import { ProblemError } from '../contracts/problems.ts'
import { commodityCodes, currencyCodes, listed, notServed } from './known-codes.ts'

type Pair = { readonly base: string; readonly quote: string }

/** Splits a symbol into its codes. Throws the 404 of the code that is not served, with the nearest one. */
export function servedPair(symbol: string): Pair {
  const fault = faultOfPair(symbol)
  if (fault) throw fault
  return codesOf(symbol)
}

function codesOf(symbol: string): Pair {
  const [base = '', quote = ''] = symbol.split('-')
  return { base, quote }
}

function faultOfPair(symbol: string): ProblemError | undefined {
  const { base, quote } = codesOf(symbol)
  if (!isCommodity(base) && !isCurrency(base)) {
    const known = [...commodityCodes, ...currencyCodes]
    return new ProblemError('commodity_not_supported', notServed('commodity or currency', base, known))
  }
  if (!isCurrency(quote)) {
    const hint = isCommodity(quote) && isCurrency(base) ? ` A commodity comes first: ${quote}-${base}.` : undefined
    return new ProblemError('currency_not_supported', notServed('currency', quote, currencyCodes, hint))
  }
  if (base !== quote) return undefined
  return new ProblemError('currency_not_supported', `${symbol} is no pair: a rate needs two different currencies.`)
}

/** Refuses symbols of a query parameter that are no pairs here: names all of them, and says of the first why. */
export function refuseUnservedPairs(symbols: readonly string[]): void {
  const faults = symbols.flatMap((symbol) => {
    const fault = faultOfPair(symbol)
    return fault ? [{ symbol, fault }] : []
  })
  const [first] = faults
  if (!first) return
  const names = listed(faults.map(({ symbol }) => symbol))
  throw new ProblemError('invalid_query', `query parameter symbol: not served: ${names}. ${first.fault.message}`)
}
