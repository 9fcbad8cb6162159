/**
 * The latest figure over REST (key checked, quota taken, headers and all) beside a bare Fastify route with the same body.
 * Each server in a process of its own, asked by turns.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { cpuOf, type Measure, median } from './measure.ts'

const SECONDS = 4
const ROUNDS = 3
const CONNECTIONS = 32

export async function bench(): Promise<Measure[]> {
  const servers = { api: await start('api'), bare: await start('bare') }
  const rate: Record<'api' | 'bare', number[]> = { api: [], bare: [] }
  const p99: Record<'api' | 'bare', number[]> = { api: [], bare: [] }
  const cpu: Record<'api' | 'bare', number[]> = { api: [], bare: [] }
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      for (const name of ['bare', 'api'] as const) {
        const { child, port, key } = servers[name]
        const before = cpuOf(child.pid ?? 0)
        const result = await autocannon({
          url: `http://127.0.0.1:${port}/v1/economics/USA/cpi`,
          connections: CONNECTIONS,
          duration: round === 0 ? 1 : SECONDS,
          headers: { authorization: `Bearer ${key}` },
        })
        if (result.non2xx > 0 || result.errors > 0)
          throw new Error(`${name}: ${result.non2xx} refused, ${result.errors} failed`)
        // The first round warms both up.
        if (round === 0) continue
        rate[name].push(result.requests.average)
        cpu[name].push(((cpuOf(child.pid ?? 0) - before) * 1e6) / result.requests.total)
        p99[name].push(result.latency.p99)
      }
    }
  } finally {
    for (const { child } of Object.values(servers)) child.disconnect()
  }
  return [
    {
      name: 'latest figure',
      ours: median(rate.api),
      ceiling: median(rate.bare),
      unit: 'requests/s',
      goal: 0.6,
      cpu: { ours: median(cpu.api), ceiling: median(cpu.bare) },
    },
    { name: 'latest figure, p99', ours: median(p99.api), ceiling: median(p99.bare), unit: 'ms', goal: 2 },
  ]
}

async function start(name: 'api' | 'bare'): Promise<{ child: ChildProcess; port: number; key: string }> {
  const child = fork(join(import.meta.dirname, 'rest-server.ts'), [name])
  const [message] = (await once(child, 'message')) as [{ port: number; key: string }]
  return { child, ...message }
}
