import { parseArgs } from 'node:util'
import type { TypedJournal } from '../../journal/typed.ts'
import { openClickHouse } from '../../projections/clickhouse.ts'
import { rebuild } from '../../projections/rebuild.ts'
import { views } from '../../projections/views/index.ts'
import { type Command, print, UsageError } from '../command.ts'
import { clickHouseUrl, openJournal } from '../parts.ts'
import { described } from './verify.ts'

export const command: Command = {
  summary: 'Makes the read models anew from the journal',
  usage: `almanac rebuild [VIEW…]

VIEW is one of ${views.map(({ name }) => name).join(', ')}; all if none is named. A new table is filled from the journal's start, compared with the
one in use, and put in its place; readers see the one or the other. No projector may be running meanwhile: start the
service with ALMANAC_ROLES=store for it.`,
  async run(args, config) {
    const { positionals } = parseArgs({ args: [...args], allowPositionals: true, options: {} })
    const unknown = positionals.find((name) => !views.some((view) => view.name === name))
    if (unknown !== undefined)
      throw new UsageError(`no view ${JSON.stringify(unknown)}; there are ${views.map(({ name }) => name).join(', ')}`)
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort(new UsageError('interrupted: the tables in use are as they were')))
    const client = openClickHouse({ url: await clickHouseUrl(config) })
    const journal = await openJournal(config)
    try {
      for (const view of views.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
        await refuseBesideProjector(journal, view.name)
        print(`${view.name}: rebuilding …`)
        const { comparison, takenOver } = await rebuild(view, { journal, client, signal: stop.signal })
        if (comparison) print(described(view.name, comparison))
        else print(`${view.name}: made; there was none to compare it with`)
        if (takenOver > 0) print(`  ${takenOver} rows older than the journal were taken over as they were`)
      }
      return 0
    } finally {
      await journal.close()
      await client.close()
    }
  },
}

const PATIENCE_MS = 3_000

/** A projector that runs holds its claim for as long as it lives: waiting for it would be waiting for ever. */
async function refuseBesideProjector(journal: TypedJournal, view: string): Promise<void> {
  try {
    const claim = await journal.claim(`projection/${view}`, AbortSignal.timeout(PATIENCE_MS))
    await claim.release()
  } catch (cause) {
    throw new UsageError(
      `the projector of ${view} is running: stop the service, start it with ALMANAC_ROLES=store, and try again`,
      { cause },
    )
  }
}
