import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientsFolder } from '../../clients/generate/artifacts.ts'
import { sampleFigures, startDemo } from '../support/demo.ts'
import { complaintsIn, hasNoPython, python, pythonFolder } from '../support/python.ts'
import type { Service } from '../support/service.ts'

/** Both clients, packed, installed from what was packed, and used as their examples do, on a real service. */
const run = promisify(execFile)
const typescriptFolder = join(clientsFolder, 'typescript')
const modules = join(clientsFolder, '../node_modules')

/** What the examples ask for. */
const SAMPLE = globSync('{gdp,cpi-USA}*.csv', { cwd: sampleFigures })
let home: string
let service: Service
let key: string

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'almanac-packages-'))
  service = await startDemo(join(home, 'var'), SAMPLE, { ALMANAC_LOG_LEVEL: 'error' })
  key = (await service.keys()).pro
})
afterAll(async () => {
  await service?.destroy()
  await rm(home, { recursive: true, force: true })
})

/** Runs a program that may listen on, until it has printed so many lines; `meanwhile` is called after the first. */
async function linesOf(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  count: number,
  meanwhile: () => void = () => undefined,
): Promise<string[]> {
  const child = spawn(command, args, {
    cwd: home,
    env: { ...process.env, ...env, ALMANAC_KEY: key },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  let [stdout, stderr] = ['', '']
  child.stderr.on('data', (chunk) => (stderr += chunk))
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk) => {
      const before = stdout.includes('\n')
      stdout += chunk
      if (!before && stdout.includes('\n')) meanwhile()
      if (stdout.split('\n').length > count) resolve()
    })
    child.once('close', () => resolve())
  })
  child.kill()
  await ended
  expect(complaintsIn(stderr)).toBe('')
  return stdout.split('\n').slice(0, count)
}

/** An example with the addresses of this service. */
async function example(folder: string, name: string): Promise<string> {
  const text = await readFile(join(folder, 'examples', name), 'utf8')
  const here = text
    .replace('key: process.env.ALMANAC_KEY', `$&, url: '${service.base}', streamsUrl: '${service.streams}'`)
    .replace('os.environ["ALMANAC_KEY"]', `$&, url="${service.base}", streams_url="${service.streams}"`)
  expect(here).not.toBe(text)
  const file = join(home, name)
  await writeFile(file, here)
  return file
}

const killStreams = () => {
  const pid = service.processes().find(({ name }) => name === 'streams.ts')?.pid
  if (pid === undefined) throw new Error('there is no process of the streams')
  service.kill(pid)
}

