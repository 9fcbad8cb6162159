import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plans } from '../../../contracts/plans.ts'
import { decodeEventCursor, encodeCursor } from '../../../domain/cursor.ts'
import { passes } from '../../../domain/event-filter.ts'
import { cursorOf } from '../../../streams/events/encoded-event.ts'
import { readSubscription } from '../../../streams/events/subscription.ts'
import { isRefusal } from '../../../streams/stream.ts'
import { firstGeneration } from '../../support/lineage.ts'

const ends = { lineage: firstGeneration('TEST'), earliest: { sequence: 11, hint: 14 }, tip: { sequence: 21, hint: 33 } }
const read = (members: object, plan: 'free' | 'basic' | 'pro' = 'pro') =>
  readSubscription({ action: 'subscribe', ...members }, { plan, families: plans[plan].families }, ends)
const at = (sequence: number, hint = sequence, journal = 'TEST') =>
  cursorOf(firstGeneration(journal), { sequence, hint })

describe('a subscribe message of the events stream', () => {
  it('without filters asks for all that the plan has, from now on', () => {
    expect(read({}, 'free')).toEqual({
      start: ends.tip,
      filter: { countries: null, families: new Set(plans.free.families), types: null },
    })
  })

  it.each([
    ['42', { sequence: 42 }],
    ['0', { sequence: 1 }],
    ['2026-11-01T01:00:00+01:00', { recordedFrom: Date.UTC(2026, 10, 1) }],
    ['2026-11-01', { recordedFrom: Date.UTC(2026, 10, 1) }],
  ])('takes the start %s', (start, expected) => {
    expect(read({ start })).toMatchObject({ start: expected })
  })

  it('counts a value named twice once', () => {
    expect(read({ countries: ['USA', 'USA'] })).toMatchObject({ filter: { countries: new Set(['USA']) } })
  })

  it.each([
    [{ countries: 'USA' }, 'invalid_frame', '/countries'],
    [{ types: [1] }, 'invalid_frame', '/types/0'],
    [{ filter: {} }, 'invalid_frame', ''],
    [{ cursor: '' }, 'invalid_frame', '/cursor'],
    [{ cursor: 7 }, 'invalid_frame', '/cursor'],
    [{ start: 7 }, 'invalid_frame', '/start'],
    [{ start: 'yesterday' }, 'invalid_frame', '/start: "yesterday" is not a sequence such as 42'],
    [{ start: '2026-02-30' }, 'invalid_frame', '/start: "2026-02-30" is not'],
    [{ start: '42', cursor: 'earliest' }, 'invalid_frame', 'Send either /start or /cursor'],
    [{ countries: Array.from({ length: 65 }, (_, n) => `A${n}`) }, 'invalid_frame', '/countries'],
    [{ countries: ['USA', 'usa'] }, 'filter_not_supported', '/countries: "usa" is not served.'],
    [{ families: ['weather'] }, 'filter_not_supported', '/families: "weather" is not served.'],
    [{ countries: ['USA', 'ZZZ'] }, 'filter_not_supported', '/countries: "ZZZ" is not served.'],
    [{ types: ['constructor'] }, 'filter_not_supported', '/types: "constructor" is not served.'],
    // In the order of judgement: what is served before what the plan has, and both before the cursor.
    [{ families: ['fx', 'weather'] }, 'filter_not_supported', 'weather'],
    [{ families: ['fx'], cursor: 'x' }, 'plan_upgrade_required', 'The plan free does not have fx events.'],
  ])('%j is refused: %s', (members, refused, detail) => {
    expect(read(members, 'free')).toEqual({ refused, detail: expect.stringContaining(detail) })
  })

  it('leaves a family out that the plan does not have', () => {
    const event = { family: 'fx', country: null, type: 'prices.session.opened' }
    const filterOf = (plan: 'free' | 'basic') => {
      const subscription = read({}, plan)
      if (isRefusal(subscription)) throw new Error(subscription.detail)
      return subscription.filter
    }
    expect(passes(filterOf('free'), event)).toBe(false)
    expect(passes(filterOf('basic'), event)).toBe(true)
  })

  it('has the families that it is handed for the plan', () => {
    const granted = { plan: 'free', families: ['trade'] } as const
    const asked = (families: readonly string[]) => readSubscription({ action: 'subscribe', families }, granted, ends)
    expect(asked(['trade'])).toMatchObject({ filter: { families: new Set(['trade']) } })
    expect(asked(['output'])).toMatchObject({ refused: 'plan_upgrade_required' })
  })

  it.each([{ countries: [] }, { families: [] }, { types: [] }])('%j matches nothing', (members) => {
    const subscription = read(members)
    if (isRefusal(subscription)) throw new Error(subscription.detail)
    const event = { family: 'inflation', country: 'USA', type: 'economics.release.published' }
    expect(passes(subscription.filter, event)).toBe(false)
  })
})

describe('a cursor of the events stream', () => {
  it.each([
    ['earliest', ends.earliest],
    ['latest', ends.tip],
    [at(11, 3), { sequence: 11, hint: 3 }],
    [at(21), { sequence: 21, hint: 21 }],
    // Another process may have read further: the journal is asked when the subscriber is attached.
    [at(22), { sequence: 22, hint: 22 }],
    [at(12, Number.MAX_SAFE_INTEGER), { sequence: 12, hint: Number.MAX_SAFE_INTEGER }],
  ])('%s is honoured', (cursor, start) => {
    expect(read({ cursor })).toMatchObject({ start })
  })

  it.each([
    ['nonsense', 'cursor_invalid'],
    [at(0), 'cursor_invalid'],
    [encodeCursor('e', ['TEST', 1.5, 1]), 'cursor_invalid'],
    [encodeCursor('e', ['TEST', 12, -1]), 'cursor_invalid'],
    [encodeCursor('e', ['TEST', 12, 1e300]), 'cursor_invalid'],
    [encodeCursor('h', ['TEST', 12, 1]), 'cursor_invalid'],
    [at(12, 12, 'OTHER'), 'cursor_foreign'],
    [at(1, 1, 'OTHER'), 'cursor_foreign'],
    [at(10), 'cursor_expired'],
  ])('%s is refused: %s, with the earliest to go on from', (cursor, refused) => {
    const refusal = read({ cursor })
    expect(refusal).toMatchObject({ refused })
    if (!isRefusal(refusal)) throw new Error('not refused')
    expect(decodeEventCursor(refusal.resumeCursor ?? '')).toEqual({ journal: 'TEST', ...ends.earliest })
  })

  it('of any text or any members never throws', () => {
    const member = fc.oneof(fc.string(), fc.double(), fc.maxSafeInteger())
    const crafted = fc.array(member, { maxLength: 4 }).map((members) => encodeCursor('e', members))
    fc.assert(
      fc.property(fc.oneof(fc.string(), crafted), (cursor) => {
        const outcome = read({ cursor })
        if (!isRefusal(outcome))
          expect(outcome.start).toMatchObject({ sequence: expect.toSatisfy(Number.isSafeInteger) })
      }),
    )
  })
})
