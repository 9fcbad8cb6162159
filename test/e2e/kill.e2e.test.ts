import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { EventRecord, Release } from '../../contracts/records.ts'
import { derivedId } from '../../domain/ids.ts'
import { openClickHouse } from '../../projections/clickhouse.ts'
import { runCommand } from '../support/command.ts'
import { until } from '../support/journal.ts'
import { randomFrom } from '../support/random.ts'
import { almanac, type Service, startService } from '../support/service.ts'

/** ALMANAC_TEST_KILLS=100 for the long run; ALMANAC_TEST_SEED repeats one. */
const KILLS = Number(process.env.ALMANAC_TEST_KILLS ?? 3)
const SEED = Number(process.env.ALMANAC_TEST_SEED ?? Date.now() % 1_000_000)

const countries = ['AUS', 'CAN', 'DEU']
const months = ['2019', '2020', '2021', '2022'].flatMap((year) =>
  Array.from({ length: 12 }, (_, i) => `${year}-${String(i + 1).padStart(2, '0')}`),
)
const VINTAGES = 4
type Print = { readonly period: string; readonly tenths: number; readonly on: string }
type Indicator = 'cpi' | 'trade-exports' | 'trade-imports'

/** What each file says: for every country and indicator some vintages, each revising some months. */
function inputs(random: () => number) {
  return (['cpi', 'trade-exports', 'trade-imports'] as const).flatMap((indicator) =>
    countries.map((country) => {
      const prints: Print[] = []
      const now = new Map<string, number>()
      for (let vintage = 1; vintage <= VINTAGES; vintage++) {
        for (const period of months) {
          if (vintage > 1 && random() < 0.7)
            prints.push({ period, tenths: now.get(period) ?? 0, on: `2024-0${vintage}-10` })
          else {
            now.set(period, 900 + Math.floor(random() * 400))
            prints.push({ period, tenths: now.get(period) ?? 0, on: `2024-0${vintage}-10` })
          }
        }
      }
      return { indicator, country, prints }
    }),
  )
}

const printed = (tenths: number): string => `${Math.floor(tenths / 10)}.${tenths % 10}`
function fileOf({
  indicator,
  country,
  prints,
}: {
  indicator: Indicator
  country: string
  prints: readonly Print[]
}): string {
  const head = [
    'almanac: figures 1',
    'source: TEST',
    'dataset: KILL',
    'publisher: Test office',
    'licence: none',
    'url: file:kill',
    `indicator: ${indicator}`,
    `country: ${country}`,
    'seasonal_adjustment: not_seasonally_adjusted',
    ...(indicator === 'cpi'
      ? ['unit: index', 'base_period: 2015', 'base_value: 100']
      : ['unit: USD', 'multiplier: 1000000']),
  ]
  const rows = prints.map(({ period, tenths, on }) => `${period},${printed(tenths)},${on}`)
  return `${head.map((line) => `# ${line}`).join('\n')}\nperiod,value,released_on\n${rows.join('\n')}\n`
}

