import { beforeAll, expect, test } from 'vitest'
import type { VintageList } from '../../contracts/histories.ts'
import { vintages } from '../../projections/views/vintages/project.ts'
import { vintageQueries } from '../../projections/views/vintages/query.ts'
import { append, project, type World as Stored, useWorlds } from '../projections/support/world.ts'
import { until } from '../support/journal.ts'
import { accepted, candidate, testSeries } from '../support/releases.ts'
import { ask, bearer, type World, world } from './support.ts'

/** Histories as long as one answer may be. */
const ROWS = 100_000
const stored = useWorlds()
let store: Stored
let served: World

const cpi = testSeries()
const triangle = testSeries({ country: 'CAN' })
const month = (n: number) => `${String(Math.floor(n / 12)).padStart(4, '0')}-${String((n % 12) + 1).padStart(2, '0')}`

/** Rows of the table itself, because a journal of this size would take minutes. */
async function insert(of: typeof cpi, count: number, row: (n: number) => object): Promise<void> {
  const { id, ...identity } = of
  const common = { series: id, ...identity, released_on_basis: 'publisher', recorded_at: '2026-01-15 12:00:00.000' }
  const values = Array.from({ length: count }, (_, n) => ({
    ...common,
    revises: null,
    release_id: `rel_${String(n).padStart(26, '0')}`,
    released_on: '2026-01-15',
    ...row(n),
  }))
  await store.client.insert({ table: 'vintages', values, format: 'JSONEachRow' })
}

beforeAll(async () => {
  store = await stored()
  const { journal, client } = store
  const releases = [cpi, triangle].map((series) => accepted(candidate(series, '2024-01', { value: '100' })))
  await append(journal, 'releases', releases)
  await project(vintages, { journal, client })
  // The first release is one of the rows.
  await insert(cpi, ROWS, (n) => ({ period: month(n), figures: { value: `${n}.5` }, _offset: 10 + n }))
  const value = (n: number) => ({ value: `${100 + (n % 400)}.5` })
  await insert(triangle, ROWS - 1, (n) => ({
    period: month(12 * 1990 + Math.floor(n / 400)),
    figures: value(n),
    _offset: 10 + ROWS + n,
  }))
  // The rows are not in memory, so that nothing of them may be kept.
  served = await world({ history: vintageQueries(client), newestRelease: () => -1, journalReaches: () => true })
  for (const release of releases) served.releases.board.apply(release)
})

/** On a busy machine a long answer is refused for a while, with the advice to ask again. */
async function answerTo(url: string): Promise<Awaited<ReturnType<typeof ask>>> {
  let answer = await ask(served.app, url)
  await until(`${url} is answered`, async () => {
    if (answer.statusCode === 503) answer = await ask(served.app, url)
    return answer.statusCode !== 503
  })
  return answer
}

async function rowsOf(path: string): Promise<string[]> {
  const { statusCode, body } = await answerTo(path)
  expect(statusCode, body.slice(0, 200)).toBe(200)
  return body.trim().split('\r\n').slice(1)
}

test('a whole history and a whole revision triangle are one answer of 100,000 rows', async () => {
  const history = await rowsOf('/v1/economics/USA/cpi/observations?format=csv')
  expect(history).toHaveLength(ROWS)
  expect(new Set(history.map((line) => line.split(',')[5])).size).toBe(ROWS)
  const all = await rowsOf('/v1/economics/CAN/cpi/vintages?format=csv')
  expect(all).toHaveLength(ROWS)
  expect(all[401]).toMatch(/^CAN,cpi,101\.5,index,,1990-02,/)
  // Pages end within periods, and so do the blocks that they are read in.
  const pages: string[] = []
  for (let cursor = ''; pages.length < 2_800; ) {
    const page = await answerTo(`/v1/economics/CAN/cpi/vintages?limit=700${cursor}`)
    const { vintages, next_cursor } = page.json<VintageList>()
    pages.push(...vintages.map(({ release_id }) => release_id))
    cursor = `&cursor=${next_cursor}`
  }
  expect(pages).toEqual(all.slice(0, 2_800).map((line) => line.split(',').find((cell) => cell.startsWith('rel_'))))
})

test('a longer one is refused, with the range that fits', async () => {
  await insert(cpi, 1, () => ({ period: '9999-01', figures: { value: '1' }, _offset: 9_000_000 }))
  const { problem } = await answerTo('/v1/economics/USA/cpi/observations?format=csv')
  expect(problem).toMatchObject({
    code: 'invalid_query',
    detail:
      'the answer would have more than 100000 rows: ask for a range, such as start=0000-01&end=8333-04, or ask page by page, with limit',
  })
  const range = '/v1/economics/USA/cpi/observations?format=csv&start=0000-01&end=8333-04'
  expect(await rowsOf(range)).toHaveLength(ROWS)
})

test('six at a time take bounded memory, and other requests go on', async () => {
  const url = '/v1/economics/CAN/cpi/vintages?format=csv'
  const plans = ['free', 'basic', 'pro'] as const
  // Each asks for all of it in other words, because those who ask the same get one answer.
  const running = Promise.all(
    [...plans, ...plans].map((plan, n) => ask(served.app, { url: `${url}&start=198${n}-01`, headers: bearer(plan) })),
  )
  let isOver = false
  const end = () => {
    isOver = true
  }
  running.then(end, end)
  const [before, waits] = [process.memoryUsage.rss(), [] as number[]]
  let most = 0
  while (!isOver) {
    const asked = performance.now()
    expect((await ask(served.app, '/v1/economics/USA/unemployment')).statusCode).toBe(200)
    waits.push(performance.now() - asked)
    most = Math.max(most, process.memoryUsage.rss())
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const answers = Map.groupBy(await running, ({ statusCode }) => statusCode)
  // On a busy machine an answer may take more time than it is given.
  expect([...answers.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([])
  expect(new Set((answers.get(200) ?? []).map(({ body }) => body.length)).size).toBeLessThan(2)
  // Measured on two cores: 170 to 290 MB, on a busy machine up to 680, and 37 ms for the longest wait.
  expect(waits.length).toBeGreaterThan(20)
  expect(Math.max(...waits)).toBeLessThan(5_000)
  expect((most - before) / 1e6).toBeLessThan(1_000)
})
