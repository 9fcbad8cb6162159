import { describe, expect, it } from 'vitest'
import { JournalError } from '../../journal/journal.ts'
import { MemoryServer } from '../support/memory-journal/server.ts'
import { timeAndChance } from '../support/memory-journal/time.ts'
import { randomFrom } from '../support/random.ts'
import { SimulatedTime } from '../support/simulated-time.ts'
import { isLinearizable, logModel, type Operation, quotaModel, ticketModel } from './linearizability.ts'

type Of<M> = M extends { next: (state: string, input: infer I, output: infer O | undefined) => unknown }
  ? Operation<I, O>
  : never
type LogCall = Of<typeof logModel>
type TicketCall = Of<typeof ticketModel>
type QuotaCall = Of<ReturnType<typeof quotaModel>>

const call = <I, O>(calledAt: number, answeredAt: number, input: I, output: O | undefined): Operation<I, O> => ({
  input,
  output,
  calledAt,
  answeredAt,
})
/** An append whose answer was lost. */
const lostAppend = (from: number, id: string): LogCall => ({ ...append(from, Infinity, id, 0), output: undefined })
const append = (from: number, to: number, id: string, offset: number): LogCall =>
  call(from, to, { append: id }, { offset })
const read = (from: number, to: number, ...ids: readonly string[]): LogCall => call(from, to, 'read', { ids })

describe('the checker of linearizability', () => {
  const logs: readonly [boolean, string, readonly LogCall[]][] = [
    [
      true,
      'appends and reads in turn',
      [append(0, 1, 'a', 0), read(2, 3, 'a'), append(4, 5, 'b', 1), read(6, 7, 'a', 'b')],
    ],
    [
      true,
      'a read beside an append sees it or not',
      [append(0, 9, 'a', 0), read(1, 2), read(3, 4, 'a'), read(5, 6, 'a')],
    ],
    [true, 'appends at once in either order', [append(0, 9, 'a', 1), append(1, 8, 'b', 0), read(10, 11, 'b', 'a')]],
    [true, 'a lost answer whose append is seen', [lostAppend(0, 'a'), read(5, 6), read(7, 8, 'a')]],
    [true, 'a lost answer whose append is not seen', [lostAppend(0, 'a'), read(5, 6)]],
    [false, 'a lost write', [append(0, 1, 'a', 0), read(2, 3)]],
    [
      false,
      'a second read that no longer sees what the first saw',
      [append(0, 9, 'a', 0), read(1, 2, 'a'), read(3, 4)],
    ],
    [false, 'an offset twice', [append(0, 1, 'a', 0), append(2, 3, 'b', 0)]],
    [false, 'a record twice', [append(0, 1, 'a', 0), read(2, 3, 'a', 'a')]],
    [false, 'a lost answer that is seen twice', [lostAppend(0, 'a'), read(5, 6, 'a'), read(7, 8, 'a', 'a')]],
    [false, 'a read from the future', [read(0, 1, 'a'), append(2, 3, 'a', 0)]],
  ]
  it.each(logs)('says %s of a log with %s', (sound, _, history) => {
    expect(isLinearizable(logModel, history)).toBe(sound)
  })

  const redeem = (from: number, to: number, output: TicketCall['output']): TicketCall =>
    call(from, to, 'redeem', output)
  const tickets: readonly [boolean, string, readonly TicketCall[]][] = [
    [true, 'redeemed by one of two', [redeem(0, 5, 'redeemed'), redeem(1, 4, 'used')]],
    [true, 'used by a call whose answer was lost', [redeem(0, Infinity, undefined), redeem(1, 4, 'used')]],
    [false, 'redeemed by both of two', [redeem(0, 5, 'redeemed'), redeem(1, 4, 'redeemed')]],
    [false, 'used before anybody tried it', [redeem(0, 1, 'used'), redeem(2, 3, 'redeemed')]],
  ]
  it.each(tickets)('says %s of a ticket %s', (sound, _, history) => {
    expect(isLinearizable(ticketModel, history)).toBe(sound)
  })

  const take = (at: number, output: QuotaCall['output']): QuotaCall => call(at, at + 1, 'take', output)
  const refund = (at: number): QuotaCall => call(at, at + 1, 'refund', 'refunded')
  const quotas: readonly [boolean, string, readonly QuotaCall[]][] = [
    [true, 'exhausted after its two calls', [take(0, 'granted'), take(2, 'granted'), take(4, 'exhausted')]],
    [true, 'used again after a refund', [take(0, 'granted'), take(2, 'granted'), refund(4), take(6, 'granted')]],
    [false, 'with a third call', [take(0, 'granted'), take(2, 'granted'), take(4, 'granted')]],
    [false, 'exhausted too early', [take(0, 'granted'), take(2, 'exhausted')]],
    [false, 'used before the refund', [take(0, 'granted'), take(2, 'granted'), take(4, 'granted'), refund(6)]],
  ]
  it.each(quotas)('says %s of a quota of two calls %s', (sound, _, history) => {
    expect(isLinearizable(quotaModel(2, 0), history)).toBe(sound)
  })
})

