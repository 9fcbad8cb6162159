/** Read off the originals by eye: what is served, and the words of a recorded original that say so. */
export type Expected = readonly [cell: string, period: string, figures: Readonly<Record<string, string>>]
type Check = readonly [...Expected, path: string, words: string]

const macro = 'frankietaylor2311-maker+Mt5-swing/data/macro'
const oecdUnemployment = 'AnkitApurv+hackathon23_somnolence/data/raw/third_party/oecd/Unemployment_Rate_OECD.csv'
const malaysia = {
  labour: 'mazwaniabu+PMA-Forecasting-Malaysia-Unemployment-rate/data/raw/lfs_month.csv',
  trade: 'ooi-darren+malaysia-ecommerce-market-intelligence/data/raw/trade_headline.csv',
}

export const checks: readonly Check[] = [
  [
    'USA cpi',
    '2026-03',
    { value: '330.213' },
    'nolan-cummins+is445_final/data/cu.data.1.AllItems.txt',
    'CUUR0000SA0      \t2026\tM03\t     330.213\t',
  ],
  [
    'USA gdp',
    '2026-Q2',
    { value: '32475210000000' },
    'njuettner+fed/data/gdp.json',
    '"date":"2026-04-01","value":"32475.21"',
  ],
  [
    'USA unemployment',
    '2026-07',
    { rate: '4.1' },
    'njuettner+fed/data/unemployment.json',
    '"date":"2026-07-01","value":"4.1"',
  ],
  [
    'USA labour-force-participation',
    '2025-11',
    { rate: '62.5' },
    'sivamsapingali+Codex_Macro-Monitor/data/CIVPART.csv',
    '\n2025-11-01,62.5',
  ],
  ['GBR gdp', '2025-Q2', { value: '754397000000' }, 'avagreyyy4+FX_Trading/data/UKNGDP.csv', '\n2025-04-01,754397'],
  [
    'GBR trade-exports',
    '2026-05',
    { value: '45134240000' },
    `${macro}/fred_XTEXVA01GBM667S.TRANSCRIBED-TAIL.csv`,
    '\n2026-05-01,45134240000',
  ],
  ['NLD unemployment', '2023-02', { rate: '3.5' }, oecdUnemployment, '"NLD","HUR","TOT","PC_LF","M","2023-02",3.5,'],
  [
    'AUS trade-exports',
    '2026-06',
    { value: '47696000000' },
    'Allisterh+nowcasting-Australia/nowcasting_v2/data_raw/export.csv',
    '\n2026-06-01,47696',
  ],
  [
    'MYS unemployment',
    '2026-04',
    { rate: '3.0' },
    malaysia.labour,
    '\n2026-04-01,17327.6,16815.8,511.8,7100.8,70.9,68.8,3.0',
  ],
  [
    'MYS labour-force-participation',
    '2026-04',
    { rate: '70.9' },
    malaysia.labour,
    '\n2026-04-01,17327.6,16815.8,511.8,7100.8,70.9,',
  ],
  ['MYS trade-exports', '2025-03', { value: '137303572007' }, malaysia.trade, '\nabs,2025-03-01,137303572007.00002,'],
]

/** Likewise of the originals that aren't among the recorded files. */
export const checksElsewhere: readonly Expected[] = [
  ['AUS unemployment', '2026-02', { rate: '4.2779783' }],
  ['AUS labour-force-participation', '2026-02', { rate: '66.8876945' }],
  ['AUS gdp', '2024-Q1', { value: '674431000000' }],
  ['CAN gdp', '2025-Q3', { value: '3255456000000' }],
  ['CAN unemployment', '2026-06', { rate: '6.5' }],
  ['CAN labour-force-participation', '2026-06', { rate: '65.0' }],
  ['USA gdp-growth', '2026-Q1', { year_over_year: '2.7', quarter_over_quarter: '0.5', year_to_date: '2.7' }],
  ['JPN gdp-growth', '2026-Q2', { year_over_year: '0.5', quarter_over_quarter: '0.3', year_to_date: '0.5' }],
  ['DEU cpi', '2026-04', { value: '142.044058' }],
  ['SGP cpi', '2026-03', { value: '136.3594' }],
  ['DEU unemployment', '2025-04', { rate: '3.6' }],
  ['FRA unemployment', '2025-04', { rate: '7.1' }],
  ['DEU gdp', '2020-Q2', { value: '809941000000' }],
  ['FRA gdp', '2026-Q1', { value: '757264300000' }],
  ['NLD gdp', '2026-Q2', { value: '304913000000' }],
  ['JPN gdp', '2026-Q2', { value: '687718200000000' }],
  ['MYS gdp', '2026-Q1', { value: '513450622000' }],
  ['DEU labour-force-participation', '2024', { rate: '61.656' }],
  ['FRA labour-force-participation', '2000', { rate: '55.701' }],
  ['GBR labour-force-participation', '2020', { rate: '62.83' }],
  ['GBR labour-force-participation', '2023', { rate: '62.227' }],
  ['JPN labour-force-participation', '2024', { rate: '63.3' }],
  ['NLD unemployment', '2026-06', { rate: '3.8' }],
  ['NLD labour-force-participation', '2026-06', { rate: '76' }],
  ['SGP labour-force-participation', '2000', { rate: '63.2' }],
  ['SGP labour-force-participation', '2025', { rate: '67.9' }],
  ['CAN trade-exports', '2025-07', { value: '45184000000' }],
  ['CAN trade-imports', '2025-07', { value: '48789600000' }],
  ['DEU trade-exports', '2025-07', { value: '157477000000' }],
  ['JPN trade-exports', '2025-07', { value: '63583000000' }],
  ['JPN trade-imports', '2025-07', { value: '64470730000' }],
  ['SGP trade-exports', '2025-07', { value: '50180540000' }],
  ['SGP trade-imports', '2025-07', { value: '44699120000' }],
  ['FRA trade-exports', '2024', { value: '640247348000' }],
  ['FRA trade-imports', '2022', { value: '823216069000' }],
  ['NLD trade-exports', '2026-04', { value: '77531000000' }],
  ['NLD trade-imports', '2015-01', { value: '36083000000' }],
  ['GBR unemployment', '2026-03', { rate: '4.9' }],
  ['GBR unemployment', '2024-12', { rate: '4.4' }],
  ['SGP gdp', '2025-Q4', { value: '212142800000' }],
  ['USA trade-exports', '2026-01', { value: '195492000000' }],
  ['USA trade-imports', '2025-03', { value: '345962000000' }],
  ['USA trade-imports', '2008-07', { value: '197785000000' }],
]
