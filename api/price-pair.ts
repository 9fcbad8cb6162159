import { isCommodity, isCurrency } from '../contracts/instruments.ts'
import { ProblemError } from '../contracts/problems.ts'
import { commodityCodes, currencyCodes, notServed } from './known-codes.ts'

type Pair = { readonly base: string; readonly quote: string }

/** Splits a symbol into its codes. Throws the 404 of the code that is not served, with the nearest one. */
export function servedPair(symbol: string): Pair {
  const [base = '', quote = ''] = symbol.split('-')
  if (!isCommodity(base) && !isCurrency(base)) {
    throw new ProblemError(
      'commodity_not_supported',
      notServed('commodity or currency', base, [...commodityCodes, ...currencyCodes]),
    )
  }
  if (!isCurrency(quote)) {
    const hint = isCommodity(quote) && isCurrency(base) ? ` A commodity comes first: ${quote}-${base}.` : undefined
    throw new ProblemError('currency_not_supported', notServed('currency', quote, currencyCodes, hint))
  }
  if (base === quote) {
    throw new ProblemError('currency_not_supported', `${symbol} is no pair: a rate needs two different currencies.`)
  }
  return { base, quote }
}
