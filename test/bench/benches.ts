import { parseArgs } from 'node:util'

/** Names of the benches. `streams/prices` is in `streams-prices.ts`, and `streams` stands for all that begin with it. */
export const benches: readonly string[] = [
  'rest',
  'rest/large',
  'journal',
  'accept',
  'ingest',
  'sources',
  'projector',
  'streams/prices',
  'streams/events',
  'streams/memory',
  'streams/stopped',
  'streams/width',
  'archive',
  'kafka',
  'nodes',
  'console',
  'calendar',
  'mixed',
]

export const fileOf = (bench: string): string => `${bench.replace('/', '-')}.ts`

/** Fewest turns of each side that a comparison is made of: with four, chance alone separates two sides in 3 % of runs. */
const LEAST_TURNS = 5
const MOST_TURNS = 100

export type Arguments = {
  readonly names: readonly string[]
  readonly against: string | undefined
  readonly turns: number
  readonly write: boolean
}

/** Reads the arguments of `npm run bench`. Throws an `Error` that says what is wrong and what there is. */
export function benchArguments(args: readonly string[]): Arguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { against: { type: 'string' }, turns: { type: 'string' }, write: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const selects = (word: string, name: string) => name === word || name.startsWith(`${word}/`)
  const unknown = positionals.filter((word) => !benches.some((name) => selects(word, name)))
  if (unknown.length > 0) throw new Error(`No bench ${unknown.join(', ')}. There are ${benches.join(', ')}.`)
  const { against, write } = values
  const compares = against !== undefined
  const turns = Number(values.turns ?? (compares || write ? LEAST_TURNS : 1))
  const least = compares ? LEAST_TURNS : 1
  if (!Number.isSafeInteger(turns) || turns < least || turns > MOST_TURNS)
    throw new Error(`--turns takes a whole number from ${least} to ${MOST_TURNS}, not "${values.turns}".`)
  const isWanted = (name: string) => positionals.length === 0 || positionals.some((word) => selects(word, name))
  return { names: benches.filter(isWanted), against, turns, write }
}
