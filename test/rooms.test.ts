import { globSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

/** What all stages of ingest may import: the types of documents and items, and limits and texts of the rest of ingest. */
const items = ['ingest/source.ts', 'ingest/limits.ts', 'ingest/cut.ts', 'ingest/mask.ts', 'ingest/removed.ts']

/**
 * Which rooms a room may import; an import of a type is one. `cli/` is where the parts are put together and adapters are
 * picked. `test/` may import all. A room may always import itself. A file belongs to the first row that it matches.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  // The ground floor: it knows nothing of the product.
  base: [],
  contracts: [],
  // The distance between texts is as pure as the rules.
  domain: ['base/nearest.ts', 'contracts'],
  journal: ['base', 'contracts'],
  archive: ['base', 'contracts', 'domain', 'journal'],
  // The stages of ingest, and what gets documents for the first of them. Only the last one has a journal.
  'ingest/read': ['base', 'contracts', 'domain', ...items],
  'ingest/fetch': ['base', ...items],
  'ingest/map': ['contracts', 'domain', ...items, 'ingest/read'],
  'ingest/judge': ['contracts', 'domain', ...items],
  'ingest/accept': [
    'base/time.ts',
    'contracts',
    'domain',
    'journal',
    ...items,
    'ingest/fetch/local-file.ts',
    'ingest/judge',
  ],
  // What composes the stages.
  ingest: ['base', 'contracts', 'domain', 'journal'],
  processors: ['base', 'contracts', 'domain', 'journal'],
  projections: ['base', 'contracts', 'domain', 'journal'],
  access: ['base', 'contracts', 'domain', 'journal'],
  console: ['contracts'],
  api: ['base', 'contracts', 'console', 'domain', 'access', 'archive', 'journal', 'projections/views/*/query.ts'],
  streams: ['base', 'contracts', 'domain', 'access', 'journal'],
  infra: ['base', 'contracts'],
  cli: [
    'base',
    'contracts',
    'domain',
    'journal',
    'archive',
    'ingest',
    'processors',
    'projections',
    'access',
    'api',
    'streams',
    'infra',
  ],
  // Is published alone.
  'clients/typescript': [],
  'clients/generate': ['contracts', 'api'],
}
/** Outside packages and Node modules that the inner rooms may use; what is not listed is refused. */
const mayUse: Readonly<Record<string, readonly string[]>> = {
  contracts: ['#typebox'],
  // Hashes and checksums are pure; nothing here does I/O, reads a clock or draws at random.
  domain: ['#typebox', 'big.js', 'node:crypto', 'node:zlib'],
}

const rooms = Object.keys(mayImport)
const roomOf = (file: string): string | undefined => rooms.find((room) => file.startsWith(`${room}/`))
const sources = globSync(`{${[...rooms, 'sample']}}/**/*.{ts,js,mjs}`, { cwd: root, exclude: ['**/dist/**'] })

/** Statements, expressions and types that import, and JSDoc's `@import`. */
const anImport = /\b(?:from|import|import\()\s*['"]([^'"\n]+)['"]/g
const importsOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(anImport)].map(([, target = '']) => target)
/** The files that the relative imports of a file name, from the root. */
const filesImportedBy = (file: string, read = importsOf): string[] =>
  read(file)
    .filter((target) => target.startsWith('.'))
    .map((target) => join(dirname(file), target))

const matches = (pattern: string, target: string): boolean =>
  pattern.includes('*')
    ? new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]+')}$`).test(target)
    : target === pattern || target.startsWith(`${pattern}/`)

/** The import statements that break the house rules, as `file -> target`. */
function strayImports(files: readonly string[], read: (file: string) => string[]): string[] {
  return files.flatMap((file) => {
    const room = roomOf(file) ?? ''
    return read(file)
      .filter((target) => {
        if (!target.startsWith('.')) {
          const allowed = mayUse[room]
          const name = builtinModules.includes(target) ? `node:${target}` : target
          return allowed !== undefined && !allowed.some((entry) => name === entry || name.startsWith(`${entry}/`))
        }
        const place = join(dirname(file), target)
        if (place.startsWith(`${room}/`)) return false
        return !(mayImport[room] ?? []).some((pattern) => matches(pattern, place))
      })
      .map((target) => `${file} -> ${target}`)
  })
}

