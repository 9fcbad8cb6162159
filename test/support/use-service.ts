import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { runCommand } from './command.ts'
import { type Service, startService } from './service.ts'

const figures = join(import.meta.dirname, '../../sample/figures')
/** Without the demo, whose sample and prices keep a machine busy. */
const QUIET = { ALMANAC_DEMO: '0', ALMANAC_SCHEDULE: '0', ALMANAC_TICKS_FLUSH_MS: '200' }

/** The sample's files of American GDP, in the order of their publication. */
export const usaGdp = ['2024-10-30', '2024-11-27', '2024-12-19', '2026-07-30'].map((day) => `gdp-USA-fred-${day}.csv`)

/**
 * Starts a service on a data directory of its own before the tests of a file, and removes both after them. It has these files
 * of the sample, and nothing else. Its members exist only once the tests run. `key` is of the plan `pro`, and `headers` have it.
 */
export function useService(sample: readonly string[]) {
  let dataDir: string
  let service: Service
  let key: string

  const run = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runCommand(args, { ALMANAC_DATA_DIR: dataDir })
    if (code !== 0) throw new Error(`${args.join(' ')}: ${stdout}${stderr}`)
    return stdout
  }

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'almanac-e2e-'))
    // All before the start, so that a service which says that it is ready has it in its read models.
    await run('journal', 'init')
    key = JSON.parse(await run('keys', 'create', '--plan', 'pro', '--owner', 'TEST', '--json')).key
    if (sample.length > 0) await run('ingest', 'file', ...sample.map((file) => join(figures, file)))
    service = await startService(dataDir, QUIET)
  })
  afterAll(async () => {
    await service?.destroy()
    await rm(dataDir, { recursive: true, force: true })
  })

  return {
    get service() {
      return service
    },
    get key() {
      return key
    },
    /** Stops the service, and starts another one on its data directory. */
    async restart(): Promise<void> {
      await service.stop()
      service = await startService(dataDir, QUIET)
    },
    get headers() {
      return { authorization: `Bearer ${key}` }
    },
  }
}
