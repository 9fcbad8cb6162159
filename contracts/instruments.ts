/**
 * Priced instruments: commodities and currencies, with the codes that addresses, symbols and events use. The native
 * symbol of a commodity is CODE-USD. A price is for one `unit`.
 */
const DAY_MS = 86_400_000

const commodityUnits = ['troy_ounce', 'barrel', 'mmbtu', 'metric_ton', 'pound', 'bushel', 'gallon', 'kilogram'] as const
export type CommodityUnit = (typeof commodityUnits)[number]

/** Groups of commodities by their codes, in the order in which they are shown. */
export const commodityGroups = {
  energy: 'Energy',
  precious_metals: 'Precious metals',
  industrial_metals: 'Industrial metals',
  agriculture: 'Agriculture',
} as const

type Commodity = {
  readonly name: string
  readonly unit: CommodityUnit
  readonly group: keyof typeof commodityGroups
  /** Currency of the native quote. */
  readonly currency: string
}

const commodity = (name: string, unit: CommodityUnit, group: Commodity['group']): Commodity => ({
  name,
  unit,
  group,
  currency: 'USD',
})

export const commodities: Readonly<Record<string, Commodity>> = {
  XAU: commodity('Gold', 'troy_ounce', 'precious_metals'),
  XAG: commodity('Silver', 'troy_ounce', 'precious_metals'),
  XPT: commodity('Platinum', 'troy_ounce', 'precious_metals'),
  XPD: commodity('Palladium', 'troy_ounce', 'precious_metals'),
  COPPER: commodity('Copper', 'metric_ton', 'industrial_metals'),
  ALUMINIUM: commodity('Aluminium', 'metric_ton', 'industrial_metals'),
  ZINC: commodity('Zinc', 'metric_ton', 'industrial_metals'),
  NICKEL: commodity('Nickel', 'metric_ton', 'industrial_metals'),
  LEAD: commodity('Lead', 'metric_ton', 'industrial_metals'),
  TIN: commodity('Tin', 'metric_ton', 'industrial_metals'),
  // 62 % Fe fines, per dry metric ton, as iron ore is quoted.
  IRON_ORE: commodity('Iron ore', 'metric_ton', 'industrial_metals'),
  BRENT: commodity('Crude oil, Brent', 'barrel', 'energy'),
  WTI: commodity('Crude oil, West Texas Intermediate', 'barrel', 'energy'),
  NATGAS: commodity('Natural gas, United States', 'mmbtu', 'energy'),
  COAL: commodity('Coal, Australian', 'metric_ton', 'energy'),
  GASOLINE: commodity('Gasoline', 'gallon', 'energy'),
  WHEAT: commodity('Wheat', 'metric_ton', 'agriculture'),
  CORN: commodity('Corn (maize)', 'metric_ton', 'agriculture'),
  SOYBEANS: commodity('Soybeans', 'metric_ton', 'agriculture'),
  RICE: commodity('Rice, Thai 5 % broken', 'metric_ton', 'agriculture'),
  COFFEE: commodity('Coffee, arabica', 'kilogram', 'agriculture'),
  COCOA: commodity('Cocoa', 'kilogram', 'agriculture'),
  SUGAR: commodity('Sugar, world', 'kilogram', 'agriculture'),
  COTTON: commodity('Cotton, A index', 'kilogram', 'agriculture'),
}

/**
 * The currencies that are served (ISO 4217), in groups in the order in which they are shown: the most traded ones first, the
 * others by region.
 */
export const currencyGroups = {
  majors: { name: 'Majors', currencies: ['USD', 'EUR', 'JPY', 'GBP', 'CHF', 'AUD', 'CAD', 'NZD'] },
  europe: { name: 'Europe', currencies: ['BGN', 'CZK', 'DKK', 'HUF', 'ISK', 'NOK', 'PLN', 'RON', 'SEK', 'TRY', 'UAH'] },
  americas: { name: 'Americas', currencies: ['ARS', 'BRL', 'CLP', 'COP', 'MXN', 'PEN'] },
  east_asia: { name: 'East Asia', currencies: ['CNY', 'HKD', 'KRW', 'TWD'] },
  south_asia: {
    name: 'South and South-East Asia',
    currencies: ['BDT', 'IDR', 'INR', 'MYR', 'PHP', 'PKR', 'SGD', 'THB', 'VND'],
  },
  middle_east_africa: {
    name: 'Middle East and Africa',
    currencies: ['AED', 'EGP', 'ILS', 'KWD', 'MAD', 'NGN', 'QAR', 'SAR', 'ZAR'],
  },
} as const

/** ISO 4217 codes served, in their order. */
export const currencies: readonly string[] = Object.values(currencyGroups)
  .flatMap((group): readonly string[] => group.currencies)
  .sort()

/** Source of the demo's made-up prices. It ranks first while it runs, and every answer built on it names it. */
export const SIMULATOR = 'simulator'
/** Header of an answer that is built on made-up prices. */
export const simulatedSource = { 'almanac-source': SIMULATOR } as const
/** Source of prices from the vendor feed at ALMANAC_FEED_URL. */
export const FEED = 'feed'

type PriceSource = {
  readonly source: string
  /** How long a price of this source is current, in milliseconds of its market's open time. */
  readonly staleAfterMs: number
  /**
   * Greatest distance from the source's previous price, as a ratio, at which a price is believed at once; null: any
   * distance.
   */
  readonly maxJump: string | null
}

/**
 * Sources of prices, best first. Staleness counts open time: foreign exchange is open 24 h a day, five days a week. So
 * a daily reference rate stays current over a holiday, and a monthly average until the next one is due.
 */
export const priceSources: readonly PriceSource[] = [
  { source: SIMULATOR, staleAfterMs: 30_000, maxJump: '0.1' },
  { source: FEED, staleAfterMs: 60_000, maxJump: '0.1' },
  { source: 'ECB', staleAfterMs: 4 * DAY_MS, maxJump: '0.25' },
  { source: 'WB', staleAfterMs: 33 * DAY_MS, maxJump: null },
]

/**
 * Sources that publish one price for each time and repeat their history in each edition, so that another price of the
 * same time restates it. Other sources may have several prices of one millisecond.
 */
export const sourcesWithHistory: readonly string[] = ['ECB', 'WB']

/** Weekly trading hours in the market's own time zone, daylight saving included. */
export type Market = {
  readonly name: string
  readonly timeZone: string
  /** Opening intervals, from a weekday (0: Sunday) and hour to a weekday and hour. */
  readonly hours: readonly { readonly from: readonly [number, number]; readonly to: readonly [number, number] }[]
}

export const markets = {
  FX: {
    name: 'Foreign exchange',
    timeZone: 'America/New_York',
    hours: [{ from: [0, 17], to: [5, 17] }],
  },
  /** Hours of CME Globex, where most commodities trade, with a break of an hour each day. */
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
const currencyCodes: ReadonlySet<string> = new Set(currencies)
export const isCurrency = (code: string): boolean => currencyCodes.has(code)

/** Whether a symbol `BASE-QUOTE` is one that the service prices. */
export function isServedSymbol(symbol: string): boolean {
  const [base = '', quote = '', ...rest] = symbol.split('-')
  if (rest.length > 0) return false
  return isCommodity(base)
    ? commodities[base]?.currency === quote
    : isCurrency(base) && isCurrency(quote) && base !== quote
}
