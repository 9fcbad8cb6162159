import { systemTime, type Time } from '../base/time.ts'
import { DatedHandlers } from './as-of/handlers.ts'
import type { ApiDeps } from './deps.ts'
import { type ExecuteFor, executor, type Handlers } from './execute.ts'
import { FairSlots } from './fair-slots.ts'

/** Runs the operations that `handlersOver` makes, as of now or as of the day of a request. */
export function executeOver(
  deps: ApiDeps,
  handlersOver: (deps: ApiDeps) => Handlers,
  slots = new FairSlots(),
  time: Time = systemTime,
): ExecuteFor {
  const execute = executor(deps, handlersOver(deps), slots, time)
  const dated = new DatedHandlers(deps, handlersOver)
  return ({ moment }) => (moment === undefined ? execute : executor(deps, dated.on(moment), slots, time))
}
