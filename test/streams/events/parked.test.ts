import { describe, expect, it } from 'vitest'
import { eventsOf, sequenceOf, world } from './support/world.ts'

describe('a subscriber that waits at the tip', () => {
  it('is told where it is after so many live records, too, of which it wanted none', async () => {
    const events = eventsOf(10)
    const { join, pass } = world(events)
    await pass()
    const { told, kinds } = join({ countries: [] })
    await pass()
    for (let n = 0; n < 90; n++) {
      events.append(10)
      await pass(20)
    }
    expect(kinds()).toEqual(['subscribed', 'caught_up'])
    for (let n = 0; n < 20; n++) events.append(10)
    await pass(1_200)
    expect(kinds().slice(2)).toEqual(['checkpoint'])
    expect(sequenceOf(told.at(-1)?.cursor)).toBe(1_111)
  })

  it('costs no turn for events that it does not want', async () => {
    const events = eventsOf(10)
    const { join, pass, time } = world(events)
    await pass()
    const tasksOf = async () => {
      const before = time.tasksRun
      for (let n = 0; n < 5; n++) {
        events.append(3)
        await pass(20)
      }
      return time.tasksRun - before
    }
    const alone = Math.max(await tasksOf(), await tasksOf())
    for (let n = 0; n < 50; n++) join({ types: [] })
    await pass()
    expect(await tasksOf()).toBeLessThanOrEqual(alone)
    const { kinds } = join({ families: ['trade'] })
    await pass()
    expect(await tasksOf()).toBeGreaterThan(alone)
    expect(kinds()).toContain('event')
  })

  it('is told that events have expired unread, and is not moved over them', async () => {
    const events = eventsOf(10)
    const { join, pass } = world(events, { graceMs: 60_000 })
    await pass()
    const { failed, feed } = join({ countries: [] })
    await pass()
    events.isDown = true
    events.wake()
    events.append(20)
    await pass(500)
    events.cut(events.all[24]?.offset ?? 0)
    expect(sequenceOf(feed.cursor?.())).toBe(11)
    events.isDown = false
    await pass(500)
    expect(failed).toEqual(['cursor_expired'])
    expect(sequenceOf(feed.cursor?.())).toBe(25)
  })
})
