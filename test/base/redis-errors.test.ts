import { describe, expect, it } from 'vitest'
import { onceAMinute, withoutArguments } from '../../base/redis/errors.ts'

describe('a complaint about Redis', () => {
  it('keeps no command, whose arguments may be a password', () => {
    const thrown = Object.assign(new Error('WRONGPASS'), { command: { name: 'auth', args: ['hunter2'] } })
    expect(JSON.stringify({ ...withoutArguments(thrown) }) + withoutArguments(thrown).stack).not.toContain('hunter2')
    expect(withoutArguments('odd').message).toBe('odd')
  })

  it('is passed on once a minute, each for itself, however many kinds there are', () => {
    let now = 5
    const heard: string[] = []
    const complain = onceAMinute(
      ({ message }) => heard.push(message),
      () => now,
    )
    for (const message of ['away', 'away', 'refused', 'away']) complain(new Error(message))
    expect(heard).toEqual(['away', 'refused'])
    now += 59_999
    complain(new Error('away'))
    expect(heard).toHaveLength(2)
    now += 1
    complain(new Error('away'))
    expect(heard).toEqual(['away', 'refused', 'away'])
    for (let kind = 0; kind < 1_000; kind++) complain(new Error(`kind ${kind}`))
    expect(heard).toHaveLength(1_003)
    // Only a bounded number of messages is remembered, so the oldest is told again.
    complain(new Error('kind 0'))
    expect(heard).toHaveLength(1_004)
  })
})
