import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parsed } from '../../cli/arguments.ts'
import { UsageError } from '../../cli/command.ts'
import { command, instant } from '../../cli/commands/keys.ts'
import { version } from '../../cli/version.ts'
import { loadConfig } from '../../infra/config.ts'
import { runCommand } from '../support/command.ts'
import { temporaryDirectory } from '../support/journal.ts'

describe('the arguments of a command', () => {
  const options = {
    plan: { type: 'string' },
    origin: { type: 'string', multiple: true },
    json: { type: 'boolean' },
  } as const
  const read = (...args: string[]) => parsed(args, options, 1)

  it('are options and what else is named', () => {
    const { values, positionals } = read('--plan', 'pro', 'a', '--origin=x', '--origin', 'y')
    expect({ ...values }).toEqual({ plan: 'pro', origin: ['x', 'y'] })
    expect(positionals).toEqual(['a'])
  })

  it.each([
    [['--plan', 'pro', '--plan', 'free'], '--plan is given twice'],
    [['--plan=pro', '--plan=pro'], '--plan is given twice'],
    [['--json', '--json'], '--json is given twice'],
    [['a', 'b', '--json', 'c'], 'unexpected argument b c'],
  ])('are refused where they are %j', (args, says) => {
    expect(() => read(...args)).toThrow(UsageError)
    expect(() => read(...args)).toThrow(says)
  })
})

describe('almanac keys', () => {
  const create = ['create', '--plan', 'pro', '--owner', 'TEST']

  it.each([
    [['create', 'extra', '--plan', 'pro', '--owner', 'TEST'], 'extra'],
    [[...create, '--plan', 'free'], '--plan is given twice'],
    [[...create, '--overlap', '3'], "Unknown option '--overlap'"],
    [[...create, '--expires', '2027-02-30'], 'not "2027-02-30"'],
    [['list', 'extra'], 'extra'],
    [['list', '--plan', 'pro'], "Unknown option '--plan'"],
    [['revoke', 'a', 'b'], 'one key'],
    [['rotate', 'a', '--overlap', ''], '--overlap takes hours'],
    [['toString'], 'unknown action'],
  ])('%j is refused before anything is opened', async (args, says) => {
    const ALMANAC_DATA_DIR = join(await temporaryDirectory(), 'never made')
    await expect(command.run(args, loadConfig({ ALMANAC_DATA_DIR }), {})).rejects.toThrow(says)
    expect(existsSync(ALMANAC_DATA_DIR)).toBe(false)
  })

  it.each([
    ['2027-03-01', '2027-03-01T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2027-03-01T00:30+02:00', '2027-02-28T22:30:00.000Z'],
    ['2027-03-01T12:00:00.5Z', '2027-03-01T12:00:00.500Z'],
  ])('a key may end at %s', (text, iso) => {
    expect(new Date(instant(text)).toISOString()).toBe(iso)
  })

  it.each([
    '2027-02-29',
    '2027-02-30T00:00Z',
    '2027-04-31',
    '2027-13-01',
    '2027-00-10',
    '2027-03-01T12:00',
    '2027',
    'soon',
    '',
  ])('no key ends at %j, which is no date, or another one elsewhere', (text) => {
    expect(() => instant(text)).toThrow(UsageError)
    expect(() => instant(text)).toThrow(`not ${JSON.stringify(text)}`)
  })
})

describe('almanac', () => {
  it.each(['--version', '-V'])('%s prints the release alone', async (option) => {
    expect(await runCommand([option], {})).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  it.each([
    [['kyes'], {}, /^almanac: unknown command "kyes"; did you mean keys\?; the commands are start, /],
    [['help', 'nope'], {}, /^almanac: unknown command "nope"; the commands are start, keys, /],
    [['help', 'keys', 'list'], {}, /explains one command at a time/],
    [['toString'], {}, /^almanac: unknown command "toString"/],
    [['keys', 'list', '--json', '--json'], {}, /--json is given twice/],
    [
      ['keys', 'list'],
      { ALMANAC_HTTP_PORT: '99999', ALMANAC_DEMO: 'yes' },
      /HTTP_PORT="99999" .*\n.*_DEMO="yes" must be one of 0, 1/,
    ],
  ])('%j with %j ends with code 2 and says why, without a stack', async (args, env, says) => {
    const { code, stdout, stderr } = await runCommand(args, env)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(says)
    expect(stderr).not.toMatch(/^ +at /m)
  })
})
