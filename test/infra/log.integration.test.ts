import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { generateAddressKey, generateKey } from '../../access/key.ts'
import { readable } from '../../infra/readable-log.ts'

const source = join(import.meta.dirname, '../../infra/log.ts')

it.runIf(existsSync('/dev/full'))('ends no process whose log can not be written, on a full disk', () => {
  const program = `import { openLog } from ${JSON.stringify(source)}
    const log = openLog('info', 'TEST')
    for (let i = 0; i < 3; i++) log.warn({ i }, 'TEST')
    setTimeout(() => process.stdout.write('still here'), 50)`
  const { status, stdout } = spawnSync(
    'sh',
    ['-c', '"$0" --input-type=module -e "$1" 2>/dev/full', process.execPath, program],
    { encoding: 'utf8' },
  )
  expect([status, stdout]).toEqual([0, 'still here'])
})

const hasScript = spawnSync('script', ['--version']).status === 0

describe('a line of the log', () => {
  const program = `import { openLog } from ${JSON.stringify(source)}
    openLog('info', 'node').warn({ file: 'a b', count: 2 }, 'TEST has happened')`
  const command = [process.execPath, '--input-type=module', '-e', program] as const

  it('is JSON where nobody looks on', () => {
    const { stdout, stderr } = spawnSync(command[0], command.slice(1), { encoding: 'utf8' })
    expect(stdout).toBe('')
    expect(stderr.split('\n')).toHaveLength(2)
    const fields = { level: 'warn', role: 'node', file: 'a b', count: 2, msg: 'TEST has happened' }
    expect(JSON.parse(stderr)).toEqual({ ...fields, time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) })
  })

  it('has no key, in whatever words or stack one would stand', () => {
    const [full, short] = [generateKey('live', randomBytes), generateAddressKey(randomBytes)]
    const failing = `import { openLog } from ${JSON.stringify(source)}
      const err = new Error('GET /fred/series?api_key=${short} failed', { cause: new Error('Bearer ${full}') })
      openLog('info', 'node').error({ err, path: '/${full}', url: '/fred/series?a=1&api_key=${short}&b=2' }, '${short}')`
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', failing], { encoding: 'utf8' })
    for (const key of [full, short]) expect(stdout + stderr).not.toContain(key.slice(0, 30))
    expect(JSON.parse(stderr)).toMatchObject({
      path: '/[key]',
      url: '/fred/series?a=1&api_key=[key]&b=2',
      msg: '[key]',
    })
  })

  it.skipIf(!hasScript && process.env.CI !== 'true')('is one that a person reads on a terminal', () => {
    const words = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
    const { stdout } = spawnSync('script', ['-qec', words, '/dev/null'], { encoding: 'utf8' })
    expect(stripVTControlCharacters(stdout).trim()).toMatch(
      /^\d\d:\d\d:\d\d warn {2}node {7}TEST has happened {2}file="a b" count=2$/,
    )
  })

  it('has the stack of an error below it, and moves no cursor', () => {
    const entry = { level: 'error', time: '2026-11-20T12:00:00.000Z', role: 'node', msg: 'TEST \u001b[2J\nfake' }
    const err = { type: 'Error', message: 'was "TEST"', stack: 'Error: was "TEST"\n    at TEST (file.ts:1:2)' }
    const lines = stripVTControlCharacters(readable(JSON.stringify({ ...entry, err }))).split('\n')
    expect(lines).toEqual([
      expect.stringMatching(/^12:00:00 error node {7}TEST \ufffd.*\ufffdfake {2}err="was \\"TEST\\""$/),
      '    at TEST (file.ts:1:2)',
      '',
    ])
    expect(readable(JSON.stringify(entry))).not.toContain('\u001b[2J')
  })

  it.each([
    ['a text', '"TEST went wrong"', 'err="TEST went wrong"'],
    ['a number', '7', 'err=7'],
    ['nothing', 'null', 'err=null'],
    ['an object', '{ code: "TEST" }', 'err={"code":"TEST"}'],
    ['an error without a message', 'new RangeError()', 'err=RangeError'],
    [
      'several errors',
      'new AggregateError([new Error("TEST 1"), "TEST 2"], "all failed")',
      'err="all failed: TEST 1: TEST 2"',
    ],
    [
      'several without a message of their own',
      'new AggregateError([new Error("TEST 1")])',
      'err="AggregateError: TEST 1"',
    ],
  ])('tells what was thrown where that is %s', (_, thrown, told) => {
    const log = `import { openLog } from ${JSON.stringify(source)}; openLog('info', 'node').warn({ err: ${thrown} }, 'TEST')`
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', log], { encoding: 'utf8' })
    const [line] = stripVTControlCharacters(readable(stderr)).split('\n')
    expect(line).toMatch(/^\d\d:\d\d:\d\d warn {2}node {7}TEST {2}/)
    expect(line?.slice(line.indexOf('err='))).toBe(told)
  })
})
