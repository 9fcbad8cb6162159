/**
 * Large answers and histories of the whole service with the sample, beside a bare Fastify route that sends the same bytes. What
 * is asked again and again is kept for half a minute.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { countryByAlpha3 } from '../../contracts/countries.ts'
import { periodsOfYear } from '../../domain/period.ts'
import { runCommand } from '../support/command.ts'
import { until } from '../support/journal.ts'
import { seriesFileHead } from '../support/series-file.ts'
import { type Service, startService } from '../support/service.ts'
import { proKeys } from './keys.ts'
import { cpuOf, type Measure, median } from './measure.ts'

const SECONDS = 3
const ROUNDS = 3
const CONNECTIONS = 8
/** So many that their calls of a minute are more than all rounds ask: an answer that is kept is sent 20,000 times a second. */
const KEYS = 1_000

const countries = ['AUS', 'CAN', 'DEU', 'FRA', 'GBR', 'JPN', 'MYS', 'NLD', 'SGP', 'USA']
const indicators = ['cpi', 'inflation', 'unemployment', 'labour-force-participation', 'trade']
const panel = new URLSearchParams([
  ...countries.map((code): [string, string] => ['country', code]),
  ...indicators.map((code): [string, string] => ['indicator', code]),
  ...Object.entries({ frequency: 'M', start: '2001-01', end: '2025-12' }),
])
const gdp = new URLSearchParams({
  series_id: 'USA.gdp.Q.FRED.GDP.USD.SA.annualized',
  realtime_start: '1776-07-04',
  realtime_end: '9999-12-31',
})
const months36 = 'observations?start=2022-01&end=2024-12'
/** Series of a made-up office, of countries that the sample has not. */
const others = [...countryByAlpha3.keys()].filter((code) => !countries.includes(code)).slice(0, 225)
const indicatorsOfOthers = ['cpi', 'unemployment', 'labour-force-participation', 'trade-imports']
/** Limits that leave out nothing: each makes a question of its own, so that no round asks twice. */
const limits = Array.from({ length: 60 }, (_, i) => 100 + i)
const otherHistories = limits.flatMap((limit) =>
  others.flatMap((code) =>
    indicatorsOfOthers.map(
      (name) => `/v1/economics/${code}/${name.replace('trade-', 'trade/')}/${months36}&limit=${limit}`,
    ),
  ),
)
type Asked = {
  readonly name: string
  readonly goal: number
  /** Several: each is asked once. One: it is asked again and again. */
  readonly paths: readonly [string, ...string[]]
}
const asked: readonly Asked[] = [
  { name: 'panel of 90 columns and 300 months', goal: 0.5, paths: [`/v1/panel?${panel}`] },
  { name: '/fred, all releases of a series with 1,023', goal: 0.5, paths: [`/fred/series/observations?${gdp}`] },
  { name: 'SDMX generic, a flow of three measures', goal: 0.5, paths: ['/sdmx/2.1/data/INFLATION'] },
  { name: 'history of 36 months, asked again', goal: 0.4, paths: [`/v1/economics/USA/cpi/${months36}`] },
  {
    name: 'history of 36 months, not asked before',
    goal: 0.4,
    paths: otherHistories as [string, ...string[]],
  },
]

export async function bench(): Promise<Measure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'almanac-bench-'))
  // The demo loads the sample. Without it no simulated prices keep the machine busy.
  await (await startService(dataDir)).stop()
  const service = await startService(dataDir, { ALMANAC_DEMO: '0', ALMANAC_SCHEDULE: '0' })
  const bare = await startBare()
  try {
    const keys = await proKeys(dataDir, KEYS)
    progress('ingesting histories')
    await ingestOthers(service, keys)
    const rows: Measure[] = []
    for (const each of asked) {
      progress(each.name)
      rows.push(await rowOf(each, service, bare, keys))
    }
    return rows
  } finally {
    bare.child.disconnect()
    await service.destroy()
    await rm(dataDir, { recursive: true, force: true })
  }
}

const progress = (text: string) => process.stderr.write(`rest/large: ${text}\n`)
const noFigures = (): number[] => []

type Bare = { readonly child: ChildProcess; readonly base: string }

