/**
 * Rules for the store's user `reader`, who only reads and only what is published. The engine knows one user, so the
 * reader is that user with the role `reader` alone, under the profile `reader` (`engine.xml`): they decide which views
 * can be read and how far limits can be raised. The rules here cover what roles cannot: statements, and the tables of
 * `system`, all of which the embedded engine lets every role read. Pure.
 */
import { readingWords } from './allowed.ts'
import { refuse } from './errors.ts'
import { isWord, type Token, tokenise } from './tokens.ts'

/** Users of the store. `default` may also write. */
export type StoreUser = 'default' | 'reader'

/** Limits of a query of the reader, until it asks for lower ones. The profile in `engine.xml` has the same maxima. */
export const readerLimits: ReadonlyMap<string, string> = new Map([
  ['max_execution_time', '30'],
  ['max_memory_usage', '1000000000'],
  ['max_result_rows', '1000000'],
  ['max_result_bytes', '268435456'],
  ['max_threads', '2'],
  ['max_temporary_data_on_disk_size_for_query', '1000000000'],
])

/** Tables of `system` that clients ask for. They list only what the reader may see, or describe the engine. */
export const readerSystemTables = [
  'aggregate_function_combinators',
  'collations',
  'columns',
  'current_roles',
  'data_skipping_indices',
  'data_type_families',
  'database_engines',
  'databases',
  'dictionaries',
  'formats',
  'functions',
  'keywords',
  'numbers',
  'numbers_mt',
  'one',
  'settings',
  'table_engines',
  'table_functions',
  'tables',
  'time_zones',
  'zeros',
  'zeros_mt',
] as const
const allowedTables: ReadonlySet<string> = new Set(readerSystemTables)

/** What SHOW may list. The others show queries, users or the machine. */
const shown = [
  'DATABASES',
  'TABLES',
  'FULL',
  'EXTENDED',
  'COLUMNS',
  'FIELDS',
  'CREATE',
  'INDEX',
  'INDEXES',
  'INDICES',
  'KEYS',
  'FUNCTIONS',
  'SETTING',
  'SETTINGS',
  'CHANGED',
  'DICTIONARIES',
  'TABLE',
  'VIEW',
  'DATABASE',
  'ENGINES',
]

/**
 * Table functions that name tables in strings, where the rule for `system` would not see them, and a function that shows
 * settings of the process, such as its path.
 */
const refusedFunctions: ReadonlySet<string> = new Set([
  'MERGE',
  'LOOP',
  'MERGETREEINDEX',
  'MERGETREEPROJECTION',
  'GETSERVERSETTING',
])

type ReaderRequest = {
  readonly database: string | undefined
  readonly settings: ReadonlyMap<string, string>
  readonly params: ReadonlyMap<string, string>
}

/** Throws StoreError 497 for a request that the reader may not send. `sql` must have passed `readStatement`. */
export function assertReaderMay(sql: string, { database, settings, params }: ReaderRequest): void {
  const tokens = tokenise(sql)
  const [first, second] = tokens
  if (!isWord(first, ...readingWords) && first?.text !== '(') throw refuse(497, 'The user reader may only read.')
  if (isWord(first, 'SHOW') && !isWord(second, ...shown)) {
    throw refuse(497, `The user reader may SHOW only ${shown.join(', ')}.`)
  }
  if (settings.has('profile')) throw refuse(497, 'The user reader has one settings profile.')
  if (database !== undefined) assertNameAllowed(database)
  for (const value of params.values()) assertParameterAllowed(value)
  for (const [at, token] of tokens.entries()) assertTokenAllowed(token, tokens[at + 1], tokens[at + 2])
}

function assertTokenAllowed(token: Token, next: Token | undefined, name: Token | undefined): void {
  if (token.kind !== 'word' && token.kind !== 'quoted') return
  const text = token.text.toUpperCase()
  if (next?.text === '(' && refusedFunctions.has(text)) {
    throw refuse(497, `The user reader may not call ${text.toLowerCase()}.`)
  }
  if (text === 'PROFILE' && next?.text === '=') throw refuse(497, 'The user reader has one settings profile.')
  if (!text.includes('SYSTEM')) return
  if (text === 'SYSTEM' && next?.text === '.' && name !== undefined && isAllowedTable(name)) return
  // A column that merely contains the word, such as `system_name`, is no database.
  if (text === 'SYSTEM' || token.kind === 'quoted') throw refusedTable()
}

/** Words are compared in lower case, because `tokenise` turns them into capitals; the engine's tables are in lower case. */
const isAllowedTable = ({ kind, text }: Token): boolean =>
  (kind === 'word' || kind === 'quoted') && allowedTables.has(text.toLowerCase())

function assertNameAllowed(name: string): void {
  if (name.toLowerCase().includes('system')) throw refusedTable()
}

/** A parameter may stand for an identifier. A value that names the database `system` is refused wherever it stands. */
function assertParameterAllowed(value: string): void {
  if (/^[\s`"]*system[\s`"]*(\.|$)/i.test(value)) throw refusedTable()
}

const refusedTable = () =>
  refuse(497, `The user reader may read only these tables of system: ${readerSystemTables.join(', ')}.`)
