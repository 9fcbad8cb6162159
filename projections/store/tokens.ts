/**
 * Splits ClickHouse SQL into the same tokens as ClickHouse's own lexer (`src/Parsers/Lexer.cpp`), so that no text is a
 * comment or string here and a clause there. Refuses rare text that is hard to split in the same way: non-ASCII
 * characters, control characters, `$` (heredocs) and `\` outside quotes, `\` inside quoted names. Pure.
 * `test/projections/store-tokens.test.ts` compares it with the engine's `tokenizeQuery`.
 */
import { refuse } from './errors.ts'

export interface Token {
  readonly kind: 'word' | 'number' | 'quoted' | 'string' | 'punctuation'
  /** Upper case of a word, name inside a quoted identifier, characters of punctuation; '' for a string or number. */
  readonly text: string
  /** Offsets into the SQL, `end` exclusive. */
  readonly start: number
  readonly end: number
  /** Number of brackets open around the token. */
  readonly depth: number
}

export const isWord = (token: Token | undefined, ...words: readonly string[]): boolean =>
  token?.kind === 'word' && words.includes(token.text)

const blank = /[ \t\n\r\f\v]+|(?:--|\/\/|#[ !])[^\n]*/y
const word = /[A-Za-z_][A-Za-z0-9_]*/y
/** Hexadecimal or binary string. A doubled quote does not continue it. */
const codedString = /[xX]'[0-9A-Fa-f]*'|[bB]'[01]*'/y
/** After a dot a number is an index: `t.1.2` is not `t` and 1.2. */
const index = /[0-9](?:[0-9]|_(?=[0-9]))*[A-Za-z0-9_]*/y
const hexadecimal =
  /0[xX](?=[0-9A-Fa-f])(?:[0-9A-Fa-f]|_(?=[0-9A-Fa-f]))*(?:\.(?:[0-9A-Fa-f](?:_?[0-9A-Fa-f])*)?)?(?:[pP](?=[\s\S])(?:[+-](?=[\s\S]))?(?:[0-9](?:_?[0-9])*)?)?[A-Za-z0-9_]*/y
/** A sign behind the exponent's `e` belongs to the number even where no digit follows: `1e--1` holds no comment. */
const decimal =
  /(?:0[bB](?=[01]))?[0-9](?:[0-9]|_(?=[0-9]))*(?:\.(?:[0-9](?:_?[0-9])*)?)?(?:[eE](?=[\s\S])(?:[+-](?=[\s\S]))?(?:[0-9](?:_?[0-9])*)?)?[A-Za-z0-9_]*/y
const fraction = /\.[0-9](?:_?[0-9])*(?:[eE](?=[\s\S])(?:[+-](?=[\s\S]))?(?:[0-9](?:_?[0-9])*)?)?/y
/** Punctuation of two characters, whose second must not become a token of its own. */
const arrow = /->/y

/**
 * Returns the tokens of `sql`. In an INSERT with data after its FORMAT clause it stops after the format's name, because
 * the rest is data. Throws StoreError 62 for an unclosed quote or comment, and for the refused text (see above).
 */
export function tokenise(sql: string): Token[] {
  const nul = sql.indexOf('\0')
  if (nul >= 0) throw refuse(62, `Syntax error: NUL at position ${nul + 1}. Write it as \\0 inside a string.`)
  const tokens: Token[] = []
  let depth = 0
  let takesData = false
  for (let at = 0; at < sql.length; ) {
    const skipped = match(blank, sql, at)?.length ?? commentLength(sql, at)
    if (skipped > 0) {
      at += skipped
      continue
    }
    const start = at
    const before = tokens.at(-1)
    const { kind, end } = tokenAt(sql, at, before)
    at = end
    const raw = sql.slice(start, end)
    if (raw === ')' || raw === ']') depth -= 1
    const token = { kind, text: textOf(kind, raw), start, end, depth }
    tokens.push(token)
    if (raw === '(' || raw === '[') depth += 1
    if (tokens.length === 1) takesData = isWord(token, 'INSERT')
    if (depth === 0 && takesData && isWord(before, 'FORMAT') && before?.depth === 0) break
    if (depth === 0 && isWord(token, 'SELECT', 'WITH', 'VALUES')) takesData = false
  }
  return tokens
}

function textOf(kind: Token['kind'], raw: string): string {
  if (kind === 'word') return raw.toUpperCase()
  if (kind === 'punctuation') return raw
  const [quote = ''] = raw
  return kind === 'quoted' ? raw.slice(1, -1).replaceAll(quote + quote, quote) : ''
}

function tokenAt(sql: string, at: number, before: Token | undefined): { kind: Token['kind']; end: number } {
  const character = sql[at] ?? ''
  if (character === "'") return { kind: 'string', end: endOfQuoted(sql, at, "'") }
  if (character === '"' || character === '`') return quotedName(sql, at, character)
  const coded = match(codedString, sql, at)
  if (coded !== undefined) return { kind: 'string', end: at + coded.length }
  const number = numberAt(sql, at, before)
  if (number !== undefined) return { kind: 'number', end: at + number.length }
  const name = match(word, sql, at)
  if (name !== undefined) {
    // A string with other characters than its prefix allows; the engine reads it to the end of the text.
    if (/^[xb]$/i.test(name) && sql[at + 1] === "'") throw unreadable(sql, at, 'not a hexadecimal or binary string')
    return { kind: 'word', end: at + name.length }
  }
  if (!/^[!-~]$/.test(character)) throw unreadable(sql, at, 'a character outside ASCII or a control character')
  if (character === '$' || character === '\\') throw unreadable(sql, at, `a ${character}`)
  return { kind: 'punctuation', end: at + (match(arrow, sql, at)?.length ?? 1) }
}

function numberAt(sql: string, at: number, before: Token | undefined): string | undefined {
  const isDot = sql[at] === '.'
  if (isDot) {
    // After a name, a number or a closing bracket, the dot is an access operator.
    const isAccess = before && (['word', 'quoted', 'number'].includes(before.kind) || /^[)\]]$/.test(before.text))
    return isAccess ? undefined : match(fraction, sql, at)
  }
  if (before?.text === '.' && before.kind === 'punctuation') return match(index, sql, at)
  return match(hexadecimal, sql, at) ?? match(decimal, sql, at)
}

