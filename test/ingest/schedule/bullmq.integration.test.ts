import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { inspect } from 'node:util'
import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseRedisAddress } from '../../../base/redis/address.ts'
import { createClient } from '../../../base/redis/client.ts'
import { type RunningRedis, startRedis } from '../../../infra/services/redis.ts'
import { BullSchedule, type BullScheduleOptions, queuePrefix } from '../../../ingest/schedule/bullmq.ts'
import { type Job, type Run, ScheduleUnavailable } from '../../../ingest/schedule/schedule.ts'
import { hourly, scheduleContract } from '../../contracts/schedule-contract.ts'
import { distinguishTests, onTestFinished } from '../../support/concurrent.ts'
import { temporaryDirectory, until } from '../../support/journal.ts'
import { serviceIsThere } from '../../support/services.ts'

/** So long that a busy machine renews it in time: a run whose lock has ended is taken up again. */
const LOCK_MS = 15_000
const SCRIPT = join(import.meta.dirname, 'support/schedule-process-main.ts')

// At once, because they wait for locks and due times, each with keys of its own.
describe.skipIf(!serviceIsThere('redis'))('BullMQ', { concurrent: true }, () => {
  distinguishTests()
  const dir = mkdtempSync(join(tmpdir(), 'almanac-bullmq-'))
  let redis: RunningRedis
  beforeAll(async () => {
    redis = await startRedis({ dir })
  })
  afterAll(async () => {
    await redis.stop()
    rmSync(dir, { recursive: true, force: true })
  })
  const newPrefix = () => `{test:${randomUUID()}}`

  scheduleContract(
    'BullMQ',
    (place, options) =>
      new BullSchedule({ ...options, connection: redis.url, prefix: `{test:${place}}`, lockMs: LOCK_MS }),
  )

  const node = (options: Partial<BullScheduleOptions> & { prefix: string }) => {
    const ended: { name: string; run: Run }[] = []
    const errors: unknown[] = []
    const schedule = new BullSchedule({
      connection: redis.url,
      lockMs: 1_000,
      lookMs: 100,
      onRun: (name, run) => ended.push({ name, run }),
      onError: (error) => errors.push(error),
      ...options,
    })
    onTestFinished(() => schedule.stop())
    return { schedule, ended, errors }
  }
  const peek = (prefix: string) => {
    const client = new Redis(redis.url, { maxRetriesPerRequest: null })
    const queue = new Queue('jobs', { connection: client, prefix })
    onTestFinished(async () => {
      await queue.close()
      client.disconnect()
    })
    return { client, queue }
  }

  describe('among nodes', () => {
    it('runs each of 50 due jobs once, on one of two nodes', async () => {
      const prefix = newPrefix()
      const jobs = Array.from({ length: 50 }, (_, i) => hourly(`TEST/${i}`))
      const ran: string[] = []
      const nodes = [1, 2].map(() => node({ prefix, concurrency: 4, lockMs: LOCK_MS }))
      await Promise.all(
        nodes.map(({ schedule }, i) =>
          schedule.start(jobs, async (name) => {
            ran.push(name)
            return `node ${i}`
          }),
        ),
      )
      await until('all ran', () => ran.length >= 50)
      const states = () => nodes[0]?.schedule.list() ?? Promise.resolve([])
      await until('all rest', async () => (await states()).every(({ running, lastRun }) => !running && lastRun))
      expect(ran.toSorted()).toEqual(jobs.map(({ name }) => name).toSorted())
      expect(
        nodes.every(({ ended }) => ended.length > 0),
        'both took part',
      ).toBe(true)
      // Both see the same, and each job waits for its next time once.
      expect(await nodes[1]?.schedule.list()).toEqual(await states())
      const { queue } = peek(prefix)
      await until('all are queued again', async () => (await queue.getDelayedCount()) === 50)
      expect(await queue.getJobCounts('wait', 'active', 'failed')).toEqual({ wait: 0, active: 0, failed: 0 })
    })

    it('runs a due time once although both nodes look for it all the time', async () => {
      const prefix = newPrefix()
      const times = [300, 500, 700].map((ms) => Date.now() + ms)
      const job: Job = {
        name: 'TEST/times',
        next: (after) => times.find((time) => time > after) ?? after + 3_600_000,
        leastApartMs: 0,
      }
      const nodes = [1, 2].map(() => node({ prefix, lookMs: 5, lockMs: LOCK_MS }))
      await Promise.all(nodes.map(({ schedule }) => schedule.start([job], async () => 'done')))
      const runs = () => nodes.flatMap(({ ended }) => ended.map(({ run }) => run.startedAt)).sort((a, b) => a - b)
      await until('the last time has run', () => runs().some((at) => at >= (times[2] ?? 0)))
      const { queue } = peek(prefix)
      await until('the next is queued', async () => (await queue.getDelayedCount()) === 1)
      const slots = runs().map((at) => times.filter((time) => time <= at).length)
      // A slow machine may come late to one, and then has it over with the next.
      expect(slots).toEqual([...new Set(slots)])
      expect(slots.at(-1)).toBe(3)
    })

    it('does not run a time again that another node queues after its run has left the queue', async () => {
      const prefix = newPrefix()
      // It looks when a run has ended, and not in between: it would queue the next time before this test queues the last one.
      const { schedule, ended } = node({ prefix, lookMs: 3_600_000 })
      const performed: string[] = []
      await schedule.start([hourly('TEST/again')], async (name) => {
        performed.push(name)
        return 'done'
      })
      const { queue } = peek(prefix)
      const isWaiting = async () => ended.length === 1 && (await queue.getDelayedCount()) === 1
      await until('it has run, and waits', isWaiting)
      const [run] = await queue.getCompleted()
      const [next] = await queue.getDelayed()
      // As a node does whose look began before the end of the run.
      await run?.remove()
      await next?.remove()
      await queue.add('TEST/again', {}, { jobId: run?.id ?? '', deduplication: { id: 'TEST/again' }, attempts: 3 })
      await until('it is over with', async () => (await queue.getJob(run?.id ?? ''))?.returnvalue === 'has run already')
      await until('it waits for its next time', isWaiting)
      expect(performed).toHaveLength(1)
    })

    it('runs each time once although the nodes learn of new times at different moments', async () => {
      const prefix = newPrefix()
      const known: number[][] = [[], []]
      const nodes = known.map((times) => {
        const next = (after: number) => times.find((time) => time > after) ?? after + 3_600_000
        return { ...node({ prefix, lookMs: 5 }), job: { ...hourly('TEST/times'), next }, times }
      })
      const [one = expect.fail(), two = expect.fail()] = nodes
      await Promise.all(nodes.map(({ schedule, job }) => schedule.start([job], async () => 'done')))
      const runs = () => nodes.flatMap(({ ended }) => ended.map(({ run }) => run.startedAt)).sort((a, b) => a - b)
      const { queue } = peek(prefix)
      const rests = (count: number) => async () => runs().length === count && (await queue.getDelayedCount()) === 1
      await until('it waits', rests(1))

      const first = Date.now() + 300
      one.times.push(first)
      await until('it ran although the other node knows nothing', () => runs().length === 2)
      two.times.push(first)
      await until('it waits again', rests(2))
      // Far away, so that a slow machine does not come to them meanwhile.
      const dropped = Date.now() + 1_800_000
      for (const { times } of nodes) times.push(dropped)
      const isQueued = (at: number) => async () =>
        (await queue.getDelayed()).some(({ id }) => id === `TEST/times@${at}`)
      await until('its time is queued', isQueued(dropped))
      const later = dropped + 500
      for (const { times } of nodes) {
        times.splice(1, 1, later)
        await until('it has moved, and goes to and fro while the nodes differ', isQueued(later))
      }
      const moved = Date.now() + 300
      for (const { times } of nodes) times.splice(1, 1, moved)
      await until('it ran at the moved time', () => runs().length === 3)
      await until('it waits once more', rests(3))
      expect([(runs()[1] ?? 0) >= first, (runs()[2] ?? 0) >= moved]).toEqual([true, true])
      expect(nodes.flatMap(({ errors }) => errors)).toEqual([])
    })

    it('takes up within seconds what a killed node was doing', async () => {
      const prefix = newPrefix()
      const holder = startNode(redis.url, prefix, 'hold', ['TEST/killed'])
      await until('the first node runs it', () => holder.lines.includes('TEST/killed 1'))
      const { schedule, ended } = node({ prefix })
      await schedule.start([hourly('TEST/killed')], async () => 'taken up')
      expect(await schedule.trigger('TEST/killed')).toBe('running')
      const killedAt = Date.now()
      await holder.kill()
      expect(holder.process.signalCode, 'the fault fired').toBe('SIGKILL')
      await until('the second node ran it', () => ended.length === 1)
      expect(ended[0]?.run).toMatchObject({ outcome: 'succeeded', detail: 'taken up' })
      expect(Date.now() - killedAt).toBeLessThan(10_000)
    })

    it('gives a job up until its next time once three nodes have died of it, and says so', async () => {
      const prefix = newPrefix()
      const { client, queue } = peek(prefix)
      const entry = { jobId: 'TEST/deadly@0', deduplication: { id: 'TEST/deadly' }, attempts: 3 }
      await queue.add('TEST/deadly', {}, entry)
      let deaths = 0
      const dying = {
        prefix,
        connection: client,
        lockDuration: 50,
        skipLockRenewal: true,
        stalledInterval: 50,
        maxStalledCount: 2,
      }
      while (deaths < 3) {
        const begun = Promise.withResolvers<void>()
        const die = () => {
          begun.resolve()
          return new Promise(() => undefined)
        }
        const worker = new Worker('jobs', die, dying)
        await begun.promise
        await worker.close(true)
        deaths++
      }
      const { schedule, ended } = node({ prefix })
      const before = Date.now()
      let ran = 0
      await schedule.start([hourly('TEST/deadly')], async () => String(ran++))
      await until('it is known to have failed', () => ended.length > 0)
      expect(ended[0]?.run).toMatchObject({ outcome: 'failed', detail: 'job stalled more than allowable limit' })
      await until('its next time is queued', async () => (await queue.getDelayedCount()) === 1)
      expect((await schedule.list())[0]?.nextRun).toBeGreaterThan(before + 3_000_000)
      expect(ran).toBe(0)
    })

    it('stays correct beside a node with another calendar', async () => {
      const prefix = newPrefix()
      const old = node({ prefix })
      const young = node({ prefix })
      await old.schedule.start([hourly('TEST/both')], async () => 'old')
      await young.schedule.start([hourly('TEST/both'), hourly('TEST/new')], async () => 'young')
      await until('the new job ran', () => young.ended.some(({ name }) => name === 'TEST/new'))
      await until('the other ran', () => [...old.ended, ...young.ended].some(({ name }) => name === 'TEST/both'))
      expect(old.ended.map(({ name }) => name)).not.toContain('TEST/new')
    })
  })

  it('keeps all its keys in one slot of a cluster, and a bounded number of them', async () => {
    const prefix = newPrefix()
    const { schedule, ended } = node({ prefix })
    let next = 0
    await schedule.start([{ name: 'TEST/often', next: (after) => after + 1, leastApartMs: 0 }], async () =>
      String(next++),
    )
    await until('it ran often', () => ended.length >= 20)
    await schedule.stop()
    const { client } = peek(prefix)
    const keys = await client.keys('*')
    expect(keys.filter((key) => key.startsWith(`${prefix}:`)).length).toBeGreaterThan(20)
    const tag = prefix.slice(1, -1)
    expect(keys.filter((key) => key.includes(tag) && !key.startsWith(`{${tag}}:`))).toEqual([])
    const { opts } = (await peek(prefix).queue.getCompleted(0, 0))[0] ?? {}
    expect(opts?.deduplication).toEqual({ id: 'TEST/often' })
  })

  it('takes over a client’s settings, not the client', async () => {
    const client = new Redis(redis.url, { maxRetriesPerRequest: 3 })
    const { schedule, ended } = node({ prefix: newPrefix(), connection: client })
    await schedule.start([hourly('TEST/client')], async () => 'done')
    await until('it ran', () => ended.length === 1)
    await schedule.stop()
    expect(await client.ping()).toBe('PONG')
    client.disconnect()
  })

  it('needs no client that is connected', async () => {
    const client = createClient(parseRedisAddress(redis.url), 500, true)
    const { schedule, ended } = node({ prefix: newPrefix(), connection: client })
    await schedule.start([hourly('TEST/lazy')], async () => 'done')
    await until('it ran', () => ended.length === 1)
    expect(client.status).toBe('wait')
  })

  it('runs the jobs of its own journal, beside another journal’s of the same names', async () => {
    const [ours, theirs] = [node({ prefix: queuePrefix(randomUUID()) }), node({ prefix: queuePrefix(randomUUID()) })]
    await ours.schedule.start([hourly('TEST/same')], async () => 'ours')
    await theirs.schedule.start([hourly('TEST/same')], async () => 'theirs')
    await until('both have run', () => ours.ended.length > 0 && theirs.ended.length > 0)
    expect([...ours.ended, ...theirs.ended].map(({ run }) => run.detail)).toEqual(['ours', 'theirs'])
  })

  it('works as the user that docs/redis.md makes, whatever the journal', async () => {
    const docs = readFileSync(new URL('../../../docs/redis.md', import.meta.url), 'utf8')
    const rules = /`ACL SETUSER almanac (on >PASSWORD [^`]+)`/.exec(docs)?.[1]?.split(' ') ?? []
    const { client } = peek(newPrefix())
    await client.call('ACL', 'SETUSER', 'almanac', ...rules)
    const connection = redis.url.replace('//', '//almanac:PASSWORD@')
    const { schedule, ended, errors } = node({ connection, prefix: queuePrefix(randomUUID()) })
    await schedule.start([hourly('TEST/user')], async () => 'done')
    await until('it ran', () => ended.length === 1)
    // It is told of before it leaves the queue.
    await until('it is started by hand', async () => (await schedule.trigger('TEST/user')) === 'started')
    await until('it ran by hand', () => ended.length === 2)
    await schedule.stop()
    expect(errors).toEqual([])
    await client.call('ACL', 'DELUSER', 'almanac')
  })

  it('tells of a wrong password without it', async () => {
    const connection = redis.url.replace('//', '//almanac:s3cret@')
    const { schedule, errors } = node({ connection, prefix: newPrefix() })
    const refused = await schedule.start([hourly('TEST/a')], async () => 'done').catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ScheduleUnavailable)
    const shown = inspect([refused, ...errors], { depth: null, showHidden: true })
    expect(shown).toMatch(/WRONGPASS|NOAUTH/)
    expect(errors.length).toBeGreaterThan(0)
    expect(shown).not.toContain('s3cret')
  })

  it('says when Redis is away, and goes on when it is back', async () => {
    const own = await startRedis({ dir: await temporaryDirectory() })
    onTestFinished(() => own.stop())
    const { schedule, ended, errors } = node({ prefix: newPrefix(), connection: own.url })
    await schedule.start([hourly('TEST/a')], async () => 'done')
    await until('it ran', () => ended.length === 1)
    // It has left the queue only then: killed before, it would be found by its lock, which runs out.
    await until('it rests', async () => (await schedule.list())[0]?.running === false)
    await own.kill()
    await expect(schedule.list()).rejects.toThrow(ScheduleUnavailable)
    await expect(schedule.trigger('TEST/a')).rejects.toMatchObject({ code: 'unavailable' })
    expect(errors.length).toBeGreaterThan(0)
    await own.start()
    await until('it can be asked again', () => schedule.list().then(Boolean, () => false))
    expect((await schedule.list())[0]?.lastRun?.outcome).toBe('succeeded')
    await until('it is started by hand', async () => (await schedule.trigger('TEST/a')) === 'started')
    await until('it ran again', () => ended.length === 2)
  })

  it('stops while Redis is away', async () => {
    const own = await startRedis({ dir: await temporaryDirectory() })
    onTestFinished(() => own.stop())
    const { schedule, ended } = node({ prefix: newPrefix(), connection: own.url })
    await schedule.start([hourly('TEST/a')], async () => 'done')
    await until('it ran', () => ended.length === 1)
    await own.kill()
    const begun = Date.now()
    await schedule.stop()
    expect(Date.now() - begun).toBeLessThan(8_000)
  })
})

/** A node in a process of its own; killed when the test ends. */
function startNode(url: string, prefix: string, role: 'hold' | 'pass', jobs: readonly string[]) {
  const child: ChildProcess = spawn(process.execPath, [SCRIPT, url, prefix, role, ...jobs], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => lines.push(line))
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  onTestFinished(kill)
  return { process: child, lines, kill }
}
