import { isArray, isObject, parseJson, printed } from '../../../ingest/read/json.ts'
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
): Omit<Copied, 'file'> => ({
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

const copied: readonly Copied[] = [
  { file: 'data-de.json', ...throughFred('DEU', 'NGDPSAXDCDEQ', imf, euros) },
  { file: 'data-fr.json', ...throughFred('FRA', 'NGDPSAXDCFRQ', imf, euros) },
  { file: 'data-nl.json', ...throughFred('NLD', 'CPMNACSCAB1GQNL', eurostat, euros) },
  { file: 'data-jp.json', ...throughFred('JPN', 'JPNNGDP', cabinetOffice, yen) },
]

export const quarterlyGdpFiles = (recorded: Recorded): SampleFile[] =>
  copied
    .filter(({ file }) => recorded.has(`${COPY}/${file}`))
    .map(({ file, origin, description }) => ({
      path: figuresPath(description),
      origin: { ...origin, ...takenFrom(recorded, `${COPY}/${file}`) },
      figures: figuresOf(description, pointsOf(recorded.text(`${COPY}/${file}`))),
    }))

function pointsOf(text: string): Print[] {
  const root = parseJson(text)
  const all = isObject(root) ? root.series : undefined
  const series = isObject(all) ? all.gdp_level : undefined
  const points = isObject(series) ? series.points : undefined
  if (!isArray(points)) throw new Error('The file has no series.gdp_level.points')
  return points.map((point) => {
    const [period, value] = isArray(point) ? point.map(printed) : []
    if (period === undefined || value === undefined) throw new Error(`Not a point: ${JSON.stringify(point)}`)
    return { period, printed: value }
  })
}
