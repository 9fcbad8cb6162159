/** The store reads SQL as the engine does: compared with `tokenizeQuery`, the engine's own lexer. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { StoreError } from '../../projections/store/errors.ts'
import { loadNative, type NativeConnection } from '../../projections/store/native.ts'
import { quote } from '../../projections/store/request.ts'
import { type Token, tokenise } from '../../projections/store/tokens.ts'

const native = loadNative()
const home = mkdtempSync(join(tmpdir(), 'almanac-tokens-'))
let connection: NativeConnection
beforeAll(() => {
  connection = native.CreateConnection(home, ['--implicit_select=0'])
})
afterAll(() => {
  native.CloseConnection(connection)
  rmSync(home, { recursive: true, force: true })
})

type Found = { readonly kind: Token['kind'] | 'error'; readonly text: string }
/** Kinds of the engine as the store's. */
const kinds: Readonly<Record<string, Token['kind'] | undefined>> = {
  BareWord: 'word',
  QuotedIdentifier: 'quoted',
  StringLiteral: 'string',
  HereDoc: 'string',
  Number: 'number',
}

/** Tokens that the engine finds in each text, without blanks and comments. */
async function engineTokens(texts: readonly string[]): Promise<Found[][]> {
  const sql = `SELECT tokenizeQuery(sql) AS tokens FROM (SELECT arrayJoin([${texts.map(quote).join(', ')}]) AS sql)`
  const { bytes } = await native.QueryAsyncConnection(connection, sql, 'JSONEachRow')
  const rows = Buffer.from(bytes).toString().trimEnd().split('\n')
  return rows.map((row, at) => {
    const source = Buffer.from(texts[at] ?? '')
    const { tokens } = JSON.parse(row) as { tokens: { begin: string; end: string; type: string }[] }
    return tokens
      .filter(({ type }) => type !== 'Whitespace' && type !== 'Comment' && type !== 'EndOfStream')
      .map(({ begin, end, type }) => ({
        kind: type.startsWith('Error') ? 'error' : (kinds[type] ?? 'punctuation'),
        text: source.subarray(Number(begin), Number(end)).toString(),
      }))
  })
}

/** Tokens that the store finds; undefined where it refuses the text. */
function storeTokens(sql: string): Found[] | undefined {
  try {
    return tokenise(sql).map(({ kind, start, end }) => ({ kind, text: sql.slice(start, end) }))
  } catch (error) {
    if (error instanceof StoreError && error.code === 62) return undefined
    throw error
  }
}

/** Both sides cut punctuation and numbers like 1a differently, which hides nothing: joined where they touch no other kind. */
function comparable(tokens: readonly Found[]): string[] {
  const plain = tokens.map(({ kind, text }) =>
    kind === 'punctuation'
      ? [...text].map((one) => `punctuation ${one}`)
      : [`${kind === 'number' ? 'word' : kind} ${text}`],
  )
  return plain.flat()
}

/** The engine refuses a text at its first error token, so only what stands before it can be run. */
function beforeError(tokens: readonly Found[]): readonly Found[] {
  const at = tokens.findIndex(({ kind }) => kind === 'error')
  return at < 0 ? tokens : tokens.slice(0, at)
}

const pieces = [
  'SELECT',
  'x',
  'b',
  'X',
  'e',
  'E',
  'p',
  'file',
  'OUTFILE',
  'INTO',
  '1',
  '0',
  '0x',
  '0b',
  '1e',
  '0x1p',
  '.5',
  '1_0',
  '1.',
  ...[
    "'",
    '"',
    '`',
    "''",
    '``',
    '\\',
    "\\'",
    '--',
    '-',
    '->',
    '//',
    '/*',
    '*/',
    '/',
    '*',
    '#',
    '# ',
    '#!',
    '$',
    '$a$',
    '$$',
  ],
  ' ',
  '\t',
  '\n',
  '\r',
  '\f',
  '\v',
  '.',
  ',',
  ';',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '_',
  ':',
  '::',
  '@',
  '!',
  '|',
  '+',
  '=',
  '\u200b',
  '\u200c',
  '\u2060',
  '\u180e',
  '\u0085',
  '\u00a0',
  '\ufeff',
  '\u2212',
  '\u2018',
  '\u2019',
  '\u201c',
  '\u201d',
  'é',
]

describe('tokens', () => {
  it('are those of the engine, or the text is refused', async () => {
    const text = fc
      .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 14 })
      .map((parts) => `SELECT ${parts.join('')}`)
    let read = 0
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 400, maxLength: 400 }), async (texts) => {
        for (const [at, theirs] of (await engineTokens(texts)).entries()) {
          const ours = storeTokens(texts[at] ?? '')
          if (ours === undefined) continue
          read += 1
          const wanted = comparable(beforeError(theirs))
          const isWhole = beforeError(theirs).length === theirs.length
          const found = isWhole ? comparable(ours) : comparable(ours).slice(0, wanted.length)
          expect(found, JSON.stringify(texts[at])).toEqual(wanted)
        }
      }),
      { numRuns: Number(process.env.LEXER_RUNS ?? 100) },
    )
    expect(read).toBeGreaterThan(2_000)
  })

  it.each([
    ['a comment inside a comment', "SELECT 1 /* /* */ ' */ INTO OUTFILE '/tmp/x' -- '"],
    ['a comment that two slashes begin', "SELECT 1 // '\nINTO OUTFILE '/tmp/x' // '"],
    ['an exponent without digits', "SELECT 1e--1 INTO OUTFILE '/tmp/x'"],
    ['a coded string before a string', "SELECT x'41'' INTO OUTFILE '"],
    ['digits before a heredoc', "SELECT 1a$b$ ' $b$ INTO OUTFILE '/tmp/x' -- '"],
  ])('%s hides nothing', async (_, sql) => {
    const [theirs = []] = await engineTokens([sql])
    const ours = storeTokens(sql)
    if (ours !== undefined) expect(comparable(ours)).toEqual(comparable(theirs))
  })

  it('behind the format of an INSERT are data, behind a column of that name they are not', () => {
    expect(tokenise("INSERT INTO t FORMAT TSV it's").at(-1)).toMatchObject({ text: 'TSV' })
    expect(tokenise("INSERT INTO t SELECT format, file('/etc/passwd')").at(-1)).toMatchObject({ text: ')' })
  })
})
