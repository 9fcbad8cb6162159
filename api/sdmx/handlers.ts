import type { ApiDeps } from '../deps.ts'
import type { Handlers } from '../execute.ts'
import { dataHandlers } from './data.ts'
import { structureHandlers } from './structures.ts'

/** What answers each call. */
export const sdmxHandlers = (deps: ApiDeps): Handlers => ({
  ...structureHandlers(deps),
  ...dataHandlers(deps),
})
