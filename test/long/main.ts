/**
 * `npm run test:long [-- NAME…] [--seed N] [--again] [--write]`: repeats at length what `npm test` does briefly (`runs.ts`).
 *
 * Each run that ended is a line of `var/test-long.ndjson`. Called again on the same commit, it continues with the runs that
 * have not passed yet; `--again` repeats all. `--write` puts the newest results into `docs/long-runs.md`. Ends with 1 if a
 * run failed.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { replaceBetweenMarkers } from '../support/markers.ts'
import { appendResults, readResults } from '../support/recorded-results.ts'
import { type LongResult, remainingRuns, resultsTable } from './results.ts'
import { longRuns } from './runs.ts'

const root = join(import.meta.dirname, '../..')
const file = join(root, 'var/test-long.ndjson')
const page = join(root, 'docs/long-runs.md')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, again: { type: 'boolean' }, write: { type: 'boolean' } },
})
/** Ends what hangs; a larger count takes longer than the limits of `npm test`. */
const TEST_TIMEOUT_MS = 6 * 3_600_000
const unknown = positionals.filter((name) => longRuns.every((run) => run.name !== name))
if (unknown.length > 0) refuse(`no run ${unknown.join(', ')}; there are ${longRuns.map(({ name }) => name).join(', ')}`)
if (values.seed !== undefined && !/^\d{1,9}$/.test(values.seed))
  refuse(`--seed takes a whole number, not ${JSON.stringify(values.seed)}`)

const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const commit = git('rev-parse', 'HEAD')
// The page of results is what this program writes.
const isChanged = git('status', '--porcelain', '--', '.', ':!docs/long-runs.md') !== ''

const chosen = longRuns.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
const runs = values.again ? chosen : remainingRuns(chosen, readResults<LongResult>(file), commit)
console.log(`test:long: ${runs.length} of ${chosen.length} runs on ${commit}${isChanged ? ', with changed files' : ''}`)
let hasFailed = false
for (const [i, run] of runs.entries()) {
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  console.log(`\ntest:long: ${i + 1}/${runs.length} ${run.name}, --seed ${seed}: ${run.proves}`)
  const startedAt = new Date()
  // As in CI, where a missing program or document is a failure: a run that left tests out would seem to have passed.
  const env = { ...process.env, ...run.env, CI: 'true', ALMANAC_TEST_SEED: String(seed) }
  const limit = [...(run.npm.includes('--') ? [] : ['--']), `--testTimeout=${TEST_TIMEOUT_MS}`]
  const child = spawn('npm', [...run.npm, ...limit], { cwd: root, env, stdio: 'inherit' })
  const [code, signal] = await once(child, 'exit')
  // Interrupted: nothing is known of it, and the next call repeats it.
  if (signal !== null || code === 130) process.exit(130)
  hasFailed ||= code !== 0
  const seconds = Math.round((Date.now() - startedAt.getTime()) / 1_000)
  appendResults(file, {
    name: run.name,
    commit,
    isChanged,
    seed,
    startedAt: startedAt.toISOString(),
    seconds,
    hasPassed: code === 0,
  })
}

const results = readResults<LongResult>(file)
const before = readFileSync(page, 'utf8')
const table = resultsTable(longRuns, results, before)
console.log(`\n${table}`)
if (values.write) writeFileSync(page, replaceBetweenMarkers(before, 'results', table))
process.exitCode = hasFailed ? 1 : 0

function refuse(message: string): never {
  console.error(`test:long: ${message}`)
  process.exit(2)
}
