import { program } from '../../contracts/program.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { rebuildCandles } from '../../projections/candle-copy.ts'
import { openClickHouse } from '../../projections/clickhouse.ts'
import { rebuild } from '../../projections/rebuild.ts'
import { views } from '../../projections/views/index.ts'
import { parsed } from '../arguments.ts'
import { type Command, interruptSignal, print, UsageError } from '../command.ts'
import { counted } from '../counted.ts'
import { openJournal } from '../parts.ts'
import { clickHouseUrl } from '../store-address.ts'
import { described, describedCandles } from './verify.ts'

/** All read models that can be rebuilt. Candles come last, because they are made from the table of ticks. */
const names = [...views.map(({ name }) => name), 'candles']

export const command: Command = {
  usage: `${program} rebuild [VIEW…]

VIEW is one of ${names.join(', ')}; without it, all are rebuilt. A new table is filled from the journal's start, compared with
the one in use, and put in its place at once. No projector may run meanwhile: start the service with ALMANAC_ROLES=store.`,
  async run(args, config) {
    const { positionals } = parsed(args, {})
    const unknown = positionals.find((name) => !names.includes(name))
    if (unknown !== undefined)
      throw new UsageError(`unknown view ${JSON.stringify(unknown)}; the views are ${names.join(', ')}`)
    const chosen = (name: string) => positionals.length === 0 || positionals.includes(name)
    const interrupted = interruptSignal('interrupted: the tables in use were not changed')
    const client = openClickHouse({ url: await clickHouseUrl(config) })
    const journal = await openJournal(config)
    try {
      const options = { journal, client, signal: interrupted }
      for (const view of views.filter(({ name }) => chosen(name))) {
        await beginRebuild(journal, view.name)
        const { comparison, takenOver } = await rebuild(view, options)
        printOutcome(view.name, comparison && described(view.name, comparison), takenOver)
      }
      if (chosen('candles')) {
        await beginRebuild(journal, 'candles')
        const { comparison, takenOver } = await rebuildCandles(options)
        printOutcome('candles', comparison && describedCandles(comparison), takenOver)
      }
      return 0
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

const PROJECTOR_CLAIM_TIMEOUT_MS = 3_000

async function beginRebuild(journal: TypedJournal, view: string): Promise<void> {
  await assertNoProjector(
    journal,
    view,
    `the projector of ${view} is running: end every process with the role projections (on the embedded store: stop the service and start it with ALMANAC_ROLES=store), and try again`,
  )
  print(`${view}: rebuilding …`)
}

/**
 * Throws UsageError with `message` if a projector of the view runs. It holds its claim until it ends, so waiting for the
 * claim would have no end.
 */
export async function assertNoProjector(journal: TypedJournal, view: string, message: string): Promise<void> {
  try {
    const claim = await journal.claim(`projection/${view}`, AbortSignal.timeout(PROJECTOR_CLAIM_TIMEOUT_MS))
    await claim.release()
  } catch (cause) {
    throw new UsageError(message, { cause })
  }
}
