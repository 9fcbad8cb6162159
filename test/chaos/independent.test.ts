import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'

it('shares no code with the service that it judges', () => {
  const files = globSync('**/*.{ts,mjs}', { cwd: import.meta.dirname }).filter((file) => !file.endsWith('.test.ts'))
  expect(files.length).toBeGreaterThan(15)
  const foreign = files.flatMap((file) => {
    const code = readFileSync(join(import.meta.dirname, file), 'utf8')
    return [...code.matchAll(/(?:\bfrom\s+|\bimport\(\s*)'([^']+)'/g)]
      .map(([, target = '']) => target)
      .filter((target) => (target.startsWith('.') ? leaves(file, target) : !/^node:|^ws$/.test(target)))
      .map((target) => `${file} imports ${target}`)
  })
  expect(foreign).toEqual([])
})

/** Whether a relative import leads out of this folder. */
const leaves = (file: string, target: string): boolean =>
  relative(import.meta.dirname, join(import.meta.dirname, file, '..', target)).startsWith('..')
