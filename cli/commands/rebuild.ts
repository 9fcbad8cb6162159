import { parseArgs } from 'node:util'
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
one in use, and put in its place; readers see the one or the other. No projector may be running meanwhile: run the service
with ALMANAC_ROLES=store for it, or this waits.`,
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
        print(`${view.name}: waiting for its projector to be free, then rebuilding …`)
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
