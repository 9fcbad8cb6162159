/**
 * Rules for statements, table engines and clauses that the embedded engine can't refuse itself, because it runs as a
 * command-line program. Grants and constant settings do the rest (`engine.xml`). The rules work on the same tokens that
 * the engine's lexer finds (`tokens.ts`). Pure.
 */
import { refuse } from './errors.ts'
import { isWord, type Token } from './tokens.ts'

/** First words of the statements that only read. */
export const readingWords = ['SELECT', 'WITH', 'FROM', 'SHOW', 'DESC', 'DESCRIBE', 'EXPLAIN', 'EXISTS'] as const
/** First words of the other statements that are allowed. */
const writingWords = [
  'INSERT',
  'CREATE',
  'DROP',
  'TRUNCATE',
  'RENAME',
  'EXCHANGE',
  'ALTER',
  'UPDATE',
  'DELETE',
  'OPTIMIZE',
  'CHECK',
  'KILL',
  'SET',
  'USE',
  'SYSTEM',
]
/** First words of ClickHouse statements that are refused. They get another error than a typing mistake. */
const refusedWords = [
  'ATTACH',
  'DETACH',
  'BACKUP',
  'RESTORE',
  'COPY',
  'LOAD',
  'GRANT',
  'REVOKE',
  'EXECUTE',
  'MOVE',
  'REPLACE',
  'UNDROP',
  'WATCH',
  'BEGIN',
  'COMMIT',
  'ROLLBACK',
  'SNAPSHOT',
]

/** Engines of tables and databases that neither leave the data directory nor run statements or programs. */
const engines = [
  'MergeTree',
  'ReplacingMergeTree',
  'SummingMergeTree',
  'AggregatingMergeTree',
  'CollapsingMergeTree',
  'VersionedCollapsingMergeTree',
  'CoalescingMergeTree',
  'Memory',
  'Null',
  'Atomic',
]
const allowedEngines: ReadonlySet<string> = new Set(engines.map((name) => name.toUpperCase()))

/** Settings that only the store may set, for rows in a request's body; see `front.ts`. */
export const expressionSettings = [
  'input_format_values_interpret_expressions',
  'input_format_values_deduce_templates_of_expressions',
] as const

const RUNS_SQL = 'runs SQL in a string'
/**
 * Names that are refused everywhere, also without a bracket (`APPLY file`), each with the end of the error message.
 * `test/projections/store-functions.integration.test.ts` tries every function of the engine for others.
 */
const refusedNames: ReadonlyMap<string, string> = new Map([
  ['FILE', 'is the function that reads files'],
  ...['ARRAYREDUCE', 'ARRAYREDUCEINRANGES', 'INITIALIZEAGGREGATION'].map((name) => [name, RUNS_SQL] as const),
  ...['STRUCTURETOCAPNPROTOSCHEMA', 'STRUCTURETOPROTOBUFSCHEMA'].map((name) => [name, RUNS_SQL] as const),
  ...expressionSettings.map((name) => [name.toUpperCase(), 'has the store run SQL among the rows'] as const),
])
/** Table functions that generate rows or read tables of the store. */
export const allowedTableFunctions = [
  'numbers',
  'numbers_mt',
  'zeros',
  'zeros_mt',
  'primes',
  'generate_series',
  'generateSeries',
  'merge',
  'view',
  'loop',
  'mergeTreeIndex',
  'mergeTreeProjection',
] as const
/**
 * All other table functions of the engine, and the function of a table's disk. Grants do not suffice: many of these
 * functions evaluate the defaults in their column list, a string with SQL, before they check the grant. A disk is made
 * before its setting is checked. Only `format` and `fuzzQuery` are scalar functions as well.
 */
const refusedCalls: ReadonlySet<string> = new Set(
  [
    'arrowstream',
    'azureBlobStorage',
    'azureBlobStorageCluster',
    'cluster',
    'clusterAllReplicas',
    'cosn',
    'deltaLake',
    'deltaLakeAzure',
    'deltaLakeAzureCluster',
    'deltaLakeCluster',
    'deltaLakeLocal',
    'deltaLakeS3',
    'deltaLakeS3Cluster',
    'dictionary',
    'disk',
    'eval',
    'executable',
    'file',
    'fileCluster',
    'filesystem',
    'format',
    'fuzzJSON',
    'fuzzQuery',
    'gcs',
    'generateRandom',
    'hdfs',
    'hdfsCluster',
    'hudi',
    'hudiCluster',
    'iceberg',
    'icebergAzure',
    'icebergAzureCluster',
    'icebergCluster',
    'icebergHDFS',
    'icebergHDFSCluster',
    'icebergLocal',
    'icebergLocalCluster',
    'icebergS3',
    'icebergS3Cluster',
    'input',
    'jdbc',
    'mergeTreeAnalyzeIndexes',
    'mergeTreeAnalyzeIndexesUUID',
    'mergeTreeTextIndex',
    'mongodb',
    'mysql',
    'null',
    'odbc',
    'oss',
    'paimon',
    'paimonAzure',
    'paimonAzureCluster',
    'paimonCluster',
    'paimonHDFS',
    'paimonHDFSCluster',
    'paimonLocal',
    'paimonS3',
    'paimonS3Cluster',
    'postgresql',
    'prometheusQuery',
    'prometheusQueryRange',
    'redis',
    'remote',
    'remoteSecure',
    's3',
    's3Cluster',
    'sqlite',
    'SQLStandardValues',
    'timeSeriesData',
    'timeSeriesMetrics',
    'timeSeriesSamples',
    'timeSeriesSelector',
    'timeSeriesTags',
    'url',
    'urlCluster',
    'values',
    'viewExplain',
    'viewIfPermitted',
    'ytsaurus',
  ].map((name) => name.toUpperCase()),
)

