import { readFileSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { withoutControls } from '../../cli/ingest-report.ts'
import { runCommand } from '../support/command.ts'
import { openEmbeddedTestJournal } from '../support/embedded-journal.ts'
import { temporaryDirectory, until } from '../support/journal.ts'
import { seriesFileHead } from '../support/series-file.ts'
import { almanac } from '../support/service.ts'

type Quarantined = { part: number; reason: string; location: string; detail: string; sha256: string }

async function folder(files: Readonly<Record<string, string | Uint8Array>>) {
  const dir = await temporaryDirectory()
  const input = join(dir, 'input')
  await mkdir(input)
  for (const [name, content] of Object.entries(files)) await writeFile(join(input, name), content)
  const env = { ALMANAC_DATA_DIR: join(dir, 'data') }
  expect(await runCommand(['journal', 'init'], env)).toMatchObject({ code: 0, stderr: '' })
  const values = async <T>(topic: string): Promise<T[]> =>
    (await runCommand(['replay', topic], env)).stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { value: T }).value)
  return { input, env, values }
}

describe('almanac ingest', () => {
  it('of a folder puts the good files on record and the bomb between them into quarantine, and says so', async () => {
    const bomb = zipSync({ 'x.csv': strToU8(`<r>${'<a/>'.repeat(2_000_000)}</r>`) })
    expect(bomb.length).toBeLessThan(10_000)
    const others = 'JPY, DKK, GBP, SEK, CHF, NOK, AUD, CAD, HKD, KRW, NZD, SGD, ZAR'
    const day = (date: string) => `Date, USD, ${others}, \n${date}, 1.10, ${'N/A, '.repeat(13)}\n`
    const { input, env, values } = await folder({
      'a.csv': day('2026-01-05'),
      'b.zip': bomb,
      'c.csv': day('2026-01-06'),
    })
    const { code, stdout, stderr } = await runCommand(['ingest', 'ecb', input], env)
    expect(stderr).toBe('')
    expect(code).toBe(3)
    expect(stdout).toContain('b.zip\n  quarantined: too_large: The document has more than 1000000 elements')
    expect(stdout).toContain('total: 1 rejected, 2 prices')
    expect(await values<Quarantined>('quarantine')).toMatchObject([{ reason: 'too_large' }])
    const again = await runCommand(['ingest', 'ecb', join(input, 'a.csv'), join(input, 'c.csv')], env)
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('total: 2 ') })
  })

  it('tells each rejected row with file, line and reason, counts them by reason, and none can speak to the terminal', async () => {
    const bad = Array.from({ length: 30 }, (_, i) => `20${10 + i}-13,1\n`)
    const { input, env, values } = await folder({
      'rows.csv': `${seriesFileHead}2025-01,100\n2025-02,\u001b[2J${'9'.repeat(500_000)}\n${bad.join('')}`,
      'url.csv': seriesFileHead.replace('https://example.org/cpi', 'javascript:alert(1)').concat('2025-01,100\n'),
      'head.csv': seriesFileHead.replace('Office of Examples', 'x'.repeat(2_000_000)).concat('2025-03,100\n'),
      'z.csv': `${seriesFileHead}2025-04,100\n`,
    })
    const missing = join(input, 'missing.csv')
    const { code, stdout, stderr } = await runCommand(['ingest', 'file', missing, input], env)
    expect(stderr).toBe('')
    expect(code).toBe(3)
    expect(stdout).toMatch(/^not read: unreadable_file: /)
    expect(stdout).toMatch(/^CPI {2}.*\/rows\.csv\n {2}1 new, 31 rejected\n {2}rejected: not_a_decimal at line 15: /m)
    expect(stdout).toContain('rejected: bad_period at line 16')
    expect(stdout.match(/^ {2}rejected: /gm)).toHaveLength(31)
    expect(stdout).toMatch(/^rejected: 30 bad_period, 2 bad_member, 1 not_a_decimal$/m)
    expect(stdout).toMatch(/\/url\.csv\n {2}quarantined: bad_member at line 4, url: /)
    expect(stdout).toMatch(/\/head\.csv\n {2}quarantined: bad_member at line 2, publisher: /)
    expect(stdout).not.toContain('\u001b')
    expect(stdout.length).toBeLessThan(12_000)
    expect((await values<{ period: string }>('releases')).map(({ period }) => period)).toEqual(['2025-01', '2025-04'])
    const rejected = (await values<Quarantined>('quarantine')).filter(({ part }) => part === 1)
    expect(rejected.map(({ reason }) => reason).sort()).toEqual(
      [...Array(30).fill('bad_period'), 'bad_member', 'bad_member', 'not_a_decimal'].sort(),
    )
  })

  it('holds what an older file without a date would revise, and dates it by the day that the user says', async () => {
    const rows = (...rates: string[]) =>
      ['date,lf,lf_employed,lf_unemployed,lf_outside,p_rate,ep_ratio,u_rate']
        .concat(rates.map((rate, i) => `2010-0${i + 1}-01,1,1,1,1,64.1,1,${rate}`))
        .map((row) => `${row}\n`)
        .join('')
    const { input, env, values } = await folder({ 'new.csv': rows('3.5', '3.4', '3.6'), 'old.csv': rows('3.7', '3.4') })
    const read = (...args: string[]) => runCommand(['ingest', 'dosm', '--dataset', 'lfs_month', ...args], env)
    expect(await read(join(input, 'new.csv'))).toMatchObject({ code: 0 })
    const held = await read(join(input, 'old.csv'))
    expect(held).toMatchObject({ code: 3, stdout: expect.stringContaining('held_older') })
    expect(held.stdout).toContain('It ends with 2010-02, but the record goes on to 2010-03')

    const dated = await read('--last-updated', '2010-04-10', join(input, 'old.csv'))
    expect(dated).toMatchObject({ code: 0, stdout: expect.stringContaining('total: ') })
    const releases = await values<{ period: string; figures: object; released_on: string; late: boolean }>('releases')
    expect(releases.find(({ figures }) => JSON.stringify(figures) === '{"rate":"3.7"}')).toMatchObject({
      period: '2010-01',
      released_on: '2010-04-10',
      late: true,
    })
    expect(await read('--last-updated', '2010-13-10', input)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        '--last-updated is "2010-13-10". Give a date that exists and is not in the future',
      ),
    })
    expect((await read('--last-updated', '2010-04-10')).stderr).toContain('--last-updated is for files')
  })

  it('reads links in a folder like files, and names one that leads nowhere', async () => {
    const { input, env, values } = await folder({ 'a.csv': `${seriesFileHead}2025-01,100\n` })
    const links = join(input, '..', 'links')
    await mkdir(join(links, 'folder'), { recursive: true })
    await symlink(join(input, 'a.csv'), join(links, 'b.csv'))
    await symlink(join(input, 'gone.csv'), join(links, 'gone.csv'))
    await symlink(input, join(links, 'link-to-folder'))
    const other = join(input, '..', 'other.csv')
    await writeFile(other, `${seriesFileHead}2025-02,100\n`)
    const { code, stdout, stderr } = await runCommand(['ingest', 'file', links, other], env)
    expect([code, stderr]).toEqual([3, ''])
    expect(stdout).toMatch(/^CPI {2}.*\/links\/b\.csv\n {2}1 new\nnot read: unreadable_file: .*\/links\/gone\.csv: /)
    expect(stdout).toMatch(/^total: 2 new$/m)
    expect((await values<{ period: string }>('releases')).map(({ period }) => period)).toEqual(['2025-01', '2025-02'])
  })

  it('does not choose among several datasets for a file', async () => {
    const { input, env } = await folder({ 'a.csv': 'x\n' })
    const answer = await runCommand(['ingest', 'abs', '--dataset', '6202.0', '--dataset', '5206.0', input], env)
    expect(answer).toMatchObject({ code: 2, stderr: expect.stringContaining('a file is of one dataset') })
  })

  it('ends with 0 in spite of rejected rows if they are allowed, but not if a file is missing', async () => {
    const { input, env } = await folder({
      'rows.csv': `${seriesFileHead}2025-01,100\n2025-13,1\n`,
      'page.csv': '<html>',
    })
    const lenient = await runCommand(['ingest', 'file', '--allow-rejected', input], env)
    expect(lenient.stdout).toMatch(/page\.csv\n {2}quarantined: html_page: The document is an HTML page\.$/m)
    expect(lenient).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('\nrejected: 1 html_page, 1 bad_period\n'),
    })
    expect((await runCommand(['ingest', 'file', '--allow-rejected', join(input, 'none.csv')], env)).code).toBe(3)
  })

  it('says that the parser can’t be started, of each file, and puts none into quarantine', async () => {
    const { input, env, values } = await folder({
      'a.csv': `${seriesFileHead}2025-01,100\n`,
      'b.csv': `${seriesFileHead}2025-02,100\n`,
    })
    const notThere = `data:text/javascript,process.execPath=${encodeURIComponent("'/not/there'")}`
    const { code, stdout } = await almanac(['ingest', 'file', input], { ...env, NODE_OPTIONS: `--import=${notThere}` })
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /^not read: .*a\.csv: The parser could not be started: .*\nnot read: .*b\.csv: The parser could not be started: .*\ntotal: nothing\n$/,
    )
    expect(await values('quarantine')).toEqual([])
    expect(await runCommand(['ingest', 'file', input], env)).toMatchObject({ code: 0 })
  })

  it.each(['constructor', '__proto__', 'toString', 'nobody'])('says that there is no source %s', async (name) => {
    const { env } = await folder({})
    const { code, stderr } = await runCommand(['ingest', name], env)
    expect(stderr).toMatch(/^almanac: unknown source "\w+"; the sources are abs, /)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(code).toBe(2)
  })

  it('asks for a source if none is named', async () => {
    const { env } = await folder({})
    const { code, stderr } = await runCommand(['ingest'], env)
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^almanac: name a source: abs, /)])
  })

  it('ends with 130 and says how to continue if the user interrupts it', async () => {
    const { input, env, values } = await folder({ 'figures.csv': `${seriesFileHead}2025-01,100\n` })
    // Held by the test, so that the command waits until it is interrupted.
    const { journal } = await openEmbeddedTestJournal(undefined, env.ALMANAC_DATA_DIR)
    const claim = await journal.claim('ingest/accept')
    const { code, stderr } = await almanac(['ingest', 'file', input], env, (child) => {
      until('its parser process', () => hasChild(child.pid ?? 0)).then(() => child.kill('SIGINT'))
    })
    expect([code, stderr]).toEqual([130, 'almanac: interrupted; run it again to continue\n'])
    await claim.release()
    expect((await runCommand(['ingest', 'file', input], env)).code).toBe(0)
    expect(await values('releases')).toHaveLength(1)
  })
})

it('texts of documents are shown in one line of bounded length', () => {
  expect(withoutControls('a\u001b[31m\nb\u202e')).toBe('a\\u{1b}[31m\\u{a}b\\u{202e}')
  expect(withoutControls('é’…')).toBe('é’…')
  expect(withoutControls('x'.repeat(1_000))).toHaveLength(301)
})

/** Whether a process has started another one, as the kernel shows. */
const hasChild = (pid: number): boolean => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8') !== ''
