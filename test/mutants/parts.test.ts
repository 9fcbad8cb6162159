import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parts } from './parts.ts'
import { readImporters, testsOf } from './tests-of.ts'

const root = join(import.meta.dirname, '../..')

it('every file whose rules are mutated exists, and is in one part', () => {
  const paths = Object.values(parts).flat()
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
  expect(paths.filter((path, i) => paths.indexOf(path) !== i)).toEqual([])
})

it('a mutant meets the tests of its room that import its file, or else the nearest ones', () => {
  const importers = new Map([
    ['domain/a.ts', ['domain/b.ts', 'api/c.ts']],
    ['domain/b.ts', ['test/domain/b.test.ts', 'test/domain/b.integration.test.ts']],
    ['api/c.ts', ['test/api/c.test.ts']],
    ['domain/d.ts', ['api/c.ts']],
    ['access/f.ts', ['test/access/support/f.ts', 'test/access/f.test.ts']],
    ['test/access/support/f.ts', ['test/access/g.test.ts']],
  ])
  expect(testsOf('domain/b.ts', importers)).toEqual(['test/domain/b.test.ts'])
  expect(testsOf('domain/a.ts', importers)).toEqual(['test/domain/b.test.ts'])
  expect(testsOf('domain/d.ts', importers)).toEqual(['test/api/c.test.ts'])
  expect(testsOf('domain/e.ts', importers)).toEqual([])
  expect(testsOf('access/f.ts', importers)).toEqual(['test/access/f.test.ts', 'test/access/g.test.ts'])
})

it('finds the tests of a rule in this tree', () => {
  expect(testsOf('streams/protocol.ts', readImporters(root))).toEqual(['test/streams/protocol.test.ts'])
})
