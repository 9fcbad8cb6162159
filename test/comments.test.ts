import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const rooms =
  'access,api,archive,base,cli,clients,console,contracts,domain,infra,ingest,journal,processors,projections,sample,streams,test'
const files = globSync(`{${rooms}}/**/*.{ts,js,py,sql}`, { cwd: root, exclude: ['**/{node_modules,.venv,dist}/**'] })

/** Beginnings of comments and descriptions that lack their noun, so that a reader has to guess it. */
const beginnings = /(?:\/\*\*(?:\n\s*\*)?|\/\/|--|"""|description:|openSet\()\s*['"`]?(?:Of|Who|Whose)\s.*/g
const fragmentsIn = (text: string): string[] => [...text.matchAll(beginnings)].map(([found]) => found)

it('finds a beginning without a noun', () => {
  const [of, who] = ['Of', 'Who']
  for (const text of [
    `/** ${of} a round. */`,
    `/**\n   * ${who} asks.`,
    `  // ${of} all,`,
    `description:\n  '${of} it'`,
  ])
    expect(fragmentsIn(text)).toHaveLength(1)
  expect(fragmentsIn(`/** Number of rounds. */\n// Offset\ndescription: 'Often'`)).toEqual([])
  expect(files.length).toBeGreaterThan(500)
})

it('comments and descriptions begin with what they describe', () => {
  expect(
    files.flatMap((file) => fragmentsIn(readFileSync(join(root, file), 'utf8')).map((found) => `${file}: ${found}`)),
  ).toEqual([])
})
