import { isArray, isObject, parseJson, printed } from '../../ingest/sources/shared/json.ts'
import { catalogue } from './dosm.ts'
import type { Recorded } from './recorded.ts'
import {
  figuresOf,
  figuresPath,
  type Origin,
  type Print,
  type SampleFile,
  type SeriesDescription,
} from './sample-file.ts'
import { takenFrom } from './taken-from.ts'

/**
 * Quarterly GDP of several publishers, out of the JSON of a public repository that keeps a file a country and in it, a
 * series a member, points `[quarter, number]`: `{"series":{"gdp_level":{"points":[["2015-Q1",281643.0],…]}}}`.
 */
const COPY = 'ciaranbelcher10+economic-atlas'

type Copied = {
  readonly file: string
  readonly member: 'gdp_level' | 'gdp_real'
  readonly origin: Origin
  readonly description: SeriesDescription
}

const imf = {
  publisher: 'International Monetary Fund, through FRED',
  licence: 'IMF Copyright and Usage, special terms for data: free with attribution',
}
const eurostat = { publisher: 'Eurostat, through FRED', licence: 'CC BY 4.0' }
const cabinetOffice = {
  publisher: 'Cabinet Office of Japan, through FRED',
  licence: 'Government of Japan Standard Terms of Use, compatible with CC BY 4.0',
}

const throughFred = (
  country: string,
  dataset: string,
  owner: Omit<Origin, 'url'>,
  rest: Pick<SeriesDescription, 'unit' | 'multiplier' | 'annualization'>,
): Omit<Copied, 'file' | 'member'> => ({
  origin: { ...owner, url: `https://fred.stlouisfed.org/series/${dataset}` },
  description: {
    indicator: 'gdp',
    country,
    source: 'FRED',
    dataset,
    seasonal_adjustment: 'seasonally_adjusted',
    ...rest,
  },
})

const euros = { unit: 'EUR', multiplier: '1000000' }
const yen = { unit: 'JPY', multiplier: '1000000000', annualization: 'annualized' } as const
/** Not seasonally adjusted; the volume at prices of 2015. */
const ringgit = {
  country: 'MYS',
  source: 'DOSM',
  unit: 'MYR',
  multiplier: '1000000',
  seasonal_adjustment: 'not_seasonally_adjusted',
} as const

const copied: readonly Copied[] = [
  { file: 'data-de.json', member: 'gdp_level', ...throughFred('DEU', 'NGDPSAXDCDEQ', imf, euros) },
  { file: 'data-fr.json', member: 'gdp_level', ...throughFred('FRA', 'NGDPSAXDCFRQ', imf, euros) },
  { file: 'data-nl.json', member: 'gdp_level', ...throughFred('NLD', 'CPMNACSCAB1GQNL', eurostat, euros) },
  { file: 'data-jp.json', member: 'gdp_level', ...throughFred('JPN', 'JPNNGDP', cabinetOffice, yen) },
  {
    file: 'data-my.json',
    member: 'gdp_level',
    origin: catalogue('gdp_qtr_nominal'),
    description: { ...ringgit, indicator: 'gdp', dataset: 'gdp_qtr_nominal' },
  },
  {
    file: 'data-my.json',
    member: 'gdp_real',
    origin: catalogue('gdp_qtr_real'),
    description: { ...ringgit, indicator: 'gdp-volume', dataset: 'gdp_qtr_real' },
  },
]

export const quarterlyGdpFiles = (recorded: Recorded): SampleFile[] =>
  copied
    .filter(({ file }) => recorded.has(`${COPY}/${file}`))
    .map(({ file, member, origin, description }) => ({
      path: figuresPath(description),
      origin: { ...origin, ...takenFrom(recorded, `${COPY}/${file}`) },
      figures: figuresOf(description, pointsOf(recorded.text(`${COPY}/${file}`), member)),
    }))

function pointsOf(text: string, member: string): Print[] {
  const root = parseJson(text)
  const all = isObject(root) ? root.series : undefined
  const series = isObject(all) ? all[member] : undefined
  const points = isObject(series) ? series.points : undefined
  if (!isArray(points)) throw new Error(`The file has no series.${member}.points`)
  return points.map((point) => {
    const [period, value] = isArray(point) ? point.map(printed) : []
    if (period === undefined || value === undefined) throw new Error(`${member}: not a point: ${JSON.stringify(point)}`)
    return { period, printed: value }
  })
}
