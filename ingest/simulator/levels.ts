import { commodities, currencies } from '../../contracts/instruments.ts'

/**
 * Where a symbol starts if no real price of it is known: rough, and with as many decimals as the simulator quotes it.
 * Currencies are quoted against the euro, as the reference rates are, so that simulated and recorded rates are of the same
 * symbols and the simulated ones, being first of all sources, stand before every recorded one; all crosses follow.
 */
export const levels: Readonly<Record<string, string>> = {
  ...{ 'XAU-USD': '1785.00', 'XAG-USD': '24.000', 'XPT-USD': '1010.00', 'XPD-USD': '1050.00' },
  ...{ 'COPPER-USD': '9370.0', 'ALUMINIUM-USD': '2603.0', 'ZINC-USD': '2988.0', 'NICKEL-USD': '19140.0' },
  ...{ 'LEAD-USD': '2414.0', 'TIN-USD': '35020.0', 'IRON_ORE-USD': '162.00', 'COAL-USD': '168.00' },
  ...{ 'BRENT-USD': '70.000', 'WTI-USD': '67.700', 'NATGAS-USD': '4.0500', 'GASOLINE-USD': '2.2000' },
  ...{ 'WHEAT-USD': '276.00', 'CORN-USD': '257.00', 'SOYBEANS-USD': '592.00', 'RICE-USD': '403.00' },
  ...{ 'COFFEE-USD': '4.7700', 'COCOA-USD': '2.4800', 'SUGAR-USD': '0.43000', 'COTTON-USD': '2.2300' },
  ...{ 'EUR-AED': '4.2910', 'EUR-ARS': '1630.00', 'EUR-AUD': '1.66100', 'EUR-BDT': '142.800', 'EUR-BGN': '1.95583' },
  ...{ 'EUR-BRL': '5.8740', 'EUR-CAD': '1.61770', 'EUR-CHF': '0.92420', 'EUR-CLP': '1080.00', 'EUR-CNY': '7.9827' },
  ...{ 'EUR-COP': '4350.00', 'EUR-CZK': '24.3780', 'EUR-DKK': '7.4727', 'EUR-EGP': '56.5000', 'EUR-GBP': '0.87058' },
  ...{ 'EUR-HKD': '9.1507', 'EUR-HUF': '366.900', 'EUR-IDR': '20082.0', 'EUR-ILS': '3.5787', 'EUR-INR': '109.050' },
  ...{ 'EUR-ISK': '143.200', 'EUR-JPY': '186.750', 'EUR-KRW': '1740.90', 'EUR-KWD': '0.35850', 'EUR-MAD': '10.7200' },
  ...{ 'EUR-MXN': '20.3200', 'EUR-MYR': '4.6444', 'EUR-NGN': '1690.00', 'EUR-NOK': '11.0980', 'EUR-NZD': '2.00810' },
  ...{ 'EUR-PEN': '4.0500', 'EUR-PHP': '70.3560', 'EUR-PKR': '328.000', 'EUR-PLN': '4.2543', 'EUR-QAR': '4.2530' },
  ...{ 'EUR-RON': '5.0920', 'EUR-SAR': '4.3820', 'EUR-SEK': '10.8920', 'EUR-SGD': '1.49120', 'EUR-THB': '37.7280' },
  ...{ 'EUR-TRY': '52.2480', 'EUR-TWD': '37.0000', 'EUR-UAH': '50.5000', 'EUR-USD': '1.16840', 'EUR-VND': '30700.0' },
  ...{ 'EUR-ZAR': '19.3850' },
}

/** Every symbol that the simulator prices. */
export const simulatedSymbols: readonly string[] = [
  ...Object.entries(commodities).map(([code, { currency }]) => `${code}-${currency}`),
  ...currencies.filter((currency) => currency !== 'EUR').map((currency) => `EUR-${currency}`),
]
