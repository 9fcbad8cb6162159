import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'

/** What is read of the report of vitest's reporter `json`, which follows that of Jest. */
type Report = {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

type TestRun = {
  /** Null if it had to be killed. */
  readonly code: number | null
  /** Names of the tests that failed. */
  readonly failed: readonly string[]
  /** Files in which something failed, or that did not load; from the root of the tree. */
  readonly failedFiles: readonly string[]
  readonly seconds: number
}

/** A fault may make a test wait in vain, and the tests' own limits are minutes. */
const TEST_MS = 30_000
const POLL_MS = 20_000

/** Runs test files in a tree. What takes longer than `limitMs` is killed with its children. */
export async function runTests(
  root: string,
  files: readonly string[],
  { limitMs, bail }: { readonly limitMs: number; readonly bail: boolean },
): Promise<TestRun> {
  // Beside the tree, because tests look at the files of the tree.
  const report = `${root}.report.json`
  rmSync(report, { force: true })
  const limits = [`--testTimeout=${TEST_MS}`, `--hookTimeout=${2 * TEST_MS}`, `--expect.poll.timeout=${POLL_MS}`]
  const output = ['--reporter=json', `--outputFile=${report}`, ...(bail ? ['--bail=1'] : [])]
  const startedAt = performance.now()
  // A process group of its own, so that what tests have started ends with them.
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...files, ...limits, ...output], {
    cwd: root,
    stdio: 'ignore',
    detached: true,
  })
  const end = () => endGroup(child.pid)
  // An interrupted run leaves nothing behind.
  process.once('exit', end)
  const timer = setTimeout(end, limitMs)
  const [code] = (await once(child, 'exit')) as [number | null]
  clearTimeout(timer)
  process.off('exit', end)
  end()
  const seconds = (performance.now() - startedAt) / 1_000
  // Cast: vitest has written it.
  const { testResults } = (
    existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : { testResults: [] }
  ) as Report
  rmSync(report, { force: true })
  const failed = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  )
  const failedFiles = testResults
    .filter(({ status }) => status !== 'passed')
    .map(({ name }) => name.slice(root.length + 1))
  return { code, failed, failedFiles, seconds }
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has ended.
  }
}
