import { expect, it } from 'vitest'
import { randomFrom } from '../support/random.ts'
import { Model } from './support/ownership-model.ts'

/** ALMANAC_TEST_HISTORIES=300 for the long run; ALMANAC_TEST_SEED repeats one. */
const HISTORIES = Number(process.env.ALMANAC_TEST_HISTORIES ?? 1) * 60
const SEED = Number(process.env.ALMANAC_TEST_SEED ?? Date.now() % 1_000_000)

function modelOf(seed: number, lossRate: number) {
  const random = randomFrom(seed)
  return { random, model: new Model({ nodes: 2 + Math.floor(2 * random()), lossRate, drift: 0.01, random }) }
}

it('every transaction is done once and in order, one owner an epoch, and no owner that lives is robbed', () => {
  const ends = new Set<string>()
  let all = 0
  for (let seed = SEED; seed < SEED + HISTORIES; seed++) {
    const { random, model } = modelOf(seed, 0.15 * (seed % 3))
    for (let at = 5_000; at < 120_000; at += random() * 20_000) {
      model.run(at)
      const node = model.nodes[Math.floor(random() * model.nodes.length)]
      const living = model.nodes.filter(({ isDead }) => !isDead)
      if (random() < 0.1 && living.length > 1) node?.die()
      else node?.stop(random() * 15_000)
    }
    model.run(140_000)
    const { records, takes } = model.broker
    const history = `seed ${seed}`
    all += records.length
    expect(
      records.map(({ number }) => number),
      history,
    ).toEqual(records.map((_, i) => i + 1))
    const owners = Map.groupBy(records, ({ epoch }) => epoch)
    for (const written of owners.values()) expect(new Set(written.map(({ node }) => node)).size, history).toBe(1)
    expect(
      records.map(({ epoch }) => epoch),
      history,
    ).toEqual(records.map(({ epoch }) => epoch).toSorted((a, b) => a - b))
    expect(
      takes.filter(({ robbed }) => robbed !== undefined),
      history,
    ).toEqual([])
    const written = new Set(records.map(({ id }) => id))
    for (const [id, end] of model.nodes.flatMap(({ outcomes }) => [...outcomes])) {
      if (end !== 'unknown') expect(written.has(id), `${history}: ${id} is ${end}`).toBe(end === 'committed')
      ends.add(end)
    }
  }
  // On average: a history in which nodes die early and stand still for long has fewer.
  expect(all / HISTORIES).toBeGreaterThan(100)
  expect(ends).toEqual(new Set(['committed', 'timed out', 'fenced', 'unknown']))
})

it('a standby on another machine owns what a dead owner held within 10 s', () => {
  for (let seed = SEED; seed < SEED + HISTORIES; seed++) {
    const { model } = modelOf(seed, 0.1)
    let at = 20_000
    model.run(at)
    // From now on nothing is lost, so that the owner is steady before it dies.
    model.settings.lossRate = 0
    at += 5_000
    for (model.run(at); !model.owner?.wasSteady(at); model.run(at)) at += 100
    const [died, before] = [model.now, model.broker.takes.length]
    model.owner?.die()
    model.run(died + 12_000)
    const [take] = model.broker.takes.slice(before)
    expect((take?.at ?? Number.POSITIVE_INFINITY) - died, `seed ${seed}`).toBeLessThan(10_000)
  }
})
