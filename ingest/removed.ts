const PRICES = 'The BIS has consumer prices of 60 countries.'

/** Sources that earlier versions read, with what reads such figures instead. Their figures on record stay served. */
export const removedSources: ReadonlyMap<string, string> = new Map([
  ['bea', 'FRED has the GDP of the United States: `fred` with the datasets GDP and GDPC1.'],
  ['imf', PRICES],
  ['sbj', PRICES],
  ['statsnz', 'The OECD has unemployment of New Zealand.'],
])

/** Datasets of sources that are still read, as `SOURCE/DATASET`, with what reads such figures instead. */
export const removedDatasets: ReadonlyMap<string, string> = new Map([
  ['abs/ANA_AGG', 'Workbooks of 5206.0 have the GDP of Australia.'],
  ['dosm/cpi_headline', PRICES],
  ['dosm/lfs_month_sa', 'The unadjusted rates are read as lfs_month.'],
  ['eurostat/PRC_HICP_MIDX', PRICES],
  ['eurostat/PRC_HICP_MINR', PRICES],
  ['ilo/DF_UNE_DEAP_SEX_AGE_RT', 'The ILO has the rates of quarters as UNE_DEAP_SEX_AGE_RT_Q.'],
  ['oecd/DSD_NAMAIN1@DF_QNA', 'Eurostat has GDP at current prices of its countries.'],
  ['oecd/DSD_PRICES@DF_PRICES_ALL', PRICES],
  ['ons/D7BT', PRICES],
  ['ons/MGWG', 'The World Bank has participation of the United Kingdom.'],
])

/** Says that a source was removed, since when and why; undefined if it was not. Names may be in either case. */
export const removedSource = (source: string): string | undefined => removal(source, removedSources)

/** Says that a dataset of a source was removed, since when and why; undefined if it was not. Names may be in either case. */
export const removedDataset = (source: string, dataset: string): string | undefined =>
  removal(`${source}/${dataset}`, removedDatasets)

function removal(written: string, removed: ReadonlyMap<string, string>): string | undefined {
  for (const [name, instead] of removed)
    if (name.toLowerCase() === written.toLowerCase())
      return `${name} was removed in 0.3.0, because no recorded document proved that it was read correctly. ${instead}`
  return undefined
}