/** Circles of imports, each as the files from the first one back to it. */
function circles(files: readonly string[], read: (file: string) => string[]): string[] {
  const found: string[] = []
  const seen = new Set<string>()
  const visit = (file: string, path: readonly string[]) => {
    const start = path.indexOf(file)
    if (start >= 0) found.push([...path.slice(start), file].join(' -> '))
    if (seen.has(file)) return
    seen.add(file)
    for (const target of filesImportedBy(file, read)) if (files.includes(target)) visit(target, [...path, file])
  }
  for (const file of files) visit(file, [])
  return found
}

describe('rooms', () => {
  it('sees the imports', () => {
    expect(new Set(sources.map(roomOf))).toEqual(new Set(rooms))
    expect(importsOf('domain/decide-release.ts')).toContain('../contracts/indicators.ts')
    expect(importsOf('journal/layout.ts')).toContain('node:zlib')
    expect(importsOf('console/browser/event-text.js')).toContain('./bodies.d.ts')
    expect(importsOf('console/browser/candle-end.js')).toContain('../../contracts/candles.ts')
  })
  it('point inwards only', () => {
    expect(strayImports(sources, importsOf)).toEqual([])
  })
  it('would notice a stray one', () => {
    const planted = (target: string) => strayImports(['domain/x.ts'], () => [target])
    expect(planted('../api/app.ts')).toHaveLength(1)
    expect(planted('node:fs')).toHaveLength(1)
    expect(planted('fs')).toHaveLength(1)
    expect(planted('../contracts/records.ts')).toHaveLength(0)
    expect(strayImports(['api/x.ts'], () => ['../projections/projector.ts'])).toHaveLength(1)
    expect(strayImports(['api/x.ts'], () => ['../projections/views/events/query.ts'])).toHaveLength(0)
    expect(strayImports(['ingest/read/formats/x.ts'], () => ['../../map/mapping.ts'])).toHaveLength(1)
    expect(strayImports(['ingest/map/x.ts'], () => ['../judge/plausible-figures.ts'])).toHaveLength(1)
    expect(strayImports(['ingest/judge/x.ts'], () => ['../../journal/typed.ts'])).toHaveLength(1)
    expect(strayImports(['ingest/accept/x.ts'], () => ['../run.ts', '../sources/index.ts'])).toHaveLength(2)
    expect(strayImports(['ingest/accept/x.ts'], () => ['../judge/plausible-figures.ts', '../source.ts'])).toHaveLength(
      0,
    )
    expect(strayImports(['ingest/run.ts'], () => ['./accept/accept.ts'])).toHaveLength(0)
    expect(strayImports(['clients/typescript/src/x.ts'], () => ['../../../contracts/ids.ts'])).toHaveLength(1)
    expect(strayImports(['clients/generate/x.ts'], () => ['../../contracts/ids.ts'])).toHaveLength(0)
    expect(strayImports(['cli/x.ts'], () => ['../test/support/poll.ts'])).toHaveLength(1)
  })
  it('have no circle of imports', () => {
    expect(circles(sources, importsOf)).toEqual([])
  })
  it('would notice a circle', () => {
    const planted: Record<string, string[]> = { 'a/x.ts': ['./y.ts'], 'a/y.ts': ['../b/z.ts'], 'b/z.ts': ['../a/y.ts'] }
    expect(circles(Object.keys(planted), (file) => planted[file] ?? [])).toEqual(['a/y.ts -> b/z.ts -> a/y.ts'])
  })
  it('lets no adapter import its sibling', () => {
    const siblings = [
      ['journal/embedded', 'journal/kafka'],
      ['journal/kafka/kafkajs', 'journal/kafka/platformatic'],
      ['access/embedded', 'access/redis'],
    ] as const
    const targetsOf = (folder: string) =>
      sources.filter((file) => file.startsWith(`${folder}/`)).flatMap((file) => filesImportedBy(file))
    for (const [a, b] of siblings) {
      expect(targetsOf(a).filter((target) => target.startsWith(`${b}/`))).toEqual([])
      expect(targetsOf(b).filter((target) => target.startsWith(`${a}/`))).toEqual([])
    }
    expect(targetsOf('journal/embedded')).toContain('journal/journal.ts')
  })
  it('keeps clocks and chance out of the pure rules', () => {
    for (const file of sources.filter((name) => name.startsWith('domain/'))) {
      const code = readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
      expect(code, file).not.toMatch(
        /Date\.now\(|new Date\(\)|Math\.random|setTimeout|setInterval|process\.|performance\./,
      )
    }
  })
})
