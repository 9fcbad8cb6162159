import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { missingOptionalPackages } from '../infra/complete-lockfile.ts'

const lockfile = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

it('holds every optional package, so that `npm ci` takes it on any platform (mend: npm run lockfile)', () => {
  expect(missingOptionalPackages(lockfile).map(([place]) => place)).toEqual([])
  const [first] = Object.keys(lockfile.packages).filter((place) => place.includes('lib-darwin'))
  const { [first ?? '']: _, ...without } = lockfile.packages
  expect(missingOptionalPackages({ packages: without }).map(([place]) => place)).toEqual([first])
})
it('names no registry', () => {
  expect(JSON.stringify(lockfile)).not.toMatch(/https?:\/\/[^"]*\.tgz/)
})
it('pins every direct dependency to one version', () => {
  for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
    expect(version, name).toMatch(/^(npm:.+@)?\d+\.\d+\.\d+$/)
  }
})
