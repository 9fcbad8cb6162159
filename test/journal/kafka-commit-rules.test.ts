import { describe, expect, it } from 'vitest'
import { type CommitState, type End, type News, next, rowNews, type Step } from '../../journal/kafka/commit-rules.ts'
import type { LedgerClaimRow } from '../../journal/kafka/ledger.ts'

/** A state that is in doubt has a question mark. */
type Named = Step | `${Step}?` | End

/** Each state, what its step can come to, and what is next: before the deadline, and after it. */
const table: readonly (readonly [Step | `${Step}?`, News, Named, Named])[] = [
  ['write', 'written', 'committed', 'committed'],
  ['write', 'failed', 'look', 'timed out'],
  ['write', 'refused', 'refused', 'refused'],
  ['write', 'unsure', 'look?', 'look?'],
  ['write', 'unsure for good', 'unknown', 'unknown'],
  ['write', 'lost', 'fenced', 'fenced'],

  ['look', 'before', 'initialise', 'initialise'],
  ['look', 'after', 'unknown', 'unknown'],
  ['look', 'another', 'fenced', 'fenced'],
  ['look', 'failed', 'look', 'timed out'],
  ['look', 'refused', 'refused', 'refused'],
  ['look', 'lost', 'fenced', 'fenced'],

  ['initialise', 'initialised', 'confirm', 'confirm'],
  ['initialise', 'failed', 'look', 'timed out'],
  ['initialise', 'refused', 'refused', 'refused'],
  ['initialise', 'lost', 'fenced', 'fenced'],

  ['confirm', 'before', 'write', 'write'],
  ['confirm', 'after', 'unknown', 'unknown'],
  ['confirm', 'another', 'fenced', 'fenced'],
  ['confirm', 'failed', 'look', 'timed out'],
  ['confirm', 'refused', 'refused', 'refused'],
  ['confirm', 'lost', 'fenced', 'fenced'],

  ['look?', 'before', 'initialise?', 'initialise?'],
  ['look?', 'after', 'committed', 'committed'],
  ['look?', 'another', 'unknown', 'unknown'],
  ['look?', 'failed', 'look?', 'unknown'],
  ['look?', 'refused', 'unknown', 'unknown'],
  ['look?', 'lost', 'unknown', 'unknown'],

  ['initialise?', 'initialised', 'confirm?', 'confirm?'],
  ['initialise?', 'failed', 'look?', 'unknown'],
  ['initialise?', 'refused', 'unknown', 'unknown'],
  ['initialise?', 'lost', 'unknown', 'unknown'],

  ['confirm?', 'before', 'write', 'timed out'],
  ['confirm?', 'after', 'committed', 'committed'],
  ['confirm?', 'another', 'unknown', 'unknown'],
  ['confirm?', 'failed', 'look?', 'unknown'],
  ['confirm?', 'refused', 'unknown', 'unknown'],
  ['confirm?', 'lost', 'unknown', 'unknown'],
]

const stateOf = (name: string): CommitState => ({ step: name.replace('?', '') as Step, inDoubt: name.endsWith('?') })
const nameOf = (reached: CommitState | End) =>
  typeof reached === 'string' ? reached : `${reached.step}${reached.inDoubt ? '?' : ''}`

describe('a transaction under a claim', () => {
  it.each(table)(
    'at %s, on news %s, goes to %s in time and to %s after the deadline',
    (state, news, inTime, timedOut) => {
      expect(nameOf(next(stateOf(state), news, false))).toBe(inTime)
      expect(nameOf(next(stateOf(state), news, true))).toBe(timedOut)
    },
  )

  it('has a row in the table for each state that can be reached', () => {
    const states = new Set(table.map(([state]) => state as string))
    const reached = table.flatMap(([, , inTime, timedOut]) => [inTime, timedOut]).map(String)
    const ends = new Set(['committed', 'timed out', 'refused', 'fenced', 'unknown'])
    expect(new Set(reached.filter((name) => !ends.has(name)))).toEqual(states)
  })

  it('is only written after the row was read behind the initialising, never behind a failure', () => {
    const toWrite = table.filter(([, , inTime, timedOut]) => inTime === 'write' || timedOut === 'write')
    expect(toWrite.map(([state, news]) => [state, news])).toEqual([
      ['confirm', 'before'],
      ['confirm?', 'before'],
    ])
  })
})

describe('the row on record', () => {
  const owner = (instance: string) => ({
    instance,
    host: 'host',
    process: { pid: 1, started: null, boot: null, namespace: null },
  })
  const row = (epoch: number, transaction: number, instance?: string): LedgerClaimRow => ({
    epoch,
    transaction,
    owner: instance ? owner(instance) : null,
    positions: {},
    wrote: [],
  })
  const [ours, following] = [row(3, 5, 'ours'), row(3, 6, 'ours')]

  it.each([
    ['the one before', row(3, 5, 'ours'), ours, following, 'before'],
    ['an older one of ours, the newer being unreadable yet', row(3, 4, 'ours'), ours, following, 'before'],
    ['the one after', row(3, 6, 'ours'), ours, following, 'after'],
    ['of a newer owner', row(4, 0, 'other'), ours, following, 'another'],
    ['missing', undefined, ours, following, 'another'],
    ['ours, before a release', row(3, 5, 'ours'), ours, row(3, 6), 'before'],
    ['released by us', row(3, 6), ours, row(3, 6), 'after'],
    ['missing, before the first owner', undefined, undefined, row(1, 0, 'ours'), 'before'],
    ['of another first owner', row(1, 0, 'other'), undefined, row(1, 0, 'ours'), 'another'],
    ['of the silent owner, which has written on', row(3, 9, 'other'), row(3, 5, 'other'), row(4, 0, 'ours'), 'before'],
    ['released meanwhile', row(3, 6), row(3, 5, 'other'), row(4, 0, 'ours'), 'another'],
    ['taken by another contender', row(4, 0, 'third'), row(3, 5, 'other'), row(4, 0, 'ours'), 'another'],
    ['taken by us', row(4, 0, 'ours'), row(3, 5, 'other'), row(4, 0, 'ours'), 'after'],
    ['still released', row(3, 6), row(3, 6), row(4, 0, 'ours'), 'before'],
    ['taken and released by another', row(4, 2), row(3, 6), row(4, 0, 'ours'), 'another'],
    ['released by a newer owner after as many transactions', row(4, 6), ours, row(3, 6), 'another'],
  ])('%s', (_, found, before, after, news) => {
    expect(rowNews(found, before, after)).toBe(news)
  })
})
