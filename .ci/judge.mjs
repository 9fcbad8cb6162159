// Judges the reports of the suites: `node .ci/judge.mjs FOLDER`. Ends with the line `N passed, N failed`.
//
// The folder has, for each suite, `NAME.json` (vitest's report), `NAME.status` (the exit code of the run) and, if hooks
// failed, `NAME.hooks` (why). A skipped
// test checked nothing, and a run without a report failed as a whole: here both are failures. Nothing is run a second
// time: a test that fails now and then is a fault to mend.
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const [folder] = process.argv.slice(2)
let passed = 0
let failed = 0
for (const suite of ['test', 'distributed']) {
  const report = readReport(suite)
  for (const { title, status, message } of report.tests) {
    if (status === 'passed') passed++
    else fail(`${status}: ${title}`, message)
  }
  for (const { file, message } of report.brokenFiles) fail(`failed as a whole: ${file}`, message)
  const hooks = join(folder, `${suite}.hooks`)
  if (existsSync(hooks)) console.log(readFileSync(hooks, 'utf8'))
  const saysWhy = report.brokenFiles.length > 0 || report.tests.some(isFailed)
  const hasPassed = report.status === 0 && report.tests.length > 0
  if (!hasPassed && !saysWhy) fail(`the suite ${suite} ended with ${report.status}, and no test says why`, '')
}
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)

/** Counts a failure and prints it at the end of the log, where a log that was cut still has it. */
function fail(what, message) {
  failed++
  console.log(`${what}\n${message.slice(0, 2000)}`)
}

/** Reads what a run says of each test, and of files that failed outside of their tests. */
function readReport(suite) {
  const path = join(folder, `${suite}.json`)
  const statusPath = join(folder, `${suite}.status`)
  const { testResults = [] } = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  const results = testResults.map((result) => ({ ...result, file: relative(process.cwd(), result.name) }))
  return {
    status: existsSync(statusPath) ? Number(readFileSync(statusPath, 'utf8')) : 1,
    tests: results.flatMap(({ file, assertionResults }) =>
      assertionResults.map(({ fullName, status, failureMessages }) => ({
        title: `${file} ${fullName}`,
        // Vitest says `pending` of a skipped test.
        status: status === 'pending' || status === 'todo' ? 'skipped' : status,
        message: failureMessages.join('\n'),
      })),
    ),
    brokenFiles: results.filter(
      ({ status, assertionResults }) => status === 'failed' && !assertionResults.some(isFailed),
    ),
  }
}

function isFailed({ status }) {
  return status === 'failed'
}
