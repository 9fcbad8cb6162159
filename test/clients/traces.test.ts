import { describe, expect, it } from 'vitest'
import { initialMachine, stepMachine } from '../../clients/typescript/src/machine.ts'
import { brokenPromises } from './traces/check-trace.ts'
import { inputOf, readTraces, type Trace, written } from './traces/trace.ts'

const traces = readTraces()
const recorded = traces.filter(({ origin }) => origin === 'recorded')
const inputsOf = (list: readonly Trace[]) => list.flatMap(({ steps }) => steps.map(({ input }) => inputOf(input).on))

describe('the traces', () => {
  it('are 300, of which the recorded ones hold what a service does', () => {
    expect(traces).toHaveLength(300)
    expect(recorded.length).toBeGreaterThanOrEqual(35)
    expect(new Set(inputsOf(recorded))).toEqual(
      new Set(
        'start opened ready subscribed data checkpoint heartbeat caught_up going_away error closed refused timeout full low stop'.split(
          ' ',
        ),
      ),
    )
    const codes = recorded.flatMap(({ steps }) =>
      steps.map(({ input }) => inputOf(input)).flatMap(({ on, message }) => (on === 'error' ? [message?.code] : [])),
    )
    expect(codes).toEqual(
      expect.arrayContaining([
        'unauthorized',
        'revoked',
        'plan_upgrade_required',
        'stream_limit',
        'quota_unavailable',
        'slow_consumer',
        'invalid_frame',
        'filter_not_supported',
        'commodity_not_supported',
        'currency_not_supported',
        'cursor_invalid',
        'cursor_ahead',
        'cursor_foreign',
        'cursor_superseded',
        'cursor_expired',
        'unavailable',
      ]),
    )
  })

  it.each(traces.map((trace) => [trace.name, trace] as const))('%s', (_, { options, random, steps, end }) => {
    let machine = initialMachine(options)
    steps.forEach(({ input, state, effects }, index) => {
      const next = stepMachine(machine, inputOf(input), options, random)
      machine = next.machine
      expect({ state: machine.state, effects: written(next.effects) }, `step ${index + 1}`).toEqual({ state, effects })
    })
    expect(machine).toEqual(end)
  })

  it.each(traces.map((trace) => [trace.name, trace] as const))('%s keeps the promises', (_, trace) => {
    expect(brokenPromises(trace)).toEqual([])
  })
})

describe('the checker of the promises', () => {
  const replay = traces.find(({ name }) => name === 'events-replay')
  const without = (what: (effect: { do: string }) => boolean): Trace => {
    if (!replay) throw new Error('there is no trace events-replay')
    let isFirst = true
    const steps = replay.steps.map((one) => {
      const left = one.effects.filter((effect) => !(what(effect) && isFirst))
      if (left.length < one.effects.length) isFirst = false
      return { ...one, effects: left }
    })
    return { ...replay, steps }
  }
  it('finds an event that is left out', () => {
    expect(brokenPromises(without((effect) => effect.do === 'deliver'))).toContainEqual(
      expect.stringMatching(/came and was not delivered/),
    )
  })
  it('finds a state without a timer', () => {
    expect(brokenPromises(without((effect) => effect.do === 'timer'))).toContain('step 1: no timer in connecting')
  })
  it('finds an event that comes twice', () => {
    if (!replay) throw new Error('there is no trace events-replay')
    const index = replay.steps.findIndex(({ effects }) => effects.some((effect) => effect.do === 'deliver'))
    const steps = replay.steps.toSpliced(index, 0, ...replay.steps.slice(index, index + 1))
    expect(brokenPromises({ ...replay, steps })).toContainEqual(expect.stringMatching(/is delivered after/))
  })
})
