import type { View } from '../view.ts'
import { events } from './events/project.ts'
import { quarantine } from './quarantine/project.ts'
import { ticks } from './ticks/project.ts'
import { vintages } from './vintages/project.ts'

/** The read models that the projector fills. Candles are rolled up from ticks instead (`candle-roller.ts`). */
export const views: readonly View[] = [vintages, events, quarantine, ticks]
