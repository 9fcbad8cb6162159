import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { topicNames } from '../../contracts/topics.ts'
import { freePorts } from '../../infra/ports.ts'
import { openFeedServer } from '../support/feed-server.ts'
import { temporaryDirectory, until } from '../support/journal.ts'

it('a node is ready for its orchestrator before its read models have caught up, however long that takes', async () => {
  const [admin = 0, nobody = 0] = await freePorts(2)
  const feed = await openFeedServer(() => undefined)
  const node = spawn(process.execPath, [fileURLToPath(new URL('../../cli/processes/node.ts', import.meta.url))], {
    env: {
      PATH: process.env.PATH,
      ALMANAC_ROLES: 'ingest,processors,projections',
      ALMANAC_DEMO: '0',
      ALMANAC_SCHEDULE: '0',
      ALMANAC_FEED_URL: feed.url,
      ALMANAC_DATA_DIR: await temporaryDirectory(),
      // Never caught up: there is no ClickHouse.
      ALMANAC_CLICKHOUSE_URL: `http://127.0.0.1:${nobody}`,
      ALMANAC_ADMIN_PORT: String(admin),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(node, 'exit')
  onTestFinished(async () => {
    node.kill('SIGKILL')
    await ended
  })
  let log = ''
  node.stderr?.on('data', (chunk: Buffer) => {
    log += chunk.toString()
  })
  const status = () =>
    fetch(`http://127.0.0.1:${admin}/ready`).then(
      (answer) => answer.status,
      () => 0,
    )
  await until('it is ready', async () => (await status()) === 204)
  // A feed has no replay: what comes before it is connected is lost.
  await until('its feed is connected', () => feed.connections() === 1)
  // Its supervisor hears of it once the first page is whole, or has been waited for.
  expect(log).not.toContain('"msg":"ready"')
  await until('a read model fails', () => log.includes('projection failed; retrying'))
  await until('its supervisor hears of it', () => log.includes('"msg":"ready"'))
  // Operators see what its processors do.
  const overview = async () => (await fetch(`http://127.0.0.1:${admin}/overview.json`)).json() as Promise<Shown>
  await until('its processors are sampled', async () => {
    const { processors: sampled, process: own } = await overview()
    return own.is_ready && sampled.length > 0
  })
  const { process: told, processors, topics, quota, backup, alerts } = await overview()
  expect(told.roles).toEqual(['ingest', 'processors', 'projections'])
  expect(processors.find(({ name }) => name === 'events')).toMatchObject({ lag: 0 })
  expect(topics.map(({ name }) => name)).toEqual(topicNames.toSorted())
  expect([quota, backup]).toEqual([undefined, { finished: null, begun_at: null }])
  expect(alerts.find(({ alert }) => alert === 'AlmanacProcessorBehind')?.state).toBe('quiet')
  // The read models do not answer, so all is not well.
  const { concerns } = await overview()
  expect(concerns).toMatchObject({ unanswered: 1 })
  const page = await fetch(`http://127.0.0.1:${admin}/overview`)
  const text = await page.text()
  expect([page.status, text]).toEqual([200, expect.stringContaining('the read models, which do not answer')])
  expect(text).not.toContain('All is well')
  expect(node.exitCode).toBe(null)
})

it('a node answers from memory while its own store does not come up', async () => {
  const [admin = 0, http = 0] = await freePorts(2)
  const dir = await temporaryDirectory()
  const node = spawn(process.execPath, [fileURLToPath(new URL('../../cli/processes/node.ts', import.meta.url))], {
    env: {
      PATH: process.env.PATH,
      ALMANAC_ROLES: 'ingest,processors,projections,store,api',
      ALMANAC_SCHEDULE: '0',
      ALMANAC_DEMO: '0',
      ALMANAC_DATA_DIR: dir,
      // Nobody starts the store.
      ALMANAC_CLICKHOUSE_URL: `unix:${join(dir, 'store.sock')}`,
      ALMANAC_ADMIN_PORT: String(admin),
      ALMANAC_HTTP_PORT: String(http),
    },
    stdio: 'ignore',
  })
  const ended = once(node, 'exit')
  onTestFinished(async () => {
    node.kill('SIGKILL')
    await ended
  })
  const health = () =>
    fetch(`http://127.0.0.1:${http}/health`).then(
      (answer) => answer.text(),
      () => '',
    )
  await until('it answers', async () => (await health()).includes('"read_models":"unavailable"'))
  expect(node.exitCode).toBe(null)
})

type Shown = {
  readonly process: { readonly roles: readonly string[]; readonly is_ready: boolean }
  readonly processors: readonly { readonly name: string; readonly lag: number }[]
  readonly topics: readonly { readonly name: string }[]
  readonly alerts: readonly { readonly alert: string; readonly state: string }[]
} & Readonly<Record<'quota' | 'backup' | 'concerns', unknown>>
