import { type Indicator, indicatorDefinition } from '../../contracts/indicators.ts'
import type { Series } from '../../contracts/records.ts'
import { periodsAYear } from '../../domain/period.ts'
import { judge } from '../../domain/plausibility/checks.ts'
import {
  inOrder,
  isPossible,
  kindOf,
  layersOf,
  type Other,
  replaced,
  type SeriesView,
  seriesView,
  type Value,
  type Verdict,
} from '../../domain/plausibility/view.ts'
import type { Document, Figure, Item, Missing } from '../source.ts'

type Stating = Figure | Missing
/** What a document states of a period, with its figures as numbers; null if it states that there are none. */
type JudgedItem = { readonly item: Stating; readonly figures: Readonly<Record<string, number>> | null }

export type FiguresOnRecord = {
  /** Those of a member of a series as numbers, in order of period. */
  valuesOf(series: string, member: string): readonly Value[]
  /** The series of an indicator of the same country and frequency. */
  seriesOf(series: Series, indicator: Indicator): readonly Series[]
}

/** Figures of one series that are held for review for one reason, in the order of the document. */
export type HeldFigures = Pick<Verdict, 'reason' | 'detail'> & { readonly figures: readonly Stating[] }

/** Indicators of one unit whose figures are never the same for long. */
const mistakable: Readonly<Partial<Record<Indicator, Indicator>>> = {
  gdp: 'gdp-volume',
  'gdp-volume': 'gdp',
  'trade-exports': 'trade-imports',
  'trade-imports': 'trade-exports',
  unemployment: 'labour-force-participation',
  'labour-force-participation': 'unemployment',
}

/** Judges the figures of a document, or of a part of it, series by series. */
export function heldFiguresOf(document: Document, items: readonly Item[], record: FiguresOnRecord): HeldFigures[] {
  const statements = items.flatMap((item): JudgedItem[] => {
    if (item.kind === 'missing') return [{ item, figures: null }]
    return item.kind === 'figure' ? [{ item, figures: numbersOf(item) }] : []
  })
  const counts = new Map<Indicator, { count: number; impossible: number }>()
  for (const { item, figures } of statements) {
    const counted = counts.get(item.series.indicator) ?? { count: 0, impossible: 0 }
    counts.set(item.series.indicator, counted)
    counted.count += Object.keys(figures ?? {}).length
    counted.impossible += Object.values(figures ?? {}).filter(Number.isNaN).length
  }
  const bySeries = Map.groupBy(statements, ({ item }) => item.series.id)
  return [...bySeries.values()].flatMap((own) => heldOfSeries(document, own, counts, record))
}

function heldOfSeries(
  document: Document,
  statements: readonly JudgedItem[],
  counts: ReadonlyMap<Indicator, SeriesView['ofIndicator']>,
  record: FiguresOnRecord,
): HeldFigures[] {
  const [first] = statements
  if (!first) return []
  const { series } = first.item
  const layers = layersOf(statements, ({ item }) => item.period)
  const before: Map<string, JudgedItem['figures']> = new Map()
  return layers.flatMap((layer) => {
    const held: HeldFigures[] = []
    const isHeld = new Set<Stating>()
    for (const [reason, { details, periods }] of verdictsOn(series, layer, before, document, counts, record)) {
      const detail = [...details].map(([text, members]) => `${members.join(', ')}: ${text}`).join(' ')
      const figures = layer.flatMap(({ item }) => (periods.has(item.period) && !isHeld.has(item) ? [item] : []))
      for (const item of figures) isHeld.add(item)
      if (figures.length > 0) held.push({ reason, detail, figures })
    }
    // Only a series with several prints of a period needs to remember what the earlier ones are.
    if (layers.length > 1)
      for (const { item, figures } of layer)
        if (!isHeld.has(item) && !isImpossible(figures)) before.set(item.period, figures)
    return held
  })
}

