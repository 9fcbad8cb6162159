/** How a block is written to a server that fails in every way which matters. The embedded store's own are in insert-kill. */

import type { ClickHouseClient } from '@clickhouse/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemTime } from '../../base/time.ts'
import { openClickHouse } from '../../projections/clickhouse.ts'
import { clickHouseReadModel } from '../../projections/read-model.ts'
import { type BlockTarget, TableMoved, writeBlock } from '../../projections/write-block.ts'
import { type Fate, type StandIn, startStandIn } from './support/stand-in-server.ts'

let server: StandIn
let client: ClickHouseClient
let target: BlockTarget
beforeEach(async () => {
  server = await startStandIn()
  client = openClickHouse({ url: server.url })
  const readModel = clickHouseReadModel(client)
  target = { readModel, table: 't', columns: ['_partition', '_offset'], run: 'run', time: systemTime }
})
afterEach(async () => {
  await client.close()
  await server.close()
})

const signal = new AbortController().signal
const block = (after: number, through: number) => {
  const lines = Array.from({ length: through - after }, (_, i) => `[0,${after + 1 + i}]\n`)
  return { partition: 0, after, through, rows: lines.length, body: [Buffer.from(lines.join(''))] }
}
const failures = (): [string[], (error: unknown) => void] => {
  const names: string[] = []
  return [names, (error) => names.push(error instanceof Error ? error.name : String(error))]
}
/** Tokens in order of their first use: `0 0 1` is one that was sent twice, and then another. */
const tokensUsed = () => {
  const kinds = [...new Set(server.tokens)]
  return server.tokens.map((token) => kinds.indexOf(token)).join(' ')
}

test('a block that lands at once costs no query', async () => {
  await writeBlock(target, block(-1, 2), signal)
  await writeBlock(target, block(2, 5), signal)
  expect(server.offsets).toEqual([0, 1, 2, 3, 4, 5])
  expect(server.queries()).toBe(0)
})

describe('every row is there once, and the next block follows on it, where an attempt', () => {
  test.each<[string, Fate[], string, string[]]>([
    ['never arrives', ['never_arrives'], '0 0', ['ClickHouseFailure']],
    ['lands and is not heard of', ['answer_lost'], '0', ['ClickHouseFailure']],
    ['is still running: nothing is sent meanwhile', ['runs_on'], '0', ['ClickHouseFailure']],
    ['arrives after its retry', ['held_up'], '0 0', ['ClickHouseFailure']],
    ['left only its token behind', ['killed_in_place'], '0 0 1', ['ClickHouseFailure', 'SpentToken']],
    [
      'left only its token behind, and its retry arrives after the one under a new token',
      ['killed_in_place', 'held_up'],
      '0 0 0 1',
      ['ClickHouseFailure', 'ClickHouseFailure', 'SpentToken'],
    ],
    [
      'left only its token behind, twice',
      ['killed_in_place', 'lands', 'killed_in_place'],
      '0 0 1 1 2',
      ['ClickHouseFailure', 'SpentToken', 'ClickHouseFailure', 'SpentToken'],
    ],
    [
      'left only its token behind, and the next one is running when its answer breaks off',
      ['killed_in_place', 'lands', 'runs_on'],
      '0 0 1',
      ['ClickHouseFailure', 'SpentToken', 'ClickHouseFailure'],
    ],
  ])('%s', async (_, fates, tokens, expected) => {
    await writeBlock(target, block(-1, 2), signal)
    server.tokens.length = 0
    server.fates.push(...fates)
    const [names, onRetry] = failures()
    await writeBlock(target, block(2, 5), signal, onRetry)
    expect(tokensUsed()).toBe(tokens)
    expect(names).toEqual(expected)
    await writeBlock(target, block(5, 8), signal)
    expect(server.offsets).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  })
})

test('a retry is not over while its rows are missing, whatever the server says', async () => {
  server.fates.push('never_arrives', 'vanishes', 'vanishes', 'vanishes', 'vanishes')
  await writeBlock(target, block(-1, 2), signal)
  expect(server.offsets).toEqual([0, 1, 2])
  expect(tokensUsed()).toBe('0 0 1 2 3 4')
})

test('waiting ends with the signal', async () => {
  server.fates.push('never_arrives', ...Array<Fate>(100).fill('vanishes'))
  const stop = new AbortController()
  const [names, onRetry] = failures()
  const writing = writeBlock(target, block(-1, 2), stop.signal, (error) => {
    onRetry(error)
    if (names.length === 3) stop.abort(new Error('that is enough'))
  })
  await expect(writing).rejects.toThrow('that is enough')
})

test.each([
  ['behind', [0, 1]],
  ['ahead', [0, 1, 2, 3, 4, 5, 6]],
])('a table that is %s is told from one that has or lacks the block', async (_, offsets) => {
  server.offsets.push(...offsets)
  server.fates.push('never_arrives')
  await expect(writeBlock(target, block(2, 5), signal)).rejects.toThrow(TableMoved)
  expect(server.tokens).toHaveLength(1)
})
