import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Generation } from '../../contracts/generations.ts'
import { encodeEventCursor, judgeEventCursor } from '../../domain/cursor.ts'
import { historyName, Lineage } from '../../domain/lineage.ts'

const generation = (id: string, event: number, ends: Generation['branch']['ends'] = {}): Generation => ({
  id,
  branch: { event, ends },
})
const judge = (lineage: Lineage, journal: string, sequence: number, ends = { first: 1, end: 1_000 }) =>
  judgeEventCursor(encodeEventCursor({ journal, sequence, hint: 0 }), { lineage, ...ends })

describe('a journal that was restored when the next event was 101', () => {
  const lineage = new Lineage({ id: 'J', generations: [generation('b', 101)] })
  it.each([
    ['before the backup, by its first generation', 'J', 50, undefined],
    ['behind the last event of the backup', 'J', 101, undefined],
    ['beyond it, of the history that is gone', 'J', 102, { refused: 'cursor_superseded', goOnAt: 101 }],
    ['beyond it, of its own', 'J/b', 102, undefined],
    ['of another restore of the same backup', 'J/c', 102, { refused: 'cursor_superseded', goOnAt: 1 }],
    ['of another journal', 'K', 50, { refused: 'cursor_foreign', goOnAt: 'earliest' }],
    ['of another journal with a longer name', 'Jx', 50, { refused: 'cursor_foreign', goOnAt: 'earliest' }],
    ['ahead, of its own', 'J/b', 1_001, { refused: 'cursor_ahead', goOnAt: 'latest' }],
  ])('judges a cursor %s', (_, journal, sequence, refusal) => {
    expect(judge(lineage, journal, sequence)).toEqual(refusal ?? { journal, sequence, hint: 0 })
  })
  it('leads to the oldest event that is kept, if those at the branch have expired', () => {
    const refused = { refused: 'cursor_superseded', goOnAt: 300 }
    expect(judge(lineage, 'J', 200, { first: 300, end: 400 })).toEqual(refused)
  })
})

it('tells where it left the history of a name', () => {
  const lineage = new Lineage({ id: 'J', generations: [generation('b', 101, { 'ticks/0': 7 })] })
  expect(['J', 'J/b', 'J/c', 'K'].map((name) => lineage.endsOf(name))).toEqual([
    { 'ticks/0': 7 },
    undefined,
    undefined,
    undefined,
  ])
})

it('no event counts as common where the branch is not known', () => {
  const lineage = new Lineage({ id: 'J', generations: [generation('b', 0)] })
  expect(judge(lineage, 'J', 5)).toEqual({ refused: 'cursor_superseded', goOnAt: 1 })
  expect(lineage.nameOf({ event: 1 })).toBe('J/b')
  expect(lineage.eventNames).toEqual([{ name: 'J/b', last: Number.POSITIVE_INFINITY }])
})

it('a partition that the backup did not have is of the new generation from its first record on', () => {
  const lineage = new Lineage({ id: 'J', generations: [generation('b', 1, { 'releases/0': 7 })] })
  expect(lineage.nameOf({ partition: 'releases/0', offset: 7 })).toBe('J')
  expect(lineage.nameOf({ partition: 'releases/0', offset: 8 })).toBe('J/b')
  expect(lineage.nameOf({ partition: 'ticks/1', offset: 0 })).toBe('J')
  expect(lineage.nameOf({ partition: 'ticks/1', offset: 1 })).toBe('J/b')
})

/** A history of a journal: the event of each sequence, and its line of generations. */
type Copy = { readonly events: readonly string[]; readonly generations: readonly Generation[] }
/** A copy goes on, or is restored from another one as of one of its events. */
const step = fc.oneof(
  fc.record({ copy: fc.nat(), append: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ copy: fc.nat(), keep: fc.nat() }),
)

it('a cursor is honoured exactly where both histories are the same before it, however often they were restored', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const copies: Copy[] = [{ events: [], generations: [] }]
      for (const [n, made] of steps.entries()) {
        const at = made.copy % copies.length
        const { events, generations } = copies[at] as Copy
        if ('append' in made) {
          const more = Array.from({ length: made.append }, (_, i) => `${n}.${i}`)
          copies[at] = { events: [...events, ...more], generations }
        } else {
          // A backup is never older than the branch of what it was taken of.
          const least = (generations.at(-1)?.branch.event ?? 1) - 1
          const kept = events.slice(0, least + (made.keep % (events.length - least + 1)))
          const begun = generation(`g${n}`, kept.length + 1)
          copies.push({ events: kept, generations: [...generations, begun] })
        }
      }
      for (const issuer of copies)
        for (const judged of copies) {
          const [line, own] = [issuer, judged].map(({ generations }) => new Lineage({ id: 'J', generations }))
          for (let sequence = 1; sequence <= issuer.events.length + 1; sequence++) {
            const name = (line as Lineage).nameOf({ event: sequence })
            const fault = (own as Lineage).faultOf(name, { event: sequence })
            const before = JSON.stringify(issuer.events.slice(0, sequence - 1))
            const isSame = before === JSON.stringify(judged.events.slice(0, sequence - 1))
            expect(fault).toBe(isSame ? undefined : 'superseded')
          }
        }
    }),
  )
})

it('events are named alike one by one and by ranges', () => {
  const branches = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 4 })
  fc.assert(
    fc.property(branches, (events) => {
      const generations = events.sort((a, b) => a - b).map((event, i) => generation(`g${i}`, event))
      const lineage = new Lineage({ id: 'J', generations })
      for (let event = 1; event <= 25; event++) {
        const range = lineage.eventNames.find(({ last }) => event <= last)
        expect(range?.name).toBe(lineage.nameOf({ event }))
      }
      expect(lineage.eventNames.at(-1)?.name).toBe(historyName('J', generations.at(-1)?.id))
    }),
  )
})

describe('a journal as of a day', () => {
  // As an open journal has them.
  class Journal {
    get id() {
      return 'J'
    }
    get generations() {
      return [generation('b', 101)]
    }
  }
  const now = new Lineage(new Journal())
  const dated = now.asOf('2025-03-01')

  it('has the same generations under names of the day', () => {
    expect(dated.nameOf({ event: 101 })).toBe('J@2025-03-01')
    expect(dated.nameOf({ event: 102 })).toBe('J@2025-03-01/b')
    expect(judge(dated, 'J@2025-03-01/b', 102)).toMatchObject({ sequence: 102 })
  })

  it('honours no name of another day, or of now, and now honours none of a day', () => {
    for (const other of ['J', 'J@2025-03-02'])
      expect(judge(dated, other, 50)).toMatchObject({ refused: 'cursor_foreign' })
    expect(judge(now, 'J@2025-03-01', 50)).toMatchObject({ refused: 'cursor_foreign' })
  })
})
