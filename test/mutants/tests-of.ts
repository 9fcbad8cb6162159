import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Import graph of a tree, from each file to those that import it. Paths are from the root of the tree. */
export type Importers = ReadonlyMap<string, readonly string[]>

const importedPath = /(?:from|import) '(\.[^']+\.ts)'/g

export function readImporters(root: string): Importers {
  const importers = new Map<string, string[]>()
  const isOutside = (name: string) => name === 'node_modules' || name === 'var'
  for (const file of globSync('**/*.ts', { cwd: root, exclude: isOutside })) {
    for (const [, path = ''] of readFileSync(join(root, file), 'utf8').matchAll(importedPath)) {
      const imported = join(dirname(file), path)
      if (existsSync(join(root, imported))) importers.set(imported, [...(importers.get(imported) ?? []), file])
    }
  }
  return importers
}

/** Unit tests that take seconds for one mutant, and are not the only ones of any file. */
const slow = new Set(['test/domain/forecast-backtest.test.ts', 'test/domain/derived-prints-by-date.test.ts'])

/** Sets the umask, which the threads of Stryker's runner cannot: no test runs there that loads it. */
const UMASK = 'test/support/journal.ts'

/** Everything that loads a file, directly or not. */
function loadersOf(file: string, importers: Importers): ReadonlySet<string> {
  const all = new Set<string>()
  for (let level = [file]; level.length > 0; ) {
    level = level.flatMap((name) => importers.get(name) ?? []).filter((name) => !all.has(name))
    for (const name of level) all.add(name)
  }
  return all
}

const isUnitTest = (file: string): boolean =>
  /^test\/.*\.test\.ts$/.test(file) &&
  !/\.(?:integration|e2e)\.test\.ts$/.test(file) &&
  !/^test\/(?:distributed|long|world)\//.test(file) &&
  !slow.has(file)

/**
 * The unit tests of a file's room that are nearest to it: those that import it, or, if there are none, those that import one of
 * its importers, and so on. Without any in its room, the nearest of other rooms. A helper of the room's tests, in
 * `test/ROOM/support/`, is no step between.
 */
export function testsOf(file: string, importers: Importers): string[] {
  const unfit = loadersOf(UMASK, importers)
  const room = file.split('/')[0]
  const isOwn = (name: string) => name.startsWith(`test/${room}/`)
  const seen = new Set([file])
  let others: readonly string[] = []
  for (let level = [file]; level.length > 0; ) {
    const importing = level.flatMap((name) => importers.get(name) ?? [])
    const helpers = importing.filter((name) => name.startsWith(`test/${room}/support/`))
    const helped = helpers.flatMap((name) => importers.get(name) ?? [])
    level = [...new Set([...importing, ...helped])].filter((name) => !seen.has(name))
    const tests = level.filter((name) => isUnitTest(name) && !unfit.has(name))
    if (tests.some(isOwn)) return tests.filter(isOwn)
    if (others.length === 0) others = tests
    for (const name of level) seen.add(name)
  }
  return [...others]
}
