import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Value } from '#typebox'
import { buildAdmin, type JobQueue } from '../../api/admin/build-admin.ts'
import { isLoopback } from '../../api/admin/caller.ts'
import { adminSite } from '../../api/admin/jobs-page.ts'
import { quarantinePage } from '../../api/admin/quarantine-page.ts'
import { Problem } from '../../contracts/problems.ts'
import { RawSocket } from '../support/raw-socket.ts'
import { busyOverview, HOSTILE } from './overview/support.ts'

const NOW = Date.UTC(2026, 5, 1, 12)
const TOKEN = 'correct horse battery staple'.replaceAll(' ', '-')

const job = (name: string) => ({
  name,
  running: false,
  nextRun: NOW + 3_600_000,
  when: '45 8,10 * * *, working days',
  timeZone: 'America/New_York',
  announced: ['2026-06-10T12:30:00.000Z', '2026-07-14'],
  lastRun: {
    outcome: 'failed',
    startedAt: NOW - 60_000,
    endedAt: NOW - 58_500,
    attempt: 6,
    detail: '<script>alert("from a publisher")</script>',
    retryAt: null,
  },
})

const rejectedInput = {
  input_id: 'a'.repeat(64),
  recorded_at: '2026-06-01T11:00:00.000Z',
  source: 'TEST',
  dataset: 'T1',
  url: 'file:test.csv',
  reason: 'bad_head',
  location: '',
  detail: '<script>alert("from a publisher")</script>',
}

async function open({
  token = '',
  host = '127.0.0.1',
  list,
  hasJobs = true,
}: {
  token?: string
  host?: string
  list?: JobQueue['list']
  hasJobs?: boolean
} = {}) {
  const triggered: string[] = []
  const jobs: JobQueue = {
    list:
      list ?? (async () => [job('TEST/a'), { ...job('comtrade/C/M/HS'), running: true, nextRun: null, lastRun: null }]),
    trigger: async (name) => {
      triggered.push(name)
      return name === 'TEST/none' ? 'unknown' : name === 'comtrade/C/M/HS' ? 'running' : 'started'
    },
  }
  const app = await buildAdmin({
    metrics: { contentType: 'text/plain', metrics: async () => 'up 1\n' },
    overview: async () => busyOverview(),
    ready: () => true,
    ...(hasJobs ? { jobs } : {}),
    rejected: async () => [rejectedInput],
    token,
    host,
    clock: () => NOW,
  })
  onTestFinished(() => app.close())
  const ask = (method: 'GET' | 'POST', url: string, headers: Record<string, string> = {}) =>
    app.inject({ method, url, headers: { host: '127.0.0.1:8082', ...headers } })
  return { app, ask, triggered }
}
const bearer = { authorization: `Bearer ${TOKEN}` }
const basic = (password: string) => ({ authorization: `Basic ${Buffer.from(`anyone:${password}`).toString('base64')}` })
const RUN = '/jobs/TEST%2Fa/run'

