/** A whole service on a directory of its own, and the commands beside it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePorts } from '../../infra/ports.ts'
import { cpuOf } from '../bench/measure.ts'
import { almanac, type Service, serviceEnvironment, startService } from '../support/service.ts'

const program = join(import.meta.dirname, '../../cli/almanac.mjs')

/** Longest wait for anything. A million releases are derived in some minutes. */
const LONGEST_WAIT_MS = 60 * 60_000

/** Tells on standard error how far the run is. */
export const tell = (text: string): boolean =>
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`)

export class Deployment {
  readonly dataDir: string
  readonly #signal: AbortSignal
  #service: Service | undefined
  #admin = ''
  #key = ''

  constructor(dataDir: string, signal: AbortSignal) {
    this.dataDir = dataDir
    this.#signal = signal
  }

  /** Runs a command to its end. Throws what it wrote if it fails. */
  async command(args: readonly string[], onStart?: Parameters<typeof almanac>[2]): Promise<string> {
    const signal = this.#bounded()
    const { code, stdout, stderr } = await almanac(args, { ALMANAC_DATA_DIR: this.dataDir }, (child) => {
      signal.addEventListener('abort', () => child.kill(), { once: true })
      onStart?.(child)
    })
    signal.throwIfAborted()
    if (code !== 0) throw new Error(`almanac ${args.slice(0, 2).join(' ')} ended with ${code}: ${stderr || stdout}`)
    return stdout
  }

  /** Runs a command to its end, without what it prints. */
  async discard(args: readonly string[]): Promise<void> {
    const child = spawn(process.execPath, [program, ...args], {
      env: serviceEnvironment({ ALMANAC_DATA_DIR: this.dataDir }),
      stdio: ['ignore', 'ignore', 'inherit'],
      signal: this.#bounded(),
    })
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`almanac ${args[0]} ended with ${code}.`)
  }

  /** Aborts with the run, and what takes too long. */
  #bounded(): AbortSignal {
    this.#signal.throwIfAborted()
    return AbortSignal.any([this.#signal, AbortSignal.timeout(LONGEST_WAIT_MS)])
  }

  /** Waits until `look` returns undefined. Otherwise it returns where it stands, which is told now and then, and at the limit. */
  async waitFor(what: string, look: () => Promise<string | undefined>, everyMs: number): Promise<void> {
    const signal = this.#bounded()
    let told = performance.now()
    for (let where = await look(); where !== undefined; where = await look()) {
      if (signal.aborted) throw new Error(`Waited in vain for ${what}: ${where}.`, { cause: signal.reason })
      if (performance.now() - told > 10_000) {
        told = performance.now()
        tell(`  waiting for ${what}: ${where}`)
      }
      await wait(everyMs)
    }
  }

  async create(): Promise<void> {
    await this.command(['journal', 'init'])
    this.#key = JSON.parse(await this.command(['keys', 'create', '--plan', 'pro', '--owner', 'growth', '--json'])).key
  }

  /** Starts the service. Returns the seconds until `/ready` answers, and those of CPU time that `node` took for it. */
  async start(): Promise<{ readonly clock: number; readonly cpu: number }> {
    const [http, admin] = await freePorts(2)
    this.#admin = `http://127.0.0.1:${admin}`
    const began = performance.now()
    const started = startService(this.dataDir, {
      ALMANAC_DEMO: '0',
      ALMANAC_SCHEDULE: '0',
      ALMANAC_HTTP_PORT: String(http),
      ALMANAC_ADMIN_PORT: String(admin),
    })
    started.then(
      (service) => (this.#service = service),
      () => undefined,
    )
    const ready = () =>
      fetch(`http://127.0.0.1:${http}/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    while (!(await ready())) await Promise.race([wait(10), started.then(() => wait(10))])
    const clock = (performance.now() - began) / 1_000
    this.#service = await started
    return { clock, cpu: cpuOf(this.pidOf('node')) }
  }

  async stop(): Promise<void> {
    await this.#service?.stop()
    await this.#service?.destroy()
    this.#service = undefined
  }

  /** Ends every process of it at once. */
  destroy(): Promise<void> | undefined {
    return this.#service?.destroy()
  }

  /** Id of a process of the service. */
  pidOf(name: 'node' | 'store'): number {
    const found = this.#service?.processes().find((process) => process.name === `${name}.ts`)
    if (!found) throw new Error(`The service has no process ${name}.`)
    return found.pid
  }

  /** What REST answers; undefined for a figure that is not there. Throws at any other status. */
  async get(path: string): Promise<unknown> {
    const answer = await fetch(`${this.#service?.base}${path}`, {
      headers: { authorization: `Bearer ${this.#key}` },
      signal: this.#bounded(),
    })
    const text = await answer.text()
    if (answer.status === 404) return undefined
    if (!answer.ok) throw new Error(`${path} gave ${answer.status}: ${text}`)
    return JSON.parse(text)
  }

  async metrics(): Promise<string> {
    return (await fetch(`${this.#admin}/metrics`, { signal: this.#bounded() })).text()
  }

  /** Waits until every processor and read model has all that is in the journal, twice in a row. */
  async settled(): Promise<void> {
    let before = false
    await this.waitFor(
      'everything to be derived and projected',
      async () => {
        const lags = [
          ...(await this.metrics()).matchAll(/^almanac_(?:processor|projection)_lag_offsets\{(.*)\} (\d+)$/gm),
        ]
        const behind = lags.flatMap(([, who, lag]) => (lag === '0' ? [] : `${who} lacks ${lag}`))
        const isLevel = lags.length > 0 && behind.length === 0
        const isSettled = isLevel && before
        before = isLevel
        return isSettled ? undefined : `${behind.join('; ')} offsets`
      },
      500,
    )
  }
}
