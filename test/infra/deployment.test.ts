import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadConfig, settingsTable } from '../../infra/config.ts'

const root = fileURLToPath(new URL('../../infra/', import.meta.url))
const files = globSync('{Dockerfile,compose.yaml,kubernetes/*.yaml}', { cwd: root }).sort()
const text = (file: string): string => readFileSync(`${root}${file}`, 'utf8')
const all = files.map(text).join('\n')

/** The roles but `store`, which a ClickHouse server takes the place of. */
const roles = loadConfig({}).roles.filter((role) => role !== 'store')

describe('the container files', () => {
  it.each(files)('%s names no setting that there isn’t', (file) => {
    const known = new Set(settingsTable.map(({ name }) => name))
    const named = text(file).match(/ALMANAC_[A-Z_]+/g) ?? []
    expect(named.filter((name) => !known.has(name))).toEqual([])
  })

  it.each(files.filter((file) => /kind: Deployment/.test(text(file))))(
    '%s kills no pod that is alive and has much to load yet',
    (file) => {
      expect(text(file)).toMatch(/startupProbe: \{ tcpSocket: \{ port: admin \}/)
      expect(text(file)).toMatch(/livenessProbe: \{ tcpSocket: \{ port: admin \}/)
      expect(text(file)).toMatch(/readinessProbe: \{ httpGet: \{ path: \/ready, port: admin \}/)
      // `/metrics` wants the token, which no annotation can say.
      expect(text(file)).not.toContain('prometheus.io/scrape')
    },
  )

  it('have a place for every role', () => {
    const composed = [...text('compose.yaml').matchAll(/ALMANAC_ROLES: ([a-z]+)/g)].map(([, role]) => role)
    const deployed = [...all.matchAll(/name: ALMANAC_ROLES, value: ([a-z]+)/g)].map(([, role]) => role)
    expect(composed.sort()).toEqual([...roles].sort())
    expect(deployed.sort()).toEqual([...roles].sort())
  })

  it('have Prometheus ask where the admin ports are', () => {
    const port = Number(/ALMANAC_ADMIN_PORT=(\d+)/.exec(text('Dockerfile'))?.[1])
    const targets = [...text('prometheus/prometheus.yaml').matchAll(/"([a-z]+):(\d+)"/g)].map(([, role, at]) => [
      role,
      at,
    ])
    expect(targets.sort()).toEqual(roles.map((role) => [role, String(role === 'streams' ? port + 1 : port)]).sort())
  })

  it('have a dashboard of metrics that there are', () => {
    const shown = text('grafana/almanac.json').match(/almanac_[a-z_]+/g) ?? []
    const made = readFileSync(new URL('../../cli/processes/metrics.ts', import.meta.url), 'utf8')
    const names = [...made.matchAll(/name: '(almanac_[a-z_]+)'/g)].map(([, name]) => name)
    expect(shown.length).toBeGreaterThan(4)
    expect(
      shown.map((name) => name.replace(/_(bucket|count|sum)$/, '')).filter((name) => !names.includes(name)),
    ).toEqual([])
  })
})

describe('the health check of a container', () => {
  const check = (env: Record<string, string>) =>
    promisify(execFile)(process.execPath, [`${root}ready.ts`], {
      env: { PATH: process.env.PATH, ALMANAC_ROLES: 'streams', ALMANAC_ADMIN_TOKEN: 'TEST', ...env },
    }).then(
      () => ({ code: 0, stderr: '' }),
      ({ code, stderr }) => ({ code, stderr }),
    )

  it.each(['127.0.0.2', '0.0.0.0'])('fails while a process of it isn’t ready, on %s', async (host) => {
    let status = 503
    const server = createServer((_request, response) => response.writeHead(status).end())
    await new Promise<void>((resolve) => server.listen(0, host === '0.0.0.0' ? '127.0.0.1' : host, resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as { port: number }
    const env = { ALMANAC_ADMIN_HOST: host, ALMANAC_ADMIN_PORT: String(port - 1) }
    expect(await check(env)).toMatchObject({ code: 1 })
    status = 204
    expect(await check(env)).toMatchObject({ code: 0 })
  })

  it('says so where there is no admin port to ask', async () => {
    expect(await check({})).toMatchObject({ code: 1, stderr: expect.stringContaining('ALMANAC_ADMIN_PORT is 0') })
  })
})
