// Judges the reports of the suites: `node .ci/judge.mjs FOLDER`. Ends with the line `N passed, N failed`.
//
// The folder has, for each suite, `NAME.json` (vitest's report) and `NAME.status` (the exit code of the run). A skipped
// test checked nothing, and a run without a report failed as a whole: here both are failures.
//
// Tests that start real brokers, engines and browsers fail now and then for want of time on a busy machine. The files of a
// suite with a few failures are therefore run once more by themselves. What passes then is named as unsteady with its
// first failure, and what fails twice has failed.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Suites, and how to run some of their files again. */
const suites = { test: ['test'], distributed: ['run', 'test:distributed'] }
/** Most files of a suite that are run again: more is no want of time. */
const MOST_AGAIN = 3

const [folder] = process.argv.slice(2)
let passed = 0
let failed = 0
for (const [name, command] of Object.entries(suites)) {
  const first = readReport(name)
  const failures = first.tests.filter(({ status }) => status === 'failed')
  const files = [...new Set([...failures.map(({ file }) => file), ...first.brokenFiles.map(({ file }) => file)])]
  const mayPass = files.length > 0 && files.length <= MOST_AGAIN ? testsAgain(name, command, files) : new Map()
  for (const test of first.tests) {
    const isSteady = test.status === 'passed'
    if (isSteady || mayPass.get(idOf(test)) === 'passed') passed++
    else failed++
    if (!isSteady) say(mayPass.get(idOf(test)) === 'passed' ? 'unsteady' : test.status, test)
  }
  const counted = new Set(first.tests.map(idOf))
  for (const broken of first.brokenFiles) {
    const again = [...mayPass].filter(([id]) => id.startsWith(`${broken.file} `))
    const isWhole = again.length > 0 && again.every(([, status]) => status === 'passed')
    if (isWhole) passed += again.filter(([id]) => !counted.has(id)).length
    else failed++
    say(isWhole ? 'unsteady' : 'failed', { ...broken, title: 'the whole file' })
  }
  const isExplained = first.status === 0 || files.length > 0
  if (first.tests.length === 0 || !isExplained) {
    failed++
    console.log(`failed: the suite ${name} ended with ${first.status}, and no test says why`)
  }
}
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)

/** Reads what a run says of each test, and of files that failed as a whole. */
function readReport(name) {
  const path = join(folder, `${name}.json`)
  const statusPath = join(folder, `${name}.status`)
  const report = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  const results = (report.testResults ?? []).map((result) => ({
    ...result,
    file: relative(process.cwd(), result.name),
  }))
  return {
    status: existsSync(statusPath) ? Number(readFileSync(statusPath, 'utf8')) : 1,
    tests: results.flatMap(({ file, assertionResults }) =>
      assertionResults.map(({ fullName, status, failureMessages }) => ({
        file,
        title: fullName,
        // Vitest says `pending` of a skipped test.
        status: status === 'pending' || status === 'todo' ? 'skipped' : status,
        message: failureMessages.join('\n'),
      })),
    ),
    brokenFiles: results
      .filter(({ status, assertionResults }) => status === 'failed' && !assertionResults.some(isFailed))
      .map(({ file, message }) => ({ file, message })),
  }
}

function isFailed({ status }) {
  return status === 'failed'
}

function idOf({ file, title }) {
  return `${file} ${title}`
}

/**
 * Runs files once more, and returns the status of each of their tests. Those of a file that fails as a whole, after its
 * tests too, are left out; so are all if the run fails and no test says why.
 */
function testsAgain(name, command, files) {
  console.log(`\nOnce more, by themselves: ${files.join(', ')}`)
  const again = `${name}-again`
  const report = `--outputFile.json=${join(folder, `${again}.json`)}`
  const args = [...command, '--', ...files, '--reporter=default', '--reporter=json', report]
  const { status } = spawnSync('npm', args, { stdio: 'inherit' })
  const { tests, brokenFiles } = readReport(again)
  if (status !== 0 && brokenFiles.length === 0 && !tests.some(isFailed)) return new Map()
  const broken = new Set(brokenFiles.map(({ file }) => file))
  return new Map(tests.filter(({ file }) => !broken.has(file)).map((test) => [idOf(test), test.status]))
}

/** Says it at the end, where a log that was cut still has it. */
function say(what, { file, title, message }) {
  console.log(`${what}: ${file} ${title}\n${message.slice(0, 2000)}`)
}