function quotedName(sql: string, at: number, quote: string): { kind: 'quoted'; end: number } {
  const end = endOfQuoted(sql, at, quote)
  const backslash = sql.slice(at, end).indexOf('\\')
  if (backslash >= 0) throw unreadable(sql, at + backslash, 'a \\ in a quoted name')
  return { kind: 'quoted', end }
}

const unreadable = (sql: string, at: number, what: string) => {
  const character = JSON.stringify(String.fromCodePoint(sql.codePointAt(at) ?? 0))
  const position = `position ${at + 1} (${character})`
  return refuse(
    62,
    `Syntax error: ${what} at ${position}. The embedded store accepts this only inside a string literal.`,
  )
}

/** Length of the comment that begins at `at`, 0 if none does. Comments nest. */
function commentLength(sql: string, at: number): number {
  if (!sql.startsWith('/*', at)) return 0
  const mark = /\/\*|\*\//g
  mark.lastIndex = at
  let open = 0
  for (let found = mark.exec(sql); found !== null; found = mark.exec(sql)) {
    open += found[0] === '/*' ? 1 : -1
    if (open === 0) return mark.lastIndex - at
  }
  throw refuse(62, 'Syntax error: a comment is not closed.')
}

/** Returns the offset after the closing quote. A backslash escapes the next character; a doubled quote is one quote. */
function endOfQuoted(sql: string, open: number, quote: string): number {
  for (let at = open + 1; at < sql.length; at += 1) {
    if (sql[at] === '\\') at += 1
    else if (sql[at] === quote) {
      if (sql[at + 1] !== quote) return at + 1
      at += 1
    }
  }
  throw refuse(62, `Syntax error: a ${quote} is not closed.`)
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}
