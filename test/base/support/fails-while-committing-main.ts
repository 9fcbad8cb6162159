/** Fails with an error that nobody catches, in the middle of a commit: `fails-while-committing-main.ts DIRECTORY`. */
import { join } from 'node:path'
import { open } from 'lmdb'
import { CommitGate } from '../../../base/lmdb/commit-gate.ts'

const [, , directory = ''] = process.argv
const gate = new CommitGate(join(directory, 'processes'))
const root = open<number, string>({ path: join(directory, 'data.mdb') })
const commit = (count: number) => gate.committing(() => root.transaction(() => void root.put('count', count)))
await commit(1)
void commit(2)
setImmediate(() => {
  // Meanwhile the thread that commits asks for the callback of the transaction, and waits for it.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  throw new Error('a fault of the program')
})