/** An independent recomputation in integers, from what the files say. */
function expected(files: ReturnType<typeof inputs>) {
  const chains = new Map<string, string[]>()
  const final = new Map<string, Map<string, number>>()
  for (const { indicator, country, prints } of files) {
    const current = new Map<string, number>()
    for (const { period, tenths } of prints) {
      if (current.get(period) === tenths) continue
      current.set(period, tenths)
      const place = `${country}/${indicator}/${period}`
      const value = indicator === 'cpi' ? printed(tenths) : String(tenths * 100_000)
      chains.set(place, [...(chains.get(place) ?? []), value])
    }
    final.set(`${country}/${indicator}`, current)
  }
  const derived = new Map<string, Record<string, string>>()
  for (const country of countries) {
    const index = final.get(`${country}/cpi`) ?? new Map()
    for (const period of months) {
      const [year = '', month = ''] = period.split('-')
      const before = month === '01' ? `${Number(year) - 1}-12` : `${year}-${String(Number(month) - 1).padStart(2, '0')}`
      const bases = [`${Number(year) - 1}-${month}`, before, `${Number(year) - 1}-12`].map((base) => index.get(base))
      if (bases.some((base) => base === undefined)) continue
      const [year_over_year = '', month_over_month = '', year_to_date = ''] = bases.map((base) =>
        percent(index.get(period), base),
      )
      derived.set(`${country}/inflation/${period}`, { year_over_year, month_over_month, year_to_date })
    }
    const flows = (['trade-exports', 'trade-imports'] as const).map((flow) => {
      const values = new Map(
        [...(final.get(`${country}/${flow}`) ?? [])].map(([period, tenths]) => [period, tenths * 100_000]),
      )
      for (const year of ['2019', '2020', '2021', '2022']) {
        const sum = months
          .filter((month) => month.startsWith(year))
          .reduce((total, month) => total + (values.get(month) ?? 0), 0)
        values.set(year, sum)
        derived.set(`${country}/${flow}/${year}`, { value: String(sum) })
      }
      return values
    })
    for (const [period, exports] of flows[0] ?? []) {
      const imports = flows[1]?.get(period) ?? 0
      derived.set(`${country}/trade/${period}`, {
        exports: String(exports),
        imports: String(imports),
        balance: String(exports - imports),
      })
    }
  }
  return { chains, derived }
}

/** Percent with one decimal, half away from zero, in integers. */
function percent(now: number, base: number): string {
  const change = BigInt(now - base) * 1000n
  const size = change < 0n ? -change : change
  const tenths = (2n * size + BigInt(base)) / (2n * BigInt(base))
  return `${change < 0n && tenths > 0n ? '-' : ''}${tenths / 10n}.${tenths % 10n}`
}

