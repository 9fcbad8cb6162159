import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { typeboxBundle } from '../../base/typebox/make.ts'

const root = join(import.meta.dirname, '../..')

it('the bundle of typebox is what its installed version gives', async () => {
  const made = await typeboxBundle()
  expect(readFileSync(join(root, 'base/typebox/bundle.mjs'), 'utf8') === made, 'run `npm run bundle:typebox`').toBe(
    true,
  )
})

it('nothing loads the package beside the bundle', () => {
  const files = globSync('{*,*/**/*}.ts', { cwd: root, exclude: ['node_modules/**', 'base/typebox/**'] })
  expect(files.length).toBeGreaterThan(1_000)
  expect(files.filter((file) => new RegExp(`from '${'typebox'}`).test(readFileSync(join(root, file), 'utf8')))).toEqual(
    [],
  )
})
