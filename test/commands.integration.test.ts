import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from './support/journal.ts'

/** The commands that documents, pages and messages tell people to type, and the program that they name. */
const root = join(import.meta.dirname, '..')
/** `programs`: a directory of programs that are found before those of the machine. */
const run = (file: string, args: readonly string[], cwd: string, programs?: string) => {
  const { PATH = '' } = process.env
  const env = { ...process.env, PATH: programs === undefined ? PATH : `${programs}:${PATH}` }
  const { status, stdout, stderr } = spawnSync(file, args, { cwd, env, encoding: 'utf8' })
  return { status, stdout, stderr }
}

/** Runs a package by its name: one that is not installed would be fetched from a registry, where anyone may have taken the name. */
const RUNS_A_PACKAGE = /\b(?:npx|npm (?:exec|x)|yarn dlx|pnpm (?:dlx|exec)|bunx)\b/

/** Decisions and the changelog say what was; nobody types it. */
const history = ['CHANGELOG.md', 'docs/decisions/**', 'test/commands.integration.test.ts']
const texts = globSync(['**/*.{md,ts,js,mjs,yaml,json,css}', '.ci/*', 'almanac', 'infra/Dockerfile'], {
  cwd: root,
  exclude: ['node_modules/**', 'var/**', 'coverage/**', 'test/fixtures/**', ...history],
})

describe('commands that are to be typed', () => {
  it('name nothing that a registry could answer', () => {
    expect(texts.length).toBeGreaterThan(400)
    expect(texts).toContain('README.md')
    const found = texts.flatMap((path) => {
      const lines = readFileSync(join(root, path), 'utf8').split('\n')
      return lines.flatMap((line, i) => (RUNS_A_PACKAGE.test(line) ? [`${path}:${i + 1} ${line.trim()}`] : []))
    })
    expect(found).toEqual([])
    expect(['npx vitest', 'npm exec --no almanac', '`npx`'].every((text) => RUNS_A_PACKAGE.test(text))).toBe(true)
  })
})

describe('documents', () => {
  /** A command in code that isn't spelt as it is typed. */
  const names = globSync('*.ts', { cwd: join(root, 'cli/commands') }).map((file) => file.replace('.ts', ''))
  const BARE = new RegExp(`(?:^|\\s)almanac (?:(?:${['help', ...names].join('|')})\\b|--)`)
  it('spell every command as it is typed, beginning with ./almanac', () => {
    const documents = texts.filter((path) => path.endsWith('.md'))
    const found = documents.flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(/`([^`\n]+)`|^```sh\n([\s\S]*?)^```$/gm)]
        .map(([, inline, block = '']) => inline ?? block)
        .filter((code) => BARE.test(code))
        .map((code) => `${path}: ${code}`),
    )
    expect(found).toEqual([])
    expect(['almanac start', 'sudo almanac --version'].every((code) => BARE.test(code))).toBe(true)
    expect(['./almanac start', 'docker build -t almanac .'].some((code) => BARE.test(code))).toBe(false)
  })
})

describe('./almanac', () => {
  it('runs the program on the Node that is installed beside it, from anywhere and through a link', async () => {
    const dir = await temporaryDirectory()
    await symlink(join(root, 'almanac'), join(dir, 'link'))
    for (const [file, cwd] of [
      ['./almanac', root],
      [join(root, 'almanac'), dir],
      ['./link', dir],
    ] as const) {
      const { status, stdout } = run(file, ['help', 'keys'], cwd)
      expect([status, stdout.split('\n')[0]]).toEqual([0, expect.stringContaining('./almanac keys create')])
    }
    await mkdir(join(dir, 'node_modules/.bin'), { recursive: true })
    await copyFile(join(root, 'almanac'), join(dir, 'almanac'))
    await writeFile(join(dir, 'node_modules/.bin/node'), '#!/bin/sh\nprintf "%s," "$@"', { mode: 0o755 })
    const { stdout } = run(join(dir, 'almanac'), ['keys', 'create', '--owner', 'two words'], root)
    expect(stdout).toBe(`${dir}/cli/almanac.mjs,keys,create,--owner,two words,`)
  })

  it('passes the exit code on', () => {
    expect(run('./almanac', ['nothing'], root)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`unknown command "nothing"`),
    })
  })

  it('says what to do where nothing is installed, and asks nobody', async () => {
    const dir = await temporaryDirectory()
    await copyFile(join(root, 'almanac'), join(dir, 'almanac'))
    expect(run('./almanac', ['help'], dir)).toEqual({
      status: 2,
      stdout: '',
      stderr: `almanac: nothing is installed in ${dir} yet: run \`npm ci\` there\n`,
    })
  })

  it('needs no `readlink -f`, which older systems lack', async () => {
    const [dir, programs] = [await temporaryDirectory(), await temporaryDirectory()]
    const { stdout: real } = run('sh', ['-c', 'command -v readlink'], root)
    const old = `#!/bin/sh\n[ "$1" = -f ] && { echo 'illegal option -- f' >&2; exit 1; }\nexec ${real.trim()} "$@"\n`
    await writeFile(join(programs, 'readlink'), old, { mode: 0o755 })
    await mkdir(join(dir, 'bin'))
    await symlink(join(root, 'almanac'), join(dir, 'absolute'))
    await symlink('../absolute', join(dir, 'bin/relative'))
    const { status, stdout, stderr } = run(join(dir, 'bin/relative'), ['--version'], dir, programs)
    expect([status, stdout, stderr]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/), ''])
  })

  /** An installation without the optional packages, of which Node is one, on a machine with another Node. */
  async function withoutNode(typescript: string) {
    const [dir, programs] = [await temporaryDirectory(), await temporaryDirectory()]
    await copyFile(join(root, 'almanac'), join(dir, 'almanac'))
    await mkdir(join(dir, 'node_modules'))
    const node = `#!/bin/sh\nif [ "$1" = -p ]; then echo ${typescript}; else printf '%s,' "$@"; fi\n`
    await writeFile(join(programs, 'node'), node, { mode: 0o755 })
    return { dir, result: run(join(dir, 'almanac'), ['help'], root, programs) }
  }

  it('says what to do where its Node is missing and that of the machine can not run it', async () => {
    const { dir, result } = await withoutNode('undefined')
    expect(result).toEqual({
      status: 2,
      stdout: '',
      stderr: `almanac: the Node 22 that belongs to it is not in ${dir}/node_modules: run \`npm ci\` there without --omit=optional\n`,
    })
  })

  it('runs on the Node of the machine where its own is missing and that one can, as in a container image', async () => {
    const { dir, result } = await withoutNode('strip')
    expect(result).toEqual({ status: 0, stdout: `${dir}/cli/almanac.mjs,help,`, stderr: '' })
  })

  it('is what `npm start` runs', () => {
    expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts.start).toBe('exec ./almanac start')
  })

  it('is no package that could be published by mistake', () => {
    expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).toMatchObject({ private: true })
  })
})
