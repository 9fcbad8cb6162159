import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let i = 0; i < 3; i++) collect()
}

/** Bytes of the heap in use once garbage is gone. */
export function heapUsed(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}
