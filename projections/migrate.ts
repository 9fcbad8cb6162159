import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { program } from '../contracts/program.ts'
import type { Topic } from '../contracts/topics.ts'
import { type History, type HistoryFault, Lineage } from '../domain/lineage.ts'
import { ProjectionError } from './errors.ts'
import { dropTable, readWatermarks, rowsOf, runStatement, unlessMissing, uuidOf } from './table.ts'
import type { View } from './view.ts'

/**
 * Mark that a table carries in its comment. `schema` is a hash of the SQL that made the table, so no version number has
 * to be raised by hand. `journal` names the journal that its offsets belong to, and the journal's generation that was
 * the current one when rows were last added (`Lineage.name`). `generation` is greater by 1 than
 * that of the table in use when this one was made; absent for 0, the table that a projector creates. `program` is
 * `View.program`, and `topic` the topic of such a view, because no process but its own has the view. `requested` is when the
 * rebuild that fills this copy asked for the table in use (`hand-over.ts`), Unix seconds by the clock of the store.
 */
type TableMark = {
  readonly schema: string
  readonly journal: string
  readonly generation?: number
  readonly program?: string
  readonly topic?: Topic
  readonly requested?: number
}

/** Name and SQL of a table, and what its mark tells. */
type TableOf = Pick<View, 'name' | 'topic' | 'table' | 'program'>
type Filled = Pick<View, 'name' | 'topic'>

/** Prefix of the tables, views and claims of users' projections, which no table of the service has. */
export const USER_PREFIX = 'user_'

/** Name of the copy that a rebuild of `table` fills. */
export const rebuiltOf = (table: string): string => `${table}_rebuilt`

/** Ends of the names of tables that a rebuild or a comparison makes beside the one in use. */
export const COPY_ENDS = ['_rebuilt', '_replaced', '_verified'] as const

/**
 * Creates the view's table, if there is none, and prepares it for rows of the journal's current generation. Throws
 * ProjectionError `table_mismatch` if a rebuild is needed first.
 */
export async function ensureTable(client: ClickHouseClient, view: TableOf, journal: History): Promise<void> {
  await createTable(client, view, view.name, journal)
  const made = await readMark(client, view.name)
  const wanted = await markOf(view, journal)
  if (made?.program !== wanted.program) {
    const detail = `table ${view.name} was filled by another version of its file: ${rebuildAdvice(view.name)}`
    throw new ProjectionError('table_mismatch', detail)
  }
  if (made?.schema !== wanted.schema) {
    const detail = `table ${view.name} was made by another table.sql: ${rebuildAdvice(view.name)}`
    throw new ProjectionError('table_mismatch', detail)
  }
  if (made.journal === wanted.journal) return
  await assertTablesOfJournal(client, [view], journal)
  await changeMark(client, view.name, { ...made, journal: wanted.journal })
}

const changeMark = (client: ClickHouseClient, table: string, mark: TableMark): Promise<void> =>
  runStatement(client, `ALTER TABLE {table:Identifier} MODIFY COMMENT ${textOf(mark)}`, { table })

const textOf = (mark: TableMark): string => `'${JSON.stringify(mark).replaceAll("'", "''")}'`

/** Advice to rebuild a table, worded as the end of a sentence. */
export const rebuildAdvice = (table: string): string =>
  table.startsWith(USER_PREFIX)
    ? `end every \`${program} project\` of it, and run it once with --rebuild, which makes a new table and swaps it in`
    : `stop the process that runs its projector (with the embedded store: start the service with ALMANAC_ROLES=store), then run \`${program} rebuild ${table}\`, which makes a new table and swaps it in`

/** Creates the view's table under the name `table`, if there is none of that name. */
export async function createTable(
  client: ClickHouseClient,
  view: TableOf,
  table: string,
  journal: History,
  generation?: number,
): Promise<void> {
  const mark = { ...(await markOf(view, journal)), ...(generation !== undefined && { generation }) }
  await runStatement(client, `${await sqlOf(view)}\nCOMMENT ${textOf(mark)}`, { table })
}

/** Creates an empty copy of the view's table under the name `copy`, in place of any former one. Returns its UUID. */
export async function createCopy(
  client: ClickHouseClient,
  view: TableOf,
  copy: string,
  journal: History,
): Promise<string | undefined> {
  await dropTable(client, copy)
  const inUse = await readMark(client, view.name)
  await createTable(client, view, copy, journal, (inUse?.generation ?? 0) + 1)
  return uuidOf(client, copy)
}

/** Tells whether the table `copy` was in use before `table` was: they have been exchanged. */
export async function isReplaced(client: ClickHouseClient, copy: string, table: string): Promise<boolean> {
  const marks = await readMarks(client, [copy, table])
  const [made, inUse] = [marks.get(copy), marks.get(table)]
  return made !== undefined && (made.generation ?? 0) < (inUse?.generation ?? 0)
}

/** Reads the mark of a table; undefined if there is no table, or Almanac did not create it. */
export async function readMark(client: ClickHouseClient, table: string): Promise<TableMark | undefined> {
  return (await readMarks(client, [table])).get(table)
}

