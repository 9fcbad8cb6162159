import { expect, it } from 'vitest'
import { runCommand } from '../support/command.ts'
import { openEmbeddedTestJournal } from '../support/embedded-journal.ts'
import { temporaryDirectory, valuesOf } from '../support/journal.ts'
import { accepted, candidate, testSeries } from '../support/releases.ts'

const series = testSeries()
const first = accepted(candidate(series, '2025-09', { value: '1' }), undefined)

it('says that a release is cancelled, once, and takes it back, beside another process', async () => {
  const dir = await temporaryDirectory()
  const { journal } = await openEmbeddedTestJournal(undefined, dir)
  await journal.append('releases', 0, [{ value: first, id: first.release_id, at: 0 }])
  const calendar = (...args: string[]) => runCommand(['calendar', ...args], { ALMANAC_DATA_DIR: dir })
  const reason = 'Not collected, “shutdown”'
  const cancel = (...release: string[]) => calendar('cancel', ...release, '--reason', reason)

  expect(await cancel('USA', 'cpi', '2025-10')).toMatchObject({ code: 0, stdout: 'USA cpi 2025-10 is cancelled.\n' })
  expect(await cancel('USA', 'cpi', '2025-10')).toMatchObject({
    code: 0,
    stdout: `USA cpi 2025-10 is already recorded as cancelled, with the reason: ${reason}. Nothing was changed.\n`,
  })
  expect(await valuesOf(journal, 'calendar')).toMatchObject([
    { change: 'cancelled', country: 'USA', indicator: 'cpi', period: '2025-10', series: series.id, reason },
  ])
  const [only] = (await calendar('list', '--json')).stdout.split('\n')
  expect(JSON.parse(only ?? '')).toMatchObject({ country: 'USA', indicator: 'cpi', period: '2025-10', reason })
  expect((await calendar('list')).stdout).toMatch(/^USA {2}cpi {2}2025-10 {2}cancelled {2}2\d{3}-.*Z {2}Not collected/)

  expect((await calendar('restore', 'USA', 'cpi', '2025-10')).stdout).toBe('USA cpi 2025-10 is restored.\n')
  expect((await calendar('list')).stdout).toMatch(/^no release is cancelled/)
  expect(await calendar('restore', 'USA', 'cpi', '2025-10')).toMatchObject({ code: 2 })
  expect((await valuesOf(journal, 'calendar')).map(({ change }) => change)).toEqual(['cancelled', 'restored'])
})

it('says that a period was never published, and leaves out of the list what has come all the same', async () => {
  const dir = await temporaryDirectory()
  const { journal } = await openEmbeddedTestJournal(undefined, dir)
  await journal.append('releases', 0, [{ value: first, id: first.release_id, at: 0 }])
  const calendar = (...args: string[]) => runCommand(['calendar', ...args], { ALMANAC_DATA_DIR: dir })
  for (const [action, period] of [
    ['cancel', '2025-10'],
    ['never-published', '2025-10'],
    ['never-published', '2025-11'],
  ] as const) {
    expect(await calendar(action, 'USA', 'cpi', period, '--reason', 'no survey')).toMatchObject({ code: 0 })
  }
  const listed = async () => (await calendar('list')).stdout.split('\n').map((line) => line.split('  ').slice(2, 4))
  expect(await listed()).toEqual([['2025-10', 'never published'], ['2025-11', 'never published'], []])
  const late = accepted(candidate(series, '2025-11', { value: '1' }), undefined)
  await journal.append('releases', 0, [{ value: late, id: late.release_id, at: 0 }])
  expect(await listed()).toEqual([['2025-10', 'never published'], []])
  expect((await valuesOf(journal, 'calendar')).map(({ change }) => change)).toEqual([
    'cancelled',
    'never_published',
    'never_published',
  ])
})

it('refuses what cannot be cancelled, says why, and writes nothing', async () => {
  const dir = await temporaryDirectory()
  const { journal } = await openEmbeddedTestJournal(undefined, dir)
  const revised = accepted(candidate(series, '2025-09', { value: '2' }), first, '2026-03-16T08:00:00.000Z')
  const values = [first, revised]
  await journal.append(
    'releases',
    0,
    values.map((value) => ({ value, id: value.release_id, at: 0 })),
  )
  const thisYear = new Date().getUTCFullYear()
  const wrong: readonly (readonly [string, readonly string[]])[] = [
    ['"US" is not a country code', ['cancel', 'US', 'cpi', '2025-10', '--reason', 'x']],
    ['"gdp-volume" is not an indicator; known: cpi', ['cancel', 'USA', 'gdp-volume', '2025-10', '--reason', 'x']],
    ['"2025-13" is not a period', ['cancel', 'USA', 'cpi', '2025-13', '--reason', 'x']],
    ['2052-10 begins more than a year from now', ['cancel', 'USA', 'cpi', '2052-10', '--reason', 'x']],
    ['--reason is missing', ['cancel', 'USA', 'cpi', '2025-10']],
    ['--reason takes one line', ['cancel', 'USA', 'cpi', '2025-10', '--reason', 'a\nb']],
    ['--reason takes one line', ['cancel', 'USA', 'cpi', '2025-10', '--reason', 'a\u2028b']],
    ['cpi of USA begins with 2025-09', ['cancel', 'USA', 'cpi', '2016-10', '--reason', 'x']],
    ['is published already, on 2026-01-15', ['cancel', 'USA', 'cpi', '2025-09', '--reason', 'x']],
    ['no series of cpi with periods like 2025-Q3 is served', ['cancel', 'USA', 'cpi', '2025-Q3', '--reason', 'x']],
    ['no series of gdp with periods like 2025-Q3', ['cancel', 'USA', 'gdp', '2025-Q3', '--reason', 'x']],
    [
      `${thisYear}-12 is not over: use \`cancel\``,
      ['never-published', 'USA', 'cpi', `${thisYear}-12`, '--reason', 'x'],
    ],
    ['--reason is missing', ['never-published', 'USA', 'cpi', '2025-10']],
    ['is neither cancelled nor stated as never published', ['restore', 'USA', 'cpi', '2025-10']],
    ['use `./almanac calendar cancel', ['cancel', 'USA', 'cpi', '--reason', 'x']],
    ['use `./almanac calendar cancel', ['annul']],
  ]
  for (const [why, args] of wrong) {
    const { code, stderr } = await runCommand(['calendar', ...args], { ALMANAC_DATA_DIR: dir })
    expect([code, stderr], why).toEqual([2, expect.stringContaining(why)])
  }
  expect(await valuesOf(journal, 'calendar')).toEqual([])
})
