/** Head of a file in Almanac's own format, as an office might give it. Rows follow, such as `2025-01,100.1`. */
export const seriesFileHead = `# almanac: figures 1
# publisher: Office of Examples
# licence: CC0
# url: https://example.org/cpi
# source: OOE
# dataset: CPI
# indicator: cpi
# country: USA
# unit: index
# base_period: 2015
# base_value: 100
# seasonal_adjustment: seasonally_adjusted
period,value
`
