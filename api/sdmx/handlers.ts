import type { ApiDeps } from '../deps.ts'
import type { Handlers } from '../execute.ts'
import type { KeptAnswers } from '../kept-answers.ts'
import { dataHandlers } from './data.ts'
import { structureHandlers } from './structures.ts'

/** What answers each call. */
export const sdmxHandlers = (deps: ApiDeps, kept: KeptAnswers): Handlers => ({
  ...structureHandlers(deps),
  ...dataHandlers(deps, kept),
})
