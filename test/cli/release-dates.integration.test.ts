import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { blsCalendar, CPI, eastern, JOBS } from '../ingest/release-dates/documents.ts'
import { runCommand } from '../support/command.ts'
import { openEmbeddedTestJournal } from '../support/embedded-journal.ts'
import { temporaryDirectory, valuesOf } from '../support/journal.ts'

/** Far enough ahead to be dates to come whenever the test runs. */
const calendar2050 = (...days: readonly string[]) =>
  blsCalendar(
    ...days.map((day) => [CPI, eastern(`2050${day}T083000`)] as const),
    [JOBS, ';VALUE=DATE:20500304'],
    [JOBS, ';VALUE=DATE:20200304'],
  )

it('records the dates of a calendar from a file, lists them, and refuses what is no calendar', async () => {
  const dir = await temporaryDirectory()
  const { journal } = await openEmbeddedTestJournal(undefined, dir)
  const calendar = (...args: string[]) => runCommand(['calendar', ...args], { ALMANAC_DATA_DIR: dir })
  const file = join(dir, 'bls.ics')
  const page = join(dir, 'blocked.html')
  await writeFile(file, calendar2050('0112', '0211', '0311'))
  await writeFile(page, '<!doctype html><title>Access Denied</title>')

  expect(await calendar('dates')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^no publisher’s calendar is on record/),
  })
  expect(await calendar('read', 'bls', file)).toMatchObject({
    code: 0,
    stdout: `bls  ${file}\n  ${CPI}: new, 3 dates; next 2050-01-12 13:30 UTC\n  ${JOBS}: new, 2 dates; next 2050-03-04\n`,
  })
  expect((await calendar('read', 'bls', file)).stdout).toContain(`${CPI}: unchanged; next 2050-01-12 13:30 UTC\n`)
  const [line, other, ...rest] = (await calendar('dates')).stdout.split('\n')
  expect(line).toMatch(
    /^bls {2}Consumer Price Index {2}next 2050-01-12 13:30 UTC {2}USA\/cpi {2}local file {2}read 2\d{3}-.*Z$/,
  )
  expect(other).toContain('next 2050-03-04  USA/unemployment USA/labour-force-participation')
  expect(rest).toEqual([''])
  const [json] = (await calendar('dates', '--json')).stdout.split('\n')
  expect(JSON.parse(json ?? '')).toEqual((await valuesOf(journal, 'release_dates'))[0])

  expect(await calendar('read', 'bls', page)).toMatchObject({
    code: 3,
    stdout: expect.stringContaining('refused: html_page: The document is an HTML page, titled "Access Denied".'),
  })
  expect(await calendar('read', 'fred')).toMatchObject({
    code: 3,
    stdout: expect.stringContaining('ALMANAC_FRED_API_KEY'),
  })
  await writeFile(file, calendar2050('0112'))
  expect(await calendar('read', 'bls', file)).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(/fewer_dates .*read it with `\.\/almanac calendar read bls --allow-fewer`/),
  })
  expect(await valuesOf(journal, 'release_dates')).toHaveLength(2)
  expect(await calendar('read', 'bls', file, '--allow-fewer')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`${CPI}: changed, 1 date; next`),
  })
  expect((await valuesOf(journal, 'release_dates')).at(-1)?.dates).toEqual(['2050-01-12'])
})

it('says which calendars there are, and refuses other arguments', async () => {
  const dir = await temporaryDirectory()
  await openEmbeddedTestJournal(undefined, dir)
  for (const [said, args] of [
    ['"ons" is not a calendar that is read; these are: bls, bea, fred', ['read', 'ons']],
    ['use `./almanac calendar cancel', ['read']],
    ['use `./almanac calendar cancel', ['read', 'bls', 'a.ics', 'b.ics']],
    ['use `./almanac calendar cancel', ['read', 'bls', '--json']],
    ['use `./almanac calendar cancel', ['dates', 'bls']],
    ['use `./almanac calendar cancel', ['list', '--allow-fewer']],
  ] as const) {
    expect(await runCommand(['calendar', ...args], { ALMANAC_DATA_DIR: dir })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(said),
    })
  }
})
