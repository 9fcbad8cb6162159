import type { Handlers } from '../execute.ts'
import type { KeptAnswers } from '../kept-answers.ts'
import { fredCalls } from './calls.ts'
import { graphHandler } from './graph.ts'
import { observationsHandler } from './observations.ts'
import type { FredDeps } from './read-real-time.ts'
import { searchHandler } from './search.ts'
import { seriesHandler } from './series.ts'
import { vintageDatesHandler } from './vintage-dates.ts'

export const fredHandlers = (deps: FredDeps, kept: KeptAnswers): Handlers => ({
  [fredCalls.series.id]: seriesHandler(deps),
  [fredCalls.observations.id]: observationsHandler(deps, kept),
  [fredCalls.vintageDates.id]: vintageDatesHandler(deps),
  [fredCalls.search.id]: searchHandler(deps),
  [fredCalls.graph.id]: graphHandler(deps, kept),
})
