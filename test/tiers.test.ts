import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'

/**
 * A unit test starts no process and no engine, so that `npm run test:unit` runs anywhere in less than a minute. A test that
 * does, or that waits for real deadlines, is called `*.integration.test.ts`; one of the whole service `*.e2e.test.ts`.
 */
const root = join(import.meta.dirname, '..')
const tests = globSync('test/**/*.test.ts', { cwd: root, exclude: ['test/distributed/**', 'test/long/**'] })
const unit = tests.filter((file) => !/\.(integration|e2e)\.test\.ts$/.test(file))

const importsOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, target = '']) =>
    target.startsWith('.') ? normalize(join(dirname(file), target)) : target,
  )
const startsSomething = (target: string): boolean =>
  target.startsWith('infra/services/') ||
  [
    'node:child_process',
    'chdb',
    'projections/store/store.ts',
    'projections/store/engine.ts',
    'test/support/shared-servers.ts',
  ].includes(target)

/** What a test and its helpers under `test/` import that starts a process or an engine. */
function startedBy(test: string): string[] {
  const seen = new Set([test])
  // A set that grows while it is read: each helper is visited once.
  for (const file of seen) for (const target of importsOf(file)) if (/^test\/.*\.ts$/.test(target)) seen.add(target)
  return [...seen].flatMap((file) => importsOf(file).filter(startsSomething))
}

it('sees what a test starts', () => {
  expect(unit.length).toBeGreaterThan(100)
  expect(startedBy('test/projections/projector.integration.test.ts')).not.toEqual([])
  expect(startedBy('test/e2e/service.e2e.test.ts')).not.toEqual([])
})
it.each(unit)('%s starts no process and no engine', (file) => expect(startedBy(file)).toEqual([]))

/** Row of a list: an indented line with nothing but names, literals and brackets, which another row follows or fills. */
const isRow = (line: string): boolean => /^\s+[\w$'"`[\]{}:,.\s-]*[,[{]$/.test(line.replace(/'(?:[^'\\]|\\.)*'/g, "''"))
const linesOfLogic = (text: string): number =>
  text
    .trimEnd()
    .split('\n')
    .filter((line) => !isRow(line)).length

it('a file has at most 400 lines besides the rows of its lists, and is split by subject beyond them', () => {
  expect(linesOfLogic("const list = [\n  { a: 'f(x)', b },\n  g(x),\n  'c',\n]\n")).toBe(3)
  const files = globSync(
    '{access,api,archive,base,cli,console,contracts,domain,infra,ingest,journal,processors,projections,streams,test}/**/*.{ts,js}',
    { cwd: root },
  )
  expect(files.length).toBeGreaterThan(1_000)
  expect(files.filter((file) => linesOfLogic(readFileSync(join(root, file), 'utf8')) > 400)).toEqual([])
})
