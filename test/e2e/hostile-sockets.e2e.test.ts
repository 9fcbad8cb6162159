import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { streamPath } from '../../contracts/streams.ts'
import { Client } from '../streams/support.ts'
import { startDemo } from '../support/demo.ts'
import { until } from '../support/journal.ts'
import type { Service } from '../support/service.ts'

/**
 * Sockets from one address that are opened to use up the service, and a client from another address that must not notice.
 * ALMANAC_TEST_HOSTILE=20000 for the long form, which also judges and prints times. Attackers and service share the machine, so
 * the long form first attacks a bare server beside the service: what the client notices then is the machine's share.
 */
const HOSTILE = Number(process.env.ALMANAC_TEST_HOSTILE ?? 3_000)
const IS_LONG = process.env.ALMANAC_TEST_HOSTILE !== undefined
/** Fewer than the hostile sockets: each of them must be refused, or nothing is left for the service. */
const DESCRIPTORS = IS_LONG ? undefined : 2_048
const ATTACK_MS = IS_LONG ? 16_000 : 1_500
const HOSTILE_FROM = '127.0.0.1'
const HEALTHY_FROM = '127.0.0.2'
const PER_PROCESS = 10_000
const support = join(import.meta.dirname, '../support')
const main = join(support, 'hostile-sockets-main.ts')

let dataDir: string
let service: Service
let key: string
let prices: Client
let events: Client

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'almanac-e2e-'))
  service = await startDemo(dataDir, ['cpi-USA-bls.csv'], {}, DESCRIPTORS)
  key = (await service.keys()).pro
  prices = await subscribe('prices', { commodities: [{ commodity: 'XAU', currency: 'USD' }], fx: [{ base: 'EUR' }] })
  events = await subscribe('events', {})
})
afterAll(async () => {
  prices?.socket.terminate()
  events?.socket.terminate()
  await service?.destroy()
  await rm(dataDir, { recursive: true, force: true })
})

async function subscribe(stream: 'prices' | 'events', wanted: object): Promise<Client> {
  const options = { headers: { authorization: `Bearer ${key}` }, localAddress: HEALTHY_FROM }
  const client = new Client(service.streams + streamPath(stream), options, { untilTestEnds: false })
  await client.seen('ready')
  client.send({ action: 'subscribe', ...wanted })
  await client.seen('subscribed')
  return client
}

type Figures = { readonly opened: number; readonly ended: number; readonly open: number }

/** Opens the hostile sockets; resolves once each has been tried. */
async function attack(port: number, variant: string) {
  const processes = Array.from({ length: Math.ceil(HOSTILE / PER_PROCESS) }, (_, i) => {
    const count = Math.min(PER_PROCESS, HOSTILE - i * PER_PROCESS)
    const args = [main, String(port), HOSTILE_FROM, String(count), variant, streamPath('prices')]
    const child: ChildProcess = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    const state = { child, figures: { opened: 0, ended: 0, open: 0 } as Figures }
    if (child.stdout) createInterface(child.stdout).on('line', (line) => (state.figures = JSON.parse(line)))
    return state
  })
  const sum = (name: keyof Figures) => processes.reduce((total, { figures }) => total + figures[name], 0)
  await until(`${HOSTILE} sockets were tried`, () => sum('opened') >= HOSTILE * 0.95)
  return {
    figures: () => ({ opened: sum('opened'), ended: sum('ended'), open: sum('open') }),
    async stop() {
      const gone = processes.map(({ child }) => new Promise((resolve) => child.once('exit', resolve)))
      for (const { child } of processes) child.stdin?.end()
      await Promise.all(gone)
    },
  }
}

/** Starts a server that resets each socket; the client asks the service while the bare server is attacked. */
async function askWhileBareServerIsAttacked(variant: string): Promise<number[]> {
  const child = spawn(process.execPath, [join(support, 'bare-server-main.ts')], { stdio: ['pipe', 'pipe', 'inherit'] })
  const gone = once(child, 'exit')
  const [line] = await once(createInterface(child.stdout), 'line')
  const attackers = await attack(Number(line), variant)
  const { times } = await askFor(ATTACK_MS)
  await attackers.stop()
  child.stdin.end()
  await gone
  return times
}

