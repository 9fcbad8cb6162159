/**
 * Parses a statement as far as needed to run it: the place of its FORMAT clause, whether rows follow as data, whether
 * its answer can be streamed, and whether it is allowed. Pure. The engine does the full parsing.
 */
import { assertAllowed, assertAllowedIdentifiers, readingWords } from './allowed.ts'
import { refuse } from './errors.ts'
import { isWord, type Token, tokenise } from './tokens.ts'

/** Kind of a statement, and its parts. */
export type Statement =
  /** An INSERT with rows as data. They become a file, named between `head` and `tail`. `inline` is data in the text. */
  | { readonly kind: 'insert'; readonly head: string; readonly tail: string; readonly inline: string }
  /** A statement that answers rows. Its FORMAT clause is cut out of `sql`; `plain` means that it may be streamed. */
  | { readonly kind: 'read'; readonly sql: string; readonly format: string | undefined; readonly plain: boolean }
  /** Anything else: DDL, INSERT … SELECT, KILL, SYSTEM. */
  | { readonly kind: 'other'; readonly sql: string }

/** Words and settings that add a frame around the rows of an answer, so that its blocks can't be sent one by one. */
export const framing: ReadonlySet<string> = new Set(['totals', 'extremes', 'output_format_json_array_of_rows'])

/**
 * Classifies `sql`. A read is `plain` only with a single SELECT: with several, planning may run a subquery, and a
 * streamed query is planned on the event loop, so such a read is answered as a whole. `params` are the query
 * parameters, which may name identifiers. Throws StoreError 62 for no statement, several statements or text that can't
 * be split into ClickHouse's tokens, 497 for a statement, clause or engine that is not on the lists.
 */
export function readStatement(sql: string, params: ReadonlyMap<string, string> = new Map()): Statement {
  const tokens = tokenise(sql)
  const first = tokens[0]
  if (first === undefined) throw refuse(62, 'Syntax error: empty query.')
  refuseSeveral(tokens)
  assertAllowed(tokens)
  assertAllowedIdentifiers(sql, tokens, params)
  if (isWord(first, 'INSERT')) return readInsert(sql, tokens)
  const reads = isWord(first, ...readingWords)
  const writes = tokens.some((token) => token.depth === 0 && isWord(token, 'INSERT'))
  return writes || !(reads || first.text === '(') ? { kind: 'other', sql } : readQuery(sql, tokens)
}

function readQuery(sql: string, tokens: readonly Token[]): Statement {
  const selects = tokens.filter((token) => isWord(token, 'SELECT')).length
  const framed = tokens.some((token) => framing.has(token.text.toLowerCase()))
  const plain = isWord(tokens[0], 'SELECT', 'WITH', 'FROM') && selects === 1 && !framed
  const at = tokens.findIndex((token, index) => {
    const [name, next] = [tokens[index + 1], tokens[index + 2]]
    const last = next === undefined || next.text === ';' || isWord(next, 'SETTINGS')
    return token.depth === 0 && isWord(token, 'FORMAT') && name !== undefined && name.kind !== 'punctuation' && last
  })
  const [clause, name] = [tokens[at], tokens[at + 1]]
  if (clause === undefined || name === undefined) return { kind: 'read', sql, format: undefined, plain }
  const format = name.kind === 'word' ? sql.slice(name.start, name.end) : name.text
  return { kind: 'read', sql: `${sql.slice(0, clause.start)} ${sql.slice(name.end)}`, format, plain }
}

function readInsert(sql: string, tokens: readonly Token[]): Statement {
  const at = tokens.findIndex((token) => token.depth === 0 && isWord(token, 'FORMAT', 'VALUES', 'SELECT', 'WITH'))
  const marker = tokens[at]
  const name = tokens[at + 1]
  if (marker === undefined || isWord(marker, 'SELECT', 'WITH')) return { kind: 'other', sql }
  // Values in the text stay there: they may hold parameters and expressions, and the engine finds their end.
  if (isWord(marker, 'VALUES') && name !== undefined) return { kind: 'other', sql }
  const settings = tokens.find((token) => token.depth === 0 && isWord(token, 'SETTINGS'))
  const cut = (settings ?? marker).start
  const head = sql.slice(0, cut)
  if (isWord(marker, 'VALUES')) {
    return { kind: 'insert', head, tail: `${sql.slice(cut, marker.start)} FORMAT Values`, inline: '' }
  }
  if (name === undefined) throw refuse(62, 'Syntax error: FORMAT without a name.')
  const inline = sql.slice(name.end).replace(/^[ \t]*\r?\n?/, '')
  if (/^SETTINGS\b/i.test(inline)) throw refuse(62, 'Syntax error: the SETTINGS of an INSERT go before its FORMAT.')
  return { kind: 'insert', head, tail: sql.slice(cut, name.end), inline: inline.trim() === '' ? '' : inline }
}

function refuseSeveral(tokens: readonly Token[]): void {
  const end = tokens.findIndex((token) => token.text === ';' && token.kind === 'punctuation')
  const after = end < 0 ? undefined : tokens.slice(end).find((token) => token.text !== ';')
  if (after !== undefined) throw refuse(62, 'Syntax error: one statement a request; multi-statements are not allowed.')
}
