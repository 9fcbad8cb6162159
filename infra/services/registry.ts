import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { freePort } from '../ports.ts'
import { type StartedService, startProgram } from './child.ts'
import { bundleDirectory, type DownloadProgress, UNPACKED } from './jars.ts'
import { INSTALL_JAVA, javaCommand, javaOptions } from './java.ts'

/** `url` is the base of the Confluent API. */
export type RunningRegistry = StartedService & { readonly url: string }

const HEAP_MB = 256

/**
 * Starts Apicurio Registry on loopback, with its schemas in an H2 file under `dir`. An acknowledged schema survives SIGKILL.
 */
export async function startRegistry(options: {
  readonly dir: string
  /** 0 or absent: a free port. */
  readonly port?: number
  readonly progress?: DownloadProgress
}): Promise<RunningRegistry> {
  const dir = resolve(options.dir)
  const libraries = await bundleDirectory('registry', { progress: options.progress })
  const port = options.port || (await freePort())
  const url = `http://127.0.0.1:${port}/apis/ccompat/v7`
  await mkdir(dir, { recursive: true })
  const service = await startProgram({
    name: 'schema registry',
    command: javaCommand(),
    args: [
      ...javaOptions(HEAP_MB),
      '-cp',
      [join(libraries, UNPACKED, '*'), join(libraries, UNPACKED, 'lib', '*')].join(':'),
      'io.quarkus.runner.GeneratedMain',
    ],
    env: {
      QUARKUS_HTTP_HOST: '127.0.0.1',
      HTTP_PORT: String(port),
      // No delay, so that an acknowledged schema is in the file.
      REGISTRY_DATASOURCE_URL: `jdbc:h2:file:${join(dir, 'schemas')};WRITE_DELAY=0`,
    },
    ports: [port],
    install: INSTALL_JAVA,
    logFile: join(dir, 'registry.log'),
    ready: async () => (await fetch(`${url}/subjects`, { signal: AbortSignal.timeout(2_000) })).ok,
  })
  return Object.assign(service, { url })
}
