import { describe, expect, it } from 'vitest'
import { PING_EVERY_BYTES, ReadProgress } from '../../streams/read-progress.ts'

describe('what a client has read', () => {
  it('is asked with the first bytes, then at 32 KiB or 750 ms after the last ping, and never while nothing is sent', () => {
    const progress = new ReadProgress()
    expect(progress.isPingDue(60_000)).toBe(false)
    progress.sent(10)
    expect(progress.isPingDue(60_000)).toBe(true)
    progress.ping(60_000)
    expect(progress.isPingDue(90_000)).toBe(false)
    progress.sent(10)
    expect(progress.isPingDue(60_749)).toBe(false)
    expect(progress.isPingDue(60_750)).toBe(true)
    progress.ping(60_750)
    progress.sent(PING_EVERY_BYTES - 1)
    expect([progress.isFull, progress.isPingDue(60_751)]).toEqual([false, false])
    progress.sent(1)
    expect([progress.isFull, progress.isPingDue(60_751)]).toEqual([true, true])
  })

  it('is what was sent before the latest ping that was answered; other pongs count for nothing', () => {
    const progress = new ReadProgress()
    const pings = [100, 200, 300].map((bytes) => {
      progress.sent(bytes)
      return progress.ping(0)
    })
    expect(progress.unread).toBe(600)
    for (const payload of ['', '0', 'x', '99', '601', `${pings[0]} `.repeat(2)]) progress.answered(payload, 0)
    expect(progress.unread).toBe(600)
    progress.answered(pings[1] ?? '', 0)
    expect(progress.unread).toBe(300)
    progress.answered(pings[0] ?? '', 0)
    expect(progress.unread).toBe(300)
    progress.answered(pings[2] ?? '', 0)
    expect(progress.unread).toBe(0)
  })

  it('stands still once no ping was answered for 5 s, counted from the oldest that waits and from each answer', () => {
    const progress = new ReadProgress()
    progress.sent(1)
    const first = progress.ping(1_000)
    progress.sent(1)
    const second = progress.ping(2_000)
    expect([progress.isStalled(5_999), progress.isStalled(6_000)]).toEqual([false, true])
    progress.answered(first, 5_000)
    expect([progress.isStalled(9_999), progress.isStalled(10_000)]).toEqual([false, true])
    progress.answered(second, 9_000)
    expect(progress.isStalled(1_000_000)).toBe(false)
    progress.sent(1)
    progress.ping(1_000_000)
    expect([progress.isStalled(1_004_999), progress.isStalled(1_005_000)]).toEqual([false, true])
  })

  it('may take 5 s for each 32 KiB of a frame that has more', () => {
    const progress = new ReadProgress()
    progress.sent(4 * PING_EVERY_BYTES)
    progress.ping(0)
    expect([progress.isStalled(19_999), progress.isStalled(20_000)]).toEqual([false, true])
    const uneven = new ReadProgress()
    uneven.sent(1.5 * PING_EVERY_BYTES)
    uneven.ping(0)
    expect([uneven.isStalled(7_499), uneven.isStalled(7_500)]).toEqual([false, true])
  })
})

it('a pong that answers no ping is no sign that the client reads', () => {
  const progress = new ReadProgress()
  progress.sent(100)
  progress.ping(0)
  for (let now = 1_000; now < 5_000; now += 1_000) progress.answered('made up', now)
  expect([progress.isStalled(4_999), progress.isStalled(5_000)]).toEqual([false, true])
})
