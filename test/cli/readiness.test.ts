import { describe, expect, it } from 'vitest'
import { Readiness, stages } from '../../cli/processes/readiness.ts'

describe('a node of the demo', () => {
  it('says of each stage of its start what it waits for', () => {
    const readiness = new Readiness(stages)
    const said = stages.map((stage) => {
      const waits = [readiness.answering(), readiness.complete()]
      readiness.reach(stage)
      return waits
    })
    expect(said).toEqual([
      Array(2).fill('the keys, figures and prices in memory are still being loaded'),
      Array(2).fill('the demo’s keys and sample are still being checked'),
      Array(2).fill('the bundled sample is still being loaded'),
      Array(2).fill('the figures that follow from those on record are still being computed'),
      [true, 'the read models are still catching up with the journal'],
      [true, 'the first prices have not arrived yet'],
    ])
    expect([readiness.answering(), readiness.complete()]).toEqual([true, true])
  })
})

it('a node of another kind waits for what is in memory', () => {
  const readiness = new Readiness(['memory'])
  readiness.reach('memory')
  expect([readiness.answering(), readiness.complete()]).toEqual([true, true])
})
