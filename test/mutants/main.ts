/**
 * `npm run mutants [-- PART… | FILE…] [--again] [--write]`: has Stryker change one operator, condition or statement after
 * the other in rules without I/O (`parts.ts`), and runs the nearest unit tests with each change.
 *
 * A run remembers the last one of the same part: it tries the mutants whose code or tests have changed, and the planted ones.
 * It does not see that a helper of the tests has changed; `--again` tries all.
 * Prints the mutants that no test noticed. `var/mutants/` has the reports, and a line for each file in `results.ndjson`;
 * `--write` puts these into `docs/mutants.md`. Ends with 1 if a run failed. A mutant that survives is no failure: many change
 * nothing that anybody can see.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { replaceBetweenMarkers } from '../support/markers.ts'
import { appendResults, readResults } from '../support/recorded-results.ts'
import { parts } from './parts.ts'
import { countsOf, type MutantResult, type MutationReport, mutantTable, scoreOf } from './results.ts'
import { readImporters, testsOf } from './tests-of.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'var/mutants')
const resultsFile = join(folder, 'results.ndjson')
const page = join(root, 'docs/mutants.md')
const planted = 'test/mutants/planted.ts'
const plantedTest = 'test/mutants/planted.test.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { again: { type: 'boolean' }, write: { type: 'boolean' } },
})
const filesOf = (path: string): string[] =>
  path.endsWith('.ts') ? [path] : globSync(`${path}/*.ts`, { cwd: root }).toSorted()
const known = Object.values(parts).flatMap((paths) => paths.flatMap(filesOf))
const unknown = positionals.filter((name) => parts[name] === undefined && !known.includes(name))
if (unknown.length > 0) {
  console.error(
    `mutants: no part or file ${unknown.join(', ')}; test/mutants/parts.ts has them: ${Object.keys(parts).join(', ')}`,
  )
  process.exit(2)
}

const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const commit = git('rev-parse', 'HEAD')
// The page of results is what this program writes.
const isChanged = git('status', '--porcelain', '--', '.', ':!docs/mutants.md', ':!node_modules') !== ''
const importers = readImporters(root)

let hasFailed = false
for (const name of positionals.length > 0 ? positionals : Object.keys(parts)) {
  const files = (parts[name] ?? [name]).flatMap(filesOf)
  console.log(`\nmutants: ${name}, ${files.length} files`)
  const report = await mutate(name.replaceAll('/', '-'), files)
  const fault = report ? plantedFault(report) : 'Stryker failed'
  if (!report || fault) {
    console.error(`mutants: ${name}: ${fault}`)
    hasFailed = true
    continue
  }
  printSurvivors(report, files)
  const counts = countsOf(report).filter(({ file }) => files.includes(file))
  for (const { file, ...more } of counts)
    console.log(`${file}: ${more.survived + more.noCoverage} survive, ${scoreOf(more).toFixed(1)} %`)
  appendResults(resultsFile, ...counts.map((result) => ({ ...result, commit, isChanged })))
}
if (values.write) {
  const before = readFileSync(page, 'utf8')
  writeFileSync(
    page,
    replaceBetweenMarkers(before, 'results', mutantTable(known, readResults<MutantResult>(resultsFile), before)),
  )
}
process.exitCode = hasFailed ? 1 : 0

/** Runs Stryker on some files and on the planted functions. Returns undefined if it failed. */
async function mutate(name: string, files: readonly string[]): Promise<MutationReport | undefined> {
  const tests = [...new Set([...files.flatMap((file) => testsOf(file, importers)), plantedTest])]
  const [reportFile, incrementalFile] = [join(folder, `${name}.json`), join(folder, `${name}.incremental.json`)]
  if (values.again) rmSync(incrementalFile, { force: true })
  forgetPlanted(incrementalFile)
  const options = {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    mutate: [...files, planted],
    // Texts are words for people. What is decided at the start of a module are tables, which would be loaded for each mutant.
    mutator: { excludedMutations: ['StringLiteral'] },
    ignoreStatic: true,
    vitest: { configFile: 'test/mutants/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    concurrency: 2,
    // So long that a busy machine does not count as a mutant that never ends.
    timeoutMS: 30_000,
    incremental: true,
    incrementalFile,
    reporters: ['progress-append-only', 'json'],
    jsonReporter: { fileName: reportFile },
    tempDirName: join(folder, `tree-${name}`),
    ignorePatterns: ['var'],
    // A file that does not exist: Stryker would read it with an interface that TypeScript 7 does not have.
    tsconfigFile: 'var/mutants/no-tsconfig.json',
  }
  mkdirSync(folder, { recursive: true })
  rmSync(reportFile, { force: true })
  const optionsFile = join(folder, `${name}.options.json`)
  writeFileSync(optionsFile, JSON.stringify(options))
  const child = spawn(process.execPath, ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run', optionsFile], {
    cwd: root,
    env: { ...process.env, ALMANAC_TEST_FILES: JSON.stringify(tests) },
    stdio: 'inherit',
  })
  const [code] = await once(child, 'exit')
  // Cast: Stryker has written it.
  return code === 0 ? (JSON.parse(readFileSync(reportFile, 'utf8')) as MutationReport) : undefined
}

/** Removes the planted mutants from what Stryker remembers of the last run, so that each run tries them. */
function forgetPlanted(file: string): void {
  if (!existsSync(file)) return
  // Cast: Stryker has written it.
  const { files, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as MutationReport
  const { [planted]: _, ...kept } = files
  writeFileSync(file, JSON.stringify({ ...rest, files: kept }))
}

/** Why a run proves nothing; undefined if the planted mutants ended as they must. */
function plantedFault(report: MutationReport): string | undefined {
  const { source = '', mutants = [] } = report.files[planted] ?? {}
  const lines = source.split('\n')
  const ends = (name: string, ...statuses: readonly string[]) => {
    const line = lines.findIndex((text) => text.includes(`const ${name} `)) + 1
    const own = mutants.filter(({ location, status }) => location.start.line === line && status !== 'Ignored')
    return own.length > 0 && own.every(({ status }) => statuses.includes(status))
  }
  if (!ends('noticed', 'Killed')) return 'a planted mutant that must be killed was not'
  if (!ends('unnoticed', 'Survived')) return 'a planted mutant that must survive did not'
  return undefined
}

function printSurvivors({ files: all }: MutationReport, files: readonly string[]): void {
  for (const [file, { source, mutants }] of Object.entries(all)) {
    if (!files.includes(file)) continue
    const lines = source.split('\n')
    for (const { status, replacement, location } of mutants) {
      if (status !== 'Survived' && status !== 'NoCoverage') continue
      const { start, end } = location
      const text = lines[start.line - 1] ?? ''
      const original = start.line === end.line ? text.slice(start.column - 1, end.column - 1) : `${text.trim()} …`
      console.log(`${file}:${start.line}: ${status === 'Survived' ? '' : '(not run) '}${original} → ${replacement}`)
    }
  }
}
