import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from './support/journal.ts'

/** The commands that documents, pages and messages tell people to type, and the program that they name. */
const root = join(import.meta.dirname, '..')
const run = (file: string, args: readonly string[], cwd: string) => {
  const { status, stdout, stderr } = spawnSync(file, args, { cwd, encoding: 'utf8' })
  return { status, stdout, stderr }
}

/** Runs a package by its name: one that is not installed would be fetched from a registry, where anyone may have taken the name. */
const RUNS_A_PACKAGE = /\b(?:npx|npm (?:exec|x)|yarn dlx|pnpm (?:dlx|exec)|bunx)\b/

/** Decisions and the changelog say what was; nobody types it. */
const history = ['CHANGELOG.md', 'docs/decisions/**', 'test/commands.test.ts']
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
    expect(stdout).toBe(`${dir}/cli/almanac.ts,keys,create,--owner,two words,`)
  })

  it('passes the exit code on', () => {
    expect(run('./almanac', ['nothing'], root)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`no command "nothing"`),
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

  it('is no package that could be published by mistake', () => {
    expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).toMatchObject({ private: true })
  })
})
