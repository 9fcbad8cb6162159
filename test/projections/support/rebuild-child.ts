/** Rebuilds the vintages or the candles in a process of its own. Argument: RebuildChild as JSON. */
import { openEmbeddedJournal } from '../../../journal/embedded/journal.ts'
import { localRegistry } from '../../../journal/registry.ts'
import { TypedJournal } from '../../../journal/typed.ts'
import { rebuildCandles } from '../../../projections/candle-copy.ts'
import { openClickHouse } from '../../../projections/clickhouse.ts'
import { rebuild } from '../../../projections/rebuild.ts'
import { vintages } from '../../../projections/views/vintages/project.ts'

export type RebuildChild = {
  readonly table: 'vintages' | 'candles'
  readonly journalDir: string
  readonly storeUrl: string
  readonly database: string
}

const { table, journalDir, storeUrl, database } = JSON.parse(process.argv[2] ?? '') as RebuildChild
const journal = await TypedJournal.open(await openEmbeddedJournal({ dir: journalDir }), localRegistry())
const client = openClickHouse({ url: storeUrl, database })
const options = { journal, client, signal: new AbortController().signal }
await (table === 'candles' ? rebuildCandles(options) : rebuild(vintages, options))
await client.close()
await journal.close()
