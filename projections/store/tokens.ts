/** Cuts ClickHouse SQL into tokens: enough to find clauses without being misled by strings and comments. Pure. */
import { refuse } from './errors.ts'

export interface Token {
  readonly kind: 'word' | 'quoted' | 'string' | 'punctuation'
  /** A word in upper case, a quoted identifier without its quotes, a character; nothing for a string. */
  readonly text: string
  /** Offsets into the text, `end` exclusive. */
  readonly start: number
  readonly end: number
  /** How many brackets are open around it. */
  readonly depth: number
}

export const isWord = (token: Token | undefined, ...words: readonly string[]): boolean =>
  token?.kind === 'word' && words.includes(token.text)

const blank = /\s+|--[^\n]*|#[ !][^\n]*|\/\*[\s\S]*?\*\//y
const word = /[\p{L}\p{N}_][\p{L}\p{N}_$.]*/uy
const heredoc = /\$(\w*)\$/y

/**
 * The tokens of `sql` up to its end, or of an INSERT up to the name of its FORMAT: what follows is data, not SQL.
 * Throws StoreError 62 for a quote or comment that nothing closes.
 */
export function tokenise(sql: string): Token[] {
  const tokens: Token[] = []
  let depth = 0
  for (let at = 0; at < sql.length; ) {
    const space = match(blank, sql, at)
    if (space !== undefined) {
      at += space.length
      continue
    }
    const start = at
    const [kind, end] = tokenAt(sql, at)
    at = end
    const raw = sql.slice(start, end)
    if (raw === ')' || raw === ']') depth -= 1
    const text =
      kind === 'word' ? raw.toUpperCase() : kind === 'quoted' ? raw.slice(1, -1) : kind === 'string' ? '' : raw
    const before = tokens.at(-1)
    tokens.push({ kind, text, start, end, depth })
    if (raw === '(' || raw === '[') depth += 1
    if (isWord(tokens[0], 'INSERT') && isWord(before, 'FORMAT') && before?.depth === 0) break
  }
  return tokens
}

function tokenAt(sql: string, at: number): [Token['kind'], number] {
  const character = sql[at]
  if (character === "'") return ['string', endOfQuoted(sql, at, "'")]
  if (character === '"' || character === '`') return ['quoted', endOfQuoted(sql, at, character)]
  if (sql.startsWith('/*', at)) throw refuse(62, 'Syntax error: a comment is not closed.')
  const tag = match(heredoc, sql, at)
  if (tag !== undefined) {
    const close = sql.indexOf(tag, at + tag.length)
    if (close >= 0) return ['string', close + tag.length]
  }
  const name = match(word, sql, at)
  return name === undefined ? ['punctuation', at + 1] : ['word', at + name.length]
}

/** The offset behind the closing quote; a backslash takes the next character along, a doubled quote is one quote. */
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
