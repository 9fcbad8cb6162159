/**
 * One turn: runs one bench in this process and sends its rows to the parent. `turn.ts NAME` runs the bench beside this file;
 * `turn.ts NAME DIRECTORY` the one in a directory beside this one.
 */
import { join } from 'node:path'
import { fileOf } from './benches.ts'
import { descendantsOf, type Measure } from './measure.ts'

// However a bench ends, no process that it started goes on.
process.on('exit', () => {
  for (const pid of descendantsOf(process.pid)) process.kill(pid, 'SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const [name = '', directory = 'bench'] = process.argv.slice(2)
const file = join(import.meta.dirname, '..', directory, fileOf(name))
const { bench } = (await import(file)) as { bench(): Promise<readonly Measure[]> }
const rows = await bench()
process.send?.(rows, () => process.exit(0))
