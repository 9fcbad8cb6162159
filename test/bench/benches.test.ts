import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { benchArguments, benches, fileOf } from './benches.ts'

it('takes every bench once without arguments', () =>
  expect(benchArguments([])).toEqual({ names: benches, against: undefined, turns: 1, write: false }))

it('takes a bench by its name, and several by what their names begin with', () => {
  expect(benchArguments(['journal']).names).toEqual(['journal'])
  expect(benchArguments(['streams', 'rest', 'streams/prices']).names).toEqual([
    'rest',
    'rest/large',
    ...benches.filter((name) => name.startsWith('streams/')),
  ])
})

it('takes five turns to compare or to write, unless told otherwise', () => {
  expect(benchArguments(['rest', '--against', 'HEAD~2'])).toMatchObject({ against: 'HEAD~2', turns: 5 })
  expect(benchArguments(['--write'])).toMatchObject({ write: true, turns: 5 })
  expect(benchArguments(['--write', '--turns', '1'])).toMatchObject({ write: true, turns: 1 })
  expect(benchArguments(['--against', 'HEAD', '--turns', '9'])).toMatchObject({ turns: 9 })
})

it.each([
  [['nothing'], /No bench nothing\. There are rest, .*mixed\./],
  [['stream'], /No bench stream\./],
  [['--turns', '0'], /--turns takes a whole number from 1 to 100, not "0"/],
  [['--turns', '4', '--against', 'HEAD'], /from 5 to 100, not "4"/],
  [['--turns', '2.5'], /not "2\.5"/],
  [['--turns', '101'], /not "101"/],
  [['--again', 'HEAD'], /--again/],
  [['--against'], /--against/],
])('refuses %j', (args, message) => expect(() => benchArguments(args)).toThrow(message))

it.each(benches)('%s has a file', (name) => expect(existsSync(join(import.meta.dirname, fileOf(name)))).toBe(true))
