import type { ClickHouseClient } from '@clickhouse/client'
import { topics } from '../contracts/topics.ts'
import type { JournalRecord } from '../journal/typed.ts'
import { type Cell, ClickHouseFailure } from './clickhouse.ts'
import { COPY_ENDS, USER_PREFIX } from './migrate.ts'
import { rowsOf } from './table.ts'
import { faultOfCell, isPlainObject, valueText } from './user-cell.ts'
import type { ProjectedTopic, UserProjection } from './user-projection.ts'
import type { Row, View } from './view.ts'

/** A fault in a user's projection. The message names the file, and the record if one led to the fault. */
export class UserProjectionError extends Error {
  override readonly name = 'UserProjectionError'
}

/** File of a projection: its name for messages, and the hash of its text. */
export type ProjectionFile = { readonly file: string; readonly hash: string }

/**
 * Makes the view of a projection that `checkedProjection` has accepted. ClickHouse tells what an empty value of each
 * column is, for markers, and its own name of each type. Throws UserProjectionError for a type that ClickHouse
 * does not have, and ClickHouseFailure.
 */
export async function viewOf(
  projection: UserProjection,
  { file, hash }: ProjectionFile,
  client: ClickHouseClient,
): Promise<View<ProjectedTopic>> {
  const types = new Map(Object.entries(projection.columns))
  const marker: Cell[] = []
  const known = new Map<string, string>()
  for (const [column, type] of types) {
    const empty = await emptyValue(client, column, type, file)
    marker.push(empty.value)
    known.set(column, empty.type)
  }
  return {
    name: `${USER_PREFIX}${projection.name}`,
    topic: projection.topic,
    table: tableOf(types, projection.orderBy ?? []),
    program: hash,
    columns: [...types.keys()],
    marker: () => marker,
    project: (record) => rowsOfRecord(projection, known, record, file),
  }
}

type EmptyValue = { readonly value: Cell; readonly type: string }

async function emptyValue(client: ClickHouseClient, column: string, type: string, file: string): Promise<EmptyValue> {
  const query = 'SELECT defaultValueOfTypeName({type:String}) AS value, toTypeName(value) AS type'
  try {
    const [row] = await rowsOf<EmptyValue>(client, query, { type })
    return row ?? { value: null, type }
  } catch (cause) {
    if (!(cause instanceof ClickHouseFailure) || cause.kind !== 'rejected') throw cause
    const detail = `columns.${column}: ClickHouse has no type ${JSON.stringify(type)}: ${cause.message.split('\n')[0]}`
    throw new UserProjectionError(`${file}: ${detail}`, { cause })
  }
}

const tableOf = (types: ReadonlyMap<string, string>, orderBy: readonly string[]): string => `
CREATE TABLE IF NOT EXISTS {table:Identifier}
(
${Array.from(types, ([column, type]) => `  \`${column}\` ${type},`).join('\n')}
  _partition UInt16,
  _offset UInt64,
  _index UInt16,
  _marker Bool
)
ENGINE = ReplacingMergeTree
ORDER BY (${[...orderBy.map((column) => `\`${column}\``), '_partition', '_offset', '_index'].join(', ')})
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1`

/** Calls the user's function and checks what it returns, because ClickHouse would change some values silently. */
function rowsOfRecord(
  projection: UserProjection,
  types: ReadonlyMap<string, string>,
  record: JournalRecord<ProjectedTopic>,
  file: string,
): readonly Row[] {
  const fault = (detail: string, cause?: unknown) => {
    const position = `${record.topic}/${record.partition} offset ${record.offset}`
    return new UserProjectionError(`${file}: ${position}: ${detail}`, { cause })
  }
  let rows: unknown
  try {
    rows = projection.rows(record)
  } catch (cause) {
    throw fault(`rows() threw ${thrownAt(cause)}`, cause)
  }
  if (!Array.isArray(rows)) throw fault(`rows() must return an array of rows, not ${valueText(rows)}`)
  return rows.map((row: unknown, index) => {
    if (!isPlainObject(row)) throw fault(`row ${index} must be an object with the columns, not ${valueText(row)}`)
    const unknown = Object.keys(row).find((column) => !types.has(column))
    if (unknown !== undefined)
      throw fault(
        `row ${index} has ${JSON.stringify(unknown)}, which is no column; columns: ${[...types.keys()].join(', ')}`,
      )
    return Array.from(types, ([column, type]) => {
      const value = row[column]
      const wrong = faultOfCell(value, type)
      if (wrong !== undefined) throw fault(`row ${index}, column ${column}: ${wrong}`)
      // Cast: `faultOfCell` has refused what is no cell.
      return value as Cell
    })
  })
}

/** Message of an error with the line of the user's file that threw it. */
function thrownAt(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const [, line = ''] = /\n\s+at (.*)/.exec(error.stack ?? '') ?? []
  return `${error.name}: ${error.message}${line && ` (${line})`}`
}

const NAME = /^[a-z][a-z0-9_]{0,49}$/

/** Topics that a projection may read. */
const projectedTopics = Object.entries(topics).flatMap(([name, { cleanup }]) => (cleanup === 'delete' ? [name] : []))

/** Checks what a file exports. Throws UserProjectionError, with what is wrong and what is allowed. */
export function checkedProjection(exported: unknown, file: string): UserProjection {
  const fault = (detail: string) => new UserProjectionError(`${file}: ${detail}`)
  if (!isPlainObject(exported))
    throw fault('has no projection: write `export default defineProjection({ name, topic, columns, rows })`')
  const { name, topic, columns, orderBy = [], rows, ...others } = exported
  const [surplus] = Object.keys(others)
  if (surplus !== undefined)
    throw fault(`unknown member ${JSON.stringify(surplus)}. Known: name, topic, columns, orderBy, rows`)
  if (typeof name !== 'string' || !NAME.test(name))
    throw fault(
      `name must be 1 to 50 lower-case letters, digits and _, beginning with a letter, not ${valueText(name)}`,
    )
  const end = COPY_ENDS.find((end) => name.endsWith(end))
  if (end) throw fault(`name must not end with ${end}: rebuilds use such tables`)
  if (typeof topic !== 'string' || !projectedTopics.includes(topic)) {
    const isCompacted = typeof topic === 'string' && Object.hasOwn(topics, topic)
    const why = isCompacted ? ': it is compacted, so the same table could not be made again' : ''
    throw fault(`topic must be one of ${projectedTopics.join(', ')}, not ${valueText(topic)}${why}`)
  }
  if (!isPlainObject(columns) || Object.keys(columns).length === 0)
    throw fault("columns must name the type of each column, for example { period: 'String' }")
  for (const [column, type] of Object.entries(columns)) {
    if (!NAME.test(column))
      throw fault(`columns.${column}: a name has 1 to 50 lower-case letters, digits and _, and begins with a letter`)
    if (typeof type !== 'string') throw fault(`columns.${column}: the type must be text, not ${valueText(type)}`)
  }
  const stray = Array.isArray(orderBy) ? orderBy.find((column) => !Object.hasOwn(columns, String(column))) : orderBy
  if (stray !== undefined) throw fault(`orderBy must be a list of columns; ${valueText(stray)} is none`)
  if (typeof rows !== 'function')
    throw fault(`rows must be a function from a record to its rows, not ${valueText(rows)}`)
  // Cast: checked above. What the function returns is checked at each call.
  return exported as UserProjection
}
