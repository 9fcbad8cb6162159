import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const files = globSync(
  [
    '{base,contracts,domain,journal,archive,ingest,processors,projections,access,api,console,streams,infra,cli,sample,test}/**/*.{ts,js}',
    'clients/{generate,typescript/src}/**/*.ts',
  ],
  { cwd: root },
)
const isProduct = (file: string) => !file.startsWith('test/')
/** Written by `npm run clients:generate` from the contracts, with the names that they have there. */
const isGenerated = (file: string) => file.includes('/generated/')
const code = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))

/** Exported names of a file; a type and a value of one name are one name. */
const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|type|interface|enum) ([A-Za-z_$][\w$]*)/gm
const exportsOf = (file: string): Set<string> =>
  new Set([...(code.get(file) ?? '').matchAll(declaration)].map(([, name = '']) => name))

/**
 * `file#name` of everything that a file imports from others of this repository; `file#*` for all of it. JavaScript imports types
 * in comments.
 */
const clause = /(?:^|\n)(?: \* @)?(?:import|export)(?: type)? (\* as \w+|\{[^}]*\}) from '(\.[^']+)'/g
/** Name taken from a file that is loaded where it is used. */
const loaded = /\(await import\('(\.[^']+)'\)\)\.(\w+)/g
function importsOf(file: string): string[] {
  const text = code.get(file) ?? ''
  const names = [...text.matchAll(loaded)].map(
    ([, target = '', name]) => `${normalize(join(dirname(file), target))}#${name}`,
  )
  return names.concat(staticImportsOf(file, text))
}
function staticImportsOf(file: string, text: string): string[] {
  return [...text.matchAll(clause)].flatMap(([, names = '', target = '']) => {
    const from = normalize(join(dirname(file), target))
    if (names.startsWith('*')) return [`${from}#*`]
    return names
      .slice(1, -1)
      .split(',')
      .map(
        (name) =>
          name
            .trim()
            .replace(/^type /, '')
            .split(' as ')[0] ?? '',
      )
      .filter(Boolean)
      .map((name) => `${from}#${name}`)
  })
}

/** A command's file is loaded by its name and exports `command`. */
const isLoadedByName = (file: string) => file.startsWith('cli/commands/')
const product = files.filter((file) => isProduct(file) && !isGenerated(file) && !isLoadedByName(file))
const imported = new Set(files.flatMap(importsOf))

it('one exported name has one meaning', () => {
  const owners = Map.groupBy(
    product.flatMap((file) => [...exportsOf(file)].map((name) => ({ file, name }))),
    ({ name }) => name,
  )
  const doubles = [...owners].filter(([, all]) => all.length > 1)
  expect(doubles.map(([name, all]) => `${name}: ${all.map(({ file }) => file).join(', ')}`)).toEqual([])
})

it('a name in the generated files of a client is one of the contracts, or has that one meaning', () => {
  const owners = new Map(
    product
      .filter((file) => !file.startsWith('contracts/'))
      .flatMap((file) => [...exportsOf(file)].map((name) => [name, file])),
  )
  const generated = files.filter(isGenerated).flatMap((file) => [...exportsOf(file)])
  expect(generated.length).toBeGreaterThan(50)
  expect(generated.filter((name) => owners.has(name)).map((name) => `${name}: ${owners.get(name)}`)).toEqual([])
})

it('what is exported is used elsewhere', () => {
  const unused = product.flatMap((file) =>
    [...exportsOf(file)]
      .map((name) => `${file}#${name}`)
      .filter((place) => !imported.has(place) && !imported.has(`${file}#*`)),
  )
  expect(unused).toEqual([])
})

it('no object is spread into itself', () => {
  const spread = files.filter((file) => /\.\.\.\{/.test(code.get(file) ?? ''))
  expect(spread).toEqual([])
})
