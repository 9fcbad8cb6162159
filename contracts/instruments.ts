/**
 * What is priced: commodities and currencies, by the codes that addresses, symbols and events use. A commodity's native
 * symbol is CODE-USD; a price is for one `unit`.
 */
const DAY_MS = 86_400_000

export const commodityUnits = [
  'troy_ounce',
  'barrel',
  'mmbtu',
  'metric_ton',
  'pound',
  'bushel',
  'gallon',
  'kilogram',
] as const
export type CommodityUnit = (typeof commodityUnits)[number]

export type Commodity = {
  readonly name: string
  readonly unit: CommodityUnit
  /** Currency of the native quote. */
  readonly currency: string
}

const commodity = (name: string, unit: CommodityUnit): Commodity => ({ name, unit, currency: 'USD' })

export const commodities: Readonly<Record<string, Commodity>> = {
  XAU: commodity('Gold', 'troy_ounce'),
  XAG: commodity('Silver', 'troy_ounce'),
  XPT: commodity('Platinum', 'troy_ounce'),
  XPD: commodity('Palladium', 'troy_ounce'),
  COPPER: commodity('Copper', 'metric_ton'),
  ALUMINIUM: commodity('Aluminium', 'metric_ton'),
  ZINC: commodity('Zinc', 'metric_ton'),
  NICKEL: commodity('Nickel', 'metric_ton'),
  LEAD: commodity('Lead', 'metric_ton'),
  TIN: commodity('Tin', 'metric_ton'),
  // 62 % Fe fines, per dry metric ton, as iron ore is quoted.
  IRON_ORE: commodity('Iron ore', 'metric_ton'),
  BRENT: commodity('Crude oil, Brent', 'barrel'),
  WTI: commodity('Crude oil, West Texas Intermediate', 'barrel'),
  NATGAS: commodity('Natural gas, United States', 'mmbtu'),
  COAL: commodity('Coal, Australian', 'metric_ton'),
  GASOLINE: commodity('Gasoline', 'gallon'),
  WHEAT: commodity('Wheat', 'metric_ton'),
  CORN: commodity('Corn (maize)', 'metric_ton'),
  SOYBEANS: commodity('Soybeans', 'metric_ton'),
  RICE: commodity('Rice, Thai 5 % broken', 'metric_ton'),
  COFFEE: commodity('Coffee, arabica', 'kilogram'),
  COCOA: commodity('Cocoa', 'kilogram'),
  SUGAR: commodity('Sugar, world', 'kilogram'),
  COTTON: commodity('Cotton, A index', 'kilogram'),
}

/** ISO 4217 codes served. */
export const currencies = [
  ...['AED', 'ARS', 'AUD', 'BDT', 'BGN', 'BRL', 'CAD', 'CHF', 'CLP', 'CNY', 'COP', 'CZK', 'DKK', 'EGP', 'EUR', 'GBP'],
  ...['HKD', 'HUF', 'IDR', 'ILS', 'INR', 'ISK', 'JPY', 'KRW', 'KWD', 'MAD', 'MXN', 'MYR', 'NGN', 'NOK', 'NZD', 'PEN'],
  ...['PHP', 'PKR', 'PLN', 'QAR', 'RON', 'SAR', 'SEK', 'SGD', 'THB', 'TRY', 'TWD', 'UAH', 'USD', 'VND', 'ZAR'],
] as readonly string[]

/**
 * Sources of prices, best first, and how long a price of each is current. A monthly average is current until the next
 * one is due; a daily reference rate over a weekend and a holiday.
 */
export const priceSources: readonly { readonly source: string; readonly staleAfterMs: number }[] = [
  { source: 'ECB', staleAfterMs: 4 * DAY_MS },
  { source: 'WB', staleAfterMs: 45 * DAY_MS },
]

export const isCommodity = (code: string): boolean => Object.hasOwn(commodities, code)
export const isCurrency = (code: string): boolean => currencies.includes(code)

/** Whether a symbol `BASE-QUOTE` is one that the service prices. */
export function isServedSymbol(symbol: string): boolean {
  const [base = '', quote = '', ...rest] = symbol.split('-')
  if (rest.length > 0) return false
  return isCommodity(base)
    ? commodities[base]?.currency === quote
    : isCurrency(base) && isCurrency(quote) && base !== quote
}