const readMarks = (client: ClickHouseClient, tables: readonly string[]): Promise<Map<string, TableMark>> =>
  readMarksWhere(client, 'name IN {tables:Array(String)}', { tables })

/** Marks the copy of a rebuild that it asks for the table in use, or no longer does. */
export async function markRequest(client: ClickHouseClient, table: string, isRequested: boolean): Promise<void> {
  const copy = rebuiltOf(table)
  const made = await readMark(client, copy)
  if (!made) return
  const { requested: _, ...mark } = made
  const [clock] = await rowsOf<{ now: number }>(client, 'SELECT toUnixTimestamp(now()) AS now', {})
  await changeMark(client, copy, isRequested && clock ? { ...mark, requested: clock.now } : mark)
}

/** Reads the tables that rebuilds ask for, by requests of the last `seconds`. */
export async function readRequested(client: ClickHouseClient, seconds: number): Promise<Set<string>> {
  const end = rebuiltOf('')
  // A request from the future comes from a clock that was set back.
  const isRecent = `abs(toInt64(toUnixTimestamp(now())) - JSONExtractInt(comment, 'requested')) < {seconds:UInt32}`
  const marks = await readMarksWhere(client, `endsWith(name, {end:String}) AND ${isRecent}`, { end, seconds })
  return new Set([...marks.keys()].map((copy) => copy.slice(0, -end.length)))
}

/** Reads the marks of the tables of users' projections, by table. Leaves out their copies. */
export async function readUserMarks(client: ClickHouseClient): Promise<Map<string, TableMark>> {
  const marks = await readMarksWhere(client, 'startsWith(name, {prefix:String})', { prefix: USER_PREFIX })
  return new Map([...marks].filter(([name]) => !COPY_ENDS.some((end) => name.endsWith(end))))
}

async function readMarksWhere(
  client: ClickHouseClient,
  condition: string,
  params: Parameters<typeof rowsOf>[2],
): Promise<Map<string, TableMark>> {
  const query = `
    SELECT name, comment FROM system.tables
    WHERE database = currentDatabase() AND ${condition} AND startsWith(comment, '{') ORDER BY name`
  const rows = await rowsOf<{ name: string; comment: string }>(client, query, params)
  // Cast: `createTable` wrote the comment. The tables of this database are Almanac's own.
  return new Map(rows.map(({ name, comment }) => [name, JSON.parse(comment) as TableMark]))
}

/**
 * Checks that no table has rows of another journal, or of a history that this journal has left. A table that does not
 * exist yet passes. Throws ProjectionError `table_mismatch`, and ClickHouseFailure if the tables can't be read.
 */
export async function assertTablesOfJournal(
  client: ClickHouseClient,
  tables: readonly Filled[],
  journal: History,
): Promise<void> {
  const lineage = new Lineage(journal)
  const marks = await readMarks(
    client,
    tables.map(({ name }) => name),
  )
  for (const { name, topic } of tables) {
    const mark = marks.get(name)
    if (!mark) continue
    const fault = await historyFaultOf(client, { name, topic }, mark, lineage)
    if (!fault) continue
    const advice = rebuildAdvice(name)
    const says = {
      foreign: `was filled from journal ${mark.journal}, but this is journal ${journal.id}. Name another database in ALMANAC_CLICKHOUSE_URL, or ${advice}`,
      superseded: `has rows of another history of this journal, before or after a restore from a backup: ${advice}`,
    }
    throw new ProjectionError('table_mismatch', `table ${name} ${says[fault]}`)
  }
}

/** Why rows of a table that had this mark are not those of the journal; undefined if all are. */
export async function historyFaultOf(
  client: ClickHouseClient,
  { name, topic }: Filled,
  mark: TableMark,
  lineage: Lineage,
): Promise<HistoryFault | undefined> {
  if (mark.journal === lineage.name) return undefined
  const watermarks = await unlessMissing(readWatermarks(client, name), new Map<number, number>())
  const places = [...watermarks].map(([partition, offset]) => ({
    partition: `${topic}/${partition}`,
    offset: offset + 1,
  }))
  // Read once more, and last: a projector changes the mark before it adds rows of the current generation.
  const { journal } = (await readMark(client, name)) ?? mark
  return lineage.faultOf(journal, ...places)
}

/** Computes the mark of a new table of the view. */
export async function markOf(view: TableOf, journal: History): Promise<TableMark> {
  // Comments and white space don't count, so that editing them does not require a rebuild.
  const sql = (await sqlOf(view))
    .replace(/--[^\n]*/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  const { program, topic } = view
  return {
    schema: shortHash(sql),
    journal: new Lineage(journal).name,
    ...(program !== undefined && { program, topic }),
  }
}

/** First 64 bits of the SHA-256 of a text, in hexadecimal digits. */
export const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

const sqlOf = async ({ table }: TableOf): Promise<string> =>
  typeof table === 'string' ? table : readFile(table, 'utf8')
