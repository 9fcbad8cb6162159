import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inputOfFrame, type Message } from '../../../clients/typescript/src/frames.ts'
import {
  initialMachine,
  type Machine,
  type MachineEffect,
  type MachineInput,
  type MachineOptions,
  stepMachine,
} from '../../../clients/typescript/src/machine.ts'

/** An input as it is written in a trace: a frame as the text that arrived (null: binary), anything else as it is. */
export type TraceInput = { readonly frame: string | null } | MachineInput
/** An effect without the message that it delivers, which is the one of its frame. */
export type TraceEffect =
  | Exclude<MachineEffect, { do: 'deliver' }>
  | { readonly do: 'deliver'; readonly cursor: string | null }

export type Trace = {
  readonly name: string
  readonly about: string
  /** `recorded`, or the seed of a generated one. */
  readonly origin: 'recorded' | { readonly seed: number }
  readonly options: MachineOptions
  /** What every step draws. */
  readonly random: number
  readonly steps: readonly {
    readonly input: TraceInput
    readonly state: Machine['state']
    readonly effects: readonly TraceEffect[]
  }[]
  readonly end: Machine
}

const folder = join(import.meta.dirname, '../../../clients/traces')

export const readTraces = (): Trace[] =>
  globSync('*.json', { cwd: folder })
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))

/** One step a line, so that a difference shows the step. */
export function writeTrace({ steps, end, ...head }: Trace): void {
  const lines = steps.map((one) => `    ${JSON.stringify(one)}`).join(',\n')
  const text = JSON.stringify({ ...head, end }, null, 2).replace(/^\{/, `{\n  "steps": [\n${lines}\n  ],`)
  writeFileSync(join(folder, `${head.name}.json`), `${text}\n`)
}

export const inputOf = (input: TraceInput): MachineInput =>
  'frame' in input ? inputOfFrame(input.frame ?? undefined) : input

export const written = (effects: readonly MachineEffect[]): TraceEffect[] =>
  effects.map((effect) => (effect.do === 'deliver' ? { do: effect.do, cursor: effect.cursor } : effect))

/** Runs the machine over inputs, and writes down what it does. */
export function traceOf(head: Omit<Trace, 'steps' | 'end'>, inputs: readonly TraceInput[]): Trace {
  let machine = initialMachine(head.options)
  const steps = inputs.map((input) => {
    const { machine: next, effects } = stepMachine(machine, inputOf(input), head.options, head.random)
    machine = next
    return { input, state: machine.state, effects: written(effects) }
  })
  return { ...head, steps, end: machine }
}

export const messageOf = (text: string): Message => JSON.parse(text)
