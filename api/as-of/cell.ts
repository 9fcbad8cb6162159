import { verifyOperationId } from '../../contracts/claims.ts'
import { observationsOperationId, vintagesOperationId } from '../../contracts/history-operations.ts'
import { isPublic, type ServedIndicator, servedIndicators, servingOf } from '../../contracts/indicators.ts'
import type { ProblemError } from '../../contracts/problems.ts'
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
 * The problem of a country and indicator of which nothing is dated the day or before, though later days have figures. It says
 * since when: that is all that an answer of a day tells of later ones. Undefined if that is not why figures are missing.
 */
export async function withoutEvidence(
  history: ApiDeps['history'],
  operationId: string,
  { params, query }: OperationInput,
  day: string,
): Promise<ProblemError | undefined> {
  const ofSeries = cellOfId(idsIn(query)[0] ?? '')
  const { country = ofSeries?.country ?? query.country } = params
  const own = operationId === verifyOperationId ? query.indicator : indicatorOf.get(operationId)
  const named = ofSeries?.indicator ?? own
  const indicator = servedIndicators.find((one) => one === named)
  if (!indicator || typeof country !== 'string' || !isPublic(indicator, country)) return undefined
  const known = await history.series(country, indicator, Number.MAX_SAFE_INTEGER)
  const [since] = known.map(({ firstReleasedOn }) => firstReleasedOn).sort()
  if (since === undefined || since <= day) return undefined
  return noDatedEvidence(indicator, country, day, since)
}
