import { vintages } from '../../../projections/views/vintages/project.ts'
import { releaseNumber } from '../../support/journal-records.ts'
import { append, project, rows, type World } from './world.ts'

/** What tests of `rebuild` and `verify` make of the table of vintages. */

export const releases = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => releaseNumber(from + i))

/** Changes the table by a statement of ALTER TABLE, and waits for it. */
export const change = (client: World['client'], what: string) =>
  client.command({ query: `ALTER TABLE vintages ${what} SETTINGS mutations_sync = 1` })

/** The names of all tables, in order. */
export async function tablesOf(client: World['client']): Promise<string[]> {
  const query = "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine != 'View'"
  return (await rows<{ name: string }>(client, query)).map(({ name }) => name).sort()
}

/** Puts so many releases into a journal and their rows into the table. */
export async function fill(made: World, count: number): Promise<World> {
  await append(made.journal, 'releases', releases(0, count))
  await project(vintages, made)
  return made
}
