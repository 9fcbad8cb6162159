/**
 * One turn: runs one bench in this process and sends its rows to the parent. `turn.ts NAME` runs the bench beside this file;
 * `turn.ts NAME DIRECTORY` the one in a directory beside this one.
 */
import { join } from 'node:path'
import { fileOf } from './benches.ts'
import type { Measure } from './measure.ts'

const [name = '', directory = 'bench'] = process.argv.slice(2)
const file = join(import.meta.dirname, '..', directory, fileOf(name))
const { bench } = (await import(file)) as { bench(): Promise<readonly Measure[]> }
const rows = await bench()
process.send?.(rows, () => process.exit(0))
