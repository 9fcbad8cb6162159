import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { examples } from '../api/examples.ts'
import { version } from '../cli/version.ts'
import { countries } from '../contracts/countries.ts'
import { exportsCountries, servedIndicators } from '../contracts/indicators.ts'

const root = join(import.meta.dirname, '..')
const text = (file: string): string => readFileSync(join(root, file), 'utf8')
const found = (pattern: string | string[]): string[] => globSync(pattern, { cwd: root }).sort()

/** The pages that people read as they are now. Decision records tell of their day, so only their links are held to the tree. */
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'sample/README.md',
  'streams/README.md',
  ...found(['docs/*.md', 'docs/decisions/README.md']),
]
const records = found('docs/decisions/[0-9]*.md')

/** The anchor that a heading gets where the pages are shown. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
const withoutBlocks = (file: string): string => text(file).replace(/^```[\s\S]*?^```$/gm, '')
const anchorsOf = (file: string): string[] =>
  [...withoutBlocks(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))

/** Why a link target, relative to the repository, leads nowhere; undefined where it leads somewhere. */
function faultOf(target: string): string | undefined {
  const [file = '', anchor] = target.split('#')
  if (found(file.replace(/\/$/, '')).length === 0) return `${target}: there is no ${file}`
  if (anchor !== undefined && !anchorsOf(file).includes(anchor)) return `${target}: ${file} has no such heading`
  return undefined
}
const linksOf = (file: string): string[] =>
  [...withoutBlocks(file).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => (target.startsWith('#') ? `${file}${target}` : relative(root, join(root, dirname(file), target))))

const generated = ['node_modules', 'var', 'coverage']
const folders = found('*/')
  .map((name) => name.replace(/\/$/, ''))
  .filter((name) => !generated.includes(name))
/** The paths in code of a page: words that begin with a folder of ours, and end in a slash or like a file. */
const pathsOf = (file: string): string[] =>
  [...text(file).matchAll(/`([^`\n]+)`/g)]
    .flatMap(([, code = '']) => code.split(/[\s()]+/))
    .filter((word) => folders.includes(word.split('/')[0] ?? '') && /^[\w./*<>{},-]+(?:\/|\.\w+)$/.test(word))
    .map((word) => word.replace(/<\w+>/g, '*'))

describe('pages', () => {
  it.each([...pages, ...records])('%s links only to what there is', (file) => {
    expect(linksOf(file).flatMap((target) => faultOf(target) ?? [])).toEqual([])
  })

  it.each(pages.filter((file) => file !== 'CHANGELOG.md'))('%s names only paths that there are', (file) => {
    expect(pathsOf(file).filter((path) => found(path.replace(/\/$/, '')).length === 0)).toEqual([])
  })

  it('finds links, headings and paths that are not there', () => {
    expect(linksOf('docs/tls.md')).toContain('docs/streams.md#limits-of-connections')
    expect(pathsOf('CONTRIBUTING.md')).toEqual(expect.arrayContaining(['contracts/operations.ts', 'domain/derive/']))
    expect(faultOf('docs/streams.md#limits-of-connections')).toBeUndefined()
    expect(faultOf('docs/streams.md#nothing')).toContain('no such heading')
    expect(faultOf('docs/nothing.md')).toContain('there is no docs/nothing.md')
  })

  it('are named rightly by code and messages', () => {
    const sources = found(
      '{access,api,base,cli,contracts,domain,infra,ingest,journal,processors,projections,streams}/**/*.ts',
    )
    const named = sources.flatMap((file) =>
      [...text(file).matchAll(/(?<![\w./-])docs\/[\w./-]+\.md(?:#[\w-]+)?/g)].map(([target]) => target),
    )
    expect(named.length).toBeGreaterThan(10)
    expect([...new Set(named)].flatMap((target) => faultOf(target) ?? [])).toEqual([])
  })

  it('are all in the index', () => {
    const listed = linksOf('docs/README.md')
    expect(listed).toEqual(expect.arrayContaining(pages.filter((file) => !/^(?:README|docs\/README)\.md$/.test(file))))
    expect(linksOf('README.md')).toContain('docs/README.md')
  })

  it('name all countries and indicators of the sample on the first of them', () => {
    const said = text('README.md').replaceAll('the ', '')
    const [, codes = '', names = ''] = /It has nine indicators \(([^)]*)\) of ten countries: ([^.]*)\./.exec(said) ?? []
    expect([...codes.matchAll(/`([^`]+)`/g)].map(([, code]) => code)).toEqual(servedIndicators)
    const countryName = (code: string) => countries.find(({ alpha3 }) => alpha3 === code)?.name
    expect(names.split(/, | and /)).toEqual(exportsCountries.map(countryName).sort())
    expect([servedIndicators.length, exportsCountries.length]).toEqual([9, 10])
  })
})

describe('decision records', () => {
  it('are numbered from 0001 on, without a gap but for those that are listed as folded into another', () => {
    const numbers = records.map((file) => Number(/\/(\d{4})-/.exec(file)?.[1]))
    const [, list = ''] = text('docs/decisions/README.md').split('## Folded records')
    const folded = [...list.matchAll(/\b(\d{4})(?=[, ])/g)].map(([, number]) => Number(number))
    expect([...numbers, ...folded].sort((a, b) => a - b)).toEqual([...numbers, ...folded].map((_, i) => i + 1))
    expect(numbers.length).toBeGreaterThan(40)
  })

  it.each(records)('%s has the form of the template', (file) => {
    const [, number] = /\/(\d{4})-/.exec(file) ?? []
    const [title = '', , date = '', status = ''] = text(file).split('\n')
    expect(title).toMatch(new RegExp(`^# ${number}\\. \\S`))
    expect(date).toMatch(/^- Date: \d{4}-\d\d-\d\d$/)
    expect(status).toMatch(/^- Status: (?:proposed|accepted)$/)
    const sections = (of: string) => [...text(of).matchAll(/^## (.*)$/gm)].map(([, name]) => name)
    expect(sections(file)).toEqual(sections('docs/decisions/template.md'))
  })

  it('are all in their index, by title and date', () => {
    const index = text('docs/decisions/README.md')
    for (const file of records) {
      const [title = '', , date = ''] = text(file).split('\n')
      const [, number, name] = /^# (\d{4})\. (.*)$/.exec(title) ?? []
      expect(index).toContain(`| [${number}](${file.split('/').at(-1)}) | ${name} | ${date.slice('- Date: '.length)} |`)
    }
  })
})

describe('the version', () => {
  it('is the same in packages, program, examples and changelog', () => {
    const lock = JSON.parse(text('package-lock.json')) as {
      version: string
      packages: Record<string, { version: string }>
    }
    const [, newest] = /^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$/m.exec(text('CHANGELOG.md')) ?? []
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    expect({
      lock: lock.version,
      root: lock.packages['']?.version,
      newest,
      health: examples.health_health_get?.body,
    }).toEqual({
      lock: version,
      root: version,
      newest: version,
      health: expect.objectContaining({ version }),
    })
  })

  it('is followed by changes in the sections of Keep a Changelog only', () => {
    const sections = [...text('CHANGELOG.md').matchAll(/^### (.*)$/gm)].map(([, name]) => name)
    for (const name of sections)
      expect(['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']).toContain(name)
    expect(sections.length).toBeGreaterThan(3)
  })
})
