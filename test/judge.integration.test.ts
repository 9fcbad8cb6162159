import { spawnSync } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryDirectory } from './support/journal.ts'

const root = join(import.meta.dirname, '..')

type File = { readonly isBroken?: boolean; readonly tests: Readonly<Record<string, 'passed' | 'failed' | 'pending'>> }
type Run = { readonly status: number; readonly files: Readonly<Record<string, File>> }

const reportOf = ({ files }: Run): string =>
  JSON.stringify({
    testResults: Object.entries(files).map(([name, { isBroken = false, tests }]) => ({
      name: join(root, name),
      status: isBroken || Object.values(tests).includes('failed') ? 'failed' : 'passed',
      message: '',
      assertionResults: Object.entries(tests).map(([fullName, status]) => ({ fullName, status, failureMessages: [] })),
    })),
  })

/** The last line of the judgement, if the first run of a suite and the second one of its failed files end so. */
async function judged(first: Run, again: Run): Promise<string | undefined> {
  const folder = await temporaryDirectory()
  const steady: Run = { status: 0, files: { 'b.test.ts': { tests: { z: 'passed' } } } }
  const test = { ...first, files: { ...first.files, ...steady.files } }
  for (const [suite, run] of Object.entries({ test, distributed: steady })) {
    await writeFile(join(folder, `${suite}.json`), reportOf(run))
    await writeFile(join(folder, `${suite}.status`), String(run.status))
  }
  // Stands in for npm. Its last argument names the report.
  const npm = join(folder, 'npm')
  const script = [
    '#!/bin/sh',
    'for report; do :; done',
    `cat >"\${report#--outputFile.json=}" <<'END'`,
    reportOf(again),
  ]
  await writeFile(npm, [...script, 'END', `exit ${again.status}`, ''].join('\n'))
  await chmod(npm, 0o755)
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` }
  const { stdout } = spawnSync(process.execPath, [join(root, '.ci/judge.mjs'), folder], { cwd: root, env })
  return stdout.toString().trim().split('\n').at(-1)
}

const once = (tests: File['tests'], isBroken = false, status = 1): Run => ({
  status,
  files: { 'a.test.ts': { tests, isBroken } },
})

it.each<[string, Run, Run, string]>([
  [
    'a test that passes the second time',
    once({ x: 'failed', y: 'passed' }),
    once({ x: 'passed', y: 'passed' }, false, 0),
    '4 passed, 0 failed',
  ],
  [
    'a test that fails twice',
    once({ x: 'failed', y: 'passed' }),
    once({ x: 'failed', y: 'passed' }),
    '3 passed, 1 failed',
  ],
  [
    'a file that fails before its tests, once',
    once({ x: 'pending' }, true),
    once({ x: 'passed' }, false, 0),
    '3 passed, 0 failed',
  ],
  ['a file that cannot be loaded, once', once({}, true), once({ x: 'passed' }, false, 0), '3 passed, 0 failed'],
  [
    'a file that fails after its tests, once',
    once({ x: 'passed' }, true),
    once({ x: 'passed' }, false, 0),
    '3 passed, 0 failed',
  ],
  [
    'a file that fails after its tests, twice',
    once({ x: 'passed' }, true),
    once({ x: 'passed' }, true),
    '3 passed, 1 failed',
  ],
  ['a second run that fails outside of any test', once({ x: 'failed' }), once({ x: 'passed' }), '2 passed, 1 failed'],
  ['a suite that fails outside of any test', once({ x: 'passed' }), once({}), '3 passed, 1 failed'],
])('CI judges %s', async (_, first, again, verdict) => {
  expect(await judged(first, again)).toBe(verdict)
})
