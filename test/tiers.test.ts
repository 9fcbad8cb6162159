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

it('a file has at most 400 lines, and is split by subject beyond them', () => {
  const large = globSync('test/**/*.ts', { cwd: root }).filter(
    (file) => readFileSync(join(root, file), 'utf8').trimEnd().split('\n').length > 400,
  )
  expect(large).toEqual([])
})
