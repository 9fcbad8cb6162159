import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LFS, QNA } from '../../ingest/map/publishers/oecd.ts'
import { queuePrefix } from '../../ingest/schedule/bullmq.ts'
import { defaultRetries, type Run } from '../../ingest/schedule/schedule.ts'
import { scheduledJobs } from '../../ingest/schedule/timetable.ts'
import { fixturePath } from '../ingest/sources/fixture.ts'
import { until } from '../support/journal.ts'
import { contentOf, contentOfFiles } from './support/content.ts'
import { type Deployment, openDeployment } from './support/deployment.ts'
import { type IngestNode, type JobJson, startIngestNode } from './support/ingest-node.ts'
import { type Publishers, startPublishers } from './support/publishers.ts'

/** Two nodes that ingest by the calendar, on one Redis and one Kafka; the publishers are this test. */

const EXPORTS = 'TX.VAL.MRCH.CD.WT'
const [RATES, UNEMPLOYMENT, GROWTH] = ['ecb/eurofxref-daily', `oecd/${LFS}`, `oecd/${QNA}`]
/** Its publisher fails first. */
const FAILING = 'fred/UNRATE'
/** Its publisher leaves the first node that asks waiting, in the middle of the second page. */
const HELD = `world-bank/${EXPORTS}`
const files: Readonly<Record<string, string>> = {
  [RATES]: fixturePath('ecb/eurofxref-hist-90d.xml'),
  [UNEMPLOYMENT]: fixturePath('oecd/LFS.csv'),
  [GROWTH]: fixturePath('oecd/QNA.csv'),
  [FAILING]: fixturePath('fred/UNRATE.csv'),
  [HELD]: fixturePath('world-bank/exports.json'),
}
const contentOfFile = (job: string): Buffer => readFileSync(files[job] ?? '')

const oecd = (flow: string) =>
  `sdmx.oecd.org/public/rest/data/${flow}?dimensionAtObservation=AllDimensions&format=csvfile`
const exportsPage = (page: number) =>
  `api.worldbank.org/v2/country/all/indicator/${EXPORTS}?format=json&per_page=20000&page=${page}`
const pages = {
  rates: 'www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml',
  unemployment: oecd(`OECD.SDD.TPS,${LFS},1.0/.UNE_LF_M.PT_LF_SUB._Z.Y._T.Y_GE15._Z.M`),
  growth: oecd(`OECD.SDD.NAD,${QNA},1.1/Q.Y..S1.S1.B1GQ._Z._Z._Z.PC.L.G1+GY.T0102`),
  unrate: 'fred.stlouisfed.org/graph/fredgraph.csv?id=UNRATE',
  exports: [exportsPage(1), exportsPage(2)],
} as const

/** The World Bank's answer on two pages: what is on the first is in the journal before the second is asked for. */
function twoPages(): [string, string] {
  const [meta = '', ...lines] = contentOfFile(HELD).toString().trimEnd().split('\n')
  const rows = lines.slice(0, -1).map((line) => line.replace(/,$/, ''))
  const half = Math.ceil(rows.length / 2)
  const page = (number: number, part: string[]) =>
    `${meta.replace('"page":1,"pages":1,"per_page":20000', `"page":${number},"pages":2,"per_page":${half}`)}${part.join()}]]`
  return [page(1, rows.slice(0, half)), page(2, rows.slice(half))]
}

const LONG_AGO = Date.now() - 40 * 86_400_000
/** The process that was left waiting. */
let heldBy: number | undefined
let deployment: Deployment
let publishers: Publishers
let nodes: readonly [IngestNode, IngestNode]

beforeAll(async () => {
  deployment = await openDeployment()
  const [firstPage, secondPage] = twoPages()
  let isFailing = true
  publishers = await startPublishers({
    [pages.rates]: (response) => response.end(contentOfFile(RATES)),
    [pages.unemployment]: (response) => response.end(contentOfFile(UNEMPLOYMENT)),
    [pages.growth]: (response) => response.end(contentOfFile(GROWTH)),
    [pages.unrate](response) {
      if (isFailing) response.writeHead(503).end('try again later')
      else response.end(contentOfFile(FAILING))
      isFailing = false
    },
    [pages.exports[0]]: (response) => response.end(firstPage),
    [pages.exports[1]](response, { pid }) {
      if (heldBy === undefined) response.write(secondPage.slice(0, 100))
      else response.end(secondPage)
      heldBy ??= pid
    },
  })
  await seedRuns()
  const settings = { ...deployment.settings, ...publishers.environment }
  nodes = await Promise.all([startIngestNode(settings), startIngestNode(settings)])
})
afterAll(async () => {
  for (const { service } of nodes ?? []) {
    await service.destroy()
    await rm(service.dataDir, { recursive: true, force: true })
  }
  publishers?.close()
  await deployment?.close()
})

