import { observationsOperationId, vintagesOperationId } from '../../contracts/history-operations.ts'
import { isPublic, type ServedIndicator, servedIndicators, servingOf } from '../../contracts/indicators.ts'
import type { ProblemError } from '../../contracts/problems.ts'
import type { Frequency } from '../../contracts/records.ts'
import type { ApiDeps } from '../deps.ts'
import type { OperationInput } from '../execute.ts'
import { cellOfId, idsIn } from '../fred/calls.ts'
import { noDatedEvidence } from '../missing-figure.ts'
import { cellOfData } from '../sdmx/availability.ts'
import { sdmxCalls } from '../sdmx/calls.ts'
import type { SdmxInput } from '../sdmx/sdmx-plugin.ts'

const indicatorOf: ReadonlyMap<string, ServedIndicator> = new Map(
  servedIndicators.flatMap((indicator) =>
    [servingOf(indicator).operationId, observationsOperationId(indicator), vintagesOperationId(indicator)].map(
      (id): [string, ServedIndicator] => [id, indicator],
    ),
  ),
)

/**
 * The problem of countries and indicators of which nothing is dated the day or before, though later days have figures. It says
 * since when: that is all that an answer of a day tells of later ones. Undefined if that is not why figures are missing.
 */
export async function withoutEvidence(
  history: Pick<ApiDeps['history'], 'seriesOfMany'>,
  operationId: string,
  input: OperationInput,
  day: string,
): Promise<ProblemError | undefined> {
  const { query } = input
  const { countries, named, frequencies } = cellsOf(operationId, input)
  const indicators = servedIndicators.filter((one) => named.includes(one))
  if (countries.length === 0 || indicators.length === 0) return undefined
  const known = await history.seriesOfMany(countries, indicators)
  const isAsked = ({ indicator, country, frequency }: (typeof known)[number]) =>
    isPublic(indicator, country) &&
    (frequencies?.includes(frequency) ?? (query.frequency === undefined || isMadeOf(frequency, query)))
  const [since] = known
    .filter(isAsked)
    .map(({ firstReleasedOn }) => firstReleasedOn)
    .sort()
  if (since === undefined || since <= day) return undefined
  return noDatedEvidence(indicators.join(', '), countries.join(', '), day, since)
}

type Cells = {
  readonly countries: readonly string[]
  readonly named: readonly string[]
  /** Those of a key; undefined if it has any. */
  readonly frequencies?: readonly string[] | undefined
}

/** The countries and indicators that a call names. */
function cellsOf(operationId: string, input: OperationInput): Cells {
  const { params, query } = input
  if (operationId === sdmxCalls.data.id || operationId === sdmxCalls.availability.id) {
    // The cast: the plugin of SDMX made this input.
    const { countries = [], frequencies, indicator } = cellOfData(input as SdmxInput) ?? {}
    return { countries, frequencies, named: textsOf(indicator) }
  }
  const ofSeries = cellOfId(idsIn(query)[0] ?? '')
  return {
    countries: textsOf(ofSeries?.country ?? params.country ?? query.country),
    named: textsOf(ofSeries?.indicator ?? indicatorOf.get(operationId) ?? query.indicator),
  }
}

const textsOf = (given: unknown): string[] => [given ?? []].flat().map(String)

/** Whether figures of a frequency answer a question for one, or are aggregated for it. */
const isMadeOf = (frequency: Frequency, { frequency: asked, aggregation_method }: OperationInput['query']): boolean =>
  frequency === asked || aggregation_method !== undefined
