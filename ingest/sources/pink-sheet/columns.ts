import type { CommodityUnit } from '../../../contracts/instruments.ts'

export type CommodityColumn = {
  /** Almanac's code of the commodity. */
  readonly code: string
  /** The column's name, without the asterisks that mark a change of method. */
  readonly name: string
  /** Unit that the sheet prints below the name. */
  readonly printedUnit: string
  readonly unit: CommodityUnit
  /** The first month whose price is for `unit`, `YYYY-MM`. Earlier ones are for something else, and are not read. */
  readonly since: string
}

const column = (code: string, name: string, printedUnit: string, unit: CommodityUnit, since = ''): CommodityColumn => ({
  code,
  name,
  printedUnit,
  unit,
  since,
})

/**
 * Columns of the sheet that are read. Its prices are for the units in which the instruments are quoted, so nothing is
 * converted. The sheet has no palladium and no gasoline.
 */
export const columns: readonly CommodityColumn[] = [
  column('XAU', 'Gold', '($/troy oz)', 'troy_ounce'),
  column('XAG', 'Silver', '($/troy oz)', 'troy_ounce'),
  column('XPT', 'Platinum', '($/troy oz)', 'troy_ounce'),
  column('COPPER', 'Copper', '($/mt)', 'metric_ton'),
  column('ALUMINIUM', 'Aluminum', '($/mt)', 'metric_ton'),
  column('ZINC', 'Zinc', '($/mt)', 'metric_ton'),
  column('NICKEL', 'Nickel', '($/mt)', 'metric_ton'),
  column('LEAD', 'Lead', '($/mt)', 'metric_ton'),
  column('TIN', 'Tin', '($/mt)', 'metric_ton'),
  // Headed dmtu (1 % of iron in a dry ton). The sheet "Description" says: spot prices in US dollars for a dry ton since 2006,
  // before that contract prices in US cents for a dmtu. 162.16 for August 2021 can be nothing but dollars for a ton.
  column('IRON_ORE', 'Iron ore, cfr spot', '($/dmtu)', 'metric_ton', '2006-01'),
  column('BRENT', 'Crude oil, Brent', '($/bbl)', 'barrel'),
  column('WTI', 'Crude oil, WTI', '($/bbl)', 'barrel'),
  column('NATGAS', 'Natural gas, US', '($/mmbtu)', 'mmbtu'),
  column('COAL', 'Coal, Australian', '($/mt)', 'metric_ton'),
  // Soft red winter, the grade of the Chicago contract; hard red winter has gaps (July 2020 to August 2021 at least).
  column('WHEAT', 'Wheat, US SRW', '($/mt)', 'metric_ton'),
  column('CORN', 'Maize', '($/mt)', 'metric_ton'),
  column('SOYBEANS', 'Soybeans', '($/mt)', 'metric_ton'),
  column('RICE', 'Rice, Thai 5%', '($/mt)', 'metric_ton'),
  column('COFFEE', 'Coffee, Arabica', '($/kg)', 'kilogram'),
  column('COCOA', 'Cocoa', '($/kg)', 'kilogram'),
  column('SUGAR', 'Sugar, world', '($/kg)', 'kilogram'),
  column('COTTON', 'Cotton, A Index', '($/kg)', 'kilogram'),
]
