import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { javaCommand } from '../../infra/services/java.ts'

/** Real services that tests start when this machine can run them; `java` runs Kafka and the schema registry. */
const commands = { redis: 'redis-server', java: javaCommand() } as const

/**
 * Whether a program is on this machine, for `describe.skipIf(!serviceIsThere('redis'))`. In CI a missing program throws:
 * a test that was left out there would look like one that passed.
 */
export function serviceIsThere(service: keyof typeof commands): boolean {
  const command = commands[service]
  const places = command.includes('/')
    ? [command]
    : (process.env.PATH ?? '').split(delimiter).map((dir) => join(dir, command))
  if (places.some(isExecutable)) return true
  if (process.env.CI) throw new Error(`${command} is not on this machine: .ci/run installs it`)
  return false
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
