import { observationsOperationId, vintagesOperationId } from '../../contracts/history-operations.ts'
import { isPublic, type ServedIndicator, servedIndicators, servingOf } from '../../contracts/indicators.ts'
import type { ProblemError } from '../../contracts/problems.ts'
import type { Frequency } from '../../contracts/records.ts'
import type { ApiDeps } from '../deps.ts'
import type { OperationInput } from '../execute.ts'
import { cellOfId, idsIn } from '../fred/calls.ts'
import { noDatedEvidence } from '../no-evidence.ts'

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
  { params, query }: OperationInput,
  day: string,
): Promise<ProblemError | undefined> {
  const ofSeries = cellOfId(idsIn(query)[0] ?? '')
  const countries = textsOf(ofSeries?.country ?? params.country ?? query.country)
  const named = textsOf(ofSeries?.indicator ?? indicatorOf.get(operationId) ?? query.indicator)
  const indicators = servedIndicators.filter((one) => named.includes(one))
  if (countries.length === 0 || indicators.length === 0) return undefined
  const known = await history.seriesOfMany(countries, indicators)
  const isAsked = ({ indicator, country, frequency }: (typeof known)[number]) =>
    isPublic(indicator, country) && (query.frequency === undefined || isMadeOf(frequency, query))
  const [since] = known
    .filter(isAsked)
    .map(({ firstReleasedOn }) => firstReleasedOn)
    .sort()
  if (since === undefined || since <= day) return undefined
  return noDatedEvidence(indicators.join(', '), countries.join(', '), day, since)
}

const textsOf = (given: unknown): string[] => [given ?? []].flat().map(String)

/** Whether figures of a frequency answer a question for one, or are aggregated for it. */
const isMadeOf = (frequency: Frequency, { frequency: asked, aggregation_method }: OperationInput['query']): boolean =>
  frequency === asked || aggregation_method !== undefined
