import { systemTime } from '../../base/time.ts'
import type { Render } from '../answer.ts'
import { CurrentHistory } from '../current-history.ts'
import type { ApiDeps } from '../deps.ts'
import type { Handlers } from '../execute.ts'
import type { Exports } from '../exports.ts'
import { fredHandlers } from '../fred/handlers.ts'
import { KeptAnswers } from '../kept-answers.ts'
import { ReadModelReach } from '../read-model-reach.ts'
import { dataHandlers } from '../sdmx/data.ts'
import { structureHandlers } from '../sdmx/structures.ts'
import { SeriesOfCell } from '../series-of-cell.ts'
import { calendarHandlers } from './calendar.ts'
import { candleHandlers } from './candles.ts'
import { candlesOfPairsHandlers } from './candles-of-pairs.ts'
import { catalogHandlers } from './catalog.ts'
import { claimHandlers } from './claims.ts'
import { eventHandlers } from './events.ts'
import { exportHandlers } from './export.ts'
import { historyHandlers } from './histories.ts'
import { indicatorHandlers } from './indicators.ts'
import { panelHandlers } from './panel.ts'
import { priceHandlers } from './prices.ts'
import { releaseHandlers } from './releases.ts'
import { searchHandlers } from './search.ts'
import { serviceHandlers } from './service.ts'
import { ticketHandlers } from './tickets.ts'
import { tickHandlers } from './ticks.ts'

/** The handlers of all operations and of the other surfaces, over the dependencies of now or of a day. */
export const allHandlers = (deps: ApiDeps, render: Render, exports: Exports): Handlers => {
  const reach = new ReadModelReach(deps)
  const keeping = { ...deps, reach, monotonic: systemTime.monotonic }
  const kept = new KeptAnswers(keeping)
  const current = new CurrentHistory(keeping)
  const cells = new SeriesOfCell({ ...keeping, current })
  const ofFigures = { ...deps, current, cells, history: current.over(deps.history) }
  return {
    ...serviceHandlers(deps, render),
    ...indicatorHandlers(deps, render),
    ...historyHandlers(ofFigures, render, kept),
    ...catalogHandlers(deps, render),
    ...releaseHandlers(deps, render),
    ...claimHandlers(deps, render),
    ...panelHandlers(ofFigures, kept),
    ...searchHandlers(deps, render),
    ...calendarHandlers(deps, render),
    ...priceHandlers(deps.prices, deps.clock, render),
    ...candleHandlers(deps, render),
    ...candlesOfPairsHandlers(deps, render),
    ...tickHandlers(deps, render),
    ...eventHandlers(deps, render),
    ...exportHandlers(deps, render, exports),
    ...ticketHandlers(deps, render),
    ...fredHandlers(deps, kept),
    ...structureHandlers(deps),
    ...dataHandlers(deps, kept),
  }
}
