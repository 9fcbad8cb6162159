/**
 * What is priced: commodities and currencies, by the codes that addresses, symbols and events use. A commodity's native
 * symbol is CODE-USD; a price is for one `unit`.
 */
const DAY_MS = 86_400_000

const commodityUnits = ['troy_ounce', 'barrel', 'mmbtu', 'metric_ton', 'pound', 'bushel', 'gallon', 'kilogram'] as const
export type CommodityUnit = (typeof commodityUnits)[number]

type Commodity = {
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
  'AED',
  'ARS',
  'AUD',
  'BDT',
  'BGN',
  'BRL',
  'CAD',
  'CHF',
  'CLP',
  'CNY',
  'COP',
  'CZK',
  'DKK',
  'EGP',
  'EUR',
  'GBP',
  'HKD',
  'HUF',
  'IDR',
  'ILS',
  'INR',
  'ISK',
  'JPY',
  'KRW',
  'KWD',
  'MAD',
  'MXN',
  'MYR',
  'NGN',
  'NOK',
  'NZD',
  'PEN',
  'PHP',
  'PKR',
  'PLN',
  'QAR',
  'RON',
  'SAR',
  'SEK',
  'SGD',
  'THB',
  'TRY',
  'TWD',
  'UAH',
  'USD',
  'VND',
  'ZAR',
] as readonly string[]

/** The demo's made-up prices: first of all sources while they tick, and named in every answer built on them. */
export const SIMULATOR = 'simulator'
/** The header of an answer that is built on made-up prices. */
export const simulatedSource = { 'almanac-source': SIMULATOR } as const
/** The vendor feed that ALMANAC_FEED_URL names. */
export const FEED = 'feed'

type PriceSource = {
  readonly source: string
  /** How long a price of it is current, in milliseconds of its market's open time. */
  readonly staleAfterMs: number
  /** The greatest distance from the source's price before, as a ratio, that is believed at once; null: any. */
  readonly maxJump: string | null
}

/**
 * Sources of prices, best first. Staleness counts open time: an open day of foreign exchange is 24 h, five a week. A daily
 * reference rate is current over a holiday, a monthly average until the next one is due.
 */
export const priceSources: readonly PriceSource[] = [
  { source: SIMULATOR, staleAfterMs: 30_000, maxJump: '0.1' },
  { source: FEED, staleAfterMs: 60_000, maxJump: '0.1' },
  { source: 'ECB', staleAfterMs: 4 * DAY_MS, maxJump: '0.25' },
  { source: 'WB', staleAfterMs: 33 * DAY_MS, maxJump: null },
]

/** Weekly trading hours in the market's own time zone, daylight saving included. */
export type Market = {
  readonly name: string
  readonly timeZone: string
  /** From weekday (0: Sunday) and hour to weekday and hour. */
  readonly hours: readonly { readonly from: readonly [number, number]; readonly to: readonly [number, number] }[]
}

export const markets = {
  FX: {
    name: 'Foreign exchange',
    timeZone: 'America/New_York',
    hours: [{ from: [0, 17], to: [5, 17] }],
  },
  /** Hours of CME Globex, where most of them trade: an hour's break each day. */
  COMMODITIES: {
    name: 'Commodities',
    timeZone: 'America/New_York',
    hours: [0, 1, 2, 3, 4].map((day) => ({ from: [day, 18], to: [day + 1, 17] }) as const),
  },
} as const satisfies Record<string, Market>
export type MarketCode = keyof typeof markets

/** The market of a served symbol. */
export const marketOf = (symbol: string): MarketCode => (isCommodity(symbol.split('-')[0] ?? '') ? 'COMMODITIES' : 'FX')

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
