import { describe, expect, it } from 'vitest'
import {
  Attention,
  type ClaimStanding,
  type ContenderAct,
  contenderAct,
  isSuperseded,
  standingOf,
} from '../../journal/ownership.ts'

describe('a contender', () => {
  const acts: [ClaimStanding, heard: ContenderAct, silent: ContenderAct][] = [
    ['free', 'take', 'take'],
    ['self', 'take', 'take'],
    ['gone', 'take', 'take'],
    ['running', 'watch', 'take'],
    ['remote', 'listen', 'take'],
  ]
  it.each(acts)(
    'of a name that is %s does: %s while its owner is heard of, %s once it is silent',
    (standing, heard, silent) => {
      expect(contenderAct(standing, 0.1)).toBe(heard)
      expect(contenderAct(standing, 0)).toBe(silent)
    },
  )

  it('knows the standing of a name by its owner', () => {
    const owner = { instance: 'other' }
    const never = () => {
      throw new Error('asked in vain')
    }
    expect(standingOf(undefined, 'ours', never)).toBe('free')
    expect(standingOf(null, 'ours', never)).toBe('free')
    expect(standingOf({ instance: 'ours' }, 'ours', never)).toBe('self')
    expect(standingOf(owner, 'ours', () => 'gone')).toBe('gone')
    expect(standingOf(owner, 'ours', () => 'running')).toBe('running')
    expect(standingOf(owner, 'ours', () => 'unknown')).toBe('remote')
  })
})

it('an owner is superseded by a greater epoch on record only', () => {
  expect([undefined, 4, 5, 6].map((row) => isSuperseded(5, row))).toEqual([false, false, false, true])
})

describe('attention', () => {
  it('gives an owner the whole expiry from when it was last heard of', () => {
    const attention = new Attention(100, 50)
    attention.hear('owner')
    attention.listen(40)
    expect(attention.leftMs('owner')).toBe(60)
    attention.hear('owner')
    expect(attention.leftMs('owner')).toBe(100)
    attention.listen(50)
    attention.listen(49)
    expect(attention.leftMs('owner')).toBe(1)
    attention.listen(1)
    expect(attention.leftMs('owner')).toBe(0)
  })

  it('tells owners apart, and takes one that it never heard of for silent', () => {
    const attention = new Attention(100, 50)
    attention.hear('ended')
    attention.listen(50)
    attention.hear('other')
    attention.listen(50)
    expect(['ended', 'other', 'unheard'].map((owner) => attention.leftMs(owner))).toEqual([0, 50, 0])
  })

  it('counts no more of a step than it can have listened: the rest was a stop of our own', () => {
    const attention = new Attention(100, 50)
    attention.hear('owner')
    attention.listen(3_600_000)
    expect(attention.leftMs('owner')).toBe(50)
  })

  it('stays silent about an owner until it is heard again, however long that takes', () => {
    const attention = new Attention(100, 50)
    attention.hear('owner')
    for (let steps = 0; steps < 1_000; steps++) attention.listen(50)
    expect(attention.leftMs('owner')).toBe(0)
    attention.hear('owner')
    expect(attention.leftMs('owner')).toBe(100)
  })
})