const RUNS = 40
const CLIENTS = 3
const CALLS = 8

describe('appends and reads of the journal', () => {
  it(`of ${CLIENTS} clients at once are linearizable, whatever answers are lost: ${RUNS} drawn histories`, async () => {
    let lost = 0
    for (let seed = 1; seed <= RUNS; seed++) {
      const history = await drawnHistory(seed)
      lost += history.filter(({ output }) => output === undefined).length
      expect(isLinearizable(logModel, history), `seed ${seed}`).toBe(true)
    }
    expect(lost).toBeGreaterThan(RUNS)
  })
})

async function drawnHistory(seed: number): Promise<LogCall[]> {
  const random = randomFrom(seed)
  const time = new SimulatedTime(randomFrom(seed + 1))
  const rates = { refused: 0.1, unknown_but_written: 0.1, unknown_and_not_written: 0.1, late: 0.2 }
  const server = new MemoryServer({
    ...timeAndChance(time),
    random,
    rates,
    latencyMs: () => 20 * random(),
    longestMs: 50,
  })
  const history: LogCall[] = []
  const client = async (name: number) => {
    const journal = server.open()
    await patiently(() => journal.ensureTopics({ log: { partitions: 1, cleanup: 'delete', retentionMs: null } }))
    for (let n = 0; n < CALLS; n++) {
      await time.after(20 * random())
      const calledAt = time.monotonic()
      const isRead = random() < 0.5
      const id = `${name}.${n}`
      const output = await (isRead ? readAll(journal) : appended(journal, id)).catch((error) => {
        if (error instanceof JournalError && error.code === 'outcome_unknown') return undefined
        if (error instanceof JournalError && error.code === 'unavailable') return null
        throw error
      })
      // What was refused has done nothing.
      if (output === null) continue
      const answeredAt = output ? time.monotonic() : Number.POSITIVE_INFINITY
      history.push({ input: isRead ? 'read' : { append: id }, output, calledAt, answeredAt })
    }
  }
  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, i) => client(i)))
  let isDone = false
  void clients.finally(() => (isDone = true))
  await time.runUntil(() => isDone)
  await clients
  return history
}

type Client = ReturnType<MemoryServer['open']>
const log = { topic: 'log', partition: 0 }

async function readAll(journal: Client) {
  const { records } = await journal.read(log, 0, { maxRecords: 1_000 })
  return { ids: records.map(({ value }) => Buffer.from(value).toString()) }
}

async function appended(journal: Client, id: string) {
  const record = { key: null, value: Buffer.from(id), timestamp: 0, headers: {} }
  return { offset: (await journal.append({ ...log, records: [record] })).firstOffset }
}

async function patiently(task: () => Promise<unknown>): Promise<void> {
  for (;;)
    try {
      return void (await task())
    } catch (error) {
      if (!(error instanceof JournalError && error.code === 'unavailable')) throw error
    }
}
