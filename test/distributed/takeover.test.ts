import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until, valuesOf } from '../support/journal.ts'
import type { Service } from '../support/service.ts'
import { type Deployment, openDeployment } from './support/deployment.ts'
import { expectExactlyOnce, Ingest, Reader } from './support/load.ts'
import { ownersOfProcessors } from './support/owners.ts'

/** One node owns the processors, another stands by: what happens when the owner ends, in each way that there is. */
let deployment: Deployment
let front: Service
let first: Service
let key: string

beforeAll(async () => {
  deployment = await openDeployment()
  const [pro] = await deployment.newKeys('pro', 1)
  key = pro?.key ?? ''
  const nodes = [deployment.startNode('store,projections,api,streams'), deployment.startNode('processors')]
  ;[front, first] = (await Promise.all(nodes)) as [Service, Service]
})
afterAll(() => deployment?.close())

/** The process of a node that runs its processors. */
const processOf = (node: Service): number => node.processes().find(({ name }) => name === 'node.ts')?.pid ?? -1
const owns = (node: Service) =>
  until('the node owns every processor', async () => {
    const owners = await ownersOfProcessors(deployment)
    return owners.length === 1 && owners[0] === processOf(node)
  })

/** The supervisor and its child at one blow: one of them alone would be an orderly end, or a restart. */
const signalAll = (node: Service, signal: NodeJS.Signals) => {
  const all = node.processes()
  expect(all.map(({ name }) => name)).toEqual(['almanac.mjs', 'node.ts'])
  for (const { pid } of all) process.kill(pid, signal)
}

describe('the processors', () => {
  it('go over to the node that stands by when their owner freezes, dies or leaves, and every event comes once', async () => {
    const ingest = new Ingest(deployment.journal)
    const reader = new Reader(front, key)
    const took: Record<string, number> = {}
    /** From now on until a reader gets the event of a figure that was acknowledged after now. */
    const measure = async (what: string) => {
      const from = performance.now()
      await ingest.more(1)
      await reader.reaches((await valuesOf(deployment.journal, 'releases')).length)
      took[what] = Math.round(performance.now() - from)
    }
    await owns(first)
    await reader.reaches(1)

    const second = await deployment.startNode('processors')
    await owns(first)
    signalAll(first, 'SIGSTOP')
    await measure('SIGSTOP')
    await owns(second)

    // It wakes up, takes itself for the owner still, and is refused: it stands by.
    signalAll(first, 'SIGCONT')
    await ingest.more(20)
    await owns(second)
    signalAll(second, 'SIGKILL')
    await until('the owner is gone', () => second.processes().length === 0)
    await measure('SIGKILL')
    await owns(first)

    const third = await deployment.startNode('processors')
    await owns(first)
    expect(await first.stop()).toBe(0)
    await measure('SIGTERM')
    await owns(third)

    const { releases, events } = await expectExactlyOnce(deployment, ingest, reader)
    expect(reader.ends).toEqual([])
    console.log(`took over after ${JSON.stringify(took)} ms; ${releases} releases, ${events} events`)
    // What docs/distributed.md promises: about 10 s without a sign of life, and on SIGTERM before a claim would expire.
    expect(took.SIGSTOP).toBeLessThan(25_000)
    expect(took.SIGTERM).toBeLessThan(10_000)
  })
})
