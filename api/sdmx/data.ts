/** Data of the flows. */

import { ProblemError } from '../../contracts/problems.ts'
import { yearOf } from '../../domain/period.ts'
import { type Answer, textAnswer } from '../answer.ts'
import type { ApiDeps } from '../deps.ts'
import { type Handlers, handler } from '../execute.ts'
import type { KeptAnswers } from '../kept-answers.ts'
import { tooLarge } from '../refusals.ts'
import { sdmxCalls } from './calls.ts'
import { dataCsv } from './data-csv.ts'
import { type DataQuestion, dataQuestion, showsObservations } from './data-question.ts'
import { dataSetsOf } from './data-sets.ts'
import { dataXml } from './data-xml.ts'
import { mediaTypeOf } from './media.ts'
import { type FlowObservation, readData } from './read-data.ts'
import type { SdmxInput } from './sdmx-plugin.ts'

type Deps = Pick<ApiDeps, 'history' | 'clock'>

/** Most observations of one message. The generic form is several times as long as the others. */
const MAX_OBSERVATIONS = 100_000

/** What is asked, and its text, by which the answer is kept: a selection is no plain data. A message names the day. */
type Asked = { readonly text: string; readonly question: DataQuestion }

export const dataHandlers = (deps: Deps, kept: KeptAnswers): Handlers => ({
  [sdmxCalls.data.id]: handler<SdmxInput, Asked>({
    needsSlot: true,
    ask: (input) => {
      const now = deps.clock()
      const text = JSON.stringify([input.params, input.query, now.toISOString().slice(0, 10)])
      return { text, question: dataQuestion(input, now) }
    },
    ...kept.keeping('sdmx', ({ question }: Asked) => data(deps, question)),
  }),
})

async function data(deps: Deps, question: DataQuestion): Promise<Answer> {
  const { flow, format } = question
  const observations = await readData(deps, question)
  if (observations.length === 0) {
    throw new ProblemError('no_complete_publication', `No observation of ${flow.id} matches the question.`)
  }
  const sets = dataSetsOf(observations, question)
  const shown = sets.flatMap(({ series }) => series.flatMap((own) => own.observations))
  if (showsObservations(question.detail) && shown.length > MAX_OBSERVATIONS) throw tooMany(shown)
  const body = await (format.encoding === 'csv1' || format.encoding === 'csv2'
    ? dataCsv(question, sets)
    : dataXml(question, sets, deps.clock()))
  return textAnswer(body, mediaTypeOf(format))
}

/** The problem of too many observations. It names the first years that are not too many. */
function tooMany(observations: readonly FlowObservation[]): ProblemError {
  const years = observations.map(({ period }) => yearOf(period)).sort()
  const beyond = years[MAX_OBSERVATIONS]
  const last = years.findLast((year, i) => i < MAX_OBSERVATIONS && year !== beyond)
  const range =
    last === undefined ? '' : `, or of ${years[0]} to ${last} (startPeriod and endPeriod, or c[TIME_PERIOD])`
  return tooLarge(
    `The answer would have ${observations.length} observations, and at most ${MAX_OBSERVATIONS} come in one message. Ask for those of fewer countries${range}.`,
  )
}
