import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { artifacts, clientsFolder } from '../../clients/generate/artifacts.ts'
import { streamErrors } from '../../contracts/streams.ts'
import { inputOf, readTraces } from './traces/trace.ts'

type Row = {
  readonly in: readonly string[]
  readonly on: string | readonly string[]
  readonly if?: string
  readonly to: string
  readonly do: readonly string[]
}
type Table = {
  readonly states: Readonly<Record<string, string>>
  readonly final: readonly string[]
  readonly transitions: readonly Row[]
  readonly errors: Readonly<Record<string, { readonly verdict: string }>>
}
const read = (path: string): string => readFileSync(join(clientsFolder, path), 'utf8')
const table: Table = JSON.parse(read('stream-transitions.json'))
const page = read('PROTOCOL.md')
const inputs = [...new Set(table.transitions.flatMap(({ on }) => on))]
const guards = [...new Set(table.transitions.flatMap((row) => row.if ?? []))]

describe('the table of transitions', () => {
  it('names states that it has', () => {
    const named = table.transitions.flatMap((row) => [...row.in, row.to])
    expect(new Set(named)).toEqual(new Set(Object.keys(table.states)))
  })

  it('leads nowhere from a final state, and anywhere else to the end', () => {
    for (const state of Object.keys(table.states)) {
      const rows = table.transitions.filter((row) => row.in.includes(state))
      if (table.final.includes(state)) expect(rows, state).toEqual([])
      else
        expect(
          rows.some(({ on, to }) => on === 'stop' && to === 'closed'),
          state,
        ).toBe(true)
    }
  })

  it('has no row behind one that always applies', () => {
    const decided = new Set<string>()
    for (const { in: states, on, if: guard } of table.transitions) {
      const places = states.flatMap((state) => [on].flat().map((input) => `${state} ${input}`))
      const isReached = places.some((place) => !decided.has(place))
      expect(isReached, `${states.join()} ${String(on)} ${guard ?? ''}`).toBe(true)
      if (guard === undefined) for (const place of places) decided.add(place)
    }
  })

  it('judges every error of the streams, as their advice does', () => {
    expect(Object.keys(table.errors).sort()).toEqual(Object.keys(streamErrors).sort())
    for (const [code, { verdict }] of Object.entries(table.errors)) {
      const { advice } = streamErrors[code as keyof typeof streamErrors]
      if (verdict === 'retry') expect(advice, code).toMatch(/[Cc]onnect again|Send the subscribe/)
    }
  })

  it('is explained by the page, name for name', () => {
    for (const name of [...Object.keys(table.states), ...inputs, ...guards]) expect(page).toContain(`\`${name}\``)
    const actions = new Set(table.transitions.flatMap((row) => row.do.map((action) => action.split(':')[0] ?? '')))
    for (const action of actions) expect(page).toMatch(new RegExp(`\`${action}(?::NAME)?\``))
  })

  it('is taken row by row in some trace', () => {
    const taken = new Set<string>()
    for (const { steps } of readTraces()) {
      let before = 'idle'
      for (const { input, state } of steps) {
        taken.add(`${before} ${inputOf(input).on} ${state}`)
        before = state
      }
    }
    const untaken = table.transitions.filter(
      ({ in: states, on, to }) =>
        !states.some((state) => [on].flat().some((input) => taken.has(`${state} ${input} ${to}`))),
    )
    expect(untaken).toEqual([])
  })
})

describe('the generated files', () => {
  it.each([...artifacts()])('%s is up to date; else run `npm run clients:generate`', (path, text) => {
    expect(read(path)).toBe(text)
  })

  it('are all that is in their folders', () => {
    const found = globSync('*/src/**/generated/*.{ts,py}', { cwd: clientsFolder })
    expect(found.sort()).toEqual([...artifacts().keys()].sort())
  })
})