/** Redis as a service left it that was down for long: five jobs have missed many due times, the others have just run. */
async function seedRuns(): Promise<void> {
  const { ALMANAC_REDIS_URL: url = '' } = deployment.settings
  const runs = scheduledJobs().map(({ name }): [string, string] => {
    const at = name in files ? LONG_AGO : Date.now()
    const run: Run = { outcome: 'succeeded', startedAt: at, endedAt: at, attempt: 1, detail: '', retryAt: null }
    return [name, JSON.stringify(run)]
  })
  const client = new Redis(url)
  await client.hset(`${queuePrefix(deployment.journal.id)}:runs`, Object.fromEntries(runs))
  client.disconnect()
}

/** The five, as a node tells them. */
const jobsOf = async (node: IngestNode): Promise<Record<string, JobJson>> =>
  Object.fromEntries((await node.jobs()).filter(({ name }) => name in files).map((job) => [job.name, job]))

const hasRun = ({ last_run: run }: JobJson): boolean =>
  run?.outcome === 'succeeded' && Date.parse(run.started_at) > LONG_AGO

describe('two nodes with the schedule on one Redis', () => {
  it('run what is due once, take up what a killed node was doing, and repeat what failed', async () => {
    const [one, two] = nodes
    const readOnce = { [pages.rates]: 1, [pages.unemployment]: 1, [pages.growth]: 1 }
    await until('all is done but what fails and what is held', async () => {
      const { [FAILING]: failing, [HELD]: held, ...others } = await jobsOf(one)
      const isHeld = held?.running === true && heldBy !== undefined
      return isHeld && failing?.last_run?.outcome === 'retrying' && Object.values(others).every(hasRun)
    })
    expect(publishers.counts()).toEqual({
      ...readOnce,
      [pages.unrate]: 1,
      [pages.exports[0]]: 1,
      [pages.exports[1]]: 1,
    })

    const jobs = await jobsOf(one)
    expect(await jobsOf(two)).toEqual(jobs)
    const failed = jobs[FAILING]?.last_run
    expect(failed).toMatchObject({ attempt: 1, detail: expect.stringContaining('503') })
    const failedAt = publishers.asked.find(({ what }) => what === pages.unrate)?.at ?? 0
    const retryAt = Date.parse(failed?.retry_at ?? '')
    expect(retryAt).toBeGreaterThanOrEqual(failedAt + defaultRetries.backoff.baseMs / 2)
    for (const node of nodes) {
      expect(await (await node.ask('/jobs')).text()).toContain(FAILING)
      for (const path of ['/jobs', '/jobs.json']) {
        expect((await node.ask(path, '')).status).toBe(401)
        expect((await node.ask(path, 'Bearer another')).status).toBe(401)
      }
    }

    const holder = nodes.find(({ pid }) => pid === heldBy)
    const survivor = nodes.find(({ pid }) => pid !== heldBy)
    if (!holder || !survivor) throw new Error('no node is in the middle of a job')
    holder.killAll()
    await until('the node is gone', () => holder.service.processes().length === 0)
    const killedAt = Date.now()

    await until('the other has done the rest', async () => Object.values(await jobsOf(survivor)).every(hasRun))
    expect(publishers.counts()).toEqual({
      ...readOnce,
      [pages.unrate]: 2,
      [pages.exports[0]]: 2,
      [pages.exports[1]]: 2,
    })
    const takenUp = publishers.asked.findLast(({ what }) => what === pages.exports[0])
    const repeated = publishers.asked.findLast(({ what }) => what === pages.unrate)
    expect([takenUp?.pid, repeated?.pid]).toEqual([survivor.pid, survivor.pid])
    expect(repeated?.at).toBeGreaterThanOrEqual(retryAt)
    const after = await jobsOf(survivor)
    expect(after[FAILING]?.last_run?.attempt).toBe(2)
    // What the killed node had written is recognised.
    expect(after[HELD]?.last_run?.detail).toMatch(/^\d+ new, \d+ unchanged/)
    expect(await contentOf(deployment.journal)).toEqual(await contentOfFiles(files))

    const share = nodes.map(({ pid }) => publishers.asked.filter((asked) => asked.pid === pid).length)
    const tookUpMs = (takenUp?.at ?? 0) - killedAt
    console.log(`requests by node: ${share.join(' and ')}; taken up ${tookUpMs} ms after the kill`)
  })
})
