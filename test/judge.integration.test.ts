import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
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

/** Returns the last line of the judgement and its exit code, beside another suite of which one test passed. */
async function judged(run: Run | undefined): Promise<[verdict: string | undefined, code: number | null]> {
  const folder = await temporaryDirectory()
  const steady: Run = { status: 0, files: { 'b.test.ts': { tests: { z: 'passed' } } } }
  for (const [suite, { status, ...report }] of Object.entries({ ...(run && { test: run }), distributed: steady })) {
    await writeFile(join(folder, `${suite}.json`), reportOf({ status, ...report }))
    await writeFile(join(folder, `${suite}.status`), String(status))
  }
  const { stdout, status } = spawnSync(process.execPath, [join(root, '.ci/judge.mjs'), folder], { cwd: root })
  return [stdout.toString().trim().split('\n').at(-1), status]
}

const run = (tests: File['tests'], status: number, isBroken = false): Run => ({
  status,
  files: { 'a.test.ts': { tests, isBroken } },
})

it.each<[string, Run | undefined, string, number]>([
  ['tests that pass', run({ x: 'passed', y: 'passed' }, 0), '3 passed, 0 failed', 0],
  ['a test that fails', run({ x: 'failed', y: 'passed' }, 1), '2 passed, 1 failed', 1],
  ['a skipped test', run({ x: 'pending', y: 'passed' }, 0), '2 passed, 1 failed', 1],
  ['a file that cannot be loaded', run({}, 1, true), '1 passed, 1 failed', 1],
  ['a file that fails after its tests', run({ x: 'passed' }, 1, true), '2 passed, 1 failed', 1],
  ['a suite that fails outside of any test', run({ x: 'passed' }, 1), '2 passed, 1 failed', 1],
  ['a suite without a report', undefined, '1 passed, 1 failed', 1],
])('CI judges %s', async (_, tests, verdict, code) => {
  expect(await judged(tests)).toEqual([verdict, code])
})
