import { expect, it } from 'vitest'
import { EventLoopClock } from '../../streams/event-loop-clock.ts'

it('goes with the time while it is ticked, and never backwards', () => {
  let time = 1_000
  const clock = new EventLoopClock(250, { monotonic: () => time })
  const from = clock.now()
  for (let i = 0; i < 40; i++) {
    time += 100
    if (i % 3 === 0) clock.tick()
    expect(clock.now() - from).toBe((i + 1) * 100)
  }
})

it('counts two ticks of the time that the event loop was blocked', () => {
  let time = 0
  const clock = new EventLoopClock(250, { monotonic: () => time })
  const from = clock.now()
  time = 60_000
  expect(clock.now() - from).toBe(500)
  clock.tick()
  expect(clock.now() - from).toBe(500)
  time += 250
  expect(clock.now() - from).toBe(750)
})