/** Throws StoreError 497 for a statement that is not allowed, 62 for one that ClickHouse does not have either. */
export function assertAllowed(tokens: readonly Token[]): void {
  const [first] = tokens
  if (first === undefined) return
  assertKnownStatement(first)
  assertSettingsAreChecked(tokens)
  const isInsert = isWord(first, 'INSERT')
  const rows = isInsert
    ? tokens.findIndex((token) => token.depth === 0 && isWord(token, 'VALUES', 'SELECT', 'WITH'))
    : -1
  for (const [at, token] of tokens.entries()) {
    if (isWord(token, 'OUTFILE', 'INFILE')) {
      throw refuse(497, 'Reading and writing files is not allowed here. Send the rows in the body.')
    }
    if (token.kind !== 'word' && token.kind !== 'quoted') continue
    const name = token.text.toUpperCase()
    const does = refusedNames.get(name)
    if (does !== undefined) throw refuse(497, `The name "${name.toLowerCase()}" is not allowed here: it ${does}.`)
    if (refusedCalls.has(name) && tokens[at + 1]?.text === '(' && at !== rows) {
      throw refuse(
        497,
        `The function ${name.toLowerCase()} is not allowed here; table functions are ${allowedTableFunctions.join(', ')}.`,
      )
    }
  }
  if (!isWord(first, ...readingWords)) assertKnownEngines(tokens)
}

/** Words that may follow a column called `settings`. No setting has one of these names. */
const afterColumn = [
  'FROM',
  'AS',
  'AND',
  'OR',
  'IN',
  'IS',
  'NOT',
  'LIKE',
  'WHERE',
  'GROUP',
  'ORDER',
  'LIMIT',
  'ASC',
  'DESC',
]

/**
 * Refuses SETTINGS of a part of a query. The engine checks only the settings of the whole query against its constraints,
 * so a subquery or a member of a UNION could change even constant settings, and read files through
 * `additional_table_filters`.
 */
function assertSettingsAreChecked(tokens: readonly Token[]): void {
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1]
    if (!isWord(token, 'SETTINGS') || next === undefined || isWord(next, ...afterColumn)) continue
    if (next.kind !== 'word' && next.kind !== 'quoted' && next.text !== '{') continue
    const before = tokens.slice(0, at).some((other) => other.depth === 0 && isWord(other, 'SELECT'))
    const after = tokens.slice(at).some((other) => other.depth === 0 && isWord(other, 'UNION', 'INTERSECT', 'EXCEPT'))
    if (token.depth === 0 && !(before && after)) continue
    throw refuse(497, 'SETTINGS are allowed only at the end of the whole query, or in the address of the request.')
  }
}

/**
 * Checks the values that the engine substitutes for `{name:Identifier}`, because these names don't stand in the SQL.
 * Throws StoreError 497. A value must have no backslash, because the engine decodes them.
 */
export function assertAllowedIdentifiers(
  sql: string,
  tokens: readonly Token[],
  params: ReadonlyMap<string, string>,
): void {
  for (const [at, token] of tokens.entries()) {
    if (!isWord(token, 'IDENTIFIER') || tokens[at - 1]?.text !== ':') continue
    const name = tokens[at - 2]
    const value = name?.kind === 'word' ? params.get(sql.slice(name.start, name.end)) : undefined
    // If the tokens don't tell which parameter it is, all of them are checked.
    for (const text of value === undefined ? params.values() : [value]) assertAllowedName(text)
  }
}

function assertAllowedName(text: string): void {
  const names = text.split('.').map((name) => name.trim().replace(/^[`"](.*)[`"]$/s, '$1'))
  for (const name of names.map((part) => part.toUpperCase())) {
    if (!name.includes('\\') && !refusedNames.has(name) && !refusedCalls.has(name)) continue
    throw refuse(497, `The identifier ${JSON.stringify(text.slice(0, 100))} is not allowed as a query parameter here.`)
  }
}

function assertKnownStatement(first: Token): void {
  if (isWord(first, ...readingWords, ...writingWords) || first.text === '(') return
  if (isWord(first, ...refusedWords)) throw refuse(497, `${first.text} statements are not allowed here.`)
  const known = [...readingWords, ...writingWords].join(', ')
  throw refuse(62, `Syntax error: a statement here begins with one of ${known}.`)
}

/** Checks ENGINE clauses. The embedded engine asks for a grant only where a table engine has a remote source. */
function assertKnownEngines(tokens: readonly Token[]): void {
  if (!tokens.some((token) => token.depth === 0 && isWord(token, 'CREATE', 'REPLACE', 'ATTACH'))) return
  for (const [at, token] of tokens.entries()) {
    if (token.depth > 0 || !isWord(token, 'ENGINE')) continue
    const name = tokens[at + 1]?.text === '=' ? tokens[at + 2] : tokens[at + 1]
    const isName = name?.kind === 'word' || name?.kind === 'quoted'
    if (isName && allowedEngines.has(name.text.toUpperCase())) continue
    throw refuse(497, `This table or database engine is not allowed here; allowed are ${engines.join(', ')}.`)
  }
}
