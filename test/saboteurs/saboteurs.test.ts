import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { saboteurs } from './list/all.ts'
import { digestOf, nameCell, remaining, type SaboteurResult, saboteurTable } from './results.ts'
import { catcherOf, type Saboteur, sabotaged } from './saboteur.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const texts = new Map<string, string>()
const textOf = (file: string) => {
  const text = texts.get(file) ?? read(file)
  texts.set(file, text)
  return text
}
const invariants = [...read('docs/invariants.md').matchAll(/^\| (\d+) \|/gm)].map(([, number]) => Number(number))

/** Promises without a saboteur, each with the reason. */
const withoutSaboteur: Readonly<Record<number, string>> = {
  41: 'is about the documents: no code enforces it',
}

describe('the saboteurs', () => {
  it('each stand exactly once in a file, which they change', () => {
    for (const saboteur of saboteurs) expect(sabotaged(saboteur, textOf(saboteur.file)), saboteur.name).not.toBe('')
  })
  it('name promises, and tests that exist, or say why they survive', () => {
    for (const saboteur of saboteurs) {
      expect(invariants, saboteur.name).toContain(saboteur.promise)
      const catcher = catcherOf(saboteur)
      expect(
        'survives' in saboteur ? saboteur.survives !== '' : existsSync(join(root, catcher ?? '')),
        saboteur.name,
      ).toBe(true)
    }
  })
  it('have names of their own, which the page lists', () => {
    const names = saboteurs.map(({ name }) => name)
    expect(names.filter((name, i) => names.indexOf(name) !== i || !/^[a-z]+(?:-[a-z]+)*$/.test(name))).toEqual([])
    const page = read('docs/saboteurs.md')
    expect(saboteurs.filter((saboteur) => !page.includes(`${nameCell(saboteur)} ${saboteur.promise} |`))).toEqual([])
  })
  it('have no other result on the page than that they are caught, or survive for a known reason', () => {
    const results = [...read('docs/saboteurs.md').matchAll(/^\| `[a-z-]+` \|.*$/gm)].map(([row]) =>
      row.split(' | ').at(-2),
    )
    expect(results.length).toBe(saboteurs.length)
    expect(new Set(results)).toEqual(new Set(['caught', 'survives']))
  })
  it('leave out no promise without a reason', () => {
    const sabotagedPromises = new Set(saboteurs.map(({ promise }) => promise))
    expect(invariants.filter((promise) => !sabotagedPromises.has(promise))).toEqual(
      Object.keys(withoutSaboteur).map(Number),
    )
  })
})

const planted: Saboteur = {
  name: 'planted',
  promise: 1,
  fault: 'nothing is kept',
  file: 'a.ts',
  find: 'keep()',
  replace: 'drop($&)',
  caughtBy: 'a.test.ts',
}

it('a fault takes the place of its text, which must stand once', () => {
  expect(sabotaged(planted, 'if (a) keep()')).toBe('if (a) drop($&)')
  expect(() => sabotaged(planted, 'keep(), keep()')).toThrow('2 times in a.ts')
  expect(() => sabotaged(planted, 'kept()')).toThrow('0 times in a.ts')
  expect(() => sabotaged({ ...planted, replace: 'keep()' }, 'keep()')).toThrow('changes nothing')
})

describe('results', () => {
  const files: Record<string, string> = { 'a.ts': 'keep()', 'a.test.ts': 'it' }
  const readPlanted = (file: string) => files[file] ?? ''
  const result = (of: Partial<SaboteurResult>): SaboteurResult => ({
    name: 'planted',
    digest: digestOf(planted, readPlanted),
    commit: 'c',
    isChanged: false,
    startedAt: '2026-11-28T21:00:00.000Z',
    seconds: 2.34,
    verdict: 'caught',
    failed: 'keeps',
    ...of,
  })

  it('are valid until the saboteur, its file or its test changes', () => {
    expect(remaining([planted], [], readPlanted)).toEqual([planted])
    expect(remaining([planted], [result({})], readPlanted)).toEqual([])
    for (const file of ['a.ts', 'a.test.ts'])
      expect(remaining([planted], [result({})], (name) => readPlanted(name) + (name === file ? ' ' : ''))).toHaveLength(
        1,
      )
    expect(remaining([{ ...planted, replace: 'other()' }], [result({})], readPlanted)).toHaveLength(1)
    const { caughtBy: _, ...rest } = planted as Saboteur & { caughtBy: string }
    expect(remaining([{ ...rest, survives: 'the engine does it too' }], [], readPlanted)).toEqual([])
  })
  it('stand in the table, the newest of each, or else what stood there before', () => {
    const table = saboteurTable([planted], [result({ verdict: 'survived' }), result({})])
    expect(table).toContain('| `planted` | 1 | nothing is kept | `a.ts` | `a.test.ts` | caught | 2.3 |')
    expect(saboteurTable([planted], [], table)).toBe(table)
    expect(saboteurTable([planted], [result({ verdict: 'survived' })], table)).toContain('| **survived** | 2.3 |')
    expect(saboteurTable([planted], [])).toContain('| not run yet |  |')
  })
})
