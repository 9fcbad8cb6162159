/**
 * Preloaded into a process: measures the delay of its event loop. SIGUSR2 writes what was measured since the last one into a
 * file, named by the process's id, in the directory that BENCH_LOOP_DELAYS names.
 */
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHistogram, type Histogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

/**
 * Milliseconds from one timer to the next, which is due after one: p99.9 and the longest. `cpu` is the same by the CPU time that
 * the thread took meanwhile, without what the machine gave to others.
 */
export type LoopDelay = { readonly clock: Worst; readonly cpu: Worst }
type Worst = { readonly p999: number; readonly longest: number }

const directory = process.env.BENCH_LOOP_DELAYS
if (directory && isMainThread) {
  const clock = monitorEventLoopDelay({ resolution: 1 })
  clock.enable()
  const cpu = createHistogram()
  const used = () => {
    const { user, system } = process.threadCpuUsage()
    return user + system
  }
  let before = used()
  const count = () => {
    const now = used()
    cpu.record(Math.max(1, (now - before) * 1_000))
    before = now
  }
  setInterval(count, 1).unref()
  process.on('SIGUSR2', () => {
    const file = join(directory, String(process.pid))
    const measured: LoopDelay = { clock: worstOf(clock), cpu: worstOf(cpu) }
    // Its reader sees the whole of it, or nothing.
    writeFileSync(`${file}.part`, JSON.stringify(measured))
    renameSync(`${file}.part`, file)
    for (const histogram of [clock, cpu]) histogram.reset()
  })
}

function worstOf(histogram: Histogram): Worst {
  return { p999: histogram.percentile(99.9) / 1e6, longest: histogram.max / 1e6 }
}
