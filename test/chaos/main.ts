/**
 * `npm run chaos -- [--rounds N] [--seed N] [--dir DIRECTORY]`: kills processes of a real service at random and judges each
 * round (`run.ts`). Prints a line a round and a summary; ends with 1 on a violation and keeps the directory then.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runChaos } from './run.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '300' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    dir: { type: 'string' },
  },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    console.log(`chaos: ended by ${signal}`)
    process.exit(130)
  })
}
const [rounds, seed] = [wholeNumber('--rounds', values.rounds), wholeNumber('--seed', values.seed)]
const directory = values.dir ?? (await mkdtemp(join(tmpdir(), 'almanac-chaos-')))
console.log(`chaos: ${rounds} rounds, --seed ${seed}, in ${directory}`)
const summary = await runChaos({ rounds, seed, directory, report: (line) => console.log(line) })
const { violations, output, ...figures } = summary
if (violations.length === 0) await rm(directory, { recursive: true, force: true })
else console.log(`\nThe service's output since its last start:\n${output}\nIts data is in ${directory}.`)
console.log(`chaos: ${violations.length} violations (--seed ${seed}); ${JSON.stringify(figures)}`)
process.exitCode = violations.length === 0 ? 0 : 1

function wholeNumber(option: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${option} takes a whole number, not ${JSON.stringify(text)}`)
  return Number(text)
}
