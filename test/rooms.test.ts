import { globSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

/**
 * Which rooms a room may import. `cli/` is where the parts are put together and adapters are picked; `test/` and `sample/make`
 * may import all. A room may always import itself.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  // The ground floor: it knows nothing of the product.
  base: [],
  contracts: [],
  domain: ['contracts'],
  journal: ['base', 'contracts'],
  archive: ['base', 'contracts', 'domain', 'journal'],
  ingest: ['base', 'contracts', 'domain', 'journal'],
  processors: ['base', 'contracts', 'domain', 'journal'],
  projections: ['base', 'contracts', 'domain', 'journal'],
  access: ['base', 'contracts', 'domain', 'journal'],
  console: ['contracts'],
  api: ['base', 'contracts', 'console', 'domain', 'access', 'archive', 'journal', 'projections/views/*/query.ts'],
  streams: ['base', 'contracts', 'domain', 'access', 'journal'],
  infra: ['base', 'contracts'],
}
/** Outside packages and Node modules that the inner rooms may use; what is not listed is refused. */
const mayUse: Readonly<Record<string, readonly string[]>> = {
  contracts: ['typebox'],
  // Hashes and checksums are pure; nothing here does I/O, reads a clock or draws at random.
  domain: ['typebox', 'big.js', 'node:crypto', 'node:zlib'],
}

const sources = globSync(
  '{base,contracts,domain,journal,archive,ingest,processors,projections,access,api,console,streams,infra}/**/*.{ts,js}',
  {
    cwd: root,
  },
)
const importStatement =
  /(?:^|\n)(?:import|export)\b[^'"`;]*?\bfrom\s*'([^']+)'|(?:^|\n)import\s*'([^']+)'|\bimport\(\s*'([^']+)'/g
const importsOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(importStatement)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  )

const matches = (pattern: string, target: string): boolean =>
  pattern.includes('*')
    ? new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]+')}$`).test(target)
    : target === pattern || target.startsWith(`${pattern}/`)

/** The import statements that break the house rules, as `file -> target`. */
function strayImports(files: readonly string[], read: (file: string) => string[]): string[] {
  return files.flatMap((file) => {
    const room = file.split('/')[0] ?? ''
    return read(file)
      .filter((target) => {
        if (!target.startsWith('.')) {
          const allowed = mayUse[room]
          const name = builtinModules.includes(target) ? `node:${target}` : target
          return allowed !== undefined && !allowed.some((entry) => name === entry || name.startsWith(`${entry}/`))
        }
        const place = relative(root, join(root, dirname(file), target))
        if (place.startsWith(`${room}/`)) return false
        return !(mayImport[room] ?? []).some((pattern) => matches(pattern, place))
      })
      .map((target) => `${file} -> ${target}`)
  })
}

describe('rooms', () => {
  it('sees the imports', () => {
    expect(sources.length).toBeGreaterThan(50)
    expect(importsOf('domain/decide-release.ts')).toContain('../contracts/indicators.ts')
    expect(importsOf('journal/layout.ts')).toContain('node:zlib')
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
  })
  it('lets no adapter import its sibling', () => {
    const siblings = [
      ['journal/embedded', 'journal/kafka'],
      ['journal/kafka/kafkajs', 'journal/kafka/platformatic'],
      ['access/embedded', 'access/redis'],
    ] as const
    const targetsOf = (folder: string) =>
      sources
        .filter((file) => file.startsWith(`${folder}/`))
        .flatMap((file) => importsOf(file).map((target) => relative(root, join(root, dirname(file), target))))
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
