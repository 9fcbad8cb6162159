import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DecodedRecords } from '../../journal/decoded-records.ts'
import type { JournalRecord, TypedBatch } from '../../journal/typed.ts'
import { openTestJournal } from '../support/journal.ts'
import { releaseNumber } from '../support/journal-records.ts'

const recordAt = (offset: number): JournalRecord<'releases'> => ({
  topic: 'releases',
  partition: 0,
  offset,
  key: null,
  value: releaseNumber(offset),
  timestamp: 0,
  headers: {},
})

it('followers of a partition share what one of them has decoded, also if they read other numbers of records at once', async () => {
  const { journal } = await openTestJournal()
  const write = (from: number, count: number) =>
    journal.append(
      'releases',
      0,
      Array.from({ length: count }, (_, i) => ({ value: releaseNumber(from + i), id: `${from + i}`, at: 1_000 })),
    )
  await write(0, 20)
  const stop = new AbortController()
  const follow = (maxRecords: number) => journal.follow('releases', 0, 0, stop.signal, { maxRecords })
  const followers = [7, 3, 100].map((maxRecords) => ({ batches: follow(maxRecords), records: [] as unknown[] }))
  const readTo = async ({ batches, records }: (typeof followers)[number], count: number) => {
    while (records.length < count) {
      const batch: TypedBatch<'releases'> = (await batches.next()).value
      records.push(...batch.records)
    }
  }
  // All are there before the first one goes ahead, and the last one falls behind.
  for (const follower of followers) await readTo(follower, 1)
  for (const follower of followers.slice(0, 2)) await readTo(follower, 20)
  await write(20, 10)
  for (const follower of followers) await readTo(follower, 30)
  const [first = [], ...others] = followers.map(({ records }) => records)
  expect(first.map((record) => (record as JournalRecord<'releases'>).value)).toEqual(
    Array.from({ length: 30 }, (_, n) => releaseNumber(n)),
  )
  for (const records of others) {
    expect(records).toEqual(first)
    for (let i = 20; i < 30; i++) expect(records[i]).toBe(first[i])
  }
  stop.abort()
})

it('keeps what another follower is yet to read, up to a limit, and nothing else', () => {
  const lengths = fc.array(fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 9 })), { maxLength: 60 })
  fc.assert(
    fc.property(lengths, fc.integer({ min: 1, max: 20 }), (turns, most) => {
      const decoded = new DecodedRecords<JournalRecord<'releases'>>(most)
      const followers = Array.from({ length: 3 }, () => ({ next: 0 }))
      for (const follower of followers) decoded.enter(follower)
      let isEnough = true
      const kept = () => Array.from({ length: 600 }, (_, offset) => offset).filter((offset) => decoded.at(offset))
      for (const [who, length] of turns) {
        const follower = followers[who] ?? { next: 0 }
        const next = follower.next + length
        const records = Array.from({ length }, (_, i) => decoded.at(follower.next + i) ?? recordAt(follower.next + i))
        decoded.pass(follower, records, next)
        const slowest = Math.min(...followers.map((each) => each.next))
        const newest = Math.max(...followers.map((each) => each.next))
        expect(kept().length).toBeLessThanOrEqual(most)
        if (slowest === newest) expect(kept()).toEqual([])
        for (const offset of kept()) expect(decoded.at(offset)?.offset).toBe(offset)
        isEnough &&= newest - slowest <= most
        if (isEnough) for (let at = slowest; at < newest; at++) expect(kept()).toContain(at)
      }
      for (const follower of followers) decoded.leave(follower)
      expect(kept()).toEqual([])
    }),
  )
})

it('keeps nothing that all have passed, also where one has entered from before what was kept', () => {
  const decoded = new DecodedRecords<JournalRecord<'releases'>>()
  const from = (next: number, count: number) => Array.from({ length: count }, (_, i) => recordAt(next + i))
  const [ahead, behind, late, later] = [{ next: 100 }, { next: 100 }, { next: 0 }, { next: 0 }]
  decoded.enter(ahead)
  decoded.enter(behind)
  decoded.pass(ahead, from(100, 10), 110)
  decoded.enter(late)
  decoded.enter(later)
  decoded.pass(late, from(0, 30), 30)
  decoded.pass(later, from(0, 20), 20)
  expect(decoded.at(19)).toBeUndefined()
  expect(decoded.at(20)).toBeDefined()
  expect(decoded.at(109)).toBeDefined()
  decoded.leave(later)
  expect(decoded.at(29)).toBeUndefined()
})

it('lets nobody change what is shared', () => {
  const decoded = new DecodedRecords<JournalRecord<'releases'>>()
  const [ahead, behind] = [{ next: 0 }, { next: 0 }]
  decoded.enter(ahead)
  decoded.enter(behind)
  decoded.pass(ahead, [recordAt(0)], 1)
  expect(Object.isFrozen(decoded.at(0)?.value)).toBe(true)
})
