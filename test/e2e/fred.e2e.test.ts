import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CatalogEntry } from '../../contracts/catalog.ts'
import type { Release } from '../../contracts/records.ts'
import { startOfPeriod } from '../../domain/period.ts'
import { runCommand } from '../support/command.ts'
import { startSample } from '../support/demo.ts'
import { snippetWith } from '../support/documents-text.ts'
import { hasNoPython, python } from '../support/python.ts'
import type { Service } from '../support/service.ts'

/** The FRED-style surface of the sample as fredapi, the most used client of FRED's vintages, reads it. */

/** An id of the surface, the series and the figure that it names, and how many rows all its releases have at least. */
const asked = [
  ['USA.gdp.Q.FRED.GDP.USD.SA.annualized', 'value', 1_023],
  ['USA.unemployment.M.FRED.UNRATE.percent.SA', 'rate', 340],
  // Derived: some releases were voided. The others have an id that needs care in an address.
  ['USA.trade.M.CENSUS.FTD.USD.SA.trade_from_flows', 'balance', 320],
  ['AUS.trade.M.ABS.A2718577A+A2718603V.AUD.SA.trade_from_flows', 'exports', 100],
  ['USA.inflation.M.BLS.CUUR0000SA0.percent.NSA.1982/1984=100.inflation_from_cpi', 'year_over_year', 280],
] as const
const idOf = (series: string, figure: string) =>
  figure === 'value' || figure === 'rate' ? series : `${series}:${figure}`

/** A day in the middle of the vintages of GDP. */
const DAY = '2014-06-15'

type Value = readonly [date: string, value: number | null]
type Row = readonly [date: string, realtimeStart: string, value: number | null]
type Found = Readonly<Record<'all' | 'as_of', readonly Row[]>> &
  Readonly<Record<'first' | 'on_day' | 'latest' | 'within', readonly Value[]>> & {
    readonly vintage_dates: readonly string[]
    readonly info: Readonly<Record<string, string>>
  }
type Answers = {
  readonly series: Readonly<Record<string, Found>>
  readonly search: readonly (readonly [id: string, end: string])[]
  readonly unknown: string
  readonly misspelt: string
}

let dataDir: string
let service: Service
let key: string
let answers: Answers
let releases: readonly Release[]

/** Every print of the journal that still stands: neither voided nor given another date. */
async function printsInJournal(): Promise<Release[]> {
  const { code, stdout, stderr } = await runCommand(['replay', 'releases'], { ALMANAC_DATA_DIR: dataDir })
  expect(code, stderr).toBe(0)
  const records = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { readonly value: Release }).value)
  const gone = new Set(records.flatMap(({ redates, voids }) => [redates, voids]))
  return records.filter(({ release_id, voids }) => voids === null && !gone.has(release_id))
}

/** What all releases of a figure are, by the prints of the journal: a row for each day on which its value changed. */
function rowsOf(series: string, figure: string): Row[] {
  const own = releases.filter((release) => release.series.id === series)
  const periods = [...Map.groupBy(own, ({ period }) => period)].sort(([a], [b]) => (a < b ? -1 : 1))
  return periods.flatMap(([period, prints]) => {
    // Sorting keeps the order of the journal within a day, whose last print is the one that counts.
    const byDay = new Map(
      prints
        .toSorted((a, b) => (a.released_on < b.released_on ? -1 : a.released_on > b.released_on ? 1 : 0))
        .map(({ released_on, figures }) => [released_on, figures[figure]]),
    )
    let before: string | undefined
    return [...byDay].flatMap(([day, value]): Row[] => {
      const isNews = value !== before
      before = value
      return isNews ? [[startOfPeriod(period), day, value === undefined ? null : Number(value)]] : []
    })
  })
}

/** The newest value of each date among rows. */
const newest = (rows: readonly Row[]): Value[] => [...new Map(rows.map(([date, , value]) => [date, value]))]

beforeAll(async () => {
  if (hasNoPython) return
  dataDir = await mkdtemp(join(tmpdir(), 'almanac-fred-'))
  service = await startSample(dataDir, { ALMANAC_DEMO: '0', ALMANAC_SCHEDULE: '0' })
  key = (await service.keys()).pro
  const ids = asked.map(([series, figure]) => idOf(series, figure))
  const program = join(import.meta.dirname, 'fred/ask_fredapi.py')
  const [{ stdout }, prints] = await Promise.all([
    promisify(execFile)(python, [program, service.base, DAY, ...ids], {
      env: { ...process.env, ALMANAC_KEY: key },
      maxBuffer: 64 * 1_048_576,
    }),
    printsInJournal(),
  ])
  answers = JSON.parse(stdout)
  releases = prints
})
afterAll(async () => {
  await service?.destroy()
  if (dataDir) await rm(dataDir, { recursive: true, force: true })
})

describe.skipIf(hasNoPython)('fredapi', () => {
  it.each(asked)('gives every release of %s, %s, as the journal has it', (series, figure, least) => {
    const found = answers.series[idOf(series, figure)]
    const rows = rowsOf(series, figure)
    const first = [...Map.groupBy(rows, ([date]) => date).values()].map(([[date, , value] = ['', '', null]]) => [
      date,
      value,
    ])
    const released = rows.filter(([, start]) => start <= DAY)
    expect(rows.length).toBeGreaterThanOrEqual(least)
    expect(found?.all).toEqual(rows)
    expect(found?.first).toEqual(first)
    expect(found?.as_of).toEqual(released)
    expect(found?.on_day).toEqual(newest(released))
    expect(found?.latest).toEqual(newest(rows))
    expect(found?.within).toEqual(newest(rows).filter(([date]) => date >= '2010-02-01' && date <= '2019-12-31'))
    expect(found?.vintage_dates).toEqual([...new Set(rows.map(([, start]) => start))].sort())
    expect(found?.info).toMatchObject({
      id: idOf(series, figure),
      observation_start: rows[0]?.[0],
      observation_end: rows.at(-1)?.[0],
    })
  })

  it('finds the series of the catalogue', async () => {
    const { series } = (await (
      await fetch(`${service.base}/v1/catalog?country=USA&indicator=unemployment`, {
        headers: { authorization: `Bearer ${key}` },
      })
    ).json()) as { series: CatalogEntry[] }
    const monthly = series.filter(({ frequency }) => frequency === 'M')
    expect(answers.search).toEqual(monthly.map((one) => [one.series, startOfPeriod(one.last_period)]))
    expect(answers.search.length).toBeGreaterThan(0)
  })

  it('gets what docs/fred.md asks for', async () => {
    const { text } = snippetWith('docs/fred.md', '/fred/series/search')
    const addresses = [...text.matchAll(/http:\/\/127\.0\.0\.1:8080([^"]+)/g)].map(([, path]) => service.base + path)
    const headers = { authorization: `Bearer ${key}` }
    const [search, observations, file] = await Promise.all(
      addresses.map(async (address) => (await fetch(address, { headers })).text()),
    )
    expect(search).toContain('"id":"DEU.unemployment.M.EUROSTAT.UNE_RT_M.percent.SA"')
    expect(observations).toContain(
      '<observation realtime_start="2024-05-30" realtime_end="2024-06-26" date="2024-01-01" value="28255928000000"/>',
    )
    expect(file?.split('\r\n').slice(0, -1).at(-1)).toMatch(/^2024-07-01,\d+$/)
  })

  it('shows why a series or a parameter is refused', () => {
    expect(answers.unknown).toMatch(/^The series "USA\.none" does not exist\./)
    expect(answers.misspelt).toMatch(/^Unknown variable "realtime_begin"\./)
  })
})