it(`loses, repeats and changes nothing over ${KILLS} kills (seed ${SEED})`, async () => {
  const random = randomFrom(SEED)
  const directory = await mkdtemp(join(tmpdir(), 'almanac-kill-'))
  const dataDir = join(directory, 'var')
  const environment = { ALMANAC_DEMO: '0', ALMANAC_SCHEDULE: '0', ALMANAC_LOG_LEVEL: 'silent' }
  const files = inputs(random)
  const paths = await Promise.all(
    files.map(async (file, i) => {
      const path = join(directory, `${String(i).padStart(2, '0')}.csv`)
      await writeFile(path, fileOf(file))
      return path
    }),
  )
  let service: Service = await startService(dataDir, environment)
  const killed: Record<string, number> = {}
  try {
    let next = 0
    for (let kills = 0; kills < KILLS; ) {
      // More kills than files: what was taken in is read again, and is no news.
      const path = paths[next % paths.length] ?? ''
      let ingesting: number | undefined
      const running = almanac(['ingest', 'file', path], { ALMANAC_DATA_DIR: dataDir }, ({ pid }) => (ingesting = pid))
      await new Promise((resolve) => setTimeout(resolve, 100 + random() * 900))
      const victims = [...service.processes(), ...(ingesting ? [{ pid: ingesting, name: 'ingest' }] : [])]
      const victim = victims[Math.floor(random() * victims.length)]
      if (victim) {
        try {
          service.kill(victim.pid)
          killed[victim.name] = (killed[victim.name] ?? 0) + 1
          kills++
        } catch {
          // It ended by itself a moment before: that was no kill.
        }
      }
      const result = await running
      if (result.signal !== 'SIGKILL') {
        expect(result, result.stderr).toMatchObject({ code: 0 })
        next++
      }
      if (service.processes().length === 0) {
        await service.destroy()
        service = await startService(dataDir, environment)
      }
    }
    const left = paths.slice(next)
    if (left.length > 0) {
      const ingested = await runCommand(['ingest', 'file', ...left], { ALMANAC_DATA_DIR: dataDir })
      expect(ingested, ingested.stderr).toMatchObject({ code: 0 })
    }
    // Whoever was starting again is given the time to; then everything is compared.
    let verified = await runCommand(['verify'], { ALMANAC_DATA_DIR: dataDir })
    await until('the read models equal the journal', async () => {
      verified = await runCommand(['verify'], { ALMANAC_DATA_DIR: dataDir })
      return verified.code === 0
    }).catch(() => expect(verified, verified.stdout + verified.stderr).toMatchObject({ code: 0 }))

    const lines = async (topic: string) =>
      (await runCommand(['replay', topic], { ALMANAC_DATA_DIR: dataDir })).stdout
        .trim()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    const records = (await lines('releases')) as { offset: number; value: Release }[]
    const releases = records.map(({ value }) => value)
    const { chains, derived } = expected(files)
    const place = ({ series, period }: Release) => `${series.country}/${series.indicator}/${period}`
    const primary = Map.groupBy(
      releases.filter(({ series }) => series.derivation === ''),
      place,
    )
    expect(new Map([...primary].map(([key, list]) => [key, list.map(({ figures }) => figures.value)]))).toEqual(chains)
    for (const list of primary.values())
      expect(list.map(({ revises }) => revises)).toEqual([
        null,
        ...list.slice(0, -1).map(({ release_id }) => release_id),
      ])
    const made = Map.groupBy(
      releases.filter(({ series }) => series.derivation !== ''),
      place,
    )
    expect(new Map([...made].map(([key, list]) => [key, list.at(-1)?.figures]))).toEqual(derived)
    expect(new Set(releases.map(({ release_id }) => release_id)).size).toBe(releases.length)

    const events = ((await lines('events')) as { value: EventRecord }[]).map(({ value }) => value)
    const signals = await lines('signals')
    // Records that correct what was derived between two files of one day tell nothing new.
    const told = releases.filter(({ late, redates, voids }) => !late && redates === null && voids === null)
    expect(events.map(({ sequence }) => sequence)).toEqual([...told, ...signals].map((_, i) => i + 1))
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
    const released = new Set(told.map(({ release_id }) => derivedId('evt', release_id)))
    expect(events.filter(({ id }) => released.has(id)).length).toBe(told.length)

    const { url } = JSON.parse(await readFile(join(dataDir, 'store.json'), 'utf8')) as { url: string }
    const client = openClickHouse({ url })
    const rows = async <T>(query: string): Promise<T[]> =>
      (await client.query({ query, format: 'JSONEachRow' })).json<T>() as Promise<T[]>
    await until('the projections have reached the end of the journal', async () => {
      const [at] = await rows<{ offset: string; sequence: string }>(
        'SELECT toString((SELECT max(_offset) FROM vintages)) AS offset, toString((SELECT max(sequence) FROM events)) AS sequence',
      )
      return at?.offset === String(records.at(-1)?.offset) && at.sequence === String(events.at(-1)?.sequence)
    })
    const table = await rows<{ offset: string; id: string; figures: Record<string, string> }>(
      'SELECT toString(_offset) AS offset, release_id AS id, figures FROM vintages WHERE NOT _marker ORDER BY _offset',
    )
    expect(table).toEqual(
      records.map(({ offset, value }) => ({ offset: String(offset), id: value.release_id, figures: value.figures })),
    )
    const sequences = await rows<{ sequence: string; id: string }>(
      'SELECT toString(sequence) AS sequence, id FROM events WHERE NOT _marker ORDER BY _offset',
    )
    expect(sequences).toEqual(events.map(({ sequence, id }) => ({ sequence: String(sequence), id })))
    await client.close()
    console.log(`killed ${JSON.stringify(killed)}; ${releases.length} releases, ${events.length} events agree`)
  } finally {
    await service.destroy()
    await rm(directory, { recursive: true, force: true })
  }
})
