const UNPROVEN = 'because no recorded document proved that it was read correctly'

/** Sources that earlier versions read, with what reads such figures instead. Their figures on record stay served. */
export const removedSources: Readonly<Record<string, string>> = {
  sbj: 'The BIS has consumer prices of Japan.',
  statsnz: 'The OECD has unemployment of New Zealand.',
  imf: 'The BIS has consumer prices of 60 countries.',
  bea: 'FRED has the GDP of the United States: `fred` with the datasets GDP and GDPC1.',
}

/** Datasets of sources that are still read, as `SOURCE/DATASET`, with what reads such figures instead. */
export const removedDatasets: Readonly<Record<string, string>> = {
  'dosm/lfs_month_sa': 'The unadjusted rates are read as lfs_month.',
  'dosm/cpi_headline': 'The BIS has consumer prices of 60 countries.',
  'ons/MGWG': 'The World Bank has participation of the United Kingdom.',
  'ons/D7BT': 'The BIS has consumer prices of 60 countries.',
  'abs/ANA_AGG': 'Workbooks of 5206.0 have the GDP of Australia.',
  'ilo/DF_UNE_DEAP_SEX_AGE_RT': 'The ILO has the rates of quarters as UNE_DEAP_SEX_AGE_RT_Q.',
  'eurostat/PRC_HICP_MIDX': 'The BIS has consumer prices of 60 countries.',
  'eurostat/PRC_HICP_MINR': 'The BIS has consumer prices of 60 countries.',
  'oecd/DSD_PRICES@DF_PRICES_ALL': 'The BIS has consumer prices of 60 countries.',
  'oecd/DSD_NAMAIN1@DF_QNA': 'Eurostat has GDP at current prices of its countries.',
}

/** Says that a source was removed, since when and why; undefined if it was not. */
export const removedSource = (source: string): string | undefined => removal(source, removedSources[source])

/** Says that a dataset of a source was removed, since when and why; undefined if it was not. */
export const removedDataset = (source: string, dataset: string): string | undefined =>
  removal(`${source}/${dataset}`, removedDatasets[`${source}/${dataset}`])

const removal = (name: string, instead: string | undefined): string | undefined =>
  instead === undefined ? undefined : `${name} was removed in 0.3.0, ${UNPROVEN}. ${instead}`