/** Asks for `ms` as a client from another address, on a new connection each time; the times of the answers in ms, sorted. */
async function askFor(ms: number): Promise<{ times: number[]; faults: string[] }> {
  const times: number[] = []
  const faults: string[] = []
  const end = performance.now() + ms
  const ask = (path: string, everyMs: number) => async () => {
    while (performance.now() < end) {
      const began = performance.now()
      const outcome = await answerOf(path).catch((error) => String(error))
      if (outcome === 'ok') times.push(performance.now() - began)
      else faults.push(`${path} after ${Math.round(performance.now() - began)} ms: ${outcome}`)
      await sleep(Math.max(0, everyMs - (performance.now() - began)))
    }
  }
  // A key may ask ten times a second; /health needs none.
  const askers = [ask('/v1/economics/USA/cpi', 125), ask('/health', 40), ask('/health', 40)]
  await Promise.all(askers.map((run) => run()))
  return { times: times.sort((a, b) => a - b), faults }
}

const agent = new Agent({ keepAlive: false })
/** `ok`, or the status and body of another answer. */
const answerOf = (path: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` }
    const request = get(
      service.base + path,
      { agent, headers, localAddress: HEALTHY_FROM, timeout: 20_000 },
      (answer) => {
        let body = ''
        answer.setEncoding('utf8').on('data', (text) => (body += text))
        answer.on('end', () => resolve(answer.statusCode === 200 ? 'ok' : `${answer.statusCode} ${body}`))
      },
    )
    request.on('timeout', () => request.destroy(new Error('no answer for 20 s')))
    request.on('error', reject)
  })

const p99 = (times: readonly number[]) => times[Math.floor(times.length * 0.99)] ?? Number.NaN

/** Longest wait between two of these instants, ms. */
const longestGap = (instants: readonly number[]): number =>
  Math.max(0, ...instants.slice(1).map((at, i) => at - (instants[i] ?? at)))

const variants = ['half-open', 'slow headers', 'slow body', 'upgraded, then silent', 'garbage']
type Port = 'HTTP' | 'streams'
/** Only the long form, which judges times, attacks one after the other. */
const targets: readonly [string, readonly Port[]][] = IS_LONG
  ? [
      ['the HTTP port', ['HTTP']],
      ['the streams port', ['streams']],
    ]
  : [['both ports', ['HTTP', 'streams']]]

describe.each(targets)(`${HOSTILE} hostile sockets from one address on %s`, (target, ports) => {
  it.each(variants)('%s: a client from another address notices nothing', async (variant) => {
    // Only the long form judges times.
    const calm = IS_LONG ? p99((await askFor(ATTACK_MS)).times) : undefined
    const control = IS_LONG ? p99(await askWhileBareServerIsAttacked(variant)) : undefined
    const received: number[] = [performance.now()]
    const note = () => received.push(performance.now())
    prices.socket.on('message', note)
    const attacks = await Promise.all(
      ports.map((name) => attack(Number(new URL(name === 'HTTP' ? service.base : service.streams).port), variant)),
    )
    const before = prices.messages.length
    const asked = await askFor(ATTACK_MS)
    // Streams still open for the healthy client.
    const late = await subscribe('events', {})
    late.socket.close()
    await until('prices go on', () => prices.messages.length > before + 3)
    const figures = attacks.map((attackers) => attackers.figures())
    await Promise.all(attacks.map((attackers) => attackers.stop()))
    prices.socket.off('message', note)

    expect(asked.faults).toEqual([])
    expect([prices.closed, events.closed]).toEqual([undefined, undefined])
    expect(service.output()).not.toMatch(/EMFILE|ENFILE|leases could not be renewed|process ended/)
    if (calm === undefined || control === undefined) return
    const gap = Math.round(longestGap(received))
    const attacked = p99(asked.times)
    const times = { p99_quiet_ms: calm, p99_bare_server_ms: control, p99_ms: attacked, price_gap_ms: gap }
    process.stderr.write(`${JSON.stringify({ target, variant, ...figures[0], ...times })}\n`)
    expect(attacked).toBeLessThan(3 * Math.max(calm, control))
  })
})
