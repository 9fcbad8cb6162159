/**
 * `npm run saboteurs [-- NAME…] [--again] [--write] [--at-once N]`: puts each fault of `list/` into a copy of the tree, and runs the test file
 * that must fail then.
 *
 * Each result is a line of `var/saboteurs.ndjson`. Called again, it goes on with the saboteurs that have no result, or whose
 * files have changed since; `--again` repeats all. `--write` puts the newest results into `docs/saboteurs.md`. `--at-once`
 * runs several saboteurs at a time, each in a copy of its own. Ends with 1 if a saboteur was not caught.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { replaceBetweenMarkers } from '../support/markers.ts'
import { appendResults, readResults } from '../support/recorded-results.ts'
import { saboteurs } from './list/all.ts'
import { digestOf, remaining, type SaboteurResult, saboteurTable, type Verdict } from './results.ts'
import { runTests } from './run-tests.ts'
import { catcherOf, type Saboteur } from './saboteur.ts'
import { TreeCopy } from './tree-copy.ts'

const root = join(import.meta.dirname, '../..')
const file = join(root, 'var/saboteurs.ndjson')
const page = join(root, 'docs/saboteurs.md')
/** Longest run of one saboteur, and of all their test files without a fault. */
const LIMIT_MS = 180_000
const SOUND_LIMIT_MS = 1_800_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { again: { type: 'boolean' }, write: { type: 'boolean' }, 'at-once': { type: 'string', default: '1' } },
})
const unknown = positionals.filter((name) => saboteurs.every((saboteur) => saboteur.name !== name))
if (unknown.length > 0) {
  console.error(`saboteurs: no saboteur ${unknown.join(', ')}; docs/saboteurs.md lists them`)
  process.exit(2)
}

const atOnce = Number(values['at-once'])
if (!Number.isInteger(atOnce) || atOnce < 1) {
  console.error(`saboteurs: --at-once takes a whole number from 1 on, not ${JSON.stringify(values['at-once'])}`)
  process.exit(2)
}

const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const commit = git('rev-parse', 'HEAD')
// The page of results is what this program writes.
const isChanged = git('status', '--porcelain', '--', '.', ':!docs/saboteurs.md', ':!node_modules') !== ''
const read = (name: string) => readFileSync(join(root, name), 'utf8')

const chosen = saboteurs.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
const todo = remaining(chosen, values.again ? [] : readResults<SaboteurResult>(file), read)
console.log(`saboteurs: ${todo.length} of ${chosen.length} on ${commit}${isChanged ? ', with changed files' : ''}`)
if (todo.length > 0) await runAll(todo)

const results = readResults<SaboteurResult>(file)
if (values.write) {
  const before = readFileSync(page, 'utf8')
  writeFileSync(page, replaceBetweenMarkers(before, 'results', saboteurTable(saboteurs, results, before)))
}
const uncaught = chosen.filter(
  (saboteur) =>
    catcherOf(saboteur) !== undefined &&
    results.findLast(({ digest }) => digest === digestOf(saboteur, read))?.verdict !== 'caught',
)
console.log(
  `saboteurs: ${chosen.length - uncaught.length} of ${chosen.length} are caught, or survive for a known reason`,
)
for (const { name, fault } of uncaught) console.log(`  not caught: ${name}: ${fault}`)
process.exitCode = uncaught.length > 0 ? 1 : 0

async function runAll(all: readonly Saboteur[]): Promise<void> {
  const copies = Array.from({ length: Math.min(atOnce, all.length) }, () => new TreeCopy(root))
  process.on('exit', () => {
    for (const copy of copies) copy.remove()
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
  const [first] = copies
  if (first) await assertSound(first, all)
  const queue = all.entries()
  await Promise.all(
    copies.map(async (copy) => {
      for (const [i, saboteur] of queue) console.log(`${i + 1}/${all.length} ${await runOne(copy, saboteur)}`)
    }),
  )
}

/** Runs all test files without a fault, because one that fails anyway would seem to catch every fault. */
async function assertSound(copy: TreeCopy, all: readonly Saboteur[]): Promise<void> {
  const files = [...new Set(all.flatMap((saboteur) => catcherOf(saboteur) ?? []))]
  console.log(`saboteurs: ${files.length} test files without a fault`)
  const sound = await runTests(copy.root, files, { limitMs: SOUND_LIMIT_MS, bail: false })
  if (sound.code !== 0 || sound.failedFiles.length > 0) {
    console.error(`saboteurs: these fail without a fault: ${sound.failedFiles.join(', ')}\n${sound.failed.join('\n')}`)
    process.exit(1)
  }
  console.log(`saboteurs: they pass, in ${sound.seconds.toFixed(0)} s`)
}

/** Runs the test file of a saboteur with its fault, and records the result. Returns it as a line. */
async function runOne(copy: TreeCopy, saboteur: Saboteur): Promise<string> {
  const { name } = saboteur
  const startedAt = new Date().toISOString()
  const { code, failed, seconds } = await copy.sabotage(saboteur, () =>
    runTests(copy.root, [catcherOf(saboteur) ?? ''], { limitMs: LIMIT_MS, bail: true }),
  )
  const verdict: Verdict =
    code === 0 ? 'survived' : failed.length > 0 ? 'caught' : code === null ? 'timed out' : 'broken'
  const digest = digestOf(saboteur, read)
  const [test = ''] = failed
  appendResults(file, { name, digest, commit, isChanged, startedAt, seconds, verdict, failed: test })
  return `${name}: ${verdict} in ${seconds.toFixed(1)} s ${test}`
}
