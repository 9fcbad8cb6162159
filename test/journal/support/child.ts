import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { onTestFinished } from '../../support/concurrent.ts'

export const SCRIPT = `${import.meta.dirname}/journal-process.ts`

/** A `journal-process.ts` and the facts it has stated. It is killed when the test ends. */
export class Child {
  readonly process: ChildProcess
  readonly facts: Record<string, unknown>[] = []
  readonly ended: Promise<unknown>
  readonly #heard = new Set<() => void>()
  #complaints = ''

  /** `shell`: a command line that ends by running what it is given as arguments, in the surroundings it has made. */
  constructor(args: readonly string[], shell = 'exec "$0" "$@"') {
    this.process = spawn('sh', ['-c', shell, process.execPath, SCRIPT, ...args], { stdio: 'pipe' })
    onTestFinished(() => void this.process.kill('SIGKILL'))
    this.process.stderr?.on('data', (chunk) => {
      this.#complaints += chunk
    })
    const lines = createInterface({ input: this.process.stdout as NodeJS.ReadableStream })
    lines.on('line', (line) => {
      this.facts.push(JSON.parse(line))
      for (const hear of this.#heard) hear()
    })
    this.ended = Promise.all([once(this.process, 'close'), once(lines, 'close')])
  }

  /** The first fact that has the property. Rejects if the process ends without having stated it. */
  async states(property: string): Promise<Record<string, unknown>> {
    const find = () => this.facts.find((fact) => property in fact)
    const { promise, resolve } = Promise.withResolvers<void>()
    const hear = () => find() && resolve()
    this.#heard.add(hear)
    hear()
    await Promise.race([promise, this.ended])
    this.#heard.delete(hear)
    const fact = find()
    if (!fact) throw new Error(`ended with ${this.process.exitCode} without saying ${property}: ${this.#complaints}`)
    return fact
  }

  say(line: string): void {
    this.process.stdin?.write(`${line}\n`)
  }

  signal(signal: NodeJS.Signals): void {
    this.process.kill(signal)
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL')
    await this.ended
  }

  /** Waits for it to end by itself, in good order. */
  async finish(): Promise<void> {
    await this.ended
    const { exitCode, signalCode } = this.process
    if (exitCode !== 0) throw new Error(`ended with ${exitCode ?? signalCode}: ${this.#complaints}`)
  }
}
