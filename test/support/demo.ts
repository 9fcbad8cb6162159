import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { markSample } from '../../cli/demo.ts'
import { openOrCreateJournal, sampleMarkFile } from '../../cli/parts.ts'
import { loadConfig } from '../../infra/config.ts'
import { runCommand } from './command.ts'
import { sharedServices } from './distributed.ts'
import { type Service, serviceEnvironment, startService } from './service.ts'
import { sharedServer } from './shared-servers.ts'

export const sampleFigures = join(import.meta.dirname, '../../sample/figures')

/** Writes a journal with these files of the sample. A demo that is started on it does not load the others. */
export async function prepareDemo(
  settings: Readonly<Record<string, string>>,
  sample: readonly string[],
): Promise<void> {
  const config = loadConfig(serviceEnvironment(settings))
  const journal = await openOrCreateJournal(config)
  await markSample(sampleMarkFile(config), journal.id)
  await journal.close()
  if (sample.length === 0) return
  const files = sample.map((file) => join(sampleFigures, file))
  const { code, stdout, stderr } = await runCommand(['ingest', 'file', ...files], settings)
  if (code !== 0) throw new Error(stdout + stderr)
}

/**
 * Starts a service with the demo's keys and simulated prices, but with only these files of the sample. The whole sample takes a
 * service some ten seconds of CPU time. `descriptors` is handed to `startService`.
 */
export async function startDemo(
  dataDir: string,
  sample: readonly string[],
  env: Readonly<Record<string, string>> = {},
  descriptors?: number,
): Promise<Service> {
  const settings = Object.entries(env).filter(([name]) => name.startsWith('ALMANAC_'))
  await prepareDemo({ ...Object.fromEntries(settings), ALMANAC_DATA_DIR: dataDir }, sample)
  return startService(dataDir, env, descriptors)
}

/** Starts a service of the demo on a copy of the data directory with the whole sample, which one service of the run loads. */
export async function startSample(dataDir: string, env: Readonly<Record<string, string>> = {}): Promise<Service> {
  if (!sharedServices()) await cp((await sharedServer('sample')).dataDir, dataDir, { recursive: true })
  // On real services the journal is none that can be copied, and only a demo loads the sample.
  else if (env.ALMANAC_DEMO === '0') await (await startService(dataDir)).stop()
  return startService(dataDir, env)
}
