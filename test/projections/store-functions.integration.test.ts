import { expect, it } from 'vitest'
import { allowedTableFunctions } from '../../projections/store/allowed.ts'
import { nativeFunctions } from '../../projections/store/native.ts'
import { isAllowed, useEngine } from './support/engine.ts'

/** Version of the engine whose functions `npm run test:recorded -- store-functions` has tried, all of them. */
const SWEPT_VERSION = '26.7.2.1'
const { native, run, names } = useEngine()

it('table functions are the allowed ones or refused', async () => {
  const allowed: readonly string[] = allowedTableFunctions
  const open = (await names('table_functions')).filter((name) => isAllowed(`SELECT * FROM \`${name}\` ('x')`))
  expect(open.sort()).toEqual([...allowed].sort())
})

it('other functions are those of a version in which none runs SQL in a string', async () => {
  expect((await run('SELECT version()')).trim()).toBe(SWEPT_VERSION)
})

it('finds in chdb the private functions that the store rests on', () => {
  for (const name of nativeFunctions) expect(native[name]).toBeTypeOf('function')
})