async function rowOf(
  { name, goal, paths }: Asked,
  service: Service,
  bare: Bare,
  keys: readonly string[],
): Promise<Measure> {
  const headers = (n: number) => ({ authorization: `Bearer ${keys[n % keys.length]}` })
  const [path] = paths
  const answer = await fetch(service.base + path, { headers: headers(0) })
  const body = await answer.text()
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${body.slice(0, 300)}`)
  bare.child.send({ body, contentType: answer.headers.get('content-type') })
  await once(bare.child, 'message')
  let used = 0
  const next = () => {
    const unused = paths[++used]
    if (unused === undefined) throw new Error('All histories were asked for: the bench needs more of them.')
    return { path: unused, headers: headers(used) }
  }
  const again = { requests: keys.map((_, n) => ({ path, headers: headers(n) })) }
  const inTurn = { requests: [{ setupRequest: (request: object) => ({ ...request, ...next() }) }] }
  // All processes of the service, because the store and the processors have their part.
  const [supervisor] = service.processes()
  const sides = [
    { base: bare.base, pid: bare.child.pid ?? 0, isBare: true, rate: noFigures(), cpu: noFigures() },
    { base: service.base, pid: supervisor?.pid ?? 0, isBare: false, rate: noFigures(), cpu: noFigures() },
  ] as const
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { base, pid, isBare, rate, cpu } of sides) {
      const before = cpuOf(pid)
      const how = paths.length > 1 && !isBare ? inTurn : again
      const duration = round === 0 ? 1 : SECONDS
      const result = await autocannon({ url: base, connections: CONNECTIONS, duration, ...how })
      if (result.non2xx > 0 || result.errors > 0)
        throw new Error(`${base}${path}: ${result.non2xx} refused, ${result.errors} failed`)
      // The first round warms both up.
      if (round === 0) continue
      rate.push(result.requests.total / result.duration)
      cpu.push(((cpuOf(pid) - before) * 1e6) / result.requests.total)
    }
  }
  const [ceiling, ours] = sides
  return {
    name,
    ours: median(ours.rate),
    ceiling: median(ceiling.rate),
    unit: 'requests/s',
    goal,
    cpu: { ours: median(ours.cpu), ceiling: median(ceiling.cpu) },
  }
}

/** Gives the service the histories of others, and waits until the last one is whole in the read model. */
async function ingestOthers({ base, dataDir }: Service, [key = '']: readonly string[]): Promise<void> {
  const months = ['2022', '2023', '2024'].flatMap((year) => periodsOfYear('M', year))
  const head = seriesFileHead.replace(/^# (?:indicator|country|unit|base_\w+): .*\n/gm, '').replace(/period.*\n/, '')
  const rows = others.flatMap((code) =>
    months.flatMap((month, i) => {
      const [level, rate] = [100 + i / 10, 5 + i / 100]
      return [
        `${code},cpi,${month},index,2015,100,${level},`,
        `${code},unemployment,${month},percent,,,,${rate}`,
        `${code},labour-force-participation,${month},percent,,,,${60 + rate}`,
        `${code},trade-imports,${month},USD,,,${level},`,
      ]
    }),
  )
  const file = join(dataDir, 'others.csv')
  await writeFile(
    file,
    [`${head}country,indicator,period,unit,base_period,base_value,value,rate`, ...rows, ''].join('\n'),
  )
  const { code, stdout, stderr } = await runCommand(['ingest', 'file', file], { ALMANAC_DATA_DIR: dataDir })
  if (code !== 0) throw new Error(stdout + stderr)
  const last = `${base}/v1/economics/${others.at(-1)}/trade/imports/vintages?format=csv`
  await until(
    'the histories are in the read model',
    async () => {
      const answer = await fetch(last, { headers: { authorization: `Bearer ${key}` } })
      return (await answer.text()).split('\n').length > months.length
    },
    1_000,
  )
}

async function startBare(): Promise<Bare> {
  const child = fork(join(import.meta.dirname, 'rest-large-server.ts'))
  const [port] = (await once(child, 'message')) as [number]
  return { child, base: `http://127.0.0.1:${port}` }
}
