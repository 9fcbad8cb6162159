import { isCommodity, isCurrency, simulatedSource } from '../../contracts/instruments.ts'
import { ProblemError } from '../../contracts/problems.ts'
import { caching, type Render } from '../answer.ts'
import type { Prices } from '../deps.ts'
import { type Handlers, handler, type OperationInput } from '../execute.ts'
import { commodityCodes, currencyCodes, notServed } from '../known-codes.ts'

type SpotInput = OperationInput & { readonly params: { readonly commodity: string; readonly currency: string } }
type RatesInput = OperationInput & { readonly params: { readonly base: string } }

export const priceHandlers = (prices: Prices, clock: () => Date, render: Render): Handlers => ({
  commodities_get_spot: handler<SpotInput, SpotInput['params']>({
    ask: ({ params }) => params,
    answer: ({ commodity, currency }) => {
      if (!isCommodity(commodity)) {
        throw new ProblemError('commodity_not_supported', notServed('commodity', commodity, commodityCodes))
      }
      requireCurrency(currency)
      // One instant for the price and for what it is built on.
      const now = clock()
      const price = prices.spot(commodity, currency, now)
      if (!price) throw new ProblemError('price_unavailable', `No price of ${commodity} in ${currency} is known yet.`)
      const headers = prices.isSimulated(commodity, currency, now) ? simulatedSource : undefined
      return render('commodities_get_spot', price, caching.price, headers)
    },
  }),
  fx_get_rates: handler<RatesInput, string>({
    ask: ({ params }) => params.base,
    answer: (base) => {
      requireCurrency(base)
      const rates = prices.fx(base, clock())
      if (!rates) throw new ProblemError('price_unavailable', `No rate of ${base} is known yet.`)
      const headers = rates.market_session === 'simulated' ? simulatedSource : undefined
      return render('fx_get_rates', rates, caching.price, headers)
    },
  }),
})

function requireCurrency(code: string): void {
  if (!isCurrency(code)) throw new ProblemError('currency_not_supported', notServed('currency', code, currencyCodes))
}
