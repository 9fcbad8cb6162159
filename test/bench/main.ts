/**
 * `npm run bench -- rest journal`: each figure beside its ceiling. `--turns N` repeats it, `--against REV` does so in turns with
 * another revision and judges the difference, `--write` puts the figures into docs/performance.md. Without names: all benches.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Arguments, benchArguments } from './benches.ts'
import type { Measure } from './measure.ts'
import { comparisonText, figuresText, type Run, rowsOf, withTable } from './report.ts'
import { checkOut, commitOf, removeCheckOut, type Side, takeTurn } from './sides.ts'

type Turns = (readonly Measure[])[]
type Turn = () => Promise<readonly Measure[]>

const here: Side = { root: join(import.meta.dirname, '../..'), node: process.execPath }
const page = join(here.root, 'docs/performance.md')
const print = (text: string) => process.stdout.write(text)
const load = () => loadavg()[0] ?? Number.NaN

/** Takes the turns of all sides: A B B A …, so that neither of two is always the first. Tells on stderr how far it is. */
async function takeTurns(bench: string, count: number, sides: readonly Turn[]): Promise<Turns[]> {
  const taken = sides.map((turn) => ({ turn, turns: [] as Turns }))
  let done = 0
  for (let round = 0; round < count; round++)
    for (const { turn, turns } of round % 2 === 0 ? taken : taken.toReversed()) {
      const began = performance.now()
      turns.push(await turn())
      const seconds = ((performance.now() - began) / 1_000).toFixed(0)
      process.stderr.write(`${bench}: turn ${++done} of ${count * sides.length} took ${seconds} s\n`)
    }
  return taken.map(({ turns }) => turns)
}

/** A bench of the working tree on another revision. If it fails there at first, the bench that the revision came with. */
function otherTurn(bench: string, take: (ownBench: boolean) => ReturnType<Turn>): Turn {
  let ownBench: boolean | undefined
  return async () => {
    if (ownBench !== undefined) return take(ownBench)
    try {
      const rows = await take(false)
      ownBench = false
      return rows
    } catch (error) {
      const { name, message } = error as Error
      if (name === 'AbortError') throw error
      print(`\n${bench}: this bench fails on the other revision, which is measured by its own: ${message}\n`)
      ownBench = true
    }
    return take(true)
  }
}

async function main({ names, against, turns, write }: Arguments, temporary: string, signal: AbortSignal) {
  const other = against && (await checkOut(against, here, tree, signal))
  // Before the first row is written, which changes the tree.
  const commit = await commitOf(here)
  for (const bench of names) {
    const take = (side: Side, ownBench: boolean) => takeTurn(side, bench, { temporary, signal, ownBench })
    const sides: Turn[] = [() => take(here, false)]
    if (other) sides.unshift(otherTurn(bench, (ownBench) => take(other, ownBench)))
    const before = load()
    try {
      const [now = [], old] = (await takeTurns(bench, turns, sides)).toReversed()
      print(`\n${old ? comparisonText(bench, rowsOf(old), rowsOf(now)) : figuresText(bench, rowsOf(now))}`)
      if (write) writeRows(now, { bench, commit, turns, load: [before, load()] })
    } catch (error) {
      if (signal.aborted) throw error
      process.exitCode = 1
      print(`\n${bench}: skipped: ${(error as Error).message}\n`)
    }
  }
}

function writeRows(turns: Turns, run: Pick<Run, 'bench' | 'commit' | 'turns' | 'load'>): void {
  const date = new Date().toISOString().slice(0, 10)
  const whole = { ...run, date, node: process.versions.node, cores: availableParallelism() }
  writeFileSync(page, withTable(readFileSync(page, 'utf8'), whole, rowsOf(turns)))
}

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
const temporary = mkdtempSync(join(tmpdir(), 'almanac-bench-'))
const tree = join(temporary, 'tree')
try {
  await main(benchArguments(process.argv.slice(2)), temporary, stop.signal)
} catch (error) {
  process.stderr.write(`${stop.signal.aborted ? 'Stopped.' : (error as Error).message}\n`)
  process.exitCode = 2
} finally {
  await removeCheckOut(here, tree)
  rmSync(temporary, { recursive: true, force: true, maxRetries: 10 })
}
