import { Type } from '#typebox'
import { IndicatorCode } from './catalog.ts'
import { measuredAs, ofRelease, ofSeries } from './histories.ts'
import { servedIndicators } from './indicators.ts'
import { chargedProblems, literals, noParameters, type Operation } from './operation.ts'
import { AnyPeriod, CountryCode, IsoDate, nullable, SignedDecimal, strict, Timestamp } from './scalars.ts'

/** Checks a figure that somebody states against all that is on record of its period. */

const verdicts = ['current', 'current_elsewhere', 'former', 'not_on_record'] as const
export type ClaimVerdict = (typeof verdicts)[number]

const ReleaseId = Type.String({ pattern: '^rel_[0-9A-HJKMNP-TV-Z]{26}$' })
const print = { ...measuredAs, value: SignedDecimal, ...ofSeries, ...ofRelease }
const release = {
  release_id: { ...ReleaseId, description: 'Id of the release; releases_get has its document' },
  link: Type.String({ description: 'Address of the release' }),
}

const ClaimedPrint = strict(
  {
    ...print,
    ...release,
    is_current: Type.Boolean({ description: 'Whether no later print of its series has taken its place' }),
    is_served: Type.Boolean({ description: 'Whether a request for the period is answered with it' }),
    replaced_on: nullable({ ...IsoDate, description: 'Day of the next print of its series; null if there is none' }),
    replaced_by: nullable({ ...ReleaseId, description: 'That print; null if there is none' }),
    replacing_value: nullable({
      ...SignedDecimal,
      description: 'The figure in that print; null if there is none, or if it withdrew the figure',
    }),
  },
  { $id: 'ClaimedPrint', description: 'A print that states the claimed figure' },
)

const ServedFigure = strict({ ...print, ...release }, { $id: 'ServedFigure', description: 'A figure as it stands now' })

export const CheckedClaim = strict(
  {
    country: CountryCode,
    indicator: Type.String({ description: 'Indicator code, e.g. cpi' }),
    period: AnyPeriod,
    claim: strict({
      text: Type.String({ description: 'The claim as it was sent' }),
      value: { ...SignedDecimal, description: 'The number that it states, with its scale applied' },
      tolerance: {
        ...SignedDecimal,
        description: 'Half a unit of its last digit: a figure as far from it, or less, is rounded to it',
      },
      unit: nullable(
        Type.String({
          description: '`percent`, a currency code, or `amount` for any but percent; null if the claim names none',
        }),
      ),
    }),
    verdict: Type.Unsafe<ClaimVerdict>({
      ...literals(verdicts),
      description:
        '`current`: a request for the period is answered with this figure; `current_elsewhere`: another series has it, and another figure is served; `former`: it was published, and replaced or withdrawn since; `not_on_record`: no print of this period on record states it',
    }),
    prints: Type.Array(ClaimedPrint, { description: 'The prints that state it, oldest first' }),
    served: Type.Array(ServedFigure, { description: 'What the period has now, figure by figure; empty if nothing' }),
    as_of: { ...Timestamp, description: 'When the newest release behind the answer was recorded' },
  },
  { $id: 'CheckedClaim', description: 'Whether a figure was ever published, and what became of it' },
)
export type CheckedClaim = Type.Static<typeof CheckedClaim>

export const verifyOperationId = 'claims_verify'

export const claimOperations: readonly Operation[] = [
  {
    id: verifyOperationId,
    method: 'GET',
    path: '/v1/verify',
    summary: 'Whether a figure that somebody states was ever published, and is still current',
    description:
      'Compares a claim with every print on record of a country, indicator and period, of any series: first prints, revisions and what was withdrawn. A figure meets the claim if it is rounded to the digits that the claim has, so 32475210000000 meets "32.5 trillion". The answer names each print with its day and the release that leads to its document, says what replaced it, and what the period has now. Of an indicator with several figures any may meet it: the print says which.',
    tag: 'Economics',
    access: 'charged',
    params: noParameters,
    query: strict({
      country: CountryCode,
      indicator: { ...IndicatorCode, description: `One of ${servedIndicators.join(', ')}` },
      period: AnyPeriod,
      value: Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'The figure as it is stated, e.g. 330.213, 3.2 %, 32.5 trillion or USD 32,475 bn. The decimal point is a point',
      }),
    }),
    response: CheckedClaim,
    problems: [...chargedProblems, 'no_complete_publication', 'no_dated_evidence', 'never_published'],
  },
]
