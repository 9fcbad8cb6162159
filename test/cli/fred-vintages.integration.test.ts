import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import type { Release } from '../../contracts/records.ts'
import { fredSeries } from '../../ingest/sources/fred/parse.ts'
import { fixturePath } from '../ingest/sources/fixture.ts'
import { runCommand } from '../support/command.ts'
import { type Exchange, serve } from '../support/http-server.ts'
import { temporaryDirectory } from '../support/journal.ts'

/** Where the tests' FRED is. */
const mirror = vi.hoisted(() => ({ address: '' }))
vi.mock('../../ingest/sources/fred/index.ts', async (original) => {
  const actual = await original<typeof import('../../ingest/sources/fred/index.ts')>()
  return { ...actual, fred: (options: object) => actual.fred({ ...options, ...mirror }) }
})

const recorded = JSON.parse(readFileSync(fixturePath('fred/GDP-vintages.json'), 'utf8'))
// The quarters between are not in the excerpt, so that this step would be held.
recorded.observations = recorded.observations.filter(({ date }: { date: string }) => date > '1946-01-01')
/** Rows of the first page, which ends among the prints of 2024-Q1. FRED's has 100,000; this one says that its limit is lower. */
const FIRST_PAGE = 24
/** As FRED counts: a full page, and the rest of what is recorded. */
const count = 100_000 + recorded.observations.length - FIRST_PAGE

/** FRED with all vintages of GDP in two pages. Each answer may be replaced. */
async function fredServer(answer: (page: string, body: string) => string | undefined = (_, body) => body) {
  const exchange: Exchange = ({ url = '', socket }, response) => {
    const { searchParams } = new URL(url, 'http://fred.test')
    const offset = Number(searchParams.get('offset'))
    const rows = offset === 0 ? [0, FIRST_PAGE] : [FIRST_PAGE]
    const limit = offset === 0 ? FIRST_PAGE : Number(searchParams.get('limit'))
    const page = { ...recorded, count, offset, limit, observations: recorded.observations.slice(...rows) }
    const body = answer(String(offset), JSON.stringify(page))
    if (body === undefined) socket.destroy()
    else response.end(body)
  }
  const { address, requests } = await serve(exchange)
  mirror.address = address
  return {
    requests,
    queries: () => requests.map((path) => Object.fromEntries(new URLSearchParams(path.split('?')[1]))),
  }
}

async function newJournal() {
  const directory = join(await temporaryDirectory(), 'data')
  const env = { ALMANAC_DATA_DIR: directory, ALMANAC_FRED_API_KEY: 'sesame' }
  expect(await runCommand(['journal', 'init'], env)).toMatchObject({ code: 0, stderr: '' })
  return {
    directory,
    env,
    ingest: (...args: string[]) => runCommand(['ingest', 'fred', '--dataset', 'GDP', ...args], env),
    /** Values of a period with their days, in the order of release. */
    prints: async (period: string) => {
      const lines = (await runCommand(['replay', 'releases'], env)).stdout.trim().split('\n')
      const releases = lines.map((line) => (JSON.parse(line) as { value: Release }).value)
      return releases
        .filter((release) => release.period === period)
        .map(({ released_on, figures }) => `${released_on} ${figures.value}`)
        .sort()
    },
  }
}

const GDP_2024_Q1 = [
  '2024-04-25 28284498000000',
  '2024-05-30 28255928000000',
  '2024-06-27 28269174000000',
  '2024-09-26 28624069000000',
]

it('records every print of FRED with its day, and nothing when it is repeated', async () => {
  const { queries } = await fredServer()
  const { ingest, prints } = await newJournal()
  const first = await ingest('--vintages')
  expect(first).toMatchObject({ code: 0, stderr: '' })
  expect(first.stdout).not.toContain('sesame')
  expect(queries()).toEqual(
    ['0', '100000'].map((offset) => ({
      series_id: 'GDP',
      file_type: 'json',
      limit: '100000',
      offset,
      realtime_start: '1776-07-04',
      realtime_end: '9999-12-31',
      api_key: 'sesame',
    })),
  )
  expect(await prints('2024-Q1')).toEqual(GDP_2024_Q1)
  expect((await ingest('--vintages')).stdout).toMatch(/^total: \d+ unchanged$/m)
})

