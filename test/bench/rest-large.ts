/**
 * Large answers of the whole service with the sample, asked again and again, beside a bare Fastify route that sends the same
 * bytes. The service keeps such an answer until there is a new release.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { type Service, startService } from '../support/service.ts'
import { proKeys } from './keys.ts'
import { cpuOf, type Measure, median } from './measure.ts'

const SECONDS = 3
const ROUNDS = 3
const CONNECTIONS = 8
/** So many that their calls of a minute are more than all rounds ask: an answer that is kept is sent some thousand times a second. */
const KEYS = 300

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
const asked = [
  { name: 'panel of 90 columns and 300 months', path: `/v1/panel?${panel}` },
  { name: '/fred, all releases of a series with 1,023', path: `/fred/series/observations?${gdp}` },
  { name: 'SDMX generic, a flow of three measures', path: '/sdmx/2.1/data/INFLATION' },
] as const

export async function bench(): Promise<Measure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'almanac-bench-'))
  // The demo loads the sample. Without it no simulated prices keep the machine busy.
  await (await startService(dataDir)).stop()
  const service = await startService(dataDir, { ALMANAC_DEMO: '0', ALMANAC_SCHEDULE: '0' })
  const bare = await startBare()
  try {
    const keys = await proKeys(dataDir, KEYS)
    const rows: Measure[] = []
    for (const each of asked) rows.push(await rowOf(each, service, bare, keys))
    return rows
  } finally {
    bare.child.disconnect()
    await service.destroy()
    await rm(dataDir, { recursive: true, force: true })
  }
}

const noFigures = (): number[] => []

type Asked = (typeof asked)[number]
type Bare = { readonly child: ChildProcess; readonly base: string }

async function rowOf({ name, path }: Asked, service: Service, bare: Bare, keys: readonly string[]): Promise<Measure> {
  const headers = (key = '') => ({ authorization: `Bearer ${key}` })
  const answer = await fetch(service.base + path, { headers: headers(keys[0]) })
  const body = await answer.text()
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${body.slice(0, 300)}`)
  bare.child.send({ path, body, contentType: answer.headers.get('content-type') })
  await once(bare.child, 'message')
  // All processes of the service, because the store and the processors have their part.
  const [supervisor] = service.processes()
  const sides = [
    { base: bare.base, pid: bare.child.pid ?? 0, rate: noFigures(), cpu: noFigures() },
    { base: service.base, pid: supervisor?.pid ?? 0, rate: noFigures(), cpu: noFigures() },
  ] as const
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { base, pid, rate, cpu } of sides) {
      const before = cpuOf(pid)
      const result = await autocannon({
        url: base,
        connections: CONNECTIONS,
        duration: round === 0 ? 1 : SECONDS,
        requests: keys.map((key) => ({ path, headers: headers(key) })),
      })
      if (result.non2xx > 0 || result.errors > 0)
        throw new Error(`${base}${path}: ${result.non2xx} refused, ${result.errors} failed`)
      // The first round warms both up.
      if (round === 0) continue
      rate.push(result.requests.average)
      cpu.push(((cpuOf(pid) - before) * 1e6) / result.requests.total)
    }
  }
  const [ceiling, ours] = sides
  return {
    name,
    ours: median(ours.rate),
    ceiling: median(ceiling.rate),
    unit: 'requests/s',
    goal: 0.5,
    cpu: { ours: median(ours.cpu), ceiling: median(ceiling.cpu) },
  }
}

async function startBare(): Promise<Bare> {
  const child = fork(join(import.meta.dirname, 'rest-large-server.ts'))
  const [port] = (await once(child, 'message')) as [number]
  return { child, base: `http://127.0.0.1:${port}` }
}
