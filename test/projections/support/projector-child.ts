/** A projector of the vintages in a process of its own. Argument: ProjectorChild as JSON. Says `running` once it is. */
import { openEmbeddedJournal } from '../../../journal/embedded/journal.ts'
import { localRegistry } from '../../../journal/registry.ts'
import { TypedJournal } from '../../../journal/typed.ts'
import { openClickHouse } from '../../../projections/clickhouse.ts'
import { Projector } from '../../../projections/projector.ts'
import { clickHouseReadModel } from '../../../projections/read-model.ts'
import { vintages } from '../../../projections/views/vintages/project.ts'

export type ProjectorChild = { readonly journalDir: string; readonly storeUrl: string; readonly database: string }

const { journalDir, storeUrl, database } = JSON.parse(process.argv[2] ?? '') as ProjectorChild
const journal = await TypedJournal.open(await openEmbeddedJournal({ dir: journalDir }), localRegistry())
const client = openClickHouse({ url: storeUrl, database })
const projector = new Projector(vintages, { journal, readModel: clickHouseReadModel(client), intervalMs: 20 })
const running = projector.run(new AbortController().signal)
while (!(await projector.progress()).running) await new Promise((resolve) => setTimeout(resolve, 5))
process.stdout.write('running\n')
// Waiting at the journal's tail keeps no process alive.
setInterval(() => undefined, 60_000)
await running
