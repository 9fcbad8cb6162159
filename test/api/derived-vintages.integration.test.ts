import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SeriesObservationList, VintageList } from '../../contracts/histories.ts'
import { FigureBoard } from '../../domain/figure-board.ts'
import { Lineage } from '../../domain/lineage.ts'
import { Acceptor } from '../../ingest/accept/accept.ts'
import { documentOf } from '../../ingest/source.ts'
import { parseFile } from '../../ingest/sources/file/parse.ts'
import { fileCheckpoints } from '../../processors/checkpoint.ts'
import { vintages } from '../../projections/views/vintages/project.ts'
import { vintageQueries } from '../../projections/views/vintages/query.ts'
import { project, rows, useWorlds } from '../projections/support/world.ts'
import { type Document, dayByDay, documents, itemsOf } from '../support/dated-documents.ts'
import { whileProcessing } from '../support/processing.ts'
import { testDocument } from '../support/releases.ts'
import { ask, world } from './support.ts'

const stored = useWorlds()
const NOW = Date.parse('2026-06-01T00:00:00.000Z')

/**
 * Reads documents in an order into a new journal, through the acceptor and the processors, and serves what comes of it.
 */
async function served(read: (acceptor: Acceptor) => Promise<void>) {
  const { journal, client, journalDir } = await stored()
  const checkpoints = fileCheckpoints(join(journalDir, 'checkpoints'), new Lineage(journal))
  await whileProcessing(journal, checkpoints, () => read(new Acceptor(journal, { now: () => NOW })))
  await project(vintages, { journal, client })
  const figures = new FigureBoard()
  for await (const { records } of journal.readToEnd('releases', 0))
    for (const { value } of records) figures.apply(value)
  const { app } = await world({ figures, history: vintageQueries(client), journalReaches: () => true })
  const get = async <L>(path: string): Promise<L> => {
    const response = await ask(app, path)
    expect(response.statusCode, `${path} ${response.body}`).toBe(200)
    return response.json<L>()
  }
  return { client, app, get }
}

const head = (name: string) => `# almanac: figures 1
# publisher: Office
# licence: none
# url: file:${name}
# source: OFFICE
# dataset: CPI
# indicator: cpi
# country: MNE
# unit: index
# base_period: 2020
# base_value: 100
# seasonal_adjustment: not_seasonally_adjusted
period,value,released_on
`
const months = Array.from({ length: 12 }, (_, i) => `2025-${String(i + 1).padStart(2, '0')}`)
const files = [
  [...months, '2026-01'].map(
    (period, i) => `${period},${period === '2026-01' ? 104 : 101 + i},${months[i + 1] ?? `2026-0${i - 10}`}-15`,
  ),
  ['2025-01,102,2026-03-15', '2026-02,105,2026-03-15'],
  ['2026-01,103.5,2026-04-15', '2026-03,106,2026-04-15'],
].map((lines, i) => `${head(`${i}.csv`)}${lines.join('\n')}\n`)

const parsed = (text: string) => {
  const about = {
    source: 'FILE',
    dataset: 'f',
    publisher: '',
    licence: '',
    url: 'file:f',
    retrievedAt: '2026-06-01T00:00:00.000Z',
  }
  const document = documentOf(Buffer.from(text), about)
  return { document, items: parseFile(document) }
}

test.each([[[0, 1, 2]], [[0, 2, 1]], [[2, 1, 0]]])(
  'inflation as of any day, files read in the order %j',
  async (order) => {
    const { get } = await served(async (acceptor) => {
      for (const i of order) {
        const { document, items } = parsed(files[i] ?? '')
        await acceptor.accept(document, items)
      }
    })
    const path = '/v1/economics/MNE/inflation'
    const on = async (day: string) => {
      const { observations } = await get<SeriesObservationList>(
        `${path}/observations?as_of=${day}&start=2026-01&end=2026-01`,
      )
      return observations.find(({ transformation }) => transformation === 'year_over_year')?.value
    }
    expect([await on('2026-02-20'), await on('2026-03-20'), await on('2026-04-20')]).toEqual(['3.0', '2.0', '1.5'])
    const prints = await get<VintageList>(`${path}/vintages?start=2026-01&end=2026-01`)
    expect(
      prints.vintages
        .filter(({ transformation }) => transformation === 'year_over_year')
        .map(({ released_on, value }) => [released_on, value]),
    ).toEqual([
      ['2026-02-15', '3.0'],
      ['2026-03-15', '2.0'],
      ['2026-04-15', '1.5'],
    ])
    expect(await get(`${path}?period=2026-01`)).toMatchObject({ year_over_year: '1.5', released_on: '2026-04-15' })
  },
)

test('all derived figures as of any day, of drawn documents in any order', async () => {
  const answered = new Set<string>()
  const answersOf = async (all: readonly Document[]) => {
    const { client, app } = await served(async (acceptor) => {
      for (const document of all) if (document.length > 0) await acceptor.accept(testDocument, itemsOf(document))
    })
    const answers: unknown[][] = []
    const paths = ['MNE/inflation', 'USA/gdp-growth', 'USA/trade', 'USA/trade/imports']
    const frequencies = { 'USA/trade': ['M', 'A'], 'USA/trade/imports': ['A'] } as Record<string, string[]>
    for (const path of paths)
      for (const frequency of frequencies[path] ?? [''])
        for (const day of ['2026-03-04', '2026-03-08', '2026-03-12', '2026-03-20', '2026-06-01']) {
          const only = frequency && `&frequency=${frequency}`
          const url = `/v1/economics/${path}/observations?as_of=${day}&limit=1000${only}`
          const { statusCode, body } = await ask(app, url)
          answers.push([url, statusCode, JSON.parse(body).observations])
        }
    const columns = 'series, period, measure, value_text, released_on, released_on_basis'
    const derived = "derivation != '' ORDER BY series, period, measure, released_on"
    answers.push(await rows(client, `SELECT ${columns} FROM figure_vintages WHERE ${derived}`))
    answers.push(await rows(client, `SELECT ${columns} FROM current_figures WHERE ${derived}`))
    for (const [url, status] of answers) if (status === 200) answered.add(String(url).replace(/as_of=[^&]*&/, ''))
    return answers
  }
  const drawn = fc.sample(documents, { numRuns: 2, seed: Number(process.env.ALMANAC_TEST_SEED ?? 8) })
  for (const { documents, inOrder } of drawn)
    expect(await answersOf(inOrder)).toEqual(await answersOf(dayByDay(documents)))
  // Each of inflation, growth, months and years of trade, and years of imports.
  expect(answered.size).toBe(5)
})
