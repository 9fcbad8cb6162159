import { join } from 'node:path'
import { expect, it } from 'vitest'
import { nextAsking } from '../../ingest/schedule/asking.ts'
import { timetable } from '../../ingest/schedule/timetable.ts'
import { runCommand } from '../support/command.ts'
import { openEmbeddedTestJournal } from '../support/embedded-journal.ts'
import { temporaryDirectory } from '../support/journal.ts'
import { releaseDates } from '../support/release-dates.ts'

const HOUR = 3_600_000
const dayIn = (days: number): string => new Date(Date.now() + days * 24 * HOUR).toISOString().slice(0, 10)

it('takes announced days into account, and names them', async () => {
  const directory = await temporaryDirectory()
  const { journal } = await openEmbeddedTestJournal(undefined, directory)
  const dates = [dayIn(30), dayIn(60)]
  const times = dates.map((day) => `${day}T13:30:00.000Z`)
  const value = releaseDates(dates, { times })
  await journal.append('release_dates', 0, [{ value, id: 'TEST', at: 0 }])

  const { code, stdout, stderr } = await runCommand(['schedule'], { ALMANAC_DATA_DIR: directory })
  expect([code, stderr]).toEqual([0, ''])
  const rule = '45 8,10 * * *, working days near announced days, otherwise 30 7 * * 6 (America/New_York)'
  const lineOf = (job: string) => stdout.split('\n').find((line) => line.includes(`${job} `)) ?? ''
  expect(lineOf('fred/CPIAUCSL')).toMatch(/^\d{4}-\d\d-\d\d 1[12]:30 UTC /)
  expect(lineOf('fred/CPIAUCSL')).toContain(`${rule}; announced for ${dates[0]} 13:30 UTC`)
  expect(lineOf('fred/UNRATE')).toMatch(/ 1[2-5]:45 UTC /)
  expect(lineOf('fred/UNRATE')).not.toContain('announced for')

  const json = JSON.parse((await runCommand(['schedule', '--json'], { ALMANAC_DATA_DIR: directory })).stdout)
  const find = (job: string) => json.jobs.find((each: { job: string }) => each.job === job)
  expect(json.announced_days_fault).toBeNull()
  expect(find('fred/CPIAUCNS')).toMatchObject({ announced: times, time_zone: 'America/New_York' })
  expect(new Date(find('fred/CPIAUCNS').next_run).getUTCDay()).toBe(6)
  expect(find('fred/UNRATE').announced).toEqual([])
})

it('says that it could not read them, and goes on with the rules', async () => {
  const dir = join(await temporaryDirectory(), 'none')
  const now = Date.now()
  const { code, stderr } = await runCommand(['schedule'], { ALMANAC_DATA_DIR: dir })
  expect(code).toBe(0)
  expect(stderr).toMatch(/^almanac: announced days are not taken into account: there is no journal in .*none\/journal/)
  const json = await runCommand(['schedule', '--json'], { ALMANAC_DATA_DIR: dir })
  expect([json.code, json.stderr]).toEqual([0, ''])
  const { jobs, announced_days_fault: fault } = JSON.parse(json.stdout)
  expect(fault).toMatch(/^there is no journal in .*none\/journal/)
  const cpi = timetable.find(({ datasets }) => datasets.includes('CPIAUCSL')) ?? expect.fail()
  const [{ next_run }] = jobs.filter((each: { job: string }) => each.job === 'fred/CPIAUCSL')
  expect([nextAsking(cpi, now), nextAsking(cpi, Date.now())]).toContain(Date.parse(next_run))
})
