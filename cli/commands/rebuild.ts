import { program } from '../../contracts/program.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { rebuildCandles } from '../../projections/candle-copy.ts'
import { openClickHouse } from '../../projections/clickhouse.ts'
import { rebuild } from '../../projections/rebuild.ts'
import { views } from '../../projections/views/index.ts'
import { parsed } from '../arguments.ts'
import { type Command, print, UsageError } from '../command.ts'
import { openJournal } from '../parts.ts'
import { clickHouseUrl } from '../store-address.ts'
import { described, describedCandles } from './verify.ts'

/** Everything that can be made anew; candles come last, for they are made of the table of ticks. */
const names = [...views.map(({ name }) => name), 'candles']

export const command: Command = {
  summary: 'Makes the read models anew from the journal',
  usage: `${program} rebuild [VIEW…]

VIEW is one of ${names.join(', ')}; all if none is named. A new table is filled from the journal's start, compared with the
one in use, and put in its place; readers see the one or the other. No projector may be running meanwhile: start the
service with ALMANAC_ROLES=store for it.`,
  async run(args, config) {
    const { positionals } = parsed(args, {})
    const unknown = positionals.find((name) => !names.includes(name))
    if (unknown !== undefined) throw new UsageError(`no view ${JSON.stringify(unknown)}; there are ${names.join(', ')}`)
    const chosen = (name: string) => positionals.length === 0 || positionals.includes(name)
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort(new UsageError('interrupted: the tables in use are as they were')))
    const client = openClickHouse({ url: await clickHouseUrl(config) })
    const journal = await openJournal(config)
    try {
      const options = { journal, client, signal: stop.signal }
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

function printOutcome(name: string, comparison: string | undefined, takenOver: number): void {
  print(comparison ?? `${name}: made; there was none to compare it with`)
  if (takenOver > 0) print(`  ${takenOver} rows older than the journal were taken over as they were`)
}

const PATIENCE_MS = 3_000

/** A projector that runs holds its claim for as long as it lives: waiting for it would be waiting for ever. */
async function beginRebuild(journal: TypedJournal, view: string): Promise<void> {
  try {
    const claim = await journal.claim(`projection/${view}`, AbortSignal.timeout(PATIENCE_MS))
    await claim.release()
  } catch (cause) {
    throw new UsageError(
      `the projector of ${view} is running: end every process with the role projections (on the embedded store: stop the service and start it with ALMANAC_ROLES=store), and try again`,
      { cause },
    )
  }
  print(`${view}: rebuilding …`)
}
