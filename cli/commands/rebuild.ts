import { program } from '../../contracts/program.ts'
import { rebuildCandles } from '../../projections/candle-copy.ts'
import { openForWholeTables } from '../../projections/clickhouse.ts'
import { ProjectionError } from '../../projections/errors.ts'
import { rebuild } from '../../projections/rebuild.ts'
import { views } from '../../projections/views/index.ts'
import { parsed } from '../arguments.ts'
import { type Command, interruptSignal, print, UsageError } from '../command.ts'
import { counted } from '../counted.ts'
import { openJournal } from '../parts.ts'
import { clickHouseUrl } from '../store-address.ts'
import { described, describedCandles, PATIENCE_MS } from './verify.ts'

const END_PROJECTIONS =
  'end every process with the role projections (on the embedded store: stop the service and start it with ALMANAC_ROLES=store), and try again'

/** Whether a rebuild failed because another process fills the table. */
export const isRunning = (error: unknown): error is ProjectionError =>
  error instanceof ProjectionError && error.code === 'projector_running'

/** All read models that can be rebuilt. Candles come last, because they are made from the table of ticks. */
const names = [...views.map(({ name }) => name), 'candles']

export const command: Command = {
  usage: `${program} rebuild [VIEW…]

VIEW is one of ${names.join(', ')}; without it, all are rebuilt. A new table is filled from the journal's start, compared with
the one in use, and put in its place at once. The service may run, and answers from the old table until then. Only what another
release fills, by other tables, must be ended first.`,
  async run(args, config) {
    const { positionals } = parsed(args, {})
    const unknown = positionals.find((name) => !names.includes(name))
    if (unknown !== undefined)
      throw new UsageError(`unknown view ${JSON.stringify(unknown)}; the views are ${names.join(', ')}`)
    const chosen = (name: string) => positionals.length === 0 || positionals.includes(name)
    const interrupted = interruptSignal('interrupted: the tables in use were not changed')
    const client = openForWholeTables({ url: await clickHouseUrl(config) })
    const journal = await openJournal(config)
    try {
      const options = { journal, client, signal: interrupted, patienceMs: PATIENCE_MS }
      for (const view of views.filter(({ name }) => chosen(name))) {
        print(`${view.name}: rebuilding …`)
        const { comparison, takenOver } = await rebuild(view, options)
        printOutcome(view.name, comparison && described(view.name, comparison), takenOver)
      }
      if (chosen('candles')) {
        print('candles: rebuilding …')
        const { comparison, takenOver } = await rebuildCandles(options)
        printOutcome('candles', comparison && describedCandles(comparison), takenOver)
      }
      return 0
    } catch (error) {
      if (!(error instanceof ProjectionError)) throw error
      const advice = isRunning(error) ? `: ${END_PROJECTIONS}` : ''
      throw new UsageError(error.message + advice, { cause: error })
    } finally {
      await journal.close()
      await client.close()
    }
  },
}

export function printOutcome(name: string, comparison: string | undefined, takenOver: number): void {
  print(comparison ?? `${name}: created; there was no table to compare it with`)
  if (takenOver > 0) print(`  copied from the old table: ${counted(takenOver, 'row')} older than the journal's start`)
}
