import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { readCsvTable } from '../../console/browser/csv-table.js'
import { figureOfRow, valuesOn, vintagesOf } from '../../console/browser/vintages.js'
import type { CalendarEntry } from '../../contracts/calendar.ts'
import type { CatalogEntry } from '../../contracts/catalog.ts'
import type { CheckedClaim } from '../../contracts/claims.ts'
import type { SeriesObservationList } from '../../contracts/histories.ts'
import { indicators, type ServedIndicator, servingOf } from '../../contracts/indicators.ts'
import { type ReleaseDetail, releaseIdIn } from '../../contracts/release-detail.ts'
import { frequencyOf } from '../../domain/period.ts'
import { startSample } from '../support/demo.ts'

type Cell = { period: string; value: string; series: string; source: string; on: string; basis: string }
/** As many histories as an account may have running: more would wait, and are refused where the wait is long. */
const AT_ONCE = 2

type Row = Readonly<Record<string, string>>

/** Answer of the store to a query on its socket, as JSON lines. */
async function sql<R>(dataDir: string, query: string): Promise<R[]> {
  const { url } = JSON.parse(await readFile(join(dataDir, 'store.json'), 'utf8'))
  const sent = request({ socketPath: url.replace('unix:', ''), method: 'POST', path: '/' }).end(
    `${query} FORMAT JSONEachRow`,
  )
  const body = await new Promise<string>((resolve, reject) => {
    sent.on('response', (response) => resolve(text(response))).on('error', reject)
  })
  return body
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

/** The whole sample in the long tier, else a third of its cells, drawn by the seed. */
const SHARE = process.env.ALMANAC_TEST_WHOLE === '1' ? 1 : 3
const SEED = Number(process.env.ALMANAC_TEST_SEED ?? Date.now() % 1_000_000)

/** A person who asks for the newest figure of a cell gets the same one wherever they ask. */
it(`the newest figure, its history, CSV, plot, SQL, catalogue and calendar agree in the cells of the sample (seed ${SEED})`, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'almanac-cells-'))
  const service = await startSample(dataDir, { ALMANAC_DEMO: '0', ALMANAC_SCHEDULE: '0' })
  try {
    const authorization = `Bearer ${(await service.keys()).pro}`
    const ask = async (path: string) => {
      const answer = await fetch(service.base + path, { headers: { authorization } })
      expect(answer.status, path).toBe(200)
      return answer
    }
    const json = async <T>(path: string): Promise<T> => (await ask(path)).json() as Promise<T>
    const { series } = await json<{ series: CatalogEntry[] }>('/v1/catalog')
    const cells = [
      ...new Set(series.filter((one) => one.is_served).map(({ country, indicator }) => `${country} ${indicator}`)),
    ]
    expect(cells.length).toBeGreaterThanOrEqual(90)
    const drawn = cells.filter((_, i) => i % SHARE === SEED % SHARE)
    const { entries: pending } = await json<{ entries: CalendarEntry[] }>(
      '/v1/calendar?status=late&status=expected&limit=1000',
    )
    expect(pending.length).toBeGreaterThan(cells.length / 2)
    const served = await sql<Row>(
      dataDir,
      `SELECT country, indicator, frequency, period, measure, value_text AS value, series, source,
        toString(released_on) AS on, released_on_basis AS basis
      FROM current_figures WHERE is_served ORDER BY period DESC LIMIT 1 BY country, indicator, frequency, measure`,
    )
    const agree = async (cell: string) => {
      const [country = '', code = ''] = cell.split(' ')
      // Cast: the catalogue marks as served only indicators that are.
      const indicator = code as ServedIndicator
      const path = `/v1/economics/${country}/${servingOf(indicator).path}`
      const latest = await ask(path)
      const body = (await latest.json()) as Row
      const release = await json<ReleaseDetail>(`/v1/releases/${releaseIdIn(latest.headers.get('link') ?? '')}`)
      expect(release.is_served, cell).toBe(true)
      const figure = indicators[indicator].figures.findLast((name) => typeof body[name] === 'string') ?? ''
      const wanted: Cell = {
        period: body.period ?? '',
        value: body[figure] ?? '',
        series: release.series.id,
        source: release.series.source,
        on: body.released_on ?? '',
        basis: latest.headers.get('almanac-released-on-basis') ?? '',
      }
      expect([release.released_on, release.released_on_basis], cell).toEqual([wanted.on, wanted.basis])

      const history = `${path}/observations?start=${wanted.period}`
      const { observations } = await json<SeriesObservationList>(history)
      const last = observations.at(-1)
      // The interface specification gives the history of exports no more members.
      const own = { period: last?.period, value: last?.value }
      const whole = {
        ...own,
        series: last?.series,
        source: last?.source,
        on: last?.released_on,
        basis: last?.released_on_basis,
      }
      const isNarrow = indicator === 'trade-exports'
      expect(isNarrow ? own : whole, history).toEqual(
        isNarrow ? { period: wanted.period, value: wanted.value } : wanted,
      )

      const claim = { country, indicator, period: wanted.period, value: wanted.value }
      const checked = await json<CheckedClaim>(`/v1/verify?${new URLSearchParams(claim)}`)
      expect(checked.verdict, cell).toBe('current')
      expect(checked.prints.filter(({ is_served }) => is_served).map(({ series }) => series)).toContain(wanted.series)

      const csv = readCsvTable(await (await ask(`${history}&format=csv`)).text()).at(-1)
      expect([csv?.period, csv?.value], history).toEqual([wanted.period, wanted.value])

      const { frequency } = release.series
      // Cast: the header row has the names of the entries' members.
      const table = async (list: string) =>
        readCsvTable(await (await ask(`${path}/${list}format=csv&frequency=${frequency}`)).text()).filter(
          (row) => figureOfRow(row as never, indicators[indicator].figures) === figure,
        )
      const plotted = vintagesOf((await table('vintages?')) as never)
      const drawn = plotted.prints.at(-1)?.at(-1)
      expect({
        period: plotted.periods.at(-1),
        value: drawn?.value,
        series: drawn?.row.series,
        source: drawn?.row.source,
        on: drawn?.row.released_on,
        basis: drawn?.row.released_on_basis,
      }).toEqual(wanted)

      // What the console draws for a day is what REST answers as of that day.
      const { dates, periods } = plotted
      for (const day of new Set([1, 2, 3].map((n) => dates[Math.floor((n * dates.length) / 4)] ?? ''))) {
        const known = (await table(`observations?as_of=${day}&`)).map((row) => [row.period, row.value])
        const shown = valuesOn(plotted, day).flatMap((value, i) => (value === null ? [] : [[periods[i], value]]))
        expect(shown, `${path} as of ${day}`).toEqual(known)
      }

      const isOfCell = (one: { country: string; indicator: string }) =>
        one.country === country && one.indicator === indicator
      const listed = series.find((one) => isOfCell(one) && one.is_served && one.frequency === frequency)
      expect([listed?.latest_period, String(listed?.periods_ended_since)], cell).toEqual([
        wanted.period,
        latest.headers.get('almanac-periods-ended-since'),
      ])
      const awaited = pending.filter((one) => isOfCell(one) && frequencyOf(one.period) === frequency)
      expect(awaited.filter(({ period }) => period <= wanted.period)).toEqual([])
      const row = served.find(
        (one) =>
          one.country === country &&
          one.indicator === indicator &&
          one.frequency === frequency &&
          one.measure === figure,
      )
      expect(row, cell).toMatchObject(wanted)
    }
    for (let i = 0; i < drawn.length; i += AT_ONCE) await Promise.all(drawn.slice(i, i + AT_ONCE).map(agree))
  } finally {
    await service.destroy()
    await rm(dataDir, { recursive: true, force: true })
  }
})