describe('the TypeScript package', () => {
  beforeAll(async () => {
    // A copy, because packing writes the compiled files beside the sources.
    const copy = join(home, 'clients/typescript')
    await cp(typescriptFolder, copy, { recursive: true })
    await cp(join(clientsFolder, '../tsconfig.json'), join(home, 'tsconfig.json'))
    await mkdir(join(home, 'node_modules'))
    for (const name of ['typescript', '.bin', '@types', 'undici-types', '@typescript', 'ws'])
      await symlink(join(modules, name), join(home, 'node_modules', name))
    await run('npm', ['pack', '--silent', '--pack-destination', home], { cwd: copy })
    const [tarball = ''] = (await readdir(home)).filter((name) => name.endsWith('.tgz'))
    await mkdir(join(home, 'node_modules/almanac-client'))
    await run('tar', [
      'xzf',
      join(home, tarball),
      '--strip-components=1',
      '-C',
      join(home, 'node_modules/almanac-client'),
    ])
  })

  /** The options of a program for Node, and of one whose imports a bundler resolves. */
  const resolutions = ['--module nodenext', '--module esnext --moduleResolution bundler']

  it.each(resolutions)('has its types with %s, and a program that uses them wrongly does not compile', async (how) => {
    const right = `import { Almanac, fileCursor } from 'almanac-client'
      const almanac = new Almanac({ key: 'k', decimal: Number })
      const cpi = await almanac.rest.economics_get_cpi({ country: 'USA' })
      const value: number = cpi.value
      const first = await almanac.vintages('USA', 'exports', { start: '2024' }).next()
      for await (const event of almanac.events({ start: 42, store: fileCursor('c') })) console.log(event.subject, value, first)
      export {}`
    const programs = {
      'right.mts': right,
      'wrong-type.mts': right.replace('const value: number', 'const value: string'),
      'wrong-option.mts': right.replace("key: 'k'", "apiKey: 'k'"),
      'wrong-indicator.mts': `${right}\nalmanac.vintages('USA', 'gpd')`,
      'wrong-argument.mts': right.replace("{ country: 'USA' }", '{}'),
    }
    for (const [name, program] of Object.entries(programs)) await writeFile(join(home, name), program)
    const options = [...how.split(' '), '--noEmit', '--strict', '--target', 'es2022', '--ignoreConfig']
    const compiled = run(join(modules, '.bin/tsc'), [...options, ...Object.keys(programs)], { cwd: home })
    const { stdout } = await compiled.catch((error: { stdout: string }) => error)
    const faults = stdout.split('\n').filter((line) => /^\S/.test(line))
    expect(faults.sort()).toEqual([
      expect.stringMatching(/^wrong-argument\.mts.*country/),
      expect.stringMatching(/^wrong-indicator\.mts.*"gpd"/),
      expect.stringMatching(/^wrong-option\.mts.*not assignable/),
      expect.stringMatching(/^wrong-type\.mts.*not assignable/),
    ])
  })

  it('is bundled for a browser without anything of Node', async () => {
    const program = join(home, 'page.mjs')
    const bundle = async (names: string) => {
      await writeFile(program, `import { ${names} } from 'almanac-client'\nconsole.log(${names})`)
      const { output } = await (await rolldown({ input: program, platform: 'browser' })).generate()
      return output[0].code
    }
    expect(await bundle('Almanac, storageCursor')).not.toMatch(/node:|import\(/)
    await expect(bundle('fileCursor')).rejects.toThrow(/"fileCursor" is not exported/)
  })

  const node = (file: string, count: number, meanwhile?: () => void) =>
    linesOf(process.execPath, [file], {}, count, meanwhile)

  it('runs the examples', async () => {
    expect(await node(await example(typescriptFolder, 'latest.mjs'), 1)).toEqual(['2026-03 330.213'])
    expect((await node(await example(typescriptFolder, 'history.mjs'), 3))[0]).toMatch(/^2024-01 \d+\.\d+$/)
    expect((await node(await example(typescriptFolder, 'prices.mjs'), 2))[0]).toMatch(/^\d+\.\d+$/)
  })

  it('follows the events in ten lines, through kill -9 of the service', async () => {
    const file = await example(typescriptFolder, 'follow.mjs')
    const lines = await node(file, 2_400, killStreams)
    expect(new Set(lines.slice(0, 50)).size).toBeGreaterThan(10)
    expect(lines).toHaveLength(2_400)
  })
})

describe.skipIf(hasNoPython)('the Python package', () => {
  const site = () => join(home, 'site')
  beforeAll(async () => {
    await run(python, ['-m', 'hatchling', 'build', '-t', 'wheel', '-d', join(home, 'wheel')], { cwd: pythonFolder })
    const [wheel = ''] = await readdir(join(home, 'wheel'))
    expect(wheel).toMatch(/^almanac_client-.*-py3-none-any\.whl$/)
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--no-index', '--target', site()]
    await run(python, [...pip, join(home, 'wheel', wheel)])
    await rm(join(home, 'events-cursor'), { force: true })
  })

  const py = (file: string, count: number, meanwhile?: () => void) =>
    linesOf(python, [file], { PYTHONPATH: site() }, count, meanwhile)

  it('runs the examples', async () => {
    expect(await py(await example(pythonFolder, 'latest.py'), 1)).toEqual(['2026-03 330.213'])
    const frame = await py(await example(pythonFolder, 'history.py'), 2)
    expect(frame[0]).toMatch(/country +measure .* released_on/)
    expect((await py(await example(pythonFolder, 'follow_async.py'), 2))[0]).toMatch(/^\d+\.\d+$/)
  })

  it('follows the events in ten lines, through kill -9 of the service', async () => {
    expect(await py(await example(pythonFolder, 'follow.py'), 2_400, killStreams)).toHaveLength(2_400)
  })

  it('opens a stream with tickets, and reads pages of events from a start', async () => {
    const file = join(home, 'tickets.py')
    const addresses = `url="${service.base}", streams_url="${service.streams}"`
    await writeFile(
      file,
      `import asyncio, os
from almanac_client import AsyncAlmanac

async def main():
    server = AsyncAlmanac(os.environ["ALMANAC_KEY"], ${addresses})
    async def ticket(stream):
        return (await server.rest.prices_create_stream_ticket(origin="http://localhost:3000")).url
    client = AsyncAlmanac(ticket=ticket, origin="http://localhost:3000")
    async for price in client.prices(commodities=[{"commodity": "XAU", "currency": "EUR"}], max_attempts=2):
        print(price.spot.symbol, flush=True)
        break
    pages = server.pages("events_list", start=2, limit=10)
    print([int(event.sequence) for page in [await anext(pages), await anext(pages)] for event in page.events], flush=True)

asyncio.run(main())
`,
    )
    const sequences = Array.from({ length: 20 }, (_, i) => i + 2)
    expect(await py(file, 2)).toEqual(['XAU-EUR', `[${sequences.join(', ')}]`])
  })

  it('passes its own tests', async () => {
    const { stdout } = await run(python, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests'], {
      cwd: pythonFolder,
      env: { ...process.env, PYTHONPATH: join(pythonFolder, 'src') },
    }).catch((error: { stdout: string }) => {
      throw new Error(error.stdout)
    })
    expect(stdout).toMatch(/\d+ passed/)
    expect(stdout).not.toMatch(/skipped|failed/)
  })
})
