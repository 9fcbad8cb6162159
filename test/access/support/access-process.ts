import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished, vi } from 'vitest'
import { UNTIL_MS } from '../../support/patience.ts'

const SCRIPT = `${import.meta.dirname}/access-process-main.ts`

/** A running `access-process-main.ts`. It is killed when the test ends. */
export class AccessProcess {
  /** As in the script. */
  static readonly callsAtOnce = 4
  readonly said: string[] = []
  readonly #process: ChildProcess
  readonly #ended: Promise<unknown>
  readonly #grantLog: string
  #complaints = ''
  #hasEnded = false

  /** `shell`: a command line that ends by running what it is given as arguments, in the surroundings it has made. */
  constructor(args: readonly (string | number)[], shell = 'exec "$0" "$@"') {
    const dir = mkdtempSync(join(tmpdir(), 'almanac-access-process-'))
    this.#grantLog = join(dir, 'grants')
    const command = [process.execPath, SCRIPT, this.#grantLog, ...args.map(String)]
    this.#process = spawn('sh', ['-c', shell, ...command], { stdio: 'pipe' })
    onTestFinished(() => {
      this.#process.kill('SIGKILL')
      rmSync(dir, { recursive: true, force: true })
    })
    this.#process.stderr?.on('data', (chunk) => {
      this.#complaints += chunk
    })
    // It may have ended before it is told to go on: `finish` says so.
    this.#process.stdin?.on('error', () => undefined)
    const lines = createInterface({ input: this.#process.stdout as NodeJS.ReadableStream })
    lines.on('line', (line) => this.said.push(line))
    this.#ended = Promise.all([once(this.#process, 'exit'), once(lines, 'close')])
    void this.#ended.then(() => {
      this.#hasEnded = true
    })
  }

  get signal(): NodeJS.Signals | null {
    return this.#process.signalCode
  }

  /** How many calls it was granted: it notes each down, as one byte in a file, before it takes another. */
  grants(): number {
    return statSync(this.#grantLog, { throwIfNoEntry: false })?.size ?? 0
  }

  async says(word: string): Promise<void> {
    await this.#until(() => this.said.includes(word), word)
  }

  /** Waits for a line `word:value`; resolves with the value. */
  async saysOf(word: string): Promise<string> {
    const value = () => this.said.find((line) => line.startsWith(`${word}:`))?.slice(word.length + 1)
    await this.#until(() => value() !== undefined, word)
    return value() ?? ''
  }

  async hasGranted(count: number): Promise<void> {
    await this.#until(() => this.grants() >= count, `${count} grants`)
  }

  go(): void {
    this.#process.stdin?.write('go\n')
  }

  stop(): void {
    this.#process.kill('SIGSTOP')
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.#ended
  }

  /** Waits for it to end by itself, in good order. One that hangs says how far it came. */
  async finish(): Promise<void> {
    await this.#until(() => this.#hasEnded, `its end, with ${this.grants()} grants when it was asked to finish`)
    if (this.#process.exitCode !== 0) throw new Error(`exit code ${this.#process.exitCode}: ${this.#complaints}`)
  }

  async #until(holds: () => boolean, what: string): Promise<void> {
    await vi.waitFor(
      () => {
        const state = `said ${this.said.join(' ')}, ${this.grants()} grants`
        if (!holds()) throw new Error(`not seen: ${what} (${state}) ${this.#complaints}`)
      },
      { timeout: UNTIL_MS, interval: 2 },
    )
  }
}
