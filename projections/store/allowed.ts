/**
 * Rules for what the embedded engine cannot refuse by itself, because it takes itself for a command-line program: which
 * statements, table engines and clauses the store passes on. Grants and constant settings do the rest (`engine.xml`).
 * They work on tokens that are the engine's own (`tokens.ts`). Pure.
 */
import { refuse } from './errors.ts'
import { isWord, type Token } from './tokens.ts'

/** First words of the statements that only read. */
export const readingWords = ['SELECT', 'WITH', 'FROM', 'SHOW', 'DESC', 'DESCRIBE', 'EXPLAIN', 'EXISTS'] as const
/** First words of the other statements that are allowed. */
const writingWords = [
  ...['INSERT', 'CREATE', 'DROP', 'TRUNCATE', 'RENAME', 'EXCHANGE', 'ALTER', 'UPDATE', 'DELETE'],
  ...['OPTIMIZE', 'CHECK', 'KILL', 'SET', 'USE'],
]
/** First words of ClickHouse statements that are refused, so that they get another error than a typing mistake. */
const refusedWords = [
  ...['ATTACH', 'DETACH', 'BACKUP', 'RESTORE', 'COPY', 'LOAD', 'SYSTEM', 'GRANT', 'REVOKE', 'EXECUTE', 'MOVE'],
  ...['REPLACE', 'UNDROP', 'WATCH', 'BEGIN', 'COMMIT', 'ROLLBACK', 'SNAPSHOT'],
]

/** Engines of tables and databases that neither leave the data directory nor run statements or programs. */
const engines = [
  ...['MergeTree', 'ReplacingMergeTree', 'SummingMergeTree', 'AggregatingMergeTree', 'CollapsingMergeTree'],
  ...['VersionedCollapsingMergeTree', 'CoalescingMergeTree', 'Memory', 'Null', 'Atomic'],
]
const allowedEngines: ReadonlySet<string> = new Set(engines.map((name) => name.toUpperCase()))

/** Settings that the store itself sets for rows in a request's body, see `front.ts`. */
export const expressionSettings = [
  'input_format_values_interpret_expressions',
  'input_format_values_deduce_templates_of_expressions',
] as const

/** What a name that is refused wherever it stands does, for the error; without a bracket, too: `APPLY file`. */
const refusedNames: ReadonlyMap<string, string> = new Map([
  ['FILE', 'is the function that reads files'],
  ...['ARRAYREDUCE', 'ARRAYREDUCEINRANGES', 'INITIALIZEAGGREGATION'].map(
    (name) => [name, 'runs SQL in a string'] as const,
  ),
  ...expressionSettings.map((name) => [name.toUpperCase(), 'has the store run SQL among the rows'] as const),
])
/**
 * Table functions that run SQL in a string, where this filter can't see it: column lists may have defaults, and the
 * format Values has expressions. `test/projections/store-attacks.test.ts` looks for others in every function.
 */
const refusedTableFunctions: ReadonlySet<string> = new Set([
  ...['EVAL', 'EXECUTABLE', 'FORMAT', 'FUZZJSON', 'FUZZQUERY', 'GENERATERANDOM', 'INPUT', 'NULL', 'VALUES'],
])

/** Throws StoreError 497 for what is not allowed, 62 for a statement that ClickHouse does not have either. */
export function assertAllowed(tokens: readonly Token[]): void {
  const [first] = tokens
  if (first === undefined) return
  assertKnownStatement(first)
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
    if (refusedTableFunctions.has(name) && tokens[at + 1]?.text === '(' && at !== rows) {
      throw refuse(497, `The function ${name.toLowerCase()} is not allowed here: it runs SQL in a string.`)
    }
  }
  if (!isWord(first, ...readingWords)) assertKnownEngines(tokens)
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
