import { namingOf } from '../contracts/histories.ts'
import { observationsOperationId, vintagesOperationId } from '../contracts/history-operations.ts'
import { indicators, type ServedIndicator } from '../contracts/indicators.ts'
import type { Example } from './example.ts'

/** Examples of the histories and vintages: figures of the bundled sample, with the ids that their releases have everywhere. */

const RECORDED_AT = '2026-10-17T09:00:00.000Z'
const CURSOR = 'v1.i9q-HFsiaCIsIm…'

type Release = {
  readonly id: string
  readonly figures: readonly string[]
  readonly on: string
  readonly basis: string
  readonly revises?: string
}
type Sampled = {
  readonly indicator: ServedIndicator
  readonly country?: string
  readonly unit: string
  readonly series: string
  readonly base?: readonly [period: string, value: string]
  readonly isAdjusted?: boolean
  readonly isAnnualized?: boolean
  /** The periods of the observations, with their figures in the order of the indicator. */
  readonly history: Readonly<Record<string, readonly string[]>>
  /** When they were released; left out: with the last of the releases. */
  readonly released?: Pick<Release, 'on' | 'basis'>
  /** The period of the vintages. */
  readonly period: string
  readonly releases: readonly Release[]
}

const entriesOf = ({ indicator, country = 'USA', unit }: Sampled, period: string, figures: readonly string[]) =>
  figures.map((value, i) => ({
    country,
    ...namingOf(indicator, indicators[indicator].figures[i] ?? ''),
    value,
    unit,
    period,
  }))

const seriesOf = ({ series, base = ['', ''], isAdjusted = true, isAnnualized = false }: Sampled) => ({
  series,
  source: series.split('.')[3],
  base_period: base[0],
  base_value: base[1],
  seasonal_adjustment: isAdjusted ? 'seasonally_adjusted' : 'not_seasonally_adjusted',
  annualization: isAnnualized ? 'annualized' : 'not_annualized',
})

function examplesOf(sampled: Sampled): Readonly<Record<string, Example>> {
  const { indicator, country = 'USA', history, period, releases } = sampled
  const periods = Object.keys(history)
  const vintages = releases.flatMap(({ id, figures, on, basis, revises = null }) =>
    entriesOf(sampled, period, figures).map((entry) => ({
      ...entry,
      ...seriesOf(sampled),
      valid_from: on,
      released_on: on,
      released_on_basis: basis,
      release_id: id,
      revises,
      recorded_at: RECORDED_AT,
    })),
  )
  // The interface specification has no place for it in the history of exports.
  const { on = '', basis = '' } = sampled.released ?? releases.at(-1) ?? {}
  const ofRow = { ...seriesOf(sampled), released_on: on, released_on_basis: basis }
  const row = indicator === 'trade-exports' ? {} : ofRow
  return {
    [observationsOperationId(indicator)]: {
      params: { country },
      query: { start: periods[0] ?? '' },
      body: {
        observations: Object.entries(history).flatMap(([each, figures]) =>
          entriesOf(sampled, each, figures).map((entry) => ({ ...entry, ...row })),
        ),
        next_cursor: CURSOR,
        as_of: RECORDED_AT,
      },
    },
    [vintagesOperationId(indicator)]: {
      params: { country },
      query: { period },
      body: { vintages, next_cursor: null, as_of: RECORDED_AT },
    },
  }
}

const once = (id: string, on: string, basis: string, ...figures: readonly string[]): readonly Release[] => [
  { id, figures, on, basis },
]