/** Judges each member of the figures. Returns by reason what is said, of which members, and the periods of all of them. */
function verdictsOn(
  series: Series,
  layer: readonly JudgedItem[],
  before: ReadonlyMap<string, JudgedItem['figures']>,
  { retrievedAt, lastUpdated, fileName }: Document,
  counts: ReadonlyMap<Indicator, SeriesView['ofIndicator']>,
  record: FiguresOnRecord,
) {
  const verdicts = new Map<Verdict['reason'], { details: Map<string, string[]>; periods: Set<string> }>()
  for (const member of indicatorDefinition(series.indicator)?.figures ?? []) {
    const kind = kindOf(series, member)
    if (!kind || layer.every(({ figures }) => figures && !(member in figures))) continue
    const onRecord = withStatements(record.valuesOf(series.id, member), member, before)
    const stated: Value[] = []
    const missing = new Set<string>()
    for (const { item, figures } of layer) {
      const value = figures?.[member]
      if (!figures) missing.add(item.period)
      else if (value !== undefined && !Number.isNaN(value)) stated.push({ at: item.period, value })
    }
    const otherOf = (other: Series): Other => ({
      id: other.id,
      record: record.valuesOf(other.id, member),
      rate: rateOf(series) / rateOf(other),
    })
    const view = seriesView(kind, inOrder(stated), onRecord, {
      withdrawn: missing.size === 0 ? [] : onRecord.flatMap(({ at }) => (missing.has(at) ? [at] : [])),
      ofIndicator: counts.get(series.indicator) ?? { count: 0, impossible: 0 },
      // A file in Almanac's own format means what it says, such as a correction.
      isUndated:
        retrievedAt === null &&
        lastUpdated === undefined &&
        fileName === undefined &&
        layer.every(({ item }) => !item.released),
      others: () =>
        record
          .seriesOf(series, series.indicator)
          .filter((one) => one.id !== series.id && isOneMeasure(one, series))
          .map(otherOf),
      mistakable: () => {
        const indicator = mistakable[series.indicator]
        return indicator ? record.seriesOf(series, indicator).map(otherOf) : []
      },
    })
    for (const { reason, detail, periods } of judge(view)) {
      const found = verdicts.get(reason) ?? { details: new Map(), periods: new Set() }
      verdicts.set(reason, found)
      found.details.set(detail, [...(found.details.get(detail) ?? []), member])
      for (const period of periods === 'all' ? layer.map(({ item }) => item.period) : periods) found.periods.add(period)
    }
  }
  return verdicts
}

const isOneMeasure = (a: Series, b: Series): boolean =>
  a.unit === b.unit && a.base_period === b.base_period && a.base_value === b.base_value

/** What an amount of a period is multiplied by to be at its series' rate. */
const rateOf = ({ annualization, frequency }: Series): number =>
  annualization === 'annualized' ? periodsAYear[frequency] : 1

/** Whether a statement is rejected, so that what is on record stays. */
const isImpossible = (figures: JudgedItem['figures']): boolean => Object.values(figures ?? {}).some(Number.isNaN)

/** The values of a member on record, with those of earlier statements in their place. */
function withStatements(
  onRecord: readonly Value[],
  member: string,
  before: ReadonlyMap<string, JudgedItem['figures']>,
): readonly Value[] {
  if (before.size === 0) return onRecord
  const values = [...before].flatMap(([at, figures]) => {
    const value = figures?.[member]
    return value === undefined ? [] : [{ at, value }]
  })
  return replaced(onRecord, before, values)
}

/** Rounds as figures on record are, so that one that is repeated equals them. Halves, which a number may miss by a little, go up. */
const roundedTo = (value: number, decimals: number): number =>
  (Math.sign(value) * Math.round(Math.abs(value) * 10 ** decimals * (1 + Number.EPSILON * 4))) / 10 ** decimals

/** The figures as numbers, NaN for those that cannot be: they are rejected, and say nothing about others. */
function numbersOf({ series: { indicator }, figures }: Figure): Record<string, number> {
  const numbers: Record<string, number> = {}
  for (const member in figures) {
    // Cast: the member is one of the object's own keys.
    const { printed, multiplier, decimals } = figures[member] as Figure['figures'][string]
    const whole = Number(printed) * (multiplier === undefined ? 1 : Number(multiplier))
    const value = decimals === undefined ? whole : roundedTo(whole, decimals)
    numbers[member] = isPossible(indicator, member, value) ? value : Number.NaN
  }
  return numbers
}
