import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'
import { loadConfig, type Role } from '../../infra/config.ts'

/** The directory that holds the container files, with a slash at its end. */
export const infra = fileURLToPath(new URL('../../infra/', import.meta.url))
export const textOf = (file: string): string => readFileSync(`${infra}${file}`, 'utf8')

/** The roles but `store`, which a ClickHouse server takes the place of. */
export const roles: readonly Role[] = loadConfig({}).roles.filter((role) => role !== 'store')

/**
 * The documents of a YAML text as plain data, anchors and merges (`<<`) resolved. Throws, with the file’s name, where it is
 * no YAML, has a key twice, or means something that YAML 1.2 only warns of.
 */
export function parseYaml<T>(file: string, text: string): T[] {
  try {
    return parseAllDocuments(text, { strict: true, uniqueKeys: true, merge: true }).map((document) => {
      const [fault] = [...document.errors, ...document.warnings]
      if (fault) throw fault
      return document.toJS() as T
    })
  } catch (cause) {
    throw new Error(`${file}: ${(cause as Error).message}`, { cause })
  }
}

export const documentsOf = <T>(file: string): T[] => parseYaml<T>(file, textOf(file))

/** The one document of a file. */
export function documentOf<T>(file: string): T {
  const [document, ...others] = documentsOf<T>(file)
  if (document === undefined || others.length > 0) throw new Error(`${file}: is to hold one document`)
  return document
}

/** Longest that the supervisor takes to leave after SIGTERM, s: whoever waits for a container waits longer. */
export function shutdownSeconds(): number {
  const source = readFileSync(fileURLToPath(new URL('../../cli/commands/start.ts', import.meta.url)), 'utf8')
  const [, ms] = /^(?:export )?const SHUTDOWN_MS = ([\d_]+)$/m.exec(source) ?? []
  if (ms === undefined) throw new Error('cli/commands/start.ts says no SHUTDOWN_MS')
  return Number(ms.replaceAll('_', '')) / 1_000
}

type Instruction = { readonly name: string; readonly rest: string }

/** What the last stage of infra/Dockerfile says, which is what a container has. */
export type Image = {
  readonly env: Readonly<Record<string, string>>
  readonly instructions: readonly Instruction[]
  /** The base image of each stage. */
  readonly bases: readonly string[]
  /** Everything after the name of the last such instruction, or undefined. */
  last(name: string): string | undefined
}

export function readImage(): Image {
  const lines = textOf('Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const instructions = lines.map((line) => {
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.+)$/.exec(line) ?? []
    return { name, rest: rest.trim() }
  })
  const froms = instructions.filter(({ name }) => name === 'FROM')
  const stage = instructions.slice(instructions.lastIndexOf(froms.at(-1)!))
  const pairs = stage.filter(({ name }) => name === 'ENV').flatMap(({ rest }) => rest.split(/\s+/))
  return {
    env: Object.fromEntries(pairs.map((pair) => [pair.split('=')[0], pair.slice(pair.indexOf('=') + 1)])),
    instructions: stage,
    bases: froms.map(({ rest }) => rest.split(' ')[0] ?? ''),
    last: (wanted) => stage.findLast(({ name }) => name === wanted)?.rest,
  }
}
