import type { ChildProcess } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Faults, Victim } from './draw.ts'
import { isAlmanac } from './drive/processes.ts'
import { resultOf, spawnAlmanac } from './drive/program.ts'
import { signalProcess } from './drive/service.ts'
import type { Random } from './random.ts'
import { becomes, sleep } from './wait.ts'
import type { World } from './world.ts'

const INGEST_ATTEMPTS = 10
const GONE_WITHIN_MS = 30_000
const RECOVER_WITHIN_MS = 120_000
const FEED_WITHIN_MS = 60_000

export type RoundOutcome = { readonly killed: Victim | undefined; readonly violations: readonly string[] }

/** Lets figures, revisions and ticks arrive while the faults happen, and waits until the service is back. */
export async function runRound(world: World, faults: Faults, random: Random): Promise<RoundOutcome> {
  const { feed, clock, service, rest } = world
  const violations: string[] = []
  feed.pause(false)
  if (faults.clockOffsetMs !== undefined) {
    // They are under way while the clock is set.
    feed.send()
    clock.set(faults.clockOffsetMs)
  }
  const paths = await writeFiles(world, random)
  const command = spawnAlmanac(['ingest', 'file', ...paths], world.settings)
  const ended = resultOf(command)
  const [killed] = await Promise.all([kill(world, faults, command), stop(world, faults)])
  if (killed) world.tally.kills++
  violations.push(...(await acknowledged(world, paths, ended, killed === 'ingest')))
  if (service.processes().length === 0) {
    if (killed !== 'supervisor') violations.push(`the service ended by itself: ${service.output}`)
    if (!(await service.orphansLeave())) violations.push('processes outlive their supervisor')
    await service.start()
  }
  const isBack = await becomes(async () => (await rest.get('/v1/usage', true)) !== undefined, RECOVER_WITHIN_MS)
  if (!isBack) violations.push(`REST is not back within ${RECOVER_WITHIN_MS} ms`)
  if (!(await becomes(() => feed.hasConnection, FEED_WITHIN_MS)))
    violations.push(`the price feed is not connected again within ${FEED_WITHIN_MS} ms`)
  // Some ticks over the connection that must hold now.
  await sleep(300)
  feed.pause(true)
  return { killed, violations }
}

async function writeFiles({ directory, ledger, priceFiles }: World, random: Random): Promise<string[]> {
  const texts = Array.from({ length: 1 + random.below(3) }, () => ledger.nextFile(random).text)
  if (random.next() < 0.7) texts.push(priceFiles.nextFile(random))
  return Promise.all(
    texts.map(async (text, i) => {
      const path = join(directory, `input-${i}.csv`)
      await writeFile(path, text)
      return path
    }),
  )
}

async function kill({ service }: World, faults: Faults, command: ChildProcess): Promise<Victim | undefined> {
  if (!faults.kill) return undefined
  const { name: wanted, otherwise, afterMs } = faults.kill
  await sleep(afterMs)
  if (wanted === 'ingest' && command.pid !== undefined && command.exitCode === null && command.kill('SIGKILL'))
    return 'ingest'
  const name = wanted === 'ingest' ? otherwise : wanted
  // A process that a fault before has ended is started again by its supervisor: wait for it.
  let pid = 0
  const isSignalled = await becomes(() => {
    pid = service.processes().find((process) => process.name === name)?.pid ?? 0
    return pid !== 0 && signalProcess(pid, 'SIGKILL')
  }, 30_000)
  if (!isSignalled) throw new Error(`there is no process ${name} to kill: ${service.output}`)
  // On a busy machine it still counts as running for a while: whoever looks then waits for a service that is no more.
  if (!(await becomes(() => !isAlmanac(pid), GONE_WITHIN_MS))) throw new Error(`process ${name} outlives SIGKILL`)
  return name
}

/** Stops a process and lets it go on; one that is killed meanwhile needs no more. */
async function stop({ service }: World, faults: Faults): Promise<void> {
  if (!faults.stop) return
  const { name, afterMs, forMs } = faults.stop
  await sleep(afterMs)
  const found = service.processes().find((process) => process.name === name)
  if (!found || !signalProcess(found.pid, 'SIGSTOP')) return
  await sleep(forMs)
  signalProcess(found.pid, 'SIGCONT')
}

/** Repeats the command until it is acknowledged, as its user would. Only a killed one may fail. */
async function acknowledged(
  { settings }: World,
  paths: readonly string[],
  first: ReturnType<typeof resultOf>,
  wasKilled: boolean,
): Promise<string[]> {
  let result = await first
  if (result.code === 0) return []
  const violations = wasKilled ? [] : [`ingest failed by itself: ${result.code}: ${result.stdout}${result.stderr}`]
  for (let attempt = 0; attempt < INGEST_ATTEMPTS; attempt++) {
    result = await resultOf(spawnAlmanac(['ingest', 'file', ...paths], settings))
    if (result.code === 0) return violations
  }
  return [...violations, `ingest is never acknowledged: ${result.code}: ${result.stdout}${result.stderr}`]
}
