import type { CopyOptions } from '../journal/copy.ts'
import { print } from './command.ts'
import { counted } from './counted.ts'

const PROGRESS_MS = 2_000

/** Tells every two seconds how far a command has come that reads all partitions. `verb` is that of the summary. */
export function startProgress(verb: string) {
  const partitions = new Map<string, { done: number; end: number }>()
  let records = 0
  const startedAt = performance.now()
  const sum = (of: (partition: { done: number; end: number }) => number) =>
    Array.from(partitions.values()).reduce((total, partition) => total + of(partition), 0)
  const count = (n: number) => n.toLocaleString('en')
  const seconds = () => (performance.now() - startedAt) / 1_000
  const tell = () => {
    const [done, end] = [sum(({ done }) => done), sum(({ end }) => end)]
    if (end > 0) print(`${count(done)} of ${count(end)} offsets (${Math.floor((100 * done) / end)} %)`)
  }
  const timer = setInterval(tell, PROGRESS_MS)
  const take: CopyOptions['onProgress'] = ({ key, done, end, ...step }) => {
    partitions.set(key, { done, end })
    records += step.records
  }
  return {
    take,
    summary: () => `${counted(records, 'record')} ${verb} in ${seconds().toFixed(1)} s`,
    end: () => clearInterval(timer),
  }
}
