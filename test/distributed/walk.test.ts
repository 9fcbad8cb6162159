import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { freePorts } from '../../infra/ports.ts'
import { makeClone } from '../support/clone.ts'
import { prepareDemo } from '../support/demo.ts'
import { type SharedServices, settingsOn, sharedServices } from '../support/distributed.ts'
import { snippetWith } from '../support/documents-text.ts'
import { until } from '../support/journal.ts'

/** The walk of docs/distributed.md, as it is printed there but for the ports, on the engines that this run shares. */
const FILE = 'docs/distributed.md'
const blocks = {
  first: snippetWith(FILE, 'ALMANAC_DATA_DIR=./var/one npm start'),
  second: snippetWith(FILE, 'ALMANAC_HTTP_PORT=8180'),
  questions: snippetWith(FILE, 'grep -i ratelimit:'),
}

type Terminal = { readonly output: () => string; readonly ended: Promise<number | null> }

it('two nodes count one quota, and their read models are those of the journal', async () => {
  const home = await makeClone()
  const terminals: ChildProcess[] = []
  onTestFinished(async () => {
    for (const { pid, exitCode } of terminals) if (pid !== undefined && exitCode === null) process.kill(-pid, 'SIGKILL')
    await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  })
  // What `npm run infra` leaves behind; the prefix and the database keep this journal apart from those of other tests.
  await mkdir(join(home, 'var/infra'))
  const settings = Object.entries(settingsOn(sharedServices() as SharedServices, home))
  await writeFile(
    join(home, 'var/infra/settings.sh'),
    settings.map(([name, value]) => `export ${name}=${value}\n`).join(''),
  )

  // Neither the quota nor `verify` needs more than one file of the sample.
  await prepareDemo({ ...Object.fromEntries(settings), ALMANAC_DATA_DIR: join(home, 'var/one') }, ['cpi-USA-bls.csv'])

  const documented = ['8080', '8081', '8180', '8181']
  const free = await freePorts(documented.length)
  const ports = new Map(documented.map((port, i) => [port, String(free[i])]))
  // The first node has the default ports in the document.
  const defaults = { ALMANAC_HTTP_PORT: ports.get('8080'), ALMANAC_STREAM_PORT: ports.get('8081') }
  const clean = Object.entries(process.env).filter(([name]) => !name.startsWith('ALMANAC_'))

  function run({ text }: { readonly text: string }, env: NodeJS.ProcessEnv = {}): Terminal {
    const script = text.replace(/\b8[01]8[01]\b/g, (port) => ports.get(port) ?? port)
    const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: home,
      env: { ...Object.fromEntries(clean), ...env },
      // A group of its own, to end all of a service.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    terminals.push(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
    return { output: () => output, ended: once(child, 'close').then(([code]) => code) }
  }
  async function start(block: { readonly text: string }, env?: NodeJS.ProcessEnv): Promise<void> {
    const { output, ended } = run(block, env)
    let code: number | null | undefined
    void ended.then((value) => (code = value))
    const isReady = () => {
      if (code !== undefined) throw new Error(`the service ended with ${code}: ${output()}`)
      return output().includes('almanac is ready')
    }
    await until('the service is ready', isReady)
  }

  await start(blocks.first, defaults)
  await start(blocks.second)
  const { output, ended } = run(blocks.questions)
  expect([await ended, output()]).toEqual([0, expect.stringMatching(/ratelimit:[^\n]*\n.*ratelimit:/i)])
  const left = [...output().matchAll(/^ratelimit:.*"month";r=(\d+)/gim)].map(([, remaining]) => Number(remaining))
  expect(left).toHaveLength(2)
  expect(left[1]).toBe((left[0] ?? 0) - 1)
})
