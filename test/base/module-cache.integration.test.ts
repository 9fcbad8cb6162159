import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { cpSync, globSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../support/journal.ts'

const CACHE = 'base/process/module-cache.mjs'
let home: string
const cached = () => globSync('node_modules/.cache/almanac/*.js', { cwd: home })

/** Runs a module that imports another one, both in TypeScript. Returns what it printed. */
function run(): string {
  const args = ['--import', join(home, CACHE), join(home, 'main.ts')]
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  return stdout
}

beforeEach(async () => {
  home = await temporaryDirectory()
  cpSync(join(import.meta.dirname, '../..', CACHE), join(home, CACHE))
  mkdirSync(join(home, 'node_modules'))
  writeFileSync(join(home, 'package.json'), '{"type":"module"}')
  writeFileSync(join(home, 'main.ts'), "import { text } from './other.ts'\nconsole.log(text satisfies string)\n")
  writeFileSync(join(home, 'other.ts'), "export const text: string = 'first'\n")
})

describe('the cache of modules', () => {
  it('gives what Node gives, first and again, and prints nothing of its own', () => {
    expect([run(), run()]).toEqual(['first\n', 'first\n'])
    expect(cached()).toHaveLength(2)
  })

  it('takes a module from the cache, and a changed one from its source', () => {
    run()
    const [file = ''] = cached().filter((name) => readFileSync(join(home, name), 'utf8').includes('first'))
    // Only who reads the cache can print this.
    const code = "export const text = 'cached'"
    writeFileSync(join(home, file), `${code}\n//${hash('sha1', code)}`)
    expect(run()).toBe('cached\n')
    writeFileSync(join(home, 'other.ts'), "export const text: string = 'changed'\n")
    expect(run()).toBe('changed\n')
  })

  it.each([0, 1, 20])('makes a file anew that was cut to %i bytes', (bytes) => {
    run()
    for (const file of cached()) truncateSync(join(home, file), bytes)
    expect(run()).toBe('first\n')
    for (const file of cached()) expect(readFileSync(join(home, file)).length).toBeGreaterThan(bytes)
  })

  it('does without where it can write nothing', () => {
    // Holds for the superuser, too.
    writeFileSync(join(home, 'node_modules/.cache'), '')
    expect(run()).toBe('first\n')
  })

  it.runIf(process.geteuid?.() === 0)('does without in the directory of another user, whatever its mode', () => {
    for (const mode of [0o700, 0o755]) {
      mkdirSync(join(home, 'node_modules/.cache/almanac'), { recursive: true })
      const args = [
        '-c',
        'chmod -R go+rX "$1" && chmod "$2" "$1/node_modules/.cache/almanac"',
        'sh',
        home,
        mode.toString(8),
      ]
      expect(spawnSync('sh', args).status).toBe(0)
      const nobody = { uid: 65_534, gid: 65_534, encoding: 'utf8' } as const
      const { stdout, stderr } = spawnSync(
        process.execPath,
        ['--import', join(home, CACHE), join(home, 'main.ts')],
        nobody,
      )
      expect({ stdout, stderr }).toEqual({ stdout: 'first\n', stderr: '' })
    }
  })

  it('is used by worker threads of a process that loads it with --import', () => {
    writeFileSync(
      join(home, 'main.ts'),
      "import { Worker } from 'node:worker_threads'\nnew Worker(new URL('./thread.ts', import.meta.url))\n",
    )
    writeFileSync(join(home, 'thread.ts'), "import { text } from './other.ts'\nconsole.log(text as string)\n")
    expect(run()).toBe('first\n')
    expect(cached()).toHaveLength(3)
  })
  it('leaves it to Node to say where a module has an error', () => {
    writeFileSync(join(home, 'other.ts'), 'export const text: string = {{\n')
    const args = ['--import', join(home, CACHE), join(home, 'main.ts')]
    expect(spawnSync(process.execPath, args, { encoding: 'utf8' }).stderr).toMatch(/^file:.*other\.ts:1/m)
    expect(cached()).toHaveLength(1)
  })

  it('leaves files outside of its clone to Node', async () => {
    const outside = join(await temporaryDirectory(), 'own.ts')
    writeFileSync(outside, "module.exports = { text: 'outside' satisfies string }\n")
    writeFileSync(join(home, 'main.ts'), `import own from '${outside}'\nconsole.log(own.text)\n`)
    expect(run()).toBe('outside\n')
    expect(cached()).toHaveLength(1)
  })
})
