import { join } from 'node:path'
import { markSample } from '../../cli/demo.ts'
import { runCommand } from './command.ts'
import { type Service, startService } from './service.ts'

export const sampleFigures = join(import.meta.dirname, '../../sample/figures')

/**
 * Starts a service with the demo's keys and simulated prices, but with only these files of the sample. The whole sample takes a
 * service some ten seconds of CPU time.
 */
export async function startDemo(
  dataDir: string,
  sample: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const run = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runCommand(args, { ALMANAC_DATA_DIR: dataDir })
    if (code !== 0) throw new Error(`${args.join(' ')}: ${stdout}${stderr}`)
    return stdout
  }
  const [, id = ''] = /^journal (\S+) exists$/m.exec(await run('journal', 'init')) ?? []
  if (sample.length > 0) await run('ingest', 'file', ...sample.map((file) => join(sampleFigures, file)))
  await markSample(join(dataDir, 'sample-loaded'), id)
  return startService(dataDir, env)
}