it('continues after a run that broke off, and then has what a whole one has', async () => {
  let isAway = true
  await fredServer((page, body) => (page === '0' || !isAway ? body : undefined))
  const { ingest, prints } = await newJournal()
  const { code, stdout } = await ingest('--vintages')
  expect(code).toBe(3)
  expect(stdout).toContain('not read: ')
  // What came before the fault is on record, and counted.
  expect(stdout).toMatch(/^total: 4 new, 19 revised, 1 withdrawn$/m)
  expect(await prints('2024-Q1')).toEqual(GDP_2024_Q1.slice(0, 2))
  isAway = false
  expect(await ingest('--vintages')).toMatchObject({ code: 0, stderr: '' })
  expect(await prints('2024-Q1')).toEqual(GDP_2024_Q1)
  expect((await ingest('--vintages')).stdout).toMatch(/^total: \d+ unchanged$/m)
})

it('asks for all datasets if none is named, also after one that fails', async () => {
  const series: string[] = []
  const { address } = await serve(({ url = '' }, response) => {
    series.push(new URL(url, 'http://fred.test').searchParams.get('series_id') ?? '')
    response.writeHead(404).end('{}')
  })
  mirror.address = address
  const { env } = await newJournal()
  const { code, stdout } = await runCommand(['ingest', 'fred'], env)
  expect(code).toBe(3)
  expect(stdout.match(/^.*not read: .*$/gm)).toHaveLength(series.length)
  expect(series).toEqual(Object.keys(fredSeries))
})

it('asks for no further dataset where the publisher wants to be asked later', async () => {
  const { address, requests } = await serve((_, response) => {
    response.writeHead(429, { 'retry-after': '3600' }).end()
  })
  mirror.address = address
  const { env } = await newJournal()
  const { code, stdout } = await runCommand(['ingest', 'fred'], env)
  expect(code).toBe(3)
  expect(stdout).toContain('wants to be asked later')
  expect(new Set(requests).size).toBe(1)
})

it('adds the earlier prints to today’s figures, and leaves the memory of the publisher alone', async () => {
  const today = recorded.observations
    .filter(({ realtime_end }: { realtime_end: string }) => realtime_end === '9999-12-31')
    .map((row: object) => ({ ...row, realtime_start: '2026-11-20', realtime_end: '2026-11-20' }))
  const head = { realtime_start: '2026-11-20', realtime_end: '2026-11-20', count: today.length }
  const snapshot = JSON.stringify({ ...recorded, ...head, observations: today })
  const { requests } = await fredServer((_, body) => (requests.at(-1)?.includes('realtime_start') ? body : snapshot))
  const { directory, ingest, prints } = await newJournal()
  const memory = async () => {
    const files = (await readdir(directory, { recursive: true })).filter((name) => name.endsWith('GDP.json'))
    return files.map((name) => [name, readFileSync(join(directory, name), 'utf8')])
  }
  expect(await ingest('--if-changed')).toMatchObject({ code: 0, stderr: '' })
  const before = await memory()
  expect(before).toHaveLength(1)
  expect(await prints('2024-Q1')).toEqual(['2026-11-20 28624069000000'])
  expect(await ingest('--vintages')).toMatchObject({ code: 0, stderr: '' })
  expect(await memory()).toEqual(before)
  expect(await prints('2024-Q1')).toEqual([...GDP_2024_Q1, '2026-11-20 28624069000000'])
})

it.each([
  ['another source', ['bis', '--vintages'], '--vintages is for FRED'],
  ['a file', ['fred', '--dataset', 'GDP', '--vintages', fixturePath('fred/GDP-vintages.json')], 'for a download'],
  ['what is new alone', ['fred', '--dataset', 'GDP', '--vintages', '--if-changed'], 'leave out --if-changed'],
])('is not for %s', async (_, args, message) => {
  const env = { ALMANAC_DATA_DIR: await temporaryDirectory(), ALMANAC_FRED_API_KEY: 'sesame' }
  expect(await runCommand(['ingest', ...args], env)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(message),
  })
})

it('says how to get a key, without which FRED has no vintages', async () => {
  const answer = await runCommand(['ingest', 'fred', '--dataset', 'GDP', '--vintages'], {
    ALMANAC_DATA_DIR: await temporaryDirectory(),
  })
  expect(answer).toMatchObject({ code: 2, stderr: expect.stringContaining('set ALMANAC_FRED_API_KEY') })
})
