import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { errorMessage } from '../../base/errors.ts'
import { isFree } from '../ports.ts'
import { createPrivateFiles } from '../private-files.ts'
import { bundleDirectory, bundles, pinBundle } from './jars.ts'
import { FULL_COMPILER } from './java.ts'
import { startKafka } from './kafka.ts'
import { startRedis } from './redis.ts'
import { startRegistry } from './registry.ts'
import { isAlive, type Watched, watchOver } from './watch.ts'

const USAGE = `npm run infra -- [options]: Kafka, a schema registry and Redis on this machine, without containers

  --only kafka,registry,redis  starts only the named ones
  --kafka-nodes 3              a quorum of three nodes instead of one; a data directory keeps its number
  --dir DIRECTORY              directory for their data and logs (default var/infra)
  --fetch                      only downloads and checks the programs that would be started
  --pin                        only rewrites the lists of checksums, after a change of versions in pom.xml
`
const parts = ['kafka', 'registry', 'redis'] as const
type Part = (typeof parts)[number]

/** Preferred ports. A registry's usual port, 8081, is the port of Almanac's streams. */
const PORTS = { kafka: 9092, registry: 8082, redis: 6379 }

type Started = Watched & { readonly setting: string; readonly value: string }

const say = (line: string): void => void process.stdout.write(`${line}\n`)

function readOptions() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: parts.join(',') },
      'kafka-nodes': { type: 'string', default: '1' },
      dir: { type: 'string', default: join(import.meta.dirname, '../../var/infra') },
      fetch: { type: 'boolean', default: false },
      pin: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const only = values.only.split(',').map((part) => part.trim())
  const stray = only.find((part) => !(parts as readonly string[]).includes(part))
  if (stray !== undefined) throw new Error(`--only ${stray} is unknown; use ${parts.join(', ')}`)
  const nodes = Number(values['kafka-nodes'])
  if (nodes !== 1 && nodes !== 3) throw new Error(`--kafka-nodes ${values['kafka-nodes']} must be 1 or 3`)
  // Casts, because both are checked above.
  return { ...values, only: only as Part[], nodes: nodes as 1 | 3 }
}

/** Preferred port of a service, or 0, which makes it pick free ports, if any of its preferred ports is in use. */
const portOf = async (part: Part, offsets: readonly number[] = [0]): Promise<number> =>
  (await Promise.all(offsets.map((offset) => isFree(PORTS[part] + offset)))).every(Boolean) ? PORTS[part] : 0

async function startPart(part: Part, dir: string, nodes: 1 | 3): Promise<Started> {
  const options = { dir: join(dir, part), progress: say }
  if (part === 'kafka') {
    const port = await portOf('kafka', nodes === 3 ? [0, 1, 2, 10, 11, 12] : [0, 10])
    const kafka = await startKafka({ ...options, port, nodes, jvm: [FULL_COMPILER] })
    return { name: part, setting: 'ALMANAC_KAFKA_BROKERS', value: kafka.brokers.join(','), services: kafka.nodes }
  }
  const port = await portOf(part)
  const service = await (part === 'redis' ? startRedis : startRegistry)({ ...options, port })
  const setting = part === 'redis' ? 'ALMANAC_REDIS_URL' : 'ALMANAC_SCHEMA_REGISTRY_URL'
  return { name: part, setting, value: service.url, services: [service] }
}

/** Locks a directory, because two Redis servers would damage one append-only file. Returns the function that unlocks it. */
async function lock(dir: string): Promise<() => Promise<void>> {
  const file = join(dir, 'running.pid')
  await mkdir(dir, { recursive: true })
  const other = Number(await readFile(file, 'utf8').catch(() => 0))
  if (other && isAlive(other))
    throw new Error(`${dir} is in use by process ${other}; if that is another program, delete ${file}`)
  await writeFile(file, String(process.pid))
  return () => rm(file, { force: true })
}

async function main(): Promise<void> {
  const options = readOptions()
  if (options.help) return say(USAGE)
  if (options.pin) {
    for (const bundle of bundles) say(`wrote ${relative('.', await pinBundle(bundle))}`)
    return
  }
  if (options.fetch) {
    const wanted = bundles.filter((bundle) => options.only.includes(bundle))
    for (const bundle of wanted) say(`${bundle}: ${await bundleDirectory(bundle, { progress: say })}`)
    return
  }
  createPrivateFiles()
  const unlock = await lock(options.dir)
  const started: Started[] = []
  let stopping = false
  const stop = async (code: number) => {
    if (stopping) return
    stopping = true
    await Promise.all(started.flatMap(({ services }) => services.map((service) => service.stop())))
    await unlock()
    process.exit(code)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!stopping) say('ending')
      void stop(0)
    })
  }
  try {
    await Promise.all(
      options.only.map(async (part) => {
        say(`starting ${part}`)
        const one = await startPart(part, options.dir, options.nodes)
        started.push(one)
        say(`${part.padEnd(8)} ${one.value}`)
      }),
    )
  } catch (error) {
    say(errorMessage(error))
    return stop(1)
  }
  const line = started.map(({ setting, value }) => `${setting}=${value}`).sort()
  // Other terminals can source this file, which is useful if the ports differ from the preferred ones.
  const file = join(options.dir, 'settings.sh')
  await writeFile(file, line.map((assignment) => `export ${assignment}\n`).join(''))
  say(
    `\nTo run Almanac on them:\n${line.join(' ')} npm start\n\nFile with the same settings, to source: ${relative('.', file)}`,
  )
  say(`Ctrl-C ends them; their data stays in ${options.dir}`)
  const unwatch = watchOver(started, (what, goesOn) => {
    if (stopping) return
    say(`${what}: ${goesOn ? 'the others keep running' : 'ending the others'}; see the logs in ${options.dir}`)
    if (goesOn) return
    unwatch()
    void stop(1)
  })
}

main().catch((error) => {
  say(errorMessage(error))
  process.exit(1)
})