const samples: readonly Sampled[] = [
  {
    indicator: 'cpi',
    unit: 'index',
    series: 'USA.cpi.M.BLS.CUUR0000SA0.index.NSA.1982/1984=100',
    base: ['1982/1984', '100'],
    isAdjusted: false,
    history: { '2026-02': ['326.785'], '2026-03': ['330.213'] },
    period: '2026-03',
    releases: once('rel_XNQ2D06FJM8CK3VFRXF1AH6EGA', '2026-04-17', 'copy', '330.213'),
  },
  {
    indicator: 'inflation',
    unit: 'percent',
    series: 'USA.inflation.M.BLS.CUUR0000SA0.percent.NSA.1982/1984=100.inflation_from_cpi',
    base: ['1982/1984', '100'],
    isAdjusted: false,
    history: { '2025-03': ['2.4', '0.2', '1.3'] },
    period: '2025-03',
    releases: once('rel_V0XS8S6SVDYE5S831G3DY8GN5E', '2026-04-17', 'copy', '2.4', '0.2', '1.3'),
  },
  {
    indicator: 'unemployment',
    unit: 'percent',
    series: 'USA.unemployment.M.FRED.UNRATE.percent.SA',
    history: { '2026-06': ['4.2'], '2026-07': ['4.1'] },
    period: '2026-07',
    releases: once('rel_YACFM2FGTG2WPVV8TSTQCF2K31', '2026-08-07', 'copy', '4.1'),
  },
  {
    indicator: 'labour-force-participation',
    unit: 'percent',
    series: 'USA.labour-force-participation.M.FRED.CIVPART.percent.SA',
    history: { '2025-11': ['62.5'] },
    period: '2025-11',
    releases: once('rel_CXRFXRR6VG8V2TNTMRNTSGT2PD', '2026-01-02', 'copy', '62.5'),
  },
  {
    indicator: 'gdp',
    unit: 'USD',
    series: 'USA.gdp.Q.FRED.GDP.USD.SA.annualized',
    isAnnualized: true,
    history: { '2026-Q1': ['31865721000000'], '2026-Q2': ['32475210000000'] },
    released: { on: '2026-07-30', basis: 'copy' },
    period: '2024-Q1',
    releases: [
      {
        id: 'rel_BXFKKEDHB3SYA9AV6P5E8G15P4',
        figures: ['28284498000000'],
        on: '2024-04-25',
        basis: 'publisher',
      },
      {
        id: 'rel_GSKKBJM29YXEJMBAMQTFM3HRJ7',
        figures: ['28255928000000'],
        on: '2024-05-30',
        basis: 'publisher',
        revises: 'rel_BXFKKEDHB3SYA9AV6P5E8G15P4',
      },
    ],
  },
  {
    indicator: 'gdp-growth',
    country: 'CAN',
    unit: 'percent',
    series: 'CAN.gdp-growth.Q.STATCAN.36-10-0104-01.percent.SA.growth_from_volume',
    history: { '2021-Q2': ['12.9', '-0.1', '6.4'] },
    period: '2021-Q2',
    releases: once('rel_94607F74Y2H3W9HEWBNMZMHT8V', '2025-11-28', 'dataset', '12.9', '-0.1', '6.4'),
  },
  {
    indicator: 'trade',
    unit: 'USD',
    series: 'USA.trade.M.FRED.XTEXVA01USM667S+XTIMVA01USM667S.USD.SA.trade_from_flows',
    history: { '2026-06': ['205407000000', '306813000000', '-101406000000'] },
    period: '2026-06',
    releases: once(
      'rel_YZ1G0T87QP7HWA0CJ47X3QC4P1',
      '2026-09-24',
      'copy',
      ...['205407000000', '306813000000', '-101406000000'],
    ),
  },
  {
    indicator: 'trade-exports',
    unit: 'USD',
    series: 'USA.trade-exports.M.FRED.XTEXVA01USM667S.USD.SA',
    history: { '2026-05': ['209180000000'], '2026-06': ['205407000000'] },
    period: '2026-06',
    releases: once('rel_WZ7G3XN2K8GJ6KYNSDF5CZPBQY', '2026-09-24', 'copy', '205407000000'),
  },
  {
    indicator: 'trade-imports',
    unit: 'USD',
    series: 'USA.trade-imports.M.FRED.XTIMVA01USM667S.USD.SA',
    history: { '2026-05': ['314507000000'], '2026-06': ['306813000000'] },
    period: '2026-06',
    releases: once('rel_SDR58QN8XN65EJ8DZTT5E5Z33B', '2026-09-24', 'copy', '306813000000'),
  },
]

export const historyExamples: Readonly<Record<string, Example>> = Object.assign({}, ...samples.map(examplesOf))