describe('the admin port', () => {
  it.each([
    ['without Host', 'GET /ready HTTP/1.1\r\n\r\n', 'this one has none'],
    ['that is no HTTP', 'nonsense\r\n\r\n', 'not valid HTTP'],
  ])('refuses a request %s with a problem', async (_, request, detail) => {
    const { app } = await open()
    await app.listen({ host: '127.0.0.1', port: 0 })
    const raw = await new RawSocket((app.server.address() as AddressInfo).port).write(request).ended()
    expect(raw.statusLine).toContain(' 400 ')
    expect([...Value.Errors(Problem, raw.body)]).toEqual([])
    expect(raw.body).toMatchObject({ detail: expect.stringContaining(detail) })
  })

  it('lists the jobs as JSON, with times as ISO 8601', async () => {
    const { ask } = await open()
    const rule = {
      when: '45 8,10 * * *, working days',
      time_zone: 'America/New_York',
      announced: ['2026-06-10T12:30:00.000Z', '2026-07-14'],
    }
    const answer = await ask('GET', '/jobs.json')
    expect(answer.statusCode).toBe(200)
    expect(answer.json().jobs).toEqual([
      {
        name: 'TEST/a',
        running: false,
        next_run: '2026-06-01T13:00:00.000Z',
        ...rule,
        last_run: {
          outcome: 'failed',
          started_at: '2026-06-01T11:59:00.000Z',
          ended_at: '2026-06-01T11:59:01.500Z',
          attempt: 6,
          detail: '<script>alert("from a publisher")</script>',
          retry_at: null,
        },
      },
      { name: 'comtrade/C/M/HS', running: true, next_run: null, ...rule, last_run: null },
    ])
  })

  it('shows them on a page that needs no script and trusts no detail', async () => {
    const { ask } = await open()
    const { body, headers } = await ask('GET', '/jobs')
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['cache-control']).toBe('no-store')
    expect(body).not.toContain('<script')
    expect(body).toContain('&lt;script&gt;')
    expect(body).toContain('failed, took 1.5 s, attempt 6')
    expect(body).toContain('2 jobs, 1 running, 1 failed')
    expect(body).toContain('action="/jobs/comtrade%2FC%2FM%2FHS/run"')
    expect(body).toContain('never')
  })

  it('begins with the overview, as a page and as JSON', async () => {
    const { ask } = await open()
    expect((await ask('GET', '/')).headers.location).toBe('/overview')
    const { body, headers } = await ask('GET', '/overview')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['cache-control']).toBe('no-store')
    expect(body).toContain('quotes is 6000 offsets behind its input')
    expect(body).not.toContain(HOSTILE)
    expect((await ask('GET', '/overview.json')).json().alerts[0]).toMatchObject({ state: 'fires' })
  })

  it('runs a job by its name, slashes and all', async () => {
    const { ask, triggered } = await open()
    const started = await ask('POST', RUN)
    expect([started.statusCode, started.json()]).toEqual([202, { job: 'TEST/a', outcome: 'started' }])
    expect((await ask('POST', '/jobs/comtrade%2FC%2FM%2FHS/run')).json().outcome).toBe('running')
    const form = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
    const button = await ask('POST', RUN, { ...form, origin: 'http://127.0.0.1:8082', 'sec-fetch-site': 'same-origin' })
    expect([button.statusCode, button.headers.location]).toEqual([303, '/jobs'])
    const none = await ask('POST', '/jobs/TEST%2Fnone/run')
    expect([none.statusCode, none.json().code]).toEqual([404, 'route_not_found'])
    expect(triggered).toEqual(['TEST/a', 'comtrade/C/M/HS', 'TEST/a', 'TEST/none'])
  })

  it('asks everyone for the token, wherever they go', async () => {
    const { app, ask, triggered } = await open({ token: TOKEN, host: '0.0.0.0' })
    app.get('/extra', () => 'figures')
    const wrong = [{}, { authorization: 'Bearer ' }, { authorization: `Bearer ${TOKEN}x` }, { authorization: TOKEN }]
    for (const headers of [...wrong, basic(''), basic(`${TOKEN}x`), { authorization: 'Basic %%%' }]) {
      for (const [method, url] of [
        ['GET', '/jobs'],
        ['GET', '/jobs.json'],
        ['GET', '/overview'],
        ['GET', '/overview.json'],
        ['GET', '/quarantine'],
        ['GET', '/quarantine.json'],
        ['GET', '/extra'],
        ['GET', '/nothing'],
        ['POST', RUN],
      ] as const) {
        const answer = await ask(method, url, headers as Record<string, string>)
        expect(answer.statusCode, `${method} ${url}`).toBe(401)
        expect(answer.headers['www-authenticate']).toEqual(['Basic realm="Almanac admin", charset="UTF-8"', 'Bearer'])
        expect(Value.Check(Problem, answer.json())).toBe(true)
        expect(answer.body).not.toContain(TOKEN)
      }
    }
    expect(triggered).toEqual([])
    for (const headers of [bearer, basic(TOKEN)]) {
      expect((await ask('GET', '/jobs', headers)).statusCode).toBe(200)
      expect((await ask('GET', '/extra', headers)).body).toBe('figures')
      expect((await ask('GET', '/nothing', headers)).statusCode).toBe(404)
      expect((await ask('POST', RUN, headers)).statusCode).toBe(202)
    }
  })

  it('does nothing that another site’s page asks for, though the browser sends the password along', async () => {
    const { ask, triggered } = await open({ token: TOKEN })
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://127.0.0.1:9999' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const answer = await ask('POST', RUN, { ...basic(TOKEN), ...headers } as Record<string, string>)
      expect([answer.statusCode, answer.json().code]).toEqual([403, 'origin_not_allowed'])
    }
    expect(triggered).toEqual([])
  })

  it('without a token answers to this machine’s names only: no page can rebind its own', async () => {
    const { ask, triggered } = await open()
    for (const host of ['evil.example', 'evil.example:8082', '10.0.0.1:8082', 'localhost.evil.example']) {
      expect((await ask('GET', '/jobs.json', { host })).statusCode, host).toBe(403)
      expect((await ask('POST', RUN, { host })).statusCode, host).toBe(403)
    }
    expect(triggered).toEqual([])
    for (const host of ['localhost:8082', '127.0.0.1:8082', '[::1]:8082'])
      expect((await ask('GET', '/jobs.json', { host })).statusCode, host).toBe(200)
  })

  it('does not start where others could reach it without a token', async () => {
    for (const host of ['0.0.0.0', '::', '10.0.0.1', 'almanac.example'])
      await expect(open({ host })).rejects.toMatchObject({ name: 'ConfigError' })
    expect(['127.0.0.1', '127.9.9.9', 'localhost', '::1'].every(isLoopback)).toBe(true)
    expect(['127.evil.example', '127.0.0.1.evil.example', '1.127.0.0', ''].some(isLoopback)).toBe(false)
  })

  const html = { accept: 'text/html' }

  it('tells operators on a page what was wrong, without the advice to clients of the API', async () => {
    const { ask } = await open({ token: TOKEN })
    const { statusCode, body } = await ask('GET', '/jobs', html)
    expect(statusCode).toBe(401)
    expect(body).toContain('<h1>Unauthorized</h1>')
    expect(body).toContain('Send the admin token, as a bearer token or as a password.')
    expect(body).not.toMatch(/API key|API_KEY|openapi/)
    const none = await ask('GET', '/nothing', { ...html, ...bearer })
    expect(none.body).toContain(
      'The admin port has /ready, /overview, /overview.json, /metrics, /jobs, /jobs.json, /quarantine and /quarantine.json.',
    )
    expect(none.body).not.toContain('openapi')
    // Its problems are of HTTP's own types: the pages about problems are on the other port.
    const { type, title, code } = (await ask('GET', '/jobs')).json()
    expect([type, title, code]).toEqual(['about:blank', 'Unauthorized', 'unauthorized'])
  })

  it('shows what was rejected, as a page and as JSON', async () => {
    const { ask } = await open()
    expect((await ask('GET', '/quarantine.json')).json()).toEqual({ rejected: [rejectedInput] })
    const { body, headers } = await ask('GET', '/quarantine')
    expect(headers['content-type']).toContain('text/html')
    for (const text of ['bad_head', 'whole document', 'file:test.csv', 'aaaaaaaaaaaaaaaa', '&lt;script&gt;']) {
      expect(body).toContain(text)
    }
    expect(body).not.toContain('<script>alert')
  })

  it('says of an empty quarantine what would be listed', () => {
    const { body } = quarantinePage([], 100, adminSite(false, true))
    expect(body).toContain('Nothing was rejected. What the schedule')
    expect(body).not.toContain('<table')
  })

  it('sends documents for programs to browsers too', async () => {
    const { ask } = await open({ token: TOKEN })
    expect((await ask('GET', '/jobs.json', html)).headers['content-type']).toContain('application/problem+json')
    expect((await ask('GET', '/jobs', html)).headers['content-type']).toContain('text/html')
  })

  it('without a schedule leads to no page of jobs', async () => {
    const { ask } = await open({ hasJobs: false })
    const { statusCode, body } = await ask('GET', '/nothing', html)
    expect([statusCode, body.includes('/jobs')]).toEqual([404, false])
    expect(body).toContain('href="/metrics"')
    for (const path of ['/jobs', '/jobs.json']) {
      const answer = await ask('GET', path)
      expect(answer.json()).toMatchObject({ status: 404, detail: 'There is no schedule: set ALMANAC_SCHEDULE=1.' })
    }
  })

  it('says that the schedule is away, and nothing of how', async () => {
    const away = Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:6379'), { code: 'unavailable' })
    const { ask } = await open({ list: () => Promise.reject(away) })
    const answer = await ask('GET', '/jobs')
    expect([answer.statusCode, answer.json().code]).toEqual([503, 'unavailable'])
    expect(answer.headers['retry-after']).toBeDefined()
    expect(answer.body).not.toContain('10.1.2.3')
  })
})
