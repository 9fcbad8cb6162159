import { type Compared, comparedTitle, panelParts, readCompared } from '../../console/browser/compared.js'
import { type Comparison, comparison, firstShared, rangeWithBase } from '../../console/browser/comparison.js'
import { comparisonModel, sourcesOf } from '../../console/browser/comparison-plot.js'
import { amountText, lineLabels } from '../../console/browser/comparison-text.js'
import { readPanel } from '../../console/browser/panel-table.js'
import { periodName } from '../../console/browser/periods.js'
import type { PlotModel } from '../../console/browser/plot-svg.js'
import { facts } from '../../console/facts.ts'
import { type CatalogEntry, catalogOperationId } from '../../contracts/catalog.ts'
import { panelOperationId } from '../../contracts/panel.ts'
import { ProblemError } from '../../contracts/problems.ts'
import type { AggregationMethod, UnitCode } from '../../contracts/transformations.ts'
import { invalidQuery } from '../refusals.ts'

/** What a plot shows, by the names of the console's address. */
export type EmbedQuery = {
  readonly start?: string
  readonly end?: string
  readonly as_of?: string
  readonly frequency?: string
  readonly method?: AggregationMethod
  readonly units?: UnitCode | 'index'
  readonly base?: string
}

export type EmbeddedPlot = {
  readonly model: PlotModel
  /** The last figure of each line: `DEU 2.3 %, Oct 2026`. */
  readonly latest: readonly string[]
  /** Figures that are not drawn, each with its reason. */
  readonly left: readonly string[]
  /** `Source: ` and a publisher with its licence. */
  readonly sources: readonly string[]
}

/** Answers an operation of the contract, which costs nobody a call; resolves to the body. */
export type AskOpen = (operationId: string, query: Readonly<Record<string, unknown>>) => Promise<string>

/**
 * The plot of up to eight figures, as the console's view "Compare" draws it from the same panel. `names`: those of a panel's
 * columns. Throws the problems of the panel.
 */
export async function embeddedComparison(
  names: readonly string[],
  shown: EmbedQuery,
  ask: AskOpen,
): Promise<EmbeddedPlot> {
  const { base, units, method: aggregation_method, ...query } = shown
  const { series: served } = JSON.parse(await ask(catalogOperationId, {})) as { series: CatalogEntry[] }
  const onRecord = served.filter(({ is_served }) => is_served)
  const { compared, unknown } = readCompared(names.join(','), facts, onRecord, query.frequency)
  if (unknown.length > 0) throw new ProblemError('no_complete_publication', `${unknown.join(', ')} is not on record.`)
  refuseUnused(compared, shown)
  const isIndex = units === 'index'
  const range = isIndex ? rangeWithBase({ base, ...query }) : query
  const asked = { ...query, start: range.start, end: range.end, aggregation_method, ...(isIndex ? {} : { units }) }
  const parts = await Promise.all(
    panelParts(compared).map(async ({ frequency, countries: country, indicators: indicator }) => {
      const csv = await ask(panelOperationId, { ...asked, country, indicator, frequency, about: 'rows', format: 'csv' })
      return [frequency, readPanel(csv)] as const
    }),
  )
  const panels = new Map(parts)
  const panel = (frequency: string) => panels.get(frequency) ?? []
  const from = isIndex ? (base ?? firstShared(compared, panel)) : undefined
  const drawn = comparison(compared, panel, { start: query.start, end: query.end, base: from })
  if (drawn.lines.length === 0)
    throw new ProblemError('no_complete_publication', `Nothing of it can be drawn. ${leftTexts(drawn).join('; ')}.`)
  const labels = lineLabels(drawn.lines)
  const latest = drawn.lines.flatMap((line, i) => {
    const last = drawn.periods.findLast((period) => line.texts.has(period))
    if (last === undefined) return []
    return [`${labels[i]} ${amountText(line, line.texts.get(last) ?? '')}, ${periodName(last)}`]
  })
  const form = { shown: compared, drawn, newest: drawn, series: served, units, day: query.as_of, address: '' }
  return { model: comparisonModel(form, facts), latest, left: leftTexts(drawn), sources: sourcesOf(drawn, served) }
}

const leftTexts = ({ left }: Comparison): string[] => left.map(({ of, why }) => `${comparedTitle(of, facts)}: ${why}`)

/** Throws `invalid_query` for a parameter that would change nothing. */
function refuseUnused(compared: readonly Compared[], { base, units, frequency, method }: EmbedQuery): void {
  if (base !== undefined && units !== 'index') throw invalidQuery('query parameter base: it is for units=index')
  if (method !== undefined && frequency === undefined)
    throw invalidQuery('query parameter method: it makes the periods of frequency, which is left out')
  const other = compared.find((one) => frequency !== undefined && one.frequency !== frequency)
  if (other) throw invalidQuery(`query parameter frequency: the periods of ${other.name} are longer than ${frequency}`)
}
